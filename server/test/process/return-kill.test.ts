import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { checkInvariants } from '../support/invariants.ts'
import { keepPlatform } from '../support/kept-platform.ts'
import { temporaryFolder } from '../support/process.ts'
import { QUICK_TIMINGS } from '../support/quick-timings.ts'
import { makeSendingShop, SIMULATOR_CREDENTIALS } from '../support/sending.ts'

const ROUNDS = 3
const RETURNS = 8
const PRICE = 20_000

describe.runIf(onPostgres)('G-123 SIGKILL while goods are returned', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  it('each return is whole or not at all, and once after it is sent again: order, refund and stock add up', async () => {
    const platform = await keepPlatform(join(folder.path, 'data'))
    const quick = { ...QUICK_TIMINGS, idempotencyLeaseMs: 1_000 }
    const start = () => platform.start({ TIMINGS: JSON.stringify(quick) })
    let service = await start()
    const shop = await makeSendingShop(service.url, 10_000_000, SIMULATOR_CREDENTIALS)
    const made = await shop.call('POST', '/api/external/v1/products', { name: 'Chén', price: PRICE })
    const skuId = made.body.data.skus[0]._id
    const pieces = ROUNDS * RETURNS + 1
    const sold = { orderItems: [{ id: skuId, quantity: pieces }], isPaid: true, paymentMethod: 'cash' }
    const order = (await shop.call('POST', '/api/external/order/pos/create', sold)).body.data
    const path = `/api/external/v1/orders/${order._id}`
    await shop.call('PATCH', `${path}/status`, { status: 'completed' })
    for (let round = 0; round < ROUNDS; round++) {
      const send = (n: number) => {
        const lines = [{ orderItemId: order.orderItems[0]._id, quantity: 1 }]
        const headers = { 'idempotency-key': `return ${round} ${n}` }
        return shop.call('POST', `${path}/returns`, { lines, refundAmount: PRICE }, headers)
      }
      const numbers = Array.from({ length: RETURNS }, (_, n) => n)
      const sent = numbers.map((n) =>
        send(n).then(
          (answer) => answer.status === 201,
          () => false,
        ),
      )
      await Promise.race(sent)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50))
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      await Promise.all(sent)

      const between = await platform.open()
      const { rows } = await sql<Record<'returns' | 'moved' | 'refunds' | 'amount' | 'events', number>>`
        select o.returned_amount as amount,
          (select count(*) from order_returns r where r.shop_id = o.shop_id and r.order_id = o.id) as returns,
          (select count(*) from stock_movements m where m.shop_id = o.shop_id and m.order_id = o.id and type = 'return') as moved,
          (select count(*) from gateway_payments g where g.shop_id = o.shop_id and g.order_id = o.id and amount < 0) as refunds,
          (select count(*) from shop_events e where e.shop_id = o.shop_id and e.type = 'order.returned') as events
        from orders o
        where o.shop_id = ${shop.shopId}`.execute(between.db)
      const { returns, amount, ...others } = rows[0]!
      expect({ amount, ...others }).toEqual({
        amount: returns * PRICE,
        moved: returns,
        refunds: returns,
        events: returns,
      })
      await checkInvariants(between.db)
      await between.close()

      service = await start()
      for (const n of numbers) await eventually(async () => (await send(n)).status === 201, 30_000)
    }
    const { body } = await shop.call('GET', path)
    expect(body.data).toMatchObject({ returnedAmount: (pieces - 1) * PRICE, paidAmount: PRICE, isPaid: true })
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await platform.remove()
  }, 180_000)
})
