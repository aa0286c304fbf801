import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ObjectId } from '../../../src/lib/object-id.ts'
import { listDebtors } from '../../../src/modules/customers/debtors-sql.ts'
import { foundMeta } from '../../../src/modules/customers/present.ts'
import type { CustomerQuery } from '../../../src/modules/customers/sql.ts'
import { onPostgres } from '../../support/database.ts'
import { stockedSku } from '../../support/inventory.ts'
import { moveOrder, ORDERS, payOrder, placeOrder } from '../../support/order-changes.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.deps
const CUSTOMERS = '/api/external/v1/customers'
const PRICE = 100_000

type Query = Record<string, string>
type Debtor = { _id: string; fullName: string; createdAt: string; debt: number }

async function list(partner: Partner, query: Query = {}) {
  const answer = await partner.get(
    `${CUSTOMERS}?${new URLSearchParams({ debt: 'owed', select: 'debt', limit: '100', ...query })}`,
  )
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  // biome-ignore lint/suspicious/noExplicitAny: the fields of `meta` differ
  return answer.body.data as { customers: Debtor[]; meta: any }
}

async function exported(partner: Partner, query: Query = {}): Promise<Record<string, string>[]> {
  const answer = await partner.get(`${CUSTOMERS}/export?${new URLSearchParams({ debt: 'owed', ...query })}`)
  expect(answer.status).toBe(200)
  return parse(answer.body, { bom: true, columns: true })
}

const debtOf = async (partner: Partner, id: string): Promise<number> =>
  (await partner.get(`${CUSTOMERS}/${id}/debt`)).body.data.debt
const sumOf = (debtors: { debt: number }[]) => debtors.reduce((sum, { debt }) => sum + debt, 0)
const pairs = (debtors: { _id: string; debt: number }[]) => debtors.map(({ _id, debt }) => [_id, debt])
/** The largest debt first; of one debt the highest id. */
const largestFirst = (one: Debtor, other: Debtor) => other.debt - one.debt || (one._id < other._id ? 1 : -1)

/** A shop whose customers owe for every reason, and who do not, as their own debts say. */
async function variedShop() {
  const shop = await makeShop(running)
  const sku = await stockedSku(shop, 1_000)
  const customer = async (fullName: string, more: object = {}): Promise<string> =>
    (await shop.post(CUSTOMERS, { fullName, ...more })).body.data._id
  const order = (userId: string | undefined, quantity: number, more: object = {}) =>
    placeOrder(shop, sku, quantity, { ...(userId === undefined ? {} : { userId }), ...more })

  const partly = await customer('Trần Trả Một Phần')
  await order(partly, 3, { paidAmount: 120_000 })
  await order(partly, 1, { isPaid: true })
  await payOrder(shop, (await order(partly, 2))._id, 50_000)
  const returned = await customer('Lê Trả Hàng', { phone: '0912000111' })
  const sold = await order(returned, 5, { paidAmount: PRICE })
  expect((await moveOrder(shop, sold._id, 'completed')).status).toBe(200)
  const lines = [{ orderItemId: sold.orderItems[0]._id, quantity: 2 }]
  expect((await shop.post(`${ORDERS}/${sold._id}/returns`, { lines, fee: 7_000 })).status).toBe(201)
  const allReturned = await customer('Lê Trả Hết Hàng')
  const gone = await order(allReturned, 1)
  await moveOrder(shop, gone._id, 'completed')
  const all = [{ orderItemId: gone.orderItems[0]._id, quantity: 1 }]
  expect((await shop.post(`${ORDERS}/${gone._id}/returns`, { lines: all })).status).toBe(201)
  const cancelled = await customer('Phạm Hủy Đơn')
  await moveOrder(shop, (await order(cancelled, 4))._id, 'cancelled')
  const paid = await customer('Hoàng Trả Đủ', { openingDebt: 30_000 })
  await order(paid, 1, { isPaid: true })
  // The till says that it is paid, however much it was.
  await order(paid, 1, { isPaid: true, paidAmount: 1_000 })
  await shop.post(`${CUSTOMERS}/${paid}/payments`, { amount: 30_000, paymentMethod: 'cash' })
  const opening = await customer('Bùi Nợ Cũ', { openingDebt: 800_000 })
  await shop.post(`${CUSTOMERS}/${opening}/payments`, { amount: 350_000, paymentMethod: 'cash' })
  const both = await customer('Võ Nợ Cũ Và Đơn', { openingDebt: 90_001 })
  await order(both, 2, { paidAmount: 1 })
  const nothing = await customer('Đặng Không Nợ')
  // Equal debts, so that ids decide.
  const equal = [
    await customer('Ngô Bằng Một'),
    await customer('Ngô Bằng Hai'),
    await customer('Ngô Bằng Ba'),
  ]
  for (const id of equal) await order(id, 1, { paidAmount: 25_000 })
  await order(undefined, 9)
  const { customers } = (await shop.get(`${CUSTOMERS}?limit=100`)).body.data
  return { shop, sku, customers: customers as Debtor[], free: [allReturned, cancelled, paid, nothing] }
}

