import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildSimulator } from '../../../simulator/src/app.ts'
import { openPostgres } from '../../src/db/client.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { BATCHES, phones } from '../support/batches.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { freePorts, http, manageOver, startService, temporaryFolder } from '../support/process.ts'
import { orderTemplate } from '../support/sending.ts'
import { eventually } from '../support/service.ts'

const MESSAGES = 400

describe('G-27 SIGKILL while a batch is being sent', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start goes on by itself, and nobody gets a second copy', async () => {
    let serviceUrl = ''
    const simulator = buildSimulator({
      webhookUrl: () => serviceUrl,
      reviewMs: 0,
      deliveryMs: 20,
      seed: 1,
      secret: 'simulator-secret',
    })
    const simulatorUrl = await simulator.listen({ port: 0, host: '127.0.0.1' })
    const onServer = onPostgres ? await makeDatabase() : undefined
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      PORT: (await freePorts()).PORT,
      PLATFORM_BUSINESS_URL: simulatorUrl,
      PLATFORM_OPENAPI_URL: simulatorUrl,
      PLATFORM_OAUTH_URL: simulatorUrl,
      PLATFORM_STRICT: '0',
      PLATFORM_IMAGES: 'link',
      PLATFORM_RATE_PER_MINUTE: '0',
      ...(onServer?.url === undefined ? {} : { DATABASE_URL: onServer.url }),
    }
    let service = await startService(env)
    serviceUrl = service.url
    const shop = await makeShopOf(serviceUrl)
    await http(simulatorUrl, 'POST', '/control/faults', [
      { kind: 'latency', endpoint: '/message/template', share: 1, latencyMs: 80 },
    ])
    const messages = phones(MESSAGES).map((receiverPhone) => ({
      receiverPhone,
      params: { customer_name: 'An', order_code: 'DH1' },
    }))
    const made = await shop.call('POST', BATCHES, { templateId: shop.templateId, messages })
    expect(made).toMatchObject({ status: 202, body: { data: { accepted: MESSAGES } } })
    const path = `${BATCHES}/${made.body.data.id}`

    for (const enough of [60, 180]) {
      await eventually(async () => (await progress(shop.call, path)).received >= enough, 20_000)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      expect((await sentTo(simulatorUrl)).length).toBeLessThan(MESSAGES)
      service = await startService(env)
    }
    // What was under way at a kill is SENDING until its lease is over, then UNKNOWN until its receipt comes.
    await eventually(async () => {
      const { queued, received, sending, unknown } = await progress(shop.call, path)
      return queued === 0 && received + sending + unknown === MESSAGES && received >= MESSAGES - 64
    }, 30_000)
    const sent = await sentTo(simulatorUrl)
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.length).toBeGreaterThan(MESSAGES - 65)

    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    const database =
      onServer?.url === undefined ? await openEmbedded(join(env.DATA_DIR, 'pg')) : openPostgres(onServer.url)
    await checkInvariants(database.db)
    await database.close()
    await onServer?.remove()
    await simulator.close()
  }, 120_000)
})

type Call = (method: string, path: string, body?: unknown) => ReturnType<typeof http>

const progress = async (call: Call, path: string) => (await call('GET', path)).body.data.progress

/** The phones that the platform took a message for, each as often as it did. */
async function sentTo(simulatorUrl: string): Promise<string[]> {
  const { body } = await http(simulatorUrl, 'GET', '/control/messages')
  return body.messages.map((message: { phone: string }) => message.phone)
}

/** A shop whose account has the simulator's signature as its own, with money and an approved template. */
async function makeShopOf(url: string): Promise<{ templateId: string; call: Call }> {
  const made = await manageOver(url, 'POST', '/shops', { name: 'Tiệm Gốm Bát Tràng' })
  const { shop, apiKey } = made.body.data
  const oaId = `oa-${shop._id}`
  const call: Call = (method, path, body) =>
    http(url, method, path, body, { 'x-api-key': `service-partner ${apiKey}` })
  await manageOver(url, 'POST', `/shops/${shop._id}/official-accounts`, {
    oaId,
    name: 'Gốm Bát Tràng',
    appId: 'simulator',
    secretKey: 'simulator-secret',
    accessToken: `sim:${oaId}`,
  })
  await manageOver(url, 'POST', `/shops/${shop._id}/wallet/entries`, { amount: 1_000_000, note: 'nạp ví' })
  const template = await call('POST', '/api/external/notify-template/create', orderTemplate(oaId))
  const templateId: string = template.body.template._id
  await call('POST', `/api/external/notify-template/${templateId}/publish`)
  await eventually(async () => {
    const read = await call('GET', `/api/external/notify-template/${templateId}`)
    return read.body.data.status === 'ENABLE'
  }, 20_000)
  return { templateId, call }
}
