import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { enter } from '../support/inventory.ts'
import { createProduct, PRODUCTS } from '../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../support/service.ts'
import { insertShopRecords } from '../support/shop-records.ts'
import { topUp } from '../support/templates.ts'
import { makeProduct } from './order-fixtures.ts'

const running = await service()
const { db } = running.deps
const COPIES = 8

// biome-ignore lint/suspicious/noExplicitAny: answers of several lists
type Body = any
type Record_ = { _id: string }
type Meta = { nextCursor?: string | null }
type List = {
  path: string
  size: string
  records(body: Body): Record_[]
  meta(body: Body): { nextCursor?: string | null }
}

const inData = (name: string) => ({
  records: (body: Body): Record_[] => body.data[name],
  meta: (body: Body): Meta => body.data.meta,
})
const atTop = (name: string) => ({
  records: (body: Body): Record_[] => body[name],
  meta: (body: Body): Meta => body.meta,
})
const LISTS: List[] = [
  { path: PRODUCTS, size: 'limit', ...inData('products') },
  { path: '/api/external/v1/orders', size: 'limit', ...inData('orders') },
  { path: '/api/external/v1/customers', size: 'limit', ...inData('customers') },
  { path: '/api/external/news', size: 'limit', ...inData('news') },
  { path: '/api/external/notify-template', size: 'size', ...atTop('templates') },
  { path: '/api/external/notify-message/history', size: 'offset', ...atTop('histories') },
  { path: '/api/external/notify-message/batches', size: 'limit', ...atTop('data') },
  { path: '/api/external/wallet/entries', size: 'limit', ...atTop('entries') },
]
const MOVEMENTS = '/api/external/v1/inventory/movements'

let shop: Partner
let other: Partner

/** Records of every list; several of each have the same time. */
beforeAll(async () => {
  shop = await makeShop(running)
  other = await makeShop(running)
  await insertShopRecords(running, shop.shopId)
  const { skuIds } = await makeProduct(running, shop)
  for (let n = 0; n < COPIES; n++) {
    await createProduct(shop, { name: `Trà sen ${n % 3}`, price: 1_000 * (n % 4) })
    await shop.post('/api/external/v1/customers', { fullName: `Lan ${n}` })
    await shop.post('/api/external/news', { title: `Khai trương ${n}`, content: '<p>Bài</p>' })
    await shop.post('/api/external/order/pos/create', { orderItems: [{ id: skuIds[0], quantity: 1 }] })
    await topUp(running, shop.shopId, 1_000 + n)
    await enter(shop, 'receive', [[skuIds[0]!, n + 1]])
    await sql`update products set sort_order = ${n % 2} where shop_id = ${shop.shopId} and name = ${`Trà sen ${n % 3}`}`.execute(
      db,
    )
  }
  const copy = (table: string, changed: Record<string, string | null>) =>
    sql`
    insert into ${sql.table(table)}
    select c.*
    from (select * from ${sql.table(table)} where shop_id = ${shop.shopId} order by id limit 1) t
    cross join generate_series(1, ${COPIES}) n
    cross join lateral jsonb_populate_record(null::${sql.table(table)},
      to_jsonb(t) || ${JSON.stringify(changed)}::jsonb || jsonb_build_object('id', left(t.id, 20) || lpad(to_hex(n), 4, '0'))) c`.execute(
      db,
    )
  await copy('templates', { status: 'DRAFT', platform_template_id: null })
  await copy('message_batches', {})
  const { rows } = await sql<{ id: string; platform_template_id: string; oa_id: string }>`
    select id, platform_template_id, oa_id from templates
    where shop_id = ${shop.shopId} and platform_template_id is not null limit 1`.execute(db)
  const template = rows[0]!
  for (let n = 0; n < COPIES; n++) {
    const at = new Date(Date.UTC(2026, 4, 1, 0, Math.floor(n / 3)))
    await sql`
      insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, params, state, fee,
        session_id, sent_at, created_at, updated_at)
      values (${shop.shopId}, ${unusedId()}, ${template.id}, ${template.platform_template_id}, ${template.oa_id}, 'phone',
        '84901234567', '{}', 'RECEIVED', 0, ${unusedId()}, ${at}, ${at}, ${at})`.execute(db)
  }
})

