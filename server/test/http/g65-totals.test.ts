import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { FEW_MATCHES } from '../../src/lib/total.ts'
import { makeShop, type Partner, separateService } from '../support/service.ts'

const running = await separateService()
const { db } = running.deps

/** Beyond what is counted by `capped`, so that every way to a page is taken. */
const MANY = 10_050

type List = { path: string; rows: 'products' | 'orders' | 'customers' }
const LISTS: List[] = [
  { path: '/api/external/v1/products', rows: 'products' },
  { path: '/api/external/v1/orders', rows: 'orders' },
  { path: '/api/external/v1/customers', rows: 'customers' },
]

const idOf = (n: number) => (0x660000000000 + n).toString(16).padStart(24, '0')
/** Two of each are of the same instant, so that the id decides between them. */
const at = sql`timestamptz '2026-01-01' + (n / 2) * interval '1 minute'`

/** Every second record is called one thing, every 200th a rare one. */
async function fill(shop: Partner): Promise<void> {
  const name = sql`case n % 2 when 0 then 'ao' else 'quan' end || case when n % 200 = 0 then ' to tam' else '' end || ' chung ' || n`
  const id = sql`lpad(to_hex(x'660000000000'::bigint + n), 24, '0')`
  const numbers = sql`generate_series(1, ${sql.lit(MANY)}) n`
  await sql`
    insert into products (shop_id, id, name, search, price, slug, sku_drafts, created_at, updated_at)
    select ${shop.shopId}, ${id}, ${name}, ${name}, 1000, 'p' || n, '{"variants": [], "skus": []}', ${at}, ${at}
    from ${numbers}`.execute(db)
  await sql`
    insert into product_stock (shop_id, product_id, total_quantity)
    select ${shop.shopId}, ${id}, n % 7 from ${numbers}`.execute(db)
  await sql`
    insert into product_codes (shop_id, kind, code, product_id)
    select ${shop.shopId}, 'sku', 'AB' || n, ${id} from ${numbers}`.execute(db)
  await sql`
    insert into customers (shop_id, id, full_name, search, created_at, updated_at)
    select ${shop.shopId}, ${id}, ${name}, ${name}, ${at}, ${at} from ${numbers}`.execute(db)
  await sql`
    insert into orders (shop_id, id, code, price, origin_price, status, search, platform, created_at, updated_at)
    select ${shop.shopId}, ${id}, 'DH' || n, 1000, 1000, case n % 3 when 0 then 'completed' else 'pending' end, ${name},
      'mini_pos', ${at}, ${at}
    from ${numbers}`.execute(db)
}

const shop = await makeShop(running)
await fill(shop)
await fill(await makeShop(running, { name: 'Tiệm bên cạnh' }))

/** The numbers that a search finds, newest first. */
function expected(fits: (n: number) => boolean): number[] {
  return Array.from({ length: MANY }, (_, n) => n + 1)
    .filter(fits)
    .sort((a, b) => Math.floor(b / 2) - Math.floor(a / 2) || b - a)
}

async function read(list: List, query: Record<string, string | number>) {
  const text = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) text.set(key, String(value))
  const { status, body } = await shop.get(`${list.path}?${text}`)
  expect([status, body]).toEqual([200, expect.anything()])
  const ids: string[] = body.data[list.rows].map((row: { _id: string }) => row._id)
  return { ids, meta: body.data.meta }
}

const SEARCHES: [search: string, fits: (n: number) => boolean][] = [
  ['chung', () => true],
  ['quần', (n) => n % 2 === 1],
  ['áo', (n) => n % 2 === 0],
  ['tơ tằm', (n) => n % 200 === 0],
  ['chung 10049', (n) => n === 10_049],
  ['không có', () => false],
]

