import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { recordEvent } from '../../src/modules/webhooks/outbox/sql.ts'
import { makeShop, separateService, unusedId } from '../support/service.ts'
import { attemptsOf, makeReceiver, register, whenAttempts } from '../support/webhooks.ts'

const EVENTS = 60

it('G-62 four black holes with a backlog delay no other endpoint: a good endpoint’s p95 stays under 2 s', async () => {
  const running = await separateService(
    { outboundAllowPrivate: true },
    { timings: { webhookTimeoutMs: 8_000, webhookLeaseMs: 12_000 } },
  )
  const { db } = running.deps
  const shop = await makeShop(running)
  const blackHoles = await Promise.all(Array.from({ length: 4 }, () => makeReceiver(() => {})))
  const [hole] = await Promise.all(blackHoles.map(({ url }) => register(shop, url)))
  const write = (code: string) =>
    recordEvent(db, shop.shopId, {
      type: 'order.paid',
      data: { orderId: unusedId(), code, price: 5, paidAmount: 5, paymentMethod: 'cash' },
      at: new Date(),
    })
  for (let n = 0; n < 100; n++) await write(`early ${n}`)
  const good = await makeReceiver()
  const endpoint = await register(shop, good.url)
  const written = new Map<string, number>()
  for (let n = 0; n < EVENTS; n++) {
    written.set(`DH${n}`, performance.now())
    await write(`DH${n}`)
    await pause(40)
  }
  await whenAttempts(shop, endpoint._id, EVENTS)
  const took = good.deliveries
    .map(({ body, at }) => at - written.get(JSON.parse(body).data.code)!)
    .toSorted((one, other) => one - other)
  expect(took).toHaveLength(EVENTS)
  expect(took[Math.floor(EVENTS * 0.95)]).toBeLessThan(2_000)
  // No black hole had more requests under way than its limit, and its attempts end by their time-out.
  for (const { deliveries } of blackHoles) expect(deliveries.length).toBeLessThanOrEqual(4)
  const timedOut = await whenAttempts(shop, hole!._id, 4, 20_000)
  expect(timedOut[0]).toMatchObject({ status: null, error: 'no response in time' })
  expect(timedOut[0].durationMs).toBeGreaterThanOrEqual(7_900)
  // Known as failing, it gets one request at a time, and still delays nobody.
  const again = performance.now()
  await write('late')
  await whenAttempts(shop, endpoint._id, EVENTS + 1)
  expect(good.deliveries.at(-1)!.at - again).toBeLessThan(2_000)
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from webhook_deliveries
    where shop_id = ${shop.shopId} and endpoint_id = ${hole!._id} and state = 'leased'`.execute(db)
  expect(rows[0]!.n).toBeLessThanOrEqual(1)
  expect((await attemptsOf(shop, endpoint._id)).every(({ status }) => status === 200)).toBe(true)
}, 60_000)
