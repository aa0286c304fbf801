import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/process/app.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { POS, stockedSku } from '../../support/inventory.ts'
import { PRODUCTS } from '../../support/products.ts'
import { makeShop, manage, type Partner, partnerOf, type Service, service } from '../../support/service.ts'
import { insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'
import { importOrders } from '../orders/order-fixtures.ts'

/** 14:37:05 on Sunday the 22nd in Vietnam. */
const NOW = new Date('2026-11-22T07:37:05.250Z')
const ORDERS = '/api/external/v1/orders'
const HISTORY = '/api/external/notify-message/history'
const DAY_MS = 86_400_000
const SALES = 90
/** Pseudo-random, so that a failure can be repeated: 0 ≤ x < below. */
let state = 20_261_122
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * below)
}

type Sale = {
  at: Date
  price: number
  seller: number
  goods: Map<number, number>
  status: 'pending' | 'confirmed' | 'shipping' | 'cancelled'
}

let at = NOW
let running: Service
let shop: Partner
let sellers: Partner[]
let productIds: string[]
const sales: Sale[] = []

beforeAll(async () => {
  const shared = await service()
  running = { ...shared, app: await buildApp({ ...shared.deps, clock: { now: () => at } }) }
  shop = await makeShop(running)
  const keys = await Promise.all(
    ['Quầy 1', 'Quầy 2'].map((name) =>
      manage(running, 'POST', `/shops/${shop.shopId}/keys`, { name, scopes: ['orders', 'read'] }),
    ),
  )
  sellers = [
    shop,
    ...keys.map(({ body }) => partnerOf(running, shop.shopId, body.data.apiKey ?? body.data.key)),
  ]
  const skus: string[] = []
  for (let n = 0; n < 7; n++) skus.push(await stockedSku(shop, 10_000, `Áo ${n}`))
  const listed = await shop.get(`${PRODUCTS}?limit=50&sortBy=name&sortType=asc`)
  productIds = listed.body.data.products.map(({ _id }: { _id: string }) => _id)
  const edges = [0, -1, 1, -30 * 60_000].flatMap((ms) =>
    [1, 7].map((days) => NOW.getTime() - days * DAY_MS + ms),
  )
  const midnights = [1, 7].flatMap((days) =>
    [0, -1].map((ms) => Date.parse('2026-11-22T00:00:00+07:00') - days * DAY_MS + ms),
  )
  const times = [...edges, ...midnights, NOW.getTime(), NOW.getTime() - 3_600_000]
  while (times.length < SALES) times.push(NOW.getTime() - random(16 * DAY_MS))
  for (const time of times) await sell(new Date(time), skus)
  at = NOW
}, 120_000)

afterAll(() => running.app.close())

async function sell(when: Date, skus: string[]): Promise<void> {
  const seller = random(3)
  const goods = new Map([0, 1].map(() => [random(skus.length), 1 + random(5)] as const))
  // Some were kept by a till, and arrive on one of the days after.
  const keptDays = random(3)
  at = new Date(when.getTime() + keptDays * DAY_MS)
  const body = {
    orderItems: [...goods].map(([sku, quantity]) => ({
      id: skus[sku],
      quantity,
      price: 1_000 + random(9_000),
    })),
  }
  const kept: Record<string, string> =
    keptDays === 0 ? {} : { 'x-sale-age': String((keptDays * DAY_MS) / 1_000) }
  const answer = await sellers[seller]!.post(POS, body, kept)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { _id, price } = answer.body.data
  const status = (['pending', 'pending', 'confirmed', 'shipping', 'cancelled'] as const)[random(5)]!
  // Some are cancelled on a later day, and then no longer count in the hour in which they were sold.
  at = new Date(at.getTime() + random(2) * DAY_MS)
  if (status !== 'pending') {
    expect((await shop.patch(`${ORDERS}/${_id}/status`, { status })).status).toBe(200)
  }
  sales.push({ at: when, price, seller, goods, status })
}

const overview = async (query: string) => (await shop.get(`/api/external/overview?${query}`)).body.data
const within = (from: Date, until: Date) =>
  sales.filter(({ at, status }) => status !== 'cancelled' && at >= from && at <= until)
