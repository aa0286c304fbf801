import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { importOrders, makeProduct, type OrderFixture } from './order-fixtures.ts'

const running = await service()
const { db } = running.deps
const path = '/api/external/v1/orders'
const STATUSES = [
  'pending',
  'confirmed',
  'processing',
  'ready_to_ship',
  'shipping',
  'delivered',
  'completed',
  'cancelled',
]

function list(partner: Partner, filter: Record<string, string | number> = {}) {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(filter)) query.set(key, String(value))
  return partner.get(`${path}?${query}`)
}

async function idsOf(partner: Partner, filter: Record<string, string | number>): Promise<string[]> {
  const { body } = await list(partner, filter)
  expect(body.data.meta.total).toBe(body.data.orders.length)
  return body.data.orders.map((order: { _id: string }) => order._id)
}

describe('E12 list orders', () => {
  it('200 with whole orders, the customer as an object', async () => {
    const partner = await makeShop(running)
    const { skuIds } = await makeProduct(running, partner, { skus: [{ code: 'AO-1', barcode: '893' }] })
    const customer = await partner.post('/api/external/v1/customers', {
      fullName: 'Lan',
      phone: '0912345678',
    })
    const userId = customer.body.data._id
    const line = { id: skuIds[0], quantity: 2 }
    const placed = await partner.post('/api/external/order/pos/create', { userId, orderItems: [line, line] })
    await partner.post('/api/external/order/pos/create', { orderItems: [line] })
    const answer = await list(partner)
    expect(answer.status).toBe(200)
    expect(answer.body.success).toBe(true)
    const [walkIn, order] = answer.body.data.orders
    expect(walkIn.userId).toBeNull()
    const {
      user,
      shopAddress,
      adminUser,
      gatewayPayments,
      reasonCancel,
      userAddress,
      collab,
      referrerFullName,
      ...shared
    } = placed.body.data
    expect(order).toEqual({
      ...shared,
      userId: { _id: userId, id: userId, fullName: 'Lan', phone: '84912345678', avatar: '' },
    })
    expect(order.orderItems[1].sku).toMatchObject({ sku: 'AO-1', barcode: '893' })
    expect(answer.body.data.meta).toEqual({
      page: 1,
      limit: 10,
      total: 2,
      totalPages: 1,
      pending: 2,
      confirmed: 0,
      readyToShip: 0,
      shipping: 0,
      delivered: 0,
      cancelled: 0,
    })
    const zeros = Object.fromEntries(STATUSES.map((status) => [status, 0]))
    expect(answer.body.data.orderCountByStatus).toEqual({ ...zeros, pending: 2 })
  })

  it('shows the variant options of a SKU', async () => {
    const partner = await makeShop(running)
    const { productId, skuIds } = await makeProduct(running, partner)
    const [group, red, small] = [unusedId(), unusedId(), unusedId()]
    await sql`
      insert into variant_groups (shop_id, id, product_id, name, position, created_at, updated_at)
      values (${partner.shopId}, ${group}, ${productId}, 'Màu', 0, now(), now())`.execute(db)
    await sql`
      insert into variant_options (shop_id, id, group_id, name, position)
      values (${partner.shopId}, ${red}, ${group}, 'Đỏ', 0), (${partner.shopId}, ${small}, ${group}, 'S', 1)`.execute(
      db,
    )
    await sql`update skus set variant_option_ids = ${[small, red]}::text[] where id = ${skuIds[0]}`.execute(
      db,
    )
    await partner.post('/api/external/order/pos/create', { orderItems: [{ id: skuIds[0], quantity: 1 }] })
    const { sku } = (await list(partner)).body.data.orders[0].orderItems[0]
    expect(sku.variantOptionIDs).toEqual([small, red])
    expect(sku.variantOptions).toEqual([
      { _id: small, id: small, name: 'S', itemVariantId: group, isActive: true, position: 1 },
      { _id: red, id: red, name: 'Đỏ', itemVariantId: group, isActive: true, position: 0 },
    ])
  })

  it('newest first, the later id first at one instant; pages of 10 by default, 100 at most', async () => {
    const partner = await makeShop(running)
    const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n))
    const ids = await importOrders(
      db,
      partner.shopId,
      Array.from({ length: 12 }, (_, n) => ({ createdAt: minute(Math.floor(n / 2)) })),
    )
    const newestFirst = ids
      .map((id, n) => ({ id, at: Math.floor(n / 2) }))
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    const page = async (filter: Record<string, number>) => {
      const { body } = await list(partner, filter)
      return [body.data.orders.map((order: { _id: string }) => order._id), body.data.meta] as const
    }
    expect((await page({}))[0]).toEqual(newestFirst.slice(0, 10))
    const [second, meta] = await page({ page: 2 })
    expect(second).toEqual(newestFirst.slice(10))
    expect(meta).toMatchObject({ page: 2, limit: 10, total: 12, totalPages: 2 })
    const [past, pastMeta] = await page({ page: 4_000_000_000_000, limit: 100 })
    expect(past).toEqual([])
    expect(pastMeta).toMatchObject({ limit: 100, total: 12, totalPages: 1 })
    for (const query of ['page=0', 'limit=0', 'limit=101', 'limit=1.5', 'page=x', 'limit=1e20']) {
      expect((await partner.get(`${path}?${query}`)).status, query).toBe(400)
    }
    expect((await partner.get(`${path}?colour=red`)).status).toBe(200)
  })

  it('filters by platform, payment method and customer', async () => {
    const partner = await makeShop(running)
    const { _id: customerId } = (await partner.post('/api/external/v1/customers', { fullName: 'Lan' })).body
      .data
    const [a, b, c, d] = await importOrders(db, partner.shopId, [
      { platform: 'mini_pos', paymentMethod: 'cash', customerId },
      { platform: 'mini_pos', paymentMethod: 'COD', status: 'shipping' },
      { platform: 'mini_app', paymentMethod: 'cash', customerId },
      { platform: 'mini_app', paymentMethod: 'chuyển_khoản' },
    ])
    const sorted = async (filter: Record<string, string>) => (await idsOf(partner, filter)).sort()
    expect(await sorted({ platform: 'mini_pos' })).toEqual([a, b].sort())
    expect(await sorted({ paymentMethod: 'cash' })).toEqual([a, c].sort())
    expect(await sorted({ customerId: customerId.toUpperCase() })).toEqual([a, c].sort())
    expect(await sorted({ customerId, platform: 'mini_app' })).toEqual([c])
    expect(await sorted({ platform: 'mini_pos', paymentMethod: 'cash' })).toEqual([a])
    expect(await sorted({ platform: '', paymentMethod: '', status: '' })).toHaveLength(4)
    expect(await sorted({ paymentMethod: 'chuyển_khoản'.normalize('NFD') })).toEqual([d])
    expect(await sorted({ customerId: unusedId() })).toEqual([])
    const other = await makeShop(running)
    expect(await idsOf(other, { customerId })).toEqual([])
    expect(await idsOf(other, {})).toEqual([])
  })

  it('filters by payment status; `owed` lists what is neither cancelled nor paid, as the customer’s debt does', async () => {
    const partner = await makeShop(running)
    const { _id: customerId } = (await partner.post('/api/external/v1/customers', { fullName: 'Lan' })).body
      .data
    const owing = { customerId, price: 90_000 }
    const [unpaid, partly, paid, cancelled, free, covered] = await importOrders(db, partner.shopId, [
      { ...owing, status: 'completed' },
      { ...owing, paidAmount: 40_000, paymentStatus: 'partially_paid' },
      { ...owing, paidAmount: 90_000, paymentStatus: 'paid' },
      { ...owing, status: 'cancelled' },
      { customerId },
      { ...owing, paidAmount: 90_000, paymentStatus: 'partially_paid' },
    ])
    const found: [string, (string | undefined)[]][] = [
      ['not_paid', [unpaid, cancelled, free]],
      ['partially_paid', [partly, covered]],
      ['paid', [paid]],
      ['owed', [unpaid, partly]],
      ['unknown', []],
      ['', [unpaid, partly, paid, cancelled, free, covered]],
    ]
    for (const [paymentStatus, ids] of found) {
      const shown = await idsOf(partner, { paymentStatus })
      expect(shown.toSorted(), paymentStatus).toEqual(ids.toSorted())
    }
    expect(await idsOf(partner, { paymentStatus: 'not_paid', cancelled: 'true' })).toEqual([cancelled])
    expect(await idsOf(partner, { paymentStatus: 'owed', status: 'completed' })).toEqual([unpaid])
    expect(await idsOf(await makeShop(running), { paymentStatus: 'owed' })).toEqual([])
    const { data } = (await partner.get(`/api/external/v1/customers/${customerId}/debt`)).body
    expect(data).toMatchObject({ orders: 2, debt: 140_000 })
  })

  it('shows who sold each order only with `select=soldBy`; 400 for another word', async () => {
    const partner = await makeShop(running)
    const { skuIds } = await makeProduct(running, partner)
    const sold = await partner.post('/api/external/order/pos/create', {
      orderItems: [{ id: skuIds[0], quantity: 1 }],
    })
    const { soldBy } = (await partner.get(`${path}/${sold.body.data._id}/timeline`)).body
    expect(soldBy).toMatchObject({ type: 'key' })
    await importOrders(db, partner.shopId, [{ createdAt: new Date(0) }])
    const plain = (await list(partner)).body.data.orders
    expect(plain[0]).not.toHaveProperty('soldBy')
    const shown = (await list(partner, { select: 'soldBy' })).body.data.orders
    expect(shown).toEqual([
      { ...plain[0], soldBy },
      { ...plain[1], soldBy: null },
    ])
    expect((await list(partner, { select: 'skus' })).status).toBe(400)
  })

  it('search finds by code, customer name and phone, whatever the case and accents', async () => {
    const partner = await makeShop(running)
    const { skuIds } = await makeProduct(running, partner)
    const place = async (fullName: string, phone: string) => {
      const { body } = await partner.post('/api/external/v1/customers', { fullName, phone })
      const order = { userId: body.data._id, orderItems: [{ id: skuIds[0], quantity: 1 }] }
      return (await partner.post('/api/external/order/pos/create', order)).body.data._id
    }
    const duc = await place('Nguyễn Văn Đức', '0912345678')
    const lan = await place('Lan', '0987654321')
    const found: [string, string[]][] = [
      ['dh1', [duc]],
      ['DH2', [lan]],
      ['đức', [duc]],
      ['DUC nguyen', [duc]],
      ['0912345678', [duc]],
      ['84912345678', [duc]],
      ['+84 987 654 321', [lan]],
      ['98765', [lan]],
      ['0987654', [lan]],
      ['0987 654', [lan]],
      ['dh', [lan, duc]],
      ['%', []],
      ['  ', [lan, duc]],
      ['nobody', []],
    ]
    for (const [search, ids] of found) expect(await idsOf(partner, { search }), search).toEqual(ids)
    expect(await idsOf(await makeShop(running), { search: 'dh1' })).toEqual([])
  })

  it('500 for a malformed customerId, 400 for an invalid date', async () => {
    const partner = await makeShop(running)
    for (const customerId of ['x', ' ', '0'.repeat(25)])
      expect((await list(partner, { customerId })).status).toBe(500)
    for (const key of ['startDate', 'endDate']) {
      for (const value of ['yesterday', '2026-02-30', '20/11/2026', ' ']) {
        const answer = await list(partner, { [key]: value })
        expect(answer.status).toBe(400)
        expect(answer.body.validation.query.keys).toEqual([key])
        expect(answer.body.message).toBe('Validation failed')
        expect(answer.body.validation.query.message).toBe(`"${key}" must be in ISO 8601 date format`)
      }
    }
  })

  it('startDate and endDate are included to the millisecond; a bare endDate is midnight UTC', async () => {
    const partner = await makeShop(running)
    const times = [
      '2026-03-01T00:00:00.000Z',
      '2026-03-01T00:00:00.001Z',
      '2026-03-02T00:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
    ]
    const ids = await importOrders(
      db,
      partner.shopId,
      times.map((time) => ({ createdAt: new Date(time) })),
    )
    const found = async (filter: Record<string, string>) =>
      (await idsOf(partner, filter)).map((id) => ids.indexOf(id)).reverse()
    expect(await found({ startDate: '2026-03-01T00:00:00.001Z' })).toEqual([1, 2, 3])
    expect(await found({ endDate: '2026-03-02' })).toEqual([0, 1, 2])
    expect(await found({ endDate: '2026-03-02T23:59:59.998Z' })).toEqual([0, 1, 2])
    expect(await found({ startDate: '2026-03-02T00:00:00.000001Z' })).toEqual([3])
    expect(await found({ endDate: '2026-03-01T00:00:00.000999Z' })).toEqual([0])
    expect(await found({ endDate: '2026-03-02T23:59:59.999Z' })).toEqual([0, 1, 2, 3])
    expect(
      await found({ startDate: '2026-03-02T07:00:00+07:00', endDate: '2026-03-02T07:00:00+07:00' }),
    ).toEqual([2])
    expect(await found({ startDate: '2026-03-02', endDate: '2026-03-01' })).toEqual([])
    expect(await found({ startDate: '9999-12-31T23:59:59.9999Z' })).toEqual([])
    expect(await found({ startDate: '0001-01-01', endDate: '9999-12-31T23:59:59.999Z' })).toEqual([
      0, 1, 2, 3,
    ])
  })
})

