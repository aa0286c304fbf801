import { describe, expect, it } from 'vitest'
import { feedCaughtUp } from '../support/changes.ts'
import { onPostgres } from '../support/database.ts'
import { ENTRIES, entry, MOVEMENTS, POS, stockedSku } from '../support/inventory.ts'
import { PRODUCTS } from '../support/products.ts'
import { type Answer, makeShop, service } from '../support/service.ts'

const running = await service()
const ROUNDS = 4
const AT_ONCE = 6

type Event = {
  type: string
  sequence: number
  data: { orderId: string; price: number; items: { quantity: number; reserved: number }[] }
}

/** A line of the ledger; `counted` is the stock that it set. */
type Line = { type: string; quantity: number; counted: number | null }

describe.skipIf(!onPostgres)('G-62 sequence: changes of one record that wait for one another', () => {
  it('the event with the greatest one tells of the record as it is, an order is created before it is paid', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop, 1_000)
    const [product] = (await shop.get(PRODUCTS)).body.data.products
    const read = async () => (await shop.get(`${PRODUCTS}/${product._id}`)).body.data
    const answered: Answer[] = []
    for (let round = 0; round < ROUNDS; round++) {
      answered.push(
        ...(await Promise.all(
          Array.from({ length: AT_ONCE }, (_, n) => [
            shop.post(POS, { orderItems: [{ id: skuId, quantity: 1 }], paidAmount: 1_000_000 }),
            shop.patch(`${PRODUCTS}/${product._id}`, { shopId: shop.shopId, price: 1_000 + 10 * round + n }),
            shop.post(ENTRIES, entry('receive', [[skuId, n + 1]])),
          ]).flat(),
        )),
      )
    }
    for (const { status, body } of answered) expect(status, JSON.stringify(body)).toBeLessThan(300)
    await feedCaughtUp(running.deps.db)
    const { events } = (await shop.get('/api/external/events?limit=500')).body.data
    const of = (type: string) =>
      (events as Event[]).filter((event) => event.type === type).toSorted((a, b) => a.sequence - b.sequence)
    const now = await read()
    expect(of('product.updated').at(-1)?.data.price).toBe(now.price)
    const reserved = of('stock.changed').map(({ data }) => data.items[0]!.reserved)
    expect(reserved).toEqual(reserved.toSorted((a, b) => a - b))
    const stock = of('stock.changed').at(-1)?.data.items[0]
    const received = (ROUNDS * AT_ONCE * (AT_ONCE + 1)) / 2
    expect(stock).toMatchObject({ quantity: 1_000 + received, reserved: ROUNDS * AT_ONCE })
    const created = new Map(of('order.created').map((event) => [event.data.orderId, event.sequence]))
    expect(of('order.paid')).toHaveLength(ROUNDS * AT_ONCE)
    for (const { data, sequence } of of('order.paid')) {
      expect(sequence).toBeGreaterThan(created.get(data.orderId)!)
    }
  })

  it('G-38 the ledger lists counts and receipts of one stock in the order in which they changed it', async () => {
    const shop = await makeShop(running)
    const skuId = await stockedSku(shop, 5)
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          shop.post(
            ENTRIES,
            n % 2 === 0 ? entry('count', [[skuId, 10 * n]]) : entry('receive', [[skuId, n]]),
          ),
        ),
      )
    }
    const { movements } = (await shop.get(`${MOVEMENTS}?skuId=${skuId}&limit=100`)).body.data
    let stock = 0
    for (const { type, quantity, counted } of movements.toReversed() as Line[]) {
      stock += quantity
      if (type === 'count') expect(stock).toBe(counted)
    }
    expect(movements.length).toBeGreaterThan(ROUNDS)
  })

  it('G-30 updatedAt of a product never goes back', async () => {
    const shop = await makeShop(running)
    await stockedSku(shop)
    const [product] = (await shop.get(PRODUCTS)).body.data.products
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          shop.patch(`${PRODUCTS}/${product._id}`, { shopId: shop.shopId, price: 1_000 + 10 * round + n }),
        ),
      )
      const inOrder = answers
        .map(({ body }) => body.data as { __v: number; updatedAt: string })
        .toSorted((a, b) => a.__v - b.__v)
        .map(({ updatedAt }) => updatedAt)
      expect(inOrder).toEqual(inOrder.toSorted())
    }
  })
})