const sumOf = (some: Sale[]) => ({
  orders: some.length,
  revenue: some.reduce((total, { price }) => total + price, 0),
})
const midnight = (day: string) => new Date(`${day}T00:00:00+07:00`)
const totalOf = async (query: Record<string, string>) => {
  const { body } = await shop.get(`${ORDERS}?${new URLSearchParams({ cancelled: 'false', ...query })}`)
  return body.data.meta.total
}
const listed = (from: Date, until: Date, more: Record<string, string> = {}) =>
  totalOf({ startDate: from.toISOString(), endDate: until.toISOString(), ...more })

/** Each period with its first moment and its last one so far. */
const PERIODS: [query: string, from: Date, until: Date, shifts: number[]][] = [
  ['days=1', midnight('2026-11-22'), NOW, [1, 7]],
  ['from=2026-11-21&days=1', midnight('2026-11-21'), new Date(midnight('2026-11-22').getTime() - 1), [1, 7]],
  ['days=7', midnight('2026-11-16'), NOW, [7]],
  ['from=2026-11-10&days=5', midnight('2026-11-10'), new Date(midnight('2026-11-15').getTime() - 1), [5]],
]

describe('G-40 the sales of a period, recounted', () => {
  it.each(PERIODS)(
    '200 %s: its sum, what it is compared with, and as many in the list',
    async (query, from, until, shifts) => {
      const { total, days, before } = await overview(query)
      expect(total).toMatchObject(sumOf(within(from, until)))
      expect(await listed(from, until)).toBe(total.orders)
      expect(days.reduce((sum: number, { revenue }: { revenue: number }) => sum + revenue, 0)).toBe(
        total.revenue,
      )
      expect(before).toHaveLength(shifts.length)
      for (const [place, shift] of shifts.entries()) {
        const earlier = [from, until].map((one) => new Date(one.getTime() - shift * DAY_MS)) as [Date, Date]
        expect(before[place], `${shift} days before`).toEqual({
          from: earlier[0].toISOString(),
          until: earlier[1].toISOString(),
          ...sumOf(within(...earlier)),
        })
        expect(await listed(...earlier)).toBe(before[place].orders)
      }
    },
  )

  it('each hour of the last day beside that of the day before, and the hour’s orders in the list', async () => {
    const { hours } = await overview('days=7')
    expect(hours).toHaveLength(24)
    for (const { hour, orders, revenue, ordersBefore, revenueBefore } of hours) {
      const from = new Date(midnight('2026-11-22').getTime() + hour * 3_600_000)
      const until = new Date(from.getTime() + 3_600_000 - 1)
      expect({ orders, revenue }, `${hour}h`).toEqual(sumOf(within(from, until)))
      const dayBefore = [from, until].map((one) => new Date(one.getTime() - DAY_MS)) as [Date, Date]
      expect({ orders: ordersBefore, revenue: revenueBefore }).toEqual(sumOf(within(...dayBefore)))
      if (orders > 0) expect(await listed(from, until)).toBe(orders)
    }
  })

  it.each(PERIODS)('%s: who sold how much, the most first, which adds up', async (query, from, until) => {
    const shown = (await overview(query)).sellers
    const expected = sellers
      .map((_, seller) => sumOf(within(from, until).filter((sale) => sale.seller === seller)))
      .filter(({ orders }) => orders > 0)
      .toSorted((a, b) => b.revenue - a.revenue)
    expect(
      shown.map(({ orders, revenue }: Sale & { orders: number; revenue: number }) => ({ orders, revenue })),
    ).toEqual(expected)
    for (const { by, soldBy, orders } of shown) {
      expect(by).toMatchObject({ type: 'key', id: soldBy, name: expect.any(String) })
      expect(await listed(from, until, { soldBy })).toBe(orders)
    }
  })

  it.each(PERIODS)(
    '%s: the goods with the most pieces, and the orders that have them',
    async (query, from, until) => {
      const { topGoods } = await overview(query)
      const some = within(from, until)
      expect(topGoods).toMatchObject({ orders: some.length, isCut: false })
      const pieces = productIds.map((_, index) =>
        some.reduce((total, { goods }) => total + (goods.get(index) ?? 0), 0),
      )
      const most = pieces
        .filter((n) => n > 0)
        .toSorted((a, b) => b - a)
        .slice(0, 5)
      expect(topGoods.goods.map(({ quantity }: { quantity: number }) => quantity)).toEqual(most)
      for (const { _id, quantity, orders, name } of topGoods.goods) {
        const index = productIds.indexOf(_id)
        expect(name).toBe(`Áo ${index}`)
        expect(quantity).toBe(pieces[index])
        expect(await listed(new Date(topGoods.since), until, { productId: _id })).toBe(orders)
      }
    },
  )

  it('the orders that wait, by status, as many as the list of the status has', async () => {
    const { ordersToHandle, pendingOrders } = await overview('days=1')
    const count = (status: string) => sales.filter((sale) => sale.status === status).length
    expect(ordersToHandle).toEqual({
      pending: count('pending'),
      confirmed: count('confirmed'),
      processing: 0,
      readyToShip: 0,
      shipping: count('shipping'),
    })
    expect(pendingOrders).toBe(count('pending'))
    expect(await totalOf({ status: 'shipping' })).toBe(count('shipping'))
    const sold = sales.length - count('cancelled')
    expect(await totalOf({ hasSeller: 'true' })).toBe(sold)
    expect(await totalOf({ hasSeller: 'false' })).toBe(0)
    expect((await shop.get(`${ORDERS}?cancelled=true`)).body.data.meta.total).toBe(count('cancelled'))
  })

  it('the counters agree with the orders, and another shop has none of them', async () => {
    await checkInvariants(running.deps.db, shop.shopId)
    const other = await makeShop(running)
    const { body } = await other.get('/api/external/overview?days=30')
    expect(body.data).toMatchObject({
      total: { orders: 0, revenue: 0 },
      sellers: [],
      lowStock: { products: 0, first: [] },
      topGoods: { since: null, orders: 0, isCut: false, goods: [] },
    })
    expect(body.data.hours.every(({ orders }: { orders: number }) => orders === 0)).toBe(true)
  })
})