let varied: Awaited<ReturnType<typeof variedShop>>
/** Those who owe something, as `GET …/debt` of each customer says. */
let owing: Debtor[]
beforeAll(async () => {
  varied = await variedShop()
  const { shop, customers } = varied
  const found = await Promise.all(
    customers.map(async (one) => ({ ...one, debt: await debtOf(shop, one._id) })),
  )
  owing = found.filter(({ debt }) => debt > 0)
})

describe('G-46 the customers who owe something', () => {
  it('200 with exactly those who owe, each debt as GET …/debt says, and what they owe together', async () => {
    const { shop, free } = varied
    const { customers, meta } = await list(shop, { sortBy: 'debt' })
    expect(pairs(customers)).toEqual(pairs(owing.toSorted(largestFirst)))
    expect(owing).toHaveLength(varied.customers.length - free.length)
    expect(meta).toEqual({ page: 1, limit: 100, total: 7, totalPages: 1, isCut: false, debt: sumOf(owing) })
    // The reasons themselves, so that both cannot be wrong in the same way.
    expect(Object.fromEntries(customers.map(({ fullName, debt }) => [fullName, debt]))).toEqual({
      'Trần Trả Một Phần': 330_000,
      'Lê Trả Hàng': 207_000,
      'Bùi Nợ Cũ': 450_000,
      'Võ Nợ Cũ Và Đơn': 290_000,
      'Ngô Bằng Một': 75_000,
      'Ngô Bằng Hai': 75_000,
      'Ngô Bằng Ba': 75_000,
    })
  })

  it('200 sorted by debt in both directions, by name and by creation, by pages, by cursors and of ids', async () => {
    const { shop } = varied
    const byDebt = owing.toSorted(largestFirst)
    const name = async (sortType: string) => {
      const { customers } = (await shop.get(`${CUSTOMERS}?sortBy=fullName&sortType=${sortType}&limit=100`))
        .body.data
      return customers.filter(({ _id }: Debtor) => owing.some((one) => one._id === _id)) as Debtor[]
    }
    const orders: [Query, { _id: string }[]][] = [
      [{ sortBy: 'debt' }, byDebt],
      [{ sortBy: 'debt', sortType: 'asc' }, byDebt.toReversed()],
      [{ sortBy: 'fullName', sortType: 'asc' }, await name('asc')],
      [{ sortBy: 'fullName' }, await name('desc')],
      // Without a word, the newest first as of all customers.
      [{}, owing],
      [{ sortType: 'asc' }, owing.toReversed()],
    ]
    for (const [query, sorted] of orders) {
      const ids = sorted.map(({ _id }) => _id)
      const idsOf = ({ customers }: { customers: Debtor[] }) => customers.map(({ _id }) => _id)
      const pages = []
      for (const page of ['1', '2', '3', '4']) {
        const { customers, meta } = await list(shop, { ...query, page, limit: '3' })
        pages.push(...customers)
        expect(meta).toMatchObject({ total: 7, totalPages: 3, debt: sumOf(owing) })
      }
      expect(pages.map(({ _id }) => _id)).toEqual(ids)
      const behind: Debtor[] = []
      for (let cursor: string | null = '*'; cursor !== null; ) {
        const found = await list(shop, { ...query, cursor, limit: '2' })
        behind.push(...found.customers)
        cursor = found.meta.nextCursor
      }
      expect(behind.map(({ _id }) => _id)).toEqual(ids)
      const some = [...ids.slice(1, 4), ...varied.free]
      expect(idsOf(await list(shop, { ...query, ids: some.join() }))).toEqual(ids.slice(1, 4))
    }
  })

  it('200 of a search, with its own number and sum; `total` counts as asked', async () => {
    const { shop } = varied
    const found = await list(shop, { search: 'ngo bang', sortBy: 'debt', total: 'capped' })
    expect(found.customers.map(({ fullName }) => fullName)).toEqual([
      'Ngô Bằng Ba',
      'Ngô Bằng Hai',
      'Ngô Bằng Một',
    ])
    expect(found.meta).toMatchObject({ total: 3, totalPrecision: 'exact', debt: 225_000, isCut: false })
    expect((await list(shop, { search: '0912 000 111' })).customers).toMatchObject([
      { fullName: 'Lê Trả Hàng' },
    ])
    const none = await list(shop, { search: 'không nợ', total: 'none' })
    expect(none).toEqual({ customers: [], meta: { page: 1, limit: 100, isCut: false, debt: 0 } })
    const past = await list(shop, { page: '9' })
    expect([past.customers, past.meta.total, past.meta.debt]).toEqual([[], 7, sumOf(owing)])
  })

  it('200 without `debt` in the rows unless it is selected; other lists have neither the sum nor `isCut`', async () => {
    const { shop } = varied
    const { data } = (await shop.get(`${CUSTOMERS}?debt=owed`)).body
    expect(data.customers).toHaveLength(7)
    for (const row of data.customers) expect(row).not.toHaveProperty('debt')
    const { meta } = (await shop.get(`${CUSTOMERS}?select=debt`)).body.data
    expect(Object.keys(meta)).toEqual(['page', 'limit', 'total', 'totalPages'])
  })

  it('200 at once after a payment, a sale and a correction, however often it is read; another shop has its own', async () => {
    const shop = await makeShop(running)
    const sku = await stockedSku(shop, 10)
    const { _id: id } = (await shop.post(CUSTOMERS, { fullName: 'Trần Bưởi', openingDebt: 5_000 })).body.data
    // Without `select`, which is never answered from memory.
    const read = async () => {
      const { customers, meta } = (await shop.get(`${CUSTOMERS}?debt=owed`)).body.data
      return [customers.map(({ _id }: Debtor) => _id), meta.debt]
    }
    for (let n = 0; n < 3; n++) expect(await read()).toEqual([[id], 5_000])
    const order = await placeOrder(shop, sku, 1, { userId: id })
    expect(await read()).toEqual([[id], 105_000])
    await payOrder(shop, order._id, PRICE)
    expect(await read()).toEqual([[id], 5_000])
    await shop.patch(`${CUSTOMERS}/${id}`, { openingDebt: 0 })
    expect(await read()).toEqual([[], 0])
    expect((await list(varied.shop)).customers).toHaveLength(7)
  })

  it('400 for the order by debt of all customers, for another word, and for a cursor of another order', async () => {
    const { shop } = varied
    const keys = async (path: string) => {
      const { status, body } = await shop.get(`${CUSTOMERS}${path}`)
      return [status, body.validation?.query.keys]
    }
    expect(await keys('?sortBy=debt')).toEqual([400, ['sortBy']])
    expect(await keys('?sortBy=debt&select=debt&search=a')).toEqual([400, ['sortBy']])
    expect(await keys('?debt=paid')).toEqual([400, ['debt']])
    expect(await keys('/export?debt=paid')).toEqual([400, ['debt']])
    const { meta } = await list(shop, { sortBy: 'debt', cursor: '*', limit: '2' })
    expect(await keys(`?debt=owed&sortBy=createdAt&cursor=${meta.nextCursor}`)).toEqual([400, ['cursor']])
  })

  it('200 of more than may be added up has whole debts of some, and says that it is cut', async () => {
    const { shop } = varied
    const page = { limit: 100, offset: 0 }
    const query: CustomerQuery<'debt'> = {
      filter: { patterns: [] },
      sort: { by: 'debt', direction: 'desc' },
      page,
      mode: 'exact',
      withDebt: true,
    }
    const sizes = []
    for (let most = 1; most <= 9; most++) {
      const { customers, matches, debt } = await listDebtors(db, shop.shopId as ObjectId, query, most)
      for (const { id, debt: owed } of customers) expect([id, owed]).toEqual([id, await debtOf(shop, id)])
      expect([matches.n, debt]).toEqual([
        customers.length,
        customers.reduce((sum, one) => sum + one.debt!, 0),
      ])
      sizes.push([most, matches.n, matches.isCut])
      const { total, totalPrecision, ...of } = foundMeta('capped', { matches, debt }, 100)
      expect([total, totalPrecision, of.debt === null]).toEqual([
        matches.n,
        matches.isCut ? 'at_least' : 'exact',
        matches.isCut,
      ])
    }
    // Seven orders of six customers are owed, two of them of the first; the fourth debtor has only an opening debt.
    expect(sizes).toEqual([
      [1, 0, true],
      [2, 1, true],
      [3, 3, true],
      [4, 4, true],
      [5, 5, true],
      [6, 6, true],
      [7, 7, false],
      [8, 7, false],
      [9, 7, false],
    ])
  })

  // On the embedded database the orders alone take half a minute.
  it.runIf(onPostgres)(
    '200 of a shop with more than 100,000 owed orders says that it is cut, and has no sum',
    async () => {
      const shop = await makeShop(running)
      await sql`
      insert into customers (shop_id, id, full_name, search, created_at, updated_at)
      select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 'Khách ' || n, 'khach ' || n, now(), now()
      from generate_series(1, 3) as n`.execute(db)
      await db.transaction().execute(async (trx) => {
        // Without triggers and foreign keys: what they keep is not read here, and takes most of the time.
        await sql`set local session_replication_role = replica`.execute(trx)
        await sql`
          insert into orders (shop_id, id, code, customer_id, price, origin_price, status, search, platform, created_at,
            updated_at)
          select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 'DH' || n, lpad(to_hex(1 + n % 3), 24, '0'), 1000, 0, 'pending', '',
            'mini_pos', timestamptz '2026-05-01T00:00:00Z', now()
          from generate_series(1, 100001) as n`.execute(trx)
      })
      const { customers, meta } = await list(shop, { sortBy: 'debt', total: 'capped' })
      expect(meta).toMatchObject({ total: 2, totalPrecision: 'at_least', isCut: true, debt: null })
      expect(pairs(customers)).toEqual([
        [`${'0'.repeat(23)}2`, 33_334_000],
        [`${'0'.repeat(23)}1`, 33_333_000],
      ])
      // The file is read customer by customer, so it has all.
      expect((await exported(shop)).map(({ debt }) => debt)).toEqual(['33334000', '33334000', '33333000'])
    },
    120_000,
  )
})

