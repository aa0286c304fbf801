import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/client.ts'
import { FEW_MATCHES } from '../../../src/lib/lists/total.ts'
import { shownWith } from '../../../src/modules/products/shown-with.ts'
import { listProducts } from '../../../src/modules/products/sql/list.ts'
import { makeShop, type Partner, separateService } from '../../support/service.ts'

const running = await separateService()
const { db } = running.deps

/** More than `capped` counts, so that every way to read a page is used. */
const MANY = 10_050

type List = { path: string; rows: 'products' | 'orders' | 'customers' }
const LISTS: List[] = [
  { path: '/api/external/v1/products', rows: 'products' },
  { path: '/api/external/v1/orders', rows: 'orders' },
  { path: '/api/external/v1/customers', rows: 'customers' },
]

const idOf = (n: number) => (0x660000000000 + n).toString(16).padStart(24, '0')
/** Two records share each instant, so that the id decides between them. */
const at = sql`timestamptz '2026-01-01' + (n / 2) * interval '1 minute'`

/** Every second record has a common word in its name, every 200th a rare one. */
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

/** The numbers of the records that a search finds, newest first. */
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

describe('G-65 many matches that all lie at the far end of a long list', async () => {
  const [OLD, NEW] = [FEW_MATCHES + 40, 10_500]
  const old = await makeShop(running, { name: 'Tiệm lâu năm' })
  const id = sql`lpad(to_hex(x'670000000000'::bigint + n), 24, '0')`
  const name = sql`case when n <= ${sql.lit(OLD)} then 'hang cu ' else 'hang moi ' end || n`
  const numbers = sql`generate_series(1, ${sql.lit(OLD + NEW)}) n`
  await sql`
    insert into products (shop_id, id, name, search, price, slug, sku_drafts, created_at, updated_at)
    select ${old.shopId}, ${id}, ${name}, ${name}, n, 'p' || n, '{"variants": [], "skus": []}', ${at}, ${at}
    from ${numbers}`.execute(db)
  await sql`insert into product_stock (shop_id, product_id, total_quantity)
    select ${old.shopId}, ${id}, n from ${numbers}`.execute(db)
  await sql`insert into product_codes (shop_id, kind, code, product_id)
    select ${old.shopId}, 'sku', case when n <= ${sql.lit(OLD)} then 'CU' else 'MOI' end || n, ${id}
    from ${numbers}`.execute(db)
  await sql`analyze products, product_stock, product_codes`.execute(db)

  it.each([
    ['a word', 'cũ'],
    ['the beginning of a code', 'CU'],
  ])('%s: pages and totals are those of sorting all matches', async (_, search) => {
    for (const sortBy of ['createdAt', 'price', 'stock_quantity']) {
      for (const total of ['exact', 'capped', 'none']) {
        for (const page of [1, 2, Math.ceil(OLD / 20)]) {
          const query = new URLSearchParams({
            search,
            sortBy,
            sortType: 'desc',
            total,
            page: `${page}`,
            limit: '20',
          })
          const { body } = await old.get(`/api/external/v1/products?${query}`)
          const prices = body.data.products.map((one: { price: number }) => one.price)
          const first = OLD - (page - 1) * 20
          const expectedPrices = Array.from({ length: Math.min(20, first) }, (_, n) => first - n)
          expect([sortBy, total, page, prices]).toEqual([sortBy, total, page, expectedPrices])
          expect(body.data.meta.total).toBe(total === 'none' ? undefined : OLD)
        }
      }
    }
  })

  it('a cursor goes on from page to page', async () => {
    const seen: number[] = []
    let cursor = '*'
    for (let page = 0; page < 4; page++) {
      const query = new URLSearchParams({ search: 'cũ', total: 'none', limit: '50', cursor })
      const { body } = await old.get(`/api/external/v1/products?${query}`)
      seen.push(...body.data.products.map((one: { price: number }) => one.price))
      cursor = body.data.meta.nextCursor
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => OLD - n))
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

  it.each(['desc', 'asc'])('orders from the ends of their days, %s', async (sortType) => {
    for (const [status, fits] of [
      [undefined, () => true],
      ['pending', (n: number) => n % 3 !== 0],
    ] as const) {
      const found = sortType === 'desc' ? expected(fits) : expected(fits).reverse()
      // Every page from before the first that is deep to behind the last.
      for (let page = 29; page <= Math.ceil(found.length / 100) - 28; page++) {
        const query = { page, limit: 100, sortType, ...(status === undefined ? {} : { status }) }
        const { ids } = await read(LISTS[1]!, query)
        expect([page, ids]).toEqual([page, found.slice((page - 1) * 100, page * 100).map(idOf)])
      }
    }
  })

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

/** How many scans for codes this connection has recently made. */
async function codeScans(trx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select idx_scan as n from pg_stat_xact_user_tables where relname = 'product_codes'`.execute(trx)
  return rows[0]!.n
}

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

  it('orders of one status that come after all that are counted: their page and their total', async () => {
    const own = await makeShop(running)
    await sql`
      insert into orders (shop_id, id, code, price, origin_price, status, search, platform, created_at, updated_at)
      select ${own.shopId}, lpad(to_hex(x'660000000000'::bigint + n), 24, '0'), 'DH' || n, 1000, 1000,
        case when n > 10001 then 'delivered' else 'pending' end, 'chung', 'mini_pos', ${at}, ${at}
      from generate_series(1, 10003) n`.execute(db)
    const orders = async (query: string) =>
      (await own.get(`/api/external/v1/orders?search=chung&${query}`)).body.data
    const late = [idOf(10_003), idOf(10_002)]
    for (const total of ['exact', 'capped', 'none']) {
      const answer = await orders(`status=delivered&total=${total}`)
      expect([total, answer.orders.map(({ _id }: { _id: string }) => _id)]).toEqual([total, late])
      if (total !== 'none') expect(answer.meta).toMatchObject({ total: 2, totalPages: 1 })
    }
    expect((await orders('status=delivered&total=capped')).meta.totalPrecision).toBe('exact')
    expect((await orders('status=pending&total=capped')).meta).toMatchObject({
      total: 10_000,
      totalPrecision: 'at_least',
    })
  })

  it('products with several codes that fit are counted once each', async () => {
    const own = await makeShop(running)
    const [id, ofOwn] = [
      sql`lpad(to_hex(x'660000000000'::bigint + n), 24, '0')`,
      sql`generate_series(1, 3400) n`,
    ]
    await sql`
      insert into products (shop_id, id, name, search, price, slug, sku_drafts, created_at, updated_at)
      select ${own.shopId}, ${id}, 'A', 'a', 1000, 'p' || n, '{"variants": [], "skus": []}', ${at}, ${at}
      from ${ofOwn}`.execute(db)
    await sql`
      insert into product_stock (shop_id, product_id) select ${own.shopId}, ${id} from ${ofOwn}`.execute(db)
    await sql`
      insert into product_codes (shop_id, kind, code, product_id)
      select ${own.shopId}, k.kind, 'XY' || n || k.ending, ${id}
      from ${ofOwn}, (values ('sku', ''), ('sku', 'B'), ('barcode', '')) k (kind, ending)`.execute(db)
    await sql`analyze products, product_codes`.execute(db)
    const { meta } = (await own.get('/api/external/v1/products?search=xy&total=capped')).body.data
    expect(meta).toMatchObject({ total: 3_400, totalPrecision: 'exact' })
  })

  it('a page far behind in a search that few products of the shop fit is sorted: the others are not looked at', async () => {
    const own = await makeShop(running)
    const [id, ofOwn] = [
      sql`lpad(to_hex(x'660000000000'::bigint + n), 24, '0')`,
      sql`generate_series(1, 5600) n`,
    ]
    await sql`
      insert into products (shop_id, id, name, search, price, slug, sku_drafts, created_at, updated_at)
      select ${own.shopId}, ${id}, 'A', case when n % 11 = 0 then 'khac' else 'chung' end, 1000, 'p' || n,
        '{"variants": [], "skus": []}', ${at}, ${at}
      from ${ofOwn}`.execute(db)
    await sql`
      insert into product_stock (shop_id, product_id) select ${own.shopId}, ${id} from ${ofOwn}`.execute(db)
    await sql`update product_counts set n = 200000 where shop_id = ${own.shopId}`.execute(db)
    await sql`analyze products, product_stock`.execute(db)
    const lookedUp = async (offset: number) =>
      db.transaction().execute(async (trx) => {
        const before = await codeScans(trx)
        const { matches, found } = await listProducts(trx, own.shopId, {
          filter: {
            search: 'chung',
            categoryId: undefined,
            minPrice: undefined,
            maxPrice: undefined,
            barcode: undefined,
          },
          order: { by: 'createdAt', direction: 'desc' },
          page: { limit: 20, offset },
          mode: 'exact',
          shown: shownWith({}),
        })
        expect([matches.n, found]).toEqual([5_091, 20])
        return (await codeScans(trx)) - before
      })
    expect(await lookedUp(4_900)).toBeLessThan(10)
  })

  it('the records of these tests are more than are sorted one by one', () => {
    expect(MANY / 2).toBeGreaterThan(FEW_MATCHES)
  })
})
