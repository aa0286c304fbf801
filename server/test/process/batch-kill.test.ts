import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { BATCHES, phones } from '../support/batches.ts'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { http, temporaryFolder } from '../support/process.ts'
import { makeSendingShop, type SendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const MESSAGES = 400

describe('G-27 SIGKILL while a batch is being sent', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start goes on by itself, and no recipient gets a second copy', async () => {
    const platform = await keepPlatform(join(folder.path, 'data'))
    const start = () => platform.start({ PLATFORM_RATE_PER_MINUTE: '0' })
    let service = await start()
    const shop = await makeSendingShop(service.url, 1_000_000, SIMULATOR_CREDENTIALS)
    await platform.setFaults([{ kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: 80 }])
    const messages = phones(MESSAGES).map((receiverPhone) => ({
      receiverPhone,
      params: { customer_name: 'An', order_code: 'DH1' },
    }))
    const made = await shop.call('POST', BATCHES, { templateId: shop.templateId, messages })
    expect(made).toMatchObject({ status: 202, body: { data: { accepted: MESSAGES } } })
    const path = `${BATCHES}/${made.body.data.id}`

    for (const enough of [60, 180]) {
      await eventually(async () => (await progress(shop, path)).received >= enough, 20_000)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      expect((await sentTo(platform.url)).length).toBeLessThan(MESSAGES)
      service = await start()
    }
    // Messages that were under way at a kill stay SENDING until their lease is over, then UNKNOWN until their receipt
    // comes.
    await eventually(async () => {
      const { queued, received, sending, unknown } = await progress(shop, path)
      return queued === 0 && received + sending + unknown === MESSAGES && received >= MESSAGES - 64
    }, 30_000)
    const sent = await sentTo(platform.url)
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.length).toBeGreaterThan(MESSAGES - 65)

    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    const database = await platform.open()
    await checkInvariants(database.db)
    await database.close()
    await platform.remove()
  }, 120_000)
})

const progress = async (shop: SendingShop, path: string) => (await shop.call('GET', path)).body.data.progress

/** The phones for which the platform accepted a message, each as often as it did. */
async function sentTo(simulatorUrl: string): Promise<string[]> {
  const { body } = await http(simulatorUrl, 'GET', '/control/messages')
  return body.messages.map((message: { phone: string }) => message.phone)
}