describe.each(LISTS)('G-65 totals of a search: $rows', (list) => {
  it.each(SEARCHES)('%s: every page is the same however the matches are counted', async (search, fits) => {
    const found = expected(fits)
    const pages = [1, 2, 7, Math.ceil(found.length / 20), Math.ceil(found.length / 20) + 1]
    for (const total of ['exact', 'capped', 'none']) {
      for (const page of new Set(pages.filter((one) => one > 0))) {
        const { ids, meta } = await read(list, { search, total, page, limit: 20 })
        expect([total, page, ids]).toEqual([total, page, found.slice((page - 1) * 20, page * 20).map(idOf)])
        const isCut = total === 'capped' && found.length > 10_000
        const count = isCut ? 10_000 : found.length
        const counted = { total: count, totalPages: Math.ceil(count / 20) }
        const wanted =
          total === 'none'
            ? {}
            : total === 'exact'
              ? counted
              : { ...counted, totalPrecision: isCut ? 'at_least' : 'exact' }
        const { total: n, totalPages, totalPrecision } = meta
        expect(JSON.parse(JSON.stringify({ total: n, totalPages, totalPrecision }))).toEqual(wanted)
      }
    }
  })

  it('without a search the total is exact in any case, and left out when asked', async () => {
    expect((await read(list, {})).meta).toMatchObject({ total: MANY })
    expect((await read(list, { total: 'capped' })).meta).toMatchObject({
      total: MANY,
      totalPrecision: 'exact',
    })
    expect((await read(list, { total: 'none' })).meta).not.toHaveProperty('total')
  })

  it('400 for another word than the three', async () => {
    const { status, body } = await shop.get(`${list.path}?total=some`)
    expect([status, body.validation.query.keys]).toEqual([400, ['total']])
  })
})

describe('pages far behind are read from the nearer end', () => {
  it.each(LISTS)(
    '$rows: every page has its records, the last what is left, one behind it none',
    async (list) => {
      const found = expected(() => true)
      for (const page of [50, 51, 52, 251, 252, 253, 400, 501, 502, 503, 504, 100_000]) {
        const { ids, meta } = await read(list, { page, limit: 20 })
        expect([page, ids]).toEqual([page, found.slice((page - 1) * 20, page * 20).map(idOf)])
        expect(meta.total).toBe(MANY)
      }
    },
  )

  it('orders of one status, and of a time', async () => {
    const found = expected((n) => n % 3 !== 0)
    for (const page of [51, 170, 334, 335, 336]) {
      const { ids } = await read(LISTS[1]!, { page, limit: 20, status: 'pending', startDate: '2025-12-31' })
      expect([page, ids]).toEqual([page, found.slice((page - 1) * 20, page * 20).map(idOf)])
    }
  })

  it('products in the other order, and above a price', async () => {
    const found = expected(() => true).reverse()
    for (const filter of [{}, { minPrice: 500 }] as Record<string, number>[]) {
      for (const page of [52, 502, 503, 504]) {
        const { ids } = await read(LISTS[0]!, { page, limit: 20, sortType: 'asc', ...filter })
        expect([page, ids]).toEqual([page, found.slice((page - 1) * 20, page * 20).map(idOf)])
      }
    }
  })
})

describe('G-65', () => {
  it('codes that many products have: pages and totals as of names', async () => {
    const found = expected((n) => String(n).startsWith('1'))
    const { ids, meta } = await read(LISTS[0]!, { search: 'ab1', limit: 20, page: 2 })
    expect([meta.total, ids]).toEqual([found.length, found.slice(20, 40).map(idOf)])
    const all = await read(LISTS[0]!, { search: 'AB', limit: 20, total: 'capped', page: 300 })
    expect(all.meta).toMatchObject({ total: 10_000, totalPrecision: 'at_least' })
    expect(all.ids).toEqual(
      expected(() => true)
        .slice(5_980, 6_000)
        .map(idOf),
    )
  })

  it('products by stock: the page of few and of many matches is in the order of the stock (G-32)', async () => {
    for (const [search, every] of [
      ['quần', 2],
      ['tơ tằm', 200],
    ] as const) {
      const found = expected((n) => (every === 2 ? n % 2 === 1 : n % every === 0)).sort(
        (a, b) => (a % 7) - (b % 7) || a - b,
      )
      for (const total of ['exact', 'capped']) {
        const query = { search, total, sortBy: 'stock_quantity', sortType: 'asc', page: 2, limit: 20 }
        expect((await read(LISTS[0]!, query)).ids).toEqual(found.slice(20, 40).map(idOf))
      }
    }
  })

  it('orders of one status: the page and the total are of it, the counts of all that match', async () => {
    const found = expected((n) => n % 2 === 1 && n % 3 === 0)
    for (const total of ['exact', 'capped']) {
      const { ids, meta } = await read(LISTS[1]!, { search: 'quần', status: 'completed', total, limit: 20 })
      expect([ids, meta.total]).toEqual([found.slice(0, 20).map(idOf), found.length])
      expect(meta.pending).toBe(expected((n) => n % 2 === 1 && n % 3 !== 0).length)
    }
  })

  it('the records of these tests are more than are sorted one by one', () => {
    expect(MANY / 2).toBeGreaterThan(FEW_MATCHES)
  })
})