const read = async ({ path }: Pick<List, 'path'>, query: Record<string, string | number>) => {
  const answer = await shop.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`)
  expect([answer.status, path], JSON.stringify(answer.body)).toEqual([200, path])
  return answer.body
}
const idsOf = (records: Record_[]) => records.map(({ _id }) => _id)

async function byPages(list: List, query: Record<string, string | number> = {}): Promise<string[]> {
  const found: string[] = []
  for (let page = 1; ; page++) {
    const records = list.records(await read(list, { ...query, page, [list.size]: 50 }))
    found.push(...idsOf(records))
    if (records.length < 50) return found
  }
}

async function byCursors(list: List, query: Record<string, string | number> = {}): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const body: Body = await read(list, { ...query, cursor, [list.size]: 3 })
    found.push(...idsOf(list.records(body)))
    cursor = list.meta(body).nextCursor!
    expect(cursor).not.toBe(undefined)
  }
  return found
}

describe('G-66 cursors of lists', () => {
  it.each(LISTS)('200 $path: cursors give what page numbers give, in their order', async (list) => {
    const all = await byPages(list)
    expect(all.length).toBeGreaterThanOrEqual(COPIES)
    expect(await byCursors(list)).toEqual(all)
  })

  it.each(['createdAt', 'updatedAt', 'name', 'price', 'sortOrder', 'stock_quantity'])(
    '200 products by %s, up and down, also of a filter',
    async (sortBy) => {
      const list = LISTS[0]!
      for (const sortType of ['asc', 'desc']) {
        for (const filter of [
          {},
          { search: 'tra sen' },
          { minPrice: 1_000 },
          { search: 'tra', total: 'none' },
        ]) {
          const query = { sortBy, sortType, ...filter } as unknown as Record<string, string>
          expect(await byCursors(list, query)).toEqual(await byPages(list, query))
        }
      }
    },
  )

  it('200 orders and customers of a filter', async () => {
    for (const filter of [
      { status: 'completed' },
      { search: 'lan' },
      { platform: 'mini_pos' },
      { startDate: '2020-01-01' },
    ])
      expect(await byCursors(LISTS[1]!, filter as never)).toEqual(await byPages(LISTS[1]!, filter as never))
    for (const filter of [{ search: 'lan' }, { search: 'lan', total: 'capped' }])
      expect(await byCursors(LISTS[2]!, filter as never)).toEqual(await byPages(LISTS[2]!, filter as never))
  })

  it('200 and a record that is created meanwhile moves no other', async () => {
    const list = LISTS[2]!
    const before = await byPages(list)
    const first = await read(list, { cursor: '*', limit: 4 })
    await shop.post('/api/external/v1/customers', { fullName: 'Lan giữa chừng' })
    const second = await read(list, { cursor: list.meta(first).nextCursor!, limit: 100 })
    expect([...idsOf(list.records(first)), ...idsOf(list.records(second))]).toEqual(before)
  })

  it.each(LISTS)('200 $path: no nextCursor unless a cursor was asked for', async (list) => {
    expect(list.meta(await read(list, {}))).not.toHaveProperty('nextCursor')
    expect(list.meta(await read(list, { cursor: '*', [list.size]: 50 })).nextCursor).toBe(null)
  })

  it.each(LISTS)(
    '400 $path: a cursor of another shop, list or order, or none at all, names cursor',
    async (list) => {
      const own = list.meta(await read(list, { cursor: '*', [list.size]: 1 })).nextCursor!
      const neighbour = LISTS[(LISTS.indexOf(list) + 1) % LISTS.length]!
      const foreign = neighbour.meta(await read(neighbour, { cursor: '*', [neighbour.size]: 1 })).nextCursor!
      const parts = JSON.parse(Buffer.from(own, 'base64url').toString())
      const changed = [
        [...parts.slice(0, 2), 'x', parts[3]],
        [...parts.slice(0, 2), 2 ** 60, parts[3]],
        [...parts.slice(0, 3), 'x'],
        parts.slice(0, 3),
      ].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
      const wrong: [Partner, string][] = [foreign, 'garbage', ...changed].map((cursor) => [shop, cursor])
      for (const [whose, cursor] of [...wrong, [other, own] as [Partner, string]]) {
        const answer = await whose.get(`${list.path}?cursor=${cursor}`)
        expect([answer.status, answer.body.validation?.query.keys], cursor).toEqual([400, ['cursor']])
      }
    },
  )

  it('400 names cursor for that of another sort of products', async () => {
    const list = LISTS[0]!
    const body = await read(list, { cursor: '*', limit: 1, sortBy: 'price', sortType: 'asc' })
    for (const query of ['sortBy=price&sortType=desc', 'sortBy=name&sortType=asc', '']) {
      const answer = await shop.get(`${list.path}?cursor=${list.meta(body).nextCursor}&${query}`)
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, ['cursor']])
    }
  })
})

describe('G-66 ids of a list', () => {
  const movements: List = { path: MOVEMENTS, size: 'limit', ...inData('movements') }

  it.each([...LISTS, movements])(
    '200 $path: those of the ids that exist, in the list’s order and shape',
    async (list) => {
      const records = list.records(await read(list, { [list.size]: 50 }))
      const asked = [records[3]!, records[0]!, records[1]!]
      const ids = [...idsOf(asked), unusedId(), records[0]!._id.toUpperCase()].join(', ')
      const found = list.records(await read(list, { ids, [list.size]: 1 }))
      expect(found).toEqual([records[0], records[1], records[3]])
      const others =
        list.path === '/api/external/notify-template' ? undefined : await other.get(`${list.path}?ids=${ids}`)
      if (others !== undefined) expect(list.records(others.body)).toEqual([])
    },
  )

  it.each([...LISTS, movements])('400 $path: more than 100 ids, or what is none, names ids', async (list) => {
    const many = Array.from({ length: 101 }, unusedId).join()
    for (const ids of [many, 'x', `${unusedId()},1`]) {
      const answer = await shop.get(`${list.path}?ids=${ids}`)
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, ['ids']])
    }
  })
})
