import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { enter, stockedSku } from '../../support/inventory.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { insertShopRecords } from '../../support/shop-records.ts'
import { createTemplate, TEMPLATES, templateBody } from '../../support/template-shop.ts'

const running = await service()
const { db } = running.deps
const ORDERS = '/api/external/v1/orders'
const CUSTOMERS = '/api/external/v1/customers'
const HISTORY = '/api/external/notify-message/history'
const NEWS = '/api/external/news'
const ENTRIES = '/api/external/v1/inventory/entries'
/** More matches than are sorted after a search. */
const MANY = 20_050
const FEW = 40

type Record_ = { _id: string; price: number; createdAt: string; fullName: string }

let shop: Partner

beforeAll(async () => {
  shop = await makeShop(running)
  // Few prices for many orders, so that ids decide. The newest orders are not the most expensive.
  await sql`
    insert into orders (shop_id, id, code, price, origin_price, status, search, platform, created_at, updated_at)
    select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 'DH' || n, (n * 7919) % 97, 0,
      case when n <= ${MANY} then 'completed' else 'pending' end,
      'dh' || n || case when n % 1000 = 0 then ' khach quen' else '' end, 'mini_pos',
      timestamptz '2026-05-01T00:00:00Z' + (n / 3) * interval '1 second', now()
    from generate_series(1, ${MANY + FEW}) as n`.execute(db)
  for (const fullName of ['Đỗ Ân', 'Bùi Châu', 'do an', 'Âu Dương', 'Bùi Châu'])
    expect((await shop.post(CUSTOMERS, { fullName })).status).toBe(201)
})