describe('what else the home shows', () => {
  it('the orders for which something is still owed, as many as the list has, and the sum; counted up to 10,000', async () => {
    const partner = await makeShop(running)
    const price = 90_000
    const { db } = running.deps
    await importOrders(db, partner.shopId, [
      { price },
      { price, paidAmount: 40_000, paymentStatus: 'partially_paid', status: 'completed' },
      { price, paidAmount: price, paymentStatus: 'paid' },
      { price, status: 'cancelled' },
    ])
    const read = async () => (await partner.get('/api/external/overview?days=1')).body.data.owed
    const listed = async () =>
      (await partner.get(`${ORDERS}?paymentStatus=owed&total=capped`)).body.data.meta.total
    expect(await read()).toEqual({ orders: 2, isCut: false, amount: 140_000 })
    expect(await listed()).toBe(2)
    await importOrders(
      db,
      partner.shopId,
      Array.from({ length: 9_999 }, () => ({ price })),
    )
    expect(await read()).toEqual({ orders: 10_000, isCut: true, amount: null })
    expect(await listed()).toBe(10_000)
  }, 60_000)

  it('messages of a day by the day they were sent, delivered ones as many as the list has, and how long the wallet lasts', async () => {
    const partner = await makeShop(running)
    const template = await insertEnabledTemplate(running, partner.shopId)
    await topUp(running, partner.shopId, 2_000)
    const send = async () => {
      const message = { templateId: template.id, receiverPhone: '0901234567', params: VALUES }
      expect((await partner.post('/api/external/notify-message/send', message)).status).toBe(200)
    }
    at = new Date(NOW.getTime() - DAY_MS)
    await send()
    at = NOW
    await send()
    const read = async () => (await partner.get('/api/external/overview?days=7')).body.data
    await expect.poll(async () => (await read()).total.delivered, { timeout: 20_000 }).toBe(2)
    const { total, days, wallet } = await read()
    expect(total).toMatchObject({ accepted: 2, delivered: 2, failed: 0, spend: 400 })
    expect(days.at(-1)).toMatchObject({ accepted: 1, delivered: 1, spend: 200 })
    // 200 đồng were spent in the seven days before today.
    expect(wallet).toMatchObject({ balance: 1_600, lastsDays: 56 })
    const count = async (query: string) => (await partner.get(`${HISTORY}?${query}`)).body.meta.total
    const today = `from=${midnight('2026-11-22').toISOString()}&to=${new Date(midnight('2026-11-23').getTime() - 1).toISOString()}`
    expect(await count(`delivered=true&${today}`)).toBe(1)
    expect(await count('delivered=true')).toBe(2)
    expect(await count(`delivered=true&status=RECEIVED&channel=phone&${today}`)).toBe(1)
    expect(await count(`delivered=false&${today}`)).toBe(0)
    expect(await count(`status=ERROR&delivered=true`)).toBe(0)
    await checkInvariants(running.deps.db, partner.shopId)
  })
})