describe('G-40 statuses in the list', () => {
  it('complete is read as completed; an unknown status lists nothing', async () => {
    const partner = await makeShop(running)
    const ids = await importOrders(
      db,
      partner.shopId,
      STATUSES.map((status) => ({ status })),
    )
    for (const [n, status] of STATUSES.entries()) expect(await idsOf(partner, { status })).toEqual([ids[n]])
    expect(await idsOf(partner, { status: 'complete' })).toEqual([ids[6]])
    for (const status of ['COMPLETED', 'lost', 'constructor', '__proto__']) {
      const { body } = await list(partner, { status })
      expect(body.data).toMatchObject({ orders: [], meta: { total: 0, totalPages: 0, pending: 1 } })
    }
  })
})

describe('G-44 counters', () => {
  it('follow a change of status', async () => {
    const partner = await makeShop(running)
    const [id] = await importOrders(db, partner.shopId, [{}, {}])
    await sql`update orders set status = 'ready_to_ship' where shop_id = ${partner.shopId} and id = ${id}`.execute(
      db,
    )
    const { meta } = (await list(partner)).body.data
    expect(meta).toMatchObject({ total: 2, pending: 1, readyToShip: 1 })
  })

  it('apply every filter but status, meta.total applies all: equal to a plain count for any filter', async () => {
    const partner = await makeShop(running)
    const day = 86_400_000
    const midnight = Date.UTC(2026, 1, 27)
    const customers = await Promise.all(
      ['Lan', 'Huệ'].map(async (fullName) => {
        const { body } = await partner.post('/api/external/v1/customers', { fullName })
        return body.data._id as string
      }),
    )
    const instant = fc
      .tuple(
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(0, 1, -1, day / 2, day / 2 - 1, day / 2 + 1, 10_000_000, 70_000_000),
      )
      .map(([days, time]) => new Date(midnight + days * day + time))
    const order: fc.Arbitrary<OrderFixture> = fc.record({
      createdAt: instant,
      status: fc.constantFrom(...STATUSES),
      platform: fc.constantFrom('mini_pos', 'mini_app'),
      paymentMethod: fc.constantFrom('', 'cash', 'COD'),
      customerId: fc.constantFrom(undefined, ...customers),
      search: fc.constantFrom('dh1 lan', 'dh2 hue'),
      paymentStatus: fc.constantFrom('not_paid', 'paid'),
    })
    const orders = fc.sample(order, { numRuns: 300, seed: 7 })
    await importOrders(db, partner.shopId, orders)
    const anyFilter = fc.record({
      status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
      start: fc.option(instant, { nil: undefined }),
      end: fc.option(instant, { nil: undefined }),
      platform: fc.option(fc.constantFrom('mini_pos', 'mini_app', 'none'), { nil: undefined, freq: 1 }),
      paymentMethod: fc.option(fc.constantFrom('cash', 'COD'), { nil: undefined, freq: 1 }),
      customerId: fc.option(fc.constantFrom(...customers), { nil: undefined, freq: 1 }),
      search: fc.option(fc.constantFrom('lan', 'hue', 'dh'), { nil: undefined, freq: 1 }),
      paymentStatus: fc.option(fc.constantFrom('not_paid', 'paid'), { nil: undefined, freq: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(
        anyFilter,
        async ({ status, start, end, platform, paymentMethod, customerId, search, paymentStatus }) => {
          const matching = orders.filter(
            (each) =>
              (start === undefined || each.createdAt! >= start) &&
              (end === undefined || each.createdAt! <= end) &&
              (platform === undefined || each.platform === platform) &&
              (paymentMethod === undefined || each.paymentMethod === paymentMethod) &&
              (customerId === undefined || each.customerId === customerId) &&
              (search === undefined || each.search!.includes(search)) &&
              (paymentStatus === undefined || each.paymentStatus === paymentStatus),
          )
          const asked = {
            status,
            startDate: start?.toISOString(),
            endDate: end?.toISOString(),
            platform,
            paymentMethod,
            customerId,
            search,
            paymentStatus,
            limit: 100,
          }
          const given = Object.entries(asked).filter(
            (pair): pair is [string, string] => pair[1] !== undefined,
          )
          const { body } = await list(partner, Object.fromEntries(given))
          const countOf = (each: string) => matching.filter((found) => found.status === each).length
          expect(body.data.orderCountByStatus).toEqual(
            Object.fromEntries(STATUSES.map((each) => [each, countOf(each)])),
          )
          const total = status === undefined ? matching.length : countOf(status)
          expect(body.data.meta).toMatchObject({
            total,
            totalPages: Math.ceil(total / 100),
            pending: countOf('pending'),
            readyToShip: countOf('ready_to_ship'),
            cancelled: countOf('cancelled'),
          })
          expect(body.data.orders).toHaveLength(Math.min(total, 100))
        },
      ),
      { numRuns: 150 },
    )
  })
})
