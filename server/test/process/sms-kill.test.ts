import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { http, manageOver, temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, type SendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const MESSAGES = 24
/**
 * This many SMS of a round are answered before the kill. Of the others, the provider has some and has never received
 * the rest.
 */
const ANSWERED = 5
const ROUNDS = 2
const MONEY = 10_000_000
const PRICE = 350

describe('G-92 SIGKILL while SMS go out', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('the next start goes on: each recipient gets one SMS, each is charged once, and the ledger adds up', async () => {
    let calls = Number.NEGATIVE_INFINITY
    // The provider reports five times if nothing answers: over 17 s, so that a slow machine has started the service by then.
    const options = { deliveryMs: 1_500, repeatScale: 4 }
    const platform = await keepPlatform(join(folder.path, 'data'), options, (simulator) => {
      const isSend = (url: string) => url.includes('/SendMultipleMessage_V4_post_json')
      const untilGone = (socket: { once(event: 'close', then: () => void): void }) =>
        new Promise<void>((resolve) => socket.once('close', resolve))
      const numbers = new WeakMap<object, number>()
      simulator.addHook('onRequest', async (request) => {
        if (!isSend(request.url)) return
        calls += 1
        numbers.set(request, calls)
        if (calls > ANSWERED && calls % 2 === 1) await untilGone(request.raw.socket)
      })
      simulator.addHook('onSend', async (request) => {
        if ((numbers.get(request) ?? 0) > ANSWERED) await untilGone(request.raw.socket)
      })
    })
    const quick = {
      ...QUICK_TIMINGS,
      smsEveryMs: 100,
      smsClaimMs: 2_000,
      smsRetryPausesMs: [500],
      smsStatusPausesMs: [500],
      platformTimeoutMs: 60_000,
    }
    // After a lost response the provider's id is unknown; only its report brings it.
    const PUBLIC_URL = `http://127.0.0.1:${platform.env.PORT}`
    const start = () => platform.start({ TIMINGS: JSON.stringify(quick), ESMS_URL: platform.url, PUBLIC_URL })
    let service = await start()
    const shop = await makeSendingShop(service.url, MONEY, SIMULATOR_CREDENTIALS)
    const keys = { apiKey: 'api-key', secretKey: 'secret-key' }
    const sender = { brandname: 'CUAHANG', price: PRICE, ...keys }
    expect((await manageOver(service.url, 'PUT', `/shops/${shop.shopId}/sms`, sender)).status).toBe(200)
    const path = `/api/external/notify-template/${shop.templateId}/sms-text`
    expect((await shop.call('PUT', path, { text: 'Don <order_code> da giao' })).status).toBe(200)

    for (let round = 0; round < ROUNDS; round++) {
      calls = 0
      await Promise.all(Array.from({ length: MESSAGES }, (_, n) => sendRefused(shop, round, n)))
      await eventually(async () => calls > ANSWERED, 20_000)
      // The others of the same round are waiting for responses at the same time.
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect((await walletOf(shop)).held).toBeGreaterThan(0)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      calls = Number.NEGATIVE_INFINITY
      service = await start()
      await eventually(async () => (await walletOf(shop)).held === 0, 60_000)
    }
    expect(await walletOf(shop)).toEqual({ balance: MONEY - ROUNDS * MESSAGES * PRICE, held: 0 })
    const { body } = await http(platform.url, 'GET', '/control/sms')
    expect(body.sms.map((one: { phone: string }) => one.phone).sort()).toEqual(
      Array.from(
        { length: ROUNDS * MESSAGES },
        (_, n) => `0${phoneOf(Math.floor(n / MESSAGES), n % MESSAGES)}`,
      ).sort(),
    )
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const database = await platform.open()
    const { rows } = await sql`
      select m.state, f.outcome, count(*)::integer as n
      from messages m
      join message_fallbacks f on f.shop_id = m.shop_id and f.message_id = m.id
      where m.shop_id = ${shop.shopId}
      group by m.state, f.outcome`.execute(database.db)
    expect(rows).toEqual([{ state: 'RECEIVED', outcome: 'DELIVERED', n: ROUNDS * MESSAGES }])
    await checkInvariants(database.db)
    await database.close()
    await platform.remove()
  }, 150_000)
})

const phoneOf = (round: number, n: number) => `9${round + 1}1${String(10 + n)}0001`

async function sendRefused(shop: SendingShop, round: number, n: number): Promise<void> {
  const answer = await shop.call('POST', '/api/external/notify-message/send', {
    templateId: shop.templateId,
    // The platform refuses numbers ending in 0001, because the recipient has no account.
    receiverPhone: `0${phoneOf(round, n)}`,
    params: { customer_name: 'An', order_code: `DH${n}` },
  })
  expect([answer.status, answer.body.data?.status]).toEqual([202, 'SENDING'])
}

async function walletOf(shop: SendingShop): Promise<{ balance: number; held: number }> {
  return (await shop.call('GET', '/api/external/wallet')).body
}