type Query = Record<string, string>
type Listed = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: an answer of any of the lists
type Body = any
async function orders(query: Query): Promise<Record_[]> {
  const { status, body } = await shop.get(`${ORDERS}?${new URLSearchParams(query)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.orders
}
async function behindCursors(query: Query, pages: number): Promise<Record_[]> {
  const found: Record_[] = []
  for (let cursor: string | null = '*', n = 0; cursor !== null && n < pages; n++) {
    const { body } = await shop.get(`${ORDERS}?${new URLSearchParams({ ...query, cursor })}`)
    found.push(...body.data.orders)
    cursor = body.data.meta.nextCursor
  }
  return found
}
const keys = (listed: Record_[]) => listed.map(({ price, _id }) => [price, _id])
function byPrice(to: 1 | -1) {
  return (one: Record_, other: Record_) => to * (one.price - other.price || (one._id < other._id ? -1 : 1))
}

describe('G-113 the order of lists', () => {
  it.each([
    ['of all', {}],
    ['of many that a filter finds', { status: 'completed' }],
    ['of few that a filter finds', { status: 'pending' }],
    ['of a period', { startDate: '2026-05-01T00:30:00Z', endDate: '2026-05-01T00:40:00Z' }],
    ['of a search', { search: 'khach quen' }],
    ['of a capped search for many', { search: 'dh', total: 'capped' }],
    ['of a capped search for many of a status', { search: 'dh', status: 'completed', total: 'capped' }],
  ] as [string, Query][])(
    '200 orders %s by price, up and down, by pages and by cursors',
    async (_, filter) => {
      for (const [sortType, to] of [
        ['asc', 1],
        ['desc', -1],
      ] as const) {
        const query = { ...filter, sortBy: 'price', sortType, limit: '100' }
        const pages = [await orders(query), await orders({ ...query, page: '2' })].flat()
        expect(keys(pages)).toEqual(keys(pages.toSorted(byPrice(to))))
        expect(new Set(pages.map(({ _id }) => _id)).size).toBe(pages.length)
        expect(keys(await behindCursors(query, 2))).toEqual(keys(pages))
        // The first is the cheapest, or the most expensive, of all that the filter finds.
        const { rows } = await sql<{ edge: number }>`
        select ${sql.raw(to === 1 ? 'min' : 'max')}(price)::integer as edge from orders
        where shop_id = ${shop.shopId}
          and (${filter.status ?? null}::text is null or status = ${filter.status ?? null})
          and (${filter.startDate ?? null}::timestamptz is null or created_at between ${filter.startDate ?? null}::timestamptz and ${filter.endDate ?? null}::timestamptz)
          and search like ${`%${filter.search ?? ''}%`}`.execute(db)
        expect(pages[0]!.price).toBe(rows[0]!.edge)
      }
    },
  )

  it('200 the last page by price is read from the end, and a page behind it is empty', async () => {
    const all = MANY + FEW
    const last = String(Math.ceil(all / 100))
    const listed = await orders({ sortBy: 'price', sortType: 'asc', limit: '100', page: last })
    expect(listed.map(({ price }) => price)).toEqual(Array(all % 100).fill(96))
    const query = { sortBy: 'price', sortType: 'asc', limit: '100', page: String(Number(last) + 1) }
    const { body } = await shop.get(`${ORDERS}?${new URLSearchParams(query)}`)
    expect([body.data.orders, body.data.meta.total]).toEqual([[], all])
  })

  it('200 of ids in the order asked for, on one page', async () => {
    const some = await orders({ limit: '30', page: '7' })
    const ids = some.map(({ _id }) => _id).join(',')
    const query = { ids, sortBy: 'price', sortType: 'asc' }
    expect(keys(await orders(query))).toEqual(keys(some.toSorted(byPrice(1))))
  })

  it('200 oldest first is the default order from its end', async () => {
    for (const filter of [{}, { status: 'pending' }, { search: 'khach quen' }] as Query[]) {
      const query = { ...filter, limit: '100' }
      const newest = await orders(query)
      expect(await orders({ ...query, sortBy: 'createdAt', sortType: 'desc' })).toEqual(newest)
      const oldest = await orders({ ...query, sortType: 'asc' })
      expect(oldest.map(({ createdAt }) => createdAt)).toEqual(
        oldest.map(({ createdAt }) => createdAt).toSorted(),
      )
      if (newest.length < 100) expect(oldest).toEqual(newest.toReversed())
    }
  })

  it('200 customers by name without regard to accents and case', async () => {
    const read = async (query: Query) =>
      (await shop.get(`${CUSTOMERS}?${new URLSearchParams(query)}`)).body.data.customers as Record_[]
    const up = await read({ sortBy: 'fullName', sortType: 'asc' })
    expect(up.map(({ fullName }) => fullName)).toEqual(['Âu Dương', 'Bùi Châu', 'Bùi Châu', 'Đỗ Ân', 'do an'])
    expect(await read({ sortBy: 'fullName' })).toEqual(up.toReversed())
    const ids = up.map(({ _id }) => _id).join(',')
    expect(await read({ sortBy: 'fullName', sortType: 'asc', ids })).toEqual(up)
    expect(await read({ sortBy: 'fullName', sortType: 'asc', search: 'bui', total: 'capped' })).toEqual(
      up.slice(1, 3),
    )
    expect(await read({ sortType: 'asc' })).toEqual((await read({})).toReversed())
  })

  it('200 messages by the time of sending, the first sent first', async () => {
    const sender = await makeShop(running)
    await insertShopRecords(running, sender.shopId)
    const { rows } = await sql<{ id: string; platform_template_id: string; oa_id: string }>`
      select id, platform_template_id, oa_id from templates
      where shop_id = ${sender.shopId} and platform_template_id is not null limit 1`.execute(db)
    const template = rows[0]!
    const days = [3, 1, 2]
    for (const day of days) {
      const at = new Date(Date.UTC(2026, 4, day))
      await sql`
        insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, params, state, fee,
          session_id, sent_at, created_at, updated_at)
        values (${sender.shopId}, ${unusedId()}, ${template.id}, ${template.platform_template_id}, ${template.oa_id}, 'phone',
          '84977777777', '{}', 'RECEIVED', 200, ${unusedId()}, ${at}, ${at}, ${at})`.execute(db)
    }
    const times = async (query: string) =>
      (await sender.get(`${HISTORY}?phone=0977777777&${query}`)).body.histories.map(
        ({ createdAt }: Record_) => createdAt.slice(8, 10),
      )
    expect(await times('')).toEqual(['03', '02', '01'])
    expect(await times('sortBy=sentAt&sortType=asc')).toEqual(['01', '02', '03'])
    expect(await times('sortType=asc&page=1&offset=2')).toEqual(['01', '02'])
    const all = async (query: string) =>
      (await sender.get(`${HISTORY}?${query}`)).body.histories.map(({ _id }: Record_) => _id)
    expect(await all('sortType=asc&status=RECEIVED')).toEqual((await all('status=RECEIVED')).toReversed())
  })

  it('200 templates by name and time of change, news by title and time of change, by pages and by cursors', async () => {
    const writer = await makeShop(running)
    const names = ['Đổi hàng', 'Báo giao hàng', 'doi qua', 'Ưu đãi', 'Báo giao hàng']
    for (const name of names) {
      await createTemplate(writer, templateBody('oa-1', { name, title: 'Tin của tiệm' }))
      expect((await writer.post(NEWS, { title: name, content: '<p>Mời xem</p>' })).status).toBe(201)
    }
    for (const table of ['templates', 'news'])
      await sql`
        update ${sql.table(table)} set updated_at = created_at + interval '1 day' * (length(search) % 7)
        where shop_id = ${writer.shopId}`.execute(db)
    const lists = [
      {
        path: TEMPLATES,
        size: 'size',
        by: 'name',
        of: (body: Body): Listed[] => body.templates,
        meta: (body: Body) => body.meta,
      },
      {
        path: NEWS,
        size: 'limit',
        by: 'title',
        of: (body: Body): Listed[] => body.data.news,
        meta: (body: Body) => body.data.meta,
      },
    ]
    for (const { path, size, by, of, meta } of lists) {
      const read = async (query: Query) => (await writer.get(`${path}?${new URLSearchParams(query)}`)).body
      const newest = of(await read({}))
      expect(of(await read({ sortType: 'asc' }))).toEqual(newest.toReversed())
      const byName = of(await read({ sortBy: by, sortType: 'asc' }))
      expect(byName.map((one) => one[by])).toEqual([
        'Báo giao hàng',
        'Báo giao hàng',
        'Đổi hàng',
        'doi qua',
        'Ưu đãi',
      ])
      const byChange = of(await read({ sortBy: 'updatedAt' }))
      const times = byChange.map(({ updatedAt }) => updatedAt)
      expect(times).toEqual(times.toSorted().toReversed())
      expect(new Set(times).size).toBeGreaterThan(2)
      for (const [sortBy, all] of [
        [by, byName],
        ['updatedAt', byChange.toReversed()],
      ] as const) {
        const query = { sortBy, sortType: 'asc', [size]: '2' }
        const pages = [
          await read(query),
          await read({ ...query, page: '2' }),
          await read({ ...query, page: '3' }),
        ]
        expect(pages.flatMap(of)).toEqual(all)
        const behind: Listed[] = []
        for (let cursor: string | null = '*'; cursor !== null; ) {
          const body: Body = await read({ ...query, cursor })
          behind.push(...of(body))
          cursor = meta(body).nextCursor
        }
        expect(behind).toEqual(all)
        const ids = all.slice(1).map(({ _id }) => _id)
        expect(of(await read({ ...query, ids: ids.join() }))).toEqual(all.slice(1))
      }
    }
  })

  it('200 stock entries, the first recorded first, also of one type and by cursors', async () => {
    const keeper = await makeShop(running)
    const sku = await stockedSku(keeper, 5)
    for (const type of ['receive', 'count', 'receive']) await enter(keeper, type, [[sku, 3]])
    const read = async (query: Query) =>
      (await keeper.get(`${ENTRIES}?${new URLSearchParams(query)}`)).body.data
    for (const filter of [{}, { type: 'receive' }] as Query[]) {
      const { entries } = await read(filter)
      expect(entries.length).toBeGreaterThan(1)
      expect((await read({ ...filter, sortType: 'asc' })).entries).toEqual(entries.toReversed())
      const first = await read({ ...filter, sortType: 'asc', limit: '1', cursor: '*' })
      const second = await read({ ...filter, sortType: 'asc', limit: '1', cursor: first.meta.nextCursor })
      expect([...first.entries, ...second.entries]).toEqual(entries.toReversed().slice(0, 2))
    }
  })

  it('400 for an unknown word, and for a cursor of another order', async () => {
    for (const query of ['sortBy=status', 'sortType=up']) {
      const [name] = query.split('=')
      for (const list of [ORDERS, CUSTOMERS, HISTORY, TEMPLATES, NEWS, ENTRIES]) {
        const { status, body } = await shop.get(`${list}?${query}`)
        expect([status, body.validation?.query.keys], list).toEqual([400, [name]])
      }
    }
    const { body } = await shop.get(`${ORDERS}?cursor=*&limit=2&sortBy=price`)
    for (const query of ['sortBy=price&sortType=asc', 'sortBy=createdAt', '']) {
      const answer = await shop.get(`${ORDERS}?cursor=${body.data.meta.nextCursor}&${query}`)
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, ['cursor']])
    }
  })
})
