import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { http, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, type SendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/**
 * Timings for a process that is stopped for three times the silence after which it counts as dead, and longer than its
 * call may take.
 */
const STILL = { ...QUICK_TIMINGS, recoveryEveryMs: 1_000, platformTimeoutMs: 5_000 }
const STILL_MS = 8_000

const platformFor = (name: string) => keepPlatform(join(folder.path, name), { hangMs: 120_000 })
const HANGING = [{ kind: 'hang', endpoint: '/message/template' }]

/** Reads the message through another process. */
function readAt(url: string, { apiKey }: SendingShop, messageId: string) {
  const headers = { 'x-api-key': `service-partner ${apiKey}` }
  return http(url, 'GET', `/api/external/notify-message/messages/${messageId}`, undefined, headers)
}

/**
 * Sends a message to which the platform does not respond; returns its id after its fee is held. `answer` arrives late
 * or never.
 */
async function sendIntoTheVoid(shop: SendingShop): Promise<{ messageId: string; answer: Promise<unknown> }> {
  const answer = shop
    .call('POST', '/api/external/notify-message/send', {
      templateId: shop.templateId,
      receiverPhone: '0912345678',
      params: { customer_name: 'An', order_code: 'DH1' },
    })
    .catch((error: unknown) => error)
  const messageId = await eventually(async () => {
    const { body } = await shop.call('GET', '/api/external/wallet/entries?limit=1')
    return body.entries[0]?.messageId as string | undefined
  })
  return { messageId, answer }
}

const read = async (shop: SendingShop, messageId: string) =>
  (await shop.call('GET', `/api/external/notify-message/messages/${messageId}`)).body.data

describe.concurrent('G-24 a process killed while the platform is called', () => {
  it('the next start makes the message UNKNOWN within 30 s, with its fee held', async () => {
    const platform = await platformFor('killed')
    const service = await platform.start()
    const shop = await makeSendingShop(service.url, 1_000_000, SIMULATOR_CREDENTIALS)
    await platform.setFaults(HANGING)
    const { messageId, answer } = await sendIntoTheVoid(shop)
    await service.end('SIGKILL')
    expect(await answer).toBeInstanceOf(Error)

    const next = await platform.start()
    const data = await eventually(async () => {
      const message = await read(shop, messageId)
      return message.status === 'UNKNOWN' && message
    }, 30_000)
    expect(data.events.map((event: { kind: string }) => event.kind)).toEqual(['accepted', 'unknown'])
    expect((await shop.call('GET', '/api/external/wallet')).body.held).toBeGreaterThan(0)
    await next.end('SIGTERM')
    await platform.remove()
  }, 90_000)

  it.runIf(onPostgres)(
    'another process on the same database finds it too, within 30 s',
    async () => {
      const platform = await platformFor('two')
      const [first, second] = await Promise.all([
        platform.start(),
        platform.start({ DATA_DIR: join(folder.path, 'second'), PORT: '0' }),
      ])
      const shop = await makeSendingShop(first.url, 1_000_000, SIMULATOR_CREDENTIALS)
      await platform.setFaults(HANGING)
      const { messageId } = await sendIntoTheVoid(shop)
      await first.end('SIGKILL')
      await eventually(
        async () => (await readAt(second.url, shop, messageId)).body.data.status === 'UNKNOWN',
        30_000,
      )
      await second.end('SIGTERM')
      await platform.remove()
    },
    90_000,
  )
})

describe.runIf(onPostgres).concurrent('G-24 a process that stands still while the platform is called', () => {
  it('is not taken for dead by another one, and settles its message when it goes on', async () => {
    const platform = await platformFor('still')
    const TIMINGS = JSON.stringify(STILL)
    const [slow, other] = await Promise.all([
      platform.start({ TIMINGS }),
      platform.start({ TIMINGS, DATA_DIR: join(folder.path, 'other'), PORT: '0' }),
    ])
    const shop = await makeSendingShop(slow.url, 1_000_000, SIMULATOR_CREDENTIALS)
    await platform.setFaults(HANGING)
    const { messageId } = await sendIntoTheVoid(shop)
    slow.child.kill('SIGSTOP')
    await pause(STILL_MS)
    expect((await readAt(other.url, shop, messageId)).body.data.status).toBe('SENDING')
    slow.child.kill('SIGCONT')
    // Its own call has timed out meanwhile, so it records the outcome as unknown.
    const cause = await eventually(async () => {
      const { rows } = await sql<{ unknown_cause: string | null }>`
        select unknown_cause from messages where id = ${messageId}`.execute(platform.database!.db)
      return rows[0]?.unknown_cause
    }, 20_000)
    expect(cause).toBe('timeout')
    await slow.end('SIGTERM')
    await other.end('SIGTERM')
    await platform.remove()
  }, 120_000)
})