describe('G-46 GET customers export of those who owe something', () => {
  it('200 with only those who owe, the newest ids first, of a search and of ids too', async () => {
    const { shop, free } = varied
    const expected = owing
      .toSorted((one, other) => (one._id < other._id ? 1 : -1))
      .map(({ _id, debt }) => [_id, String(debt)])
    const read = async (query: Query = {}) => (await exported(shop, query)).map(({ id, debt }) => [id, debt])
    expect(await read()).toEqual(expected)
    expect(await read({ search: 'ngô bằng' })).toEqual(expected.slice(0, 3))
    expect(await read({ search: 'không nợ' })).toEqual([])
    const ids = [expected[1]![0], free[0], expected[6]![0]].join()
    expect(await read({ ids })).toEqual([expected[1], expected[6]])
    const labelled = await shop.get(`${CUSTOMERS}/export?debt=owed&labels=vi`)
    expect(labelled.body.trim().split('\r\n')).toHaveLength(8)
  })

  it('200 with each debtor once over many chunks, also if a search finds few of them', async () => {
    const shop = await makeShop(running)
    await sql`
      insert into customers (shop_id, id, full_name, search, created_at, updated_at)
      select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 'Khách ' || n,
        'khach ' || n || case when n % 500 = 0 then ' quen' else '' end, now(), now()
      from generate_series(1, 2000) as n`.execute(db)
    // Of each five customers: one owes for two orders, one from before, one both, and two nothing.
    await sql`
      insert into orders (shop_id, id, code, customer_id, price, origin_price, status, search, platform, created_at, updated_at)
      select ${shop.shopId}, lpad(to_hex(n * 2 + k), 24, '0'), 'DH' || (n * 2 + k), lpad(to_hex(n), 24, '0'), n, 0, 'pending', 'dh',
        'mini_pos', now(), now()
      from generate_series(1, 2000) as n, generate_series(0, 1) as k
      where n % 5 in (0, 1)`.execute(db)
    await sql`
      insert into opening_debts (shop_id, customer_id, amount, recorded_at)
      select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 7, now()
      from generate_series(1, 2000) as n
      where n % 5 in (0, 2)`.execute(db)
    const all = Array.from({ length: 2_000 }, (_, n) => 2_000 - n)
      .filter((n) => n % 5 < 3)
      .map((n) => [n.toString(16).padStart(24, '0'), String((n % 5 < 2 ? 2 * n : 0) + (n % 5 === 1 ? 0 : 7))])
    const read = async (query: Query = {}) => (await exported(shop, query)).map(({ id, debt }) => [id, debt])
    expect(await read()).toEqual(all)
    const known = all.filter(([id]) => Number.parseInt(id!, 16) % 500 === 0)
    expect(known).toHaveLength(4)
    expect(await read({ search: 'quen' })).toEqual(known)
  })
})
