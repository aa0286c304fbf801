import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { buildSimulator } from '../../../simulator/src/app.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { type Environment, freePorts, http, startService, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, type SendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'
import { eventually } from '../support/service.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

/** Stands still for three times the silence after which a process counts as dead, and longer than its call may take. */
const STILL = { ...QUICK_TIMINGS, recoveryEveryMs: 1_000, platformTimeoutMs: 5_000 }
const STILL_MS = 8_000

/** A simulator of the test's own, so that it outlives the service, and what a service needs to know of it. */
async function platformAndDatabase(name: string) {
  const events = { url: '' }
  const simulator = buildSimulator({
    webhookUrl: () => events.url,
    reviewMs: 0,
    seed: 1,
    secret: SIMULATOR_CREDENTIALS.secretKey,
    hangMs: 120_000,
  })
  const simulatorUrl = await simulator.listen({ port: 0, host: '127.0.0.1' })
  const onServer = onPostgres ? await makeDatabase() : undefined
  const env: Environment = {
    DATA_DIR: join(folder.path, name),
    PLATFORM_BUSINESS_URL: simulatorUrl,
    PLATFORM_OPENAPI_URL: simulatorUrl,
    PLATFORM_OAUTH_URL: simulatorUrl,
    // Shared by processes whose data folders differ.
    SECRETS_KEY: 'a5'.repeat(32),
    PLATFORM_STRICT: '0',
    PLATFORM_IMAGES: 'link',
    ...(onServer?.url === undefined ? {} : { DATABASE_URL: onServer.url }),
  }
  return {
    env,
    events,
    database: onServer?.database,
    hang: () =>
      http(simulatorUrl, 'POST', '/control/faults', [{ kind: 'hang', endpoint: '/message/template' }]),
    async remove() {
      await simulator.close()
      await onServer?.remove()
    },
  }
}

/** Reads the message through another process. */
function readAt(url: string, { apiKey }: SendingShop, messageId: string) {
  const headers = { 'x-api-key': `service-partner ${apiKey}` }
  return http(url, 'GET', `/api/external/notify-message/messages/${messageId}`, undefined, headers)
}

/** A message that the platform does not answer; its id once its fee is held. `answer` comes late or never. */
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
    const { env, events, hang, remove } = await platformAndDatabase('killed')
    Object.assign(env, { PORT: (await freePorts()).PORT })
    const service = await startService(env)
    events.url = service.url
    const shop = await makeSendingShop(service.url, 1_000_000, SIMULATOR_CREDENTIALS)
    await hang()
    const { messageId, answer } = await sendIntoTheVoid(shop)
    await service.end('SIGKILL')
    expect(await answer).toBeInstanceOf(Error)

    const next = await startService(env)
    const data = await eventually(async () => {
      const message = await read(shop, messageId)
      return message.status === 'UNKNOWN' && message
    }, 30_000)
    expect(data.events.map((event: { kind: string }) => event.kind)).toEqual(['accepted', 'unknown'])
    expect((await shop.call('GET', '/api/external/wallet')).body.held).toBeGreaterThan(0)
    await next.end('SIGTERM')
    await remove()
  }, 90_000)

  it.runIf(onPostgres)(
    'another process on the same database finds it too, within 30 s',
    async () => {
      const { env, events, hang, remove } = await platformAndDatabase('two')
      const [first, second] = await Promise.all([
        startService({ ...env, PORT: '0' }),
        startService({ ...env, DATA_DIR: `${env.DATA_DIR}-second`, PORT: '0' }),
      ])
      events.url = first.url
      const shop = await makeSendingShop(first.url, 1_000_000, SIMULATOR_CREDENTIALS)
      await hang()
      const { messageId } = await sendIntoTheVoid(shop)
      await first.end('SIGKILL')
      await eventually(
        async () => (await readAt(second.url, shop, messageId)).body.data.status === 'UNKNOWN',
        30_000,
      )
      await second.end('SIGTERM')
      await remove()
    },
    90_000,
  )
})

describe.runIf(onPostgres).concurrent('G-24 a process that stands still while the platform is called', () => {
  it('is not taken for dead by another one, and settles its message when it goes on', async () => {
    const { env, events, hang, remove, database } = await platformAndDatabase('still')
    env.TIMINGS = JSON.stringify(STILL)
    const [slow, other] = await Promise.all([
      startService({ ...env, PORT: '0' }),
      startService({ ...env, DATA_DIR: `${env.DATA_DIR}-other`, PORT: '0' }),
    ])
    events.url = slow.url
    const shop = await makeSendingShop(slow.url, 1_000_000, SIMULATOR_CREDENTIALS)
    await hang()
    const { messageId } = await sendIntoTheVoid(shop)
    slow.child.kill('SIGSTOP')
    await pause(STILL_MS)
    expect((await readAt(other.url, shop, messageId)).body.data.status).toBe('SENDING')
    slow.child.kill('SIGCONT')
    // Its own call has timed out meanwhile: nobody knows, by its own word.
    const cause = await eventually(async () => {
      const { rows } = await sql<{ unknown_cause: string | null }>`
        select unknown_cause from messages where id = ${messageId}`.execute(database!.db)
      return rows[0]?.unknown_cause
    }, 20_000)
    expect(cause).toBe('timeout')
    await slow.end('SIGTERM')
    await other.end('SIGTERM')
    await remove()
  }, 120_000)
})
