import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { enter } from '../../support/inventory.ts'
import { type Body, CATEGORIES, LISTS, type List, MANAGE, type Record_ } from '../../support/lists.ts'
import { createProduct } from '../../support/products.ts'
import { makeShop, manage, type Partner, service, unusedId } from '../../support/service.ts'
import { insertShopRecords, type ShopRecords } from '../../support/shop-records.ts'
import { topUp } from '../../support/templates.ts'
import { makeProduct } from '../orders/order-fixtures.ts'

const running = await service()
const { db } = running.deps
const COPIES = 8

const WITH_IDS = LISTS.filter(({ hasNoIds }) => !hasNoIds)

/** The lists in the API document that lack parameters of the others, and why. */
const EXCEPTIONS: Record<string, { lacks: string[]; why: string }> = {
  readChanges: { lacks: ['cursor', 'ids'], why: 'a feed: it goes on by `after`' },
  readEvents: { lacks: ['cursor', 'ids'], why: 'a feed: it goes on by `after`' },
  listWebhookAttempts: { lacks: ['ids'], why: 'an attempt has no id' },
  listWebhooks: { lacks: ['cursor', 'ids'], why: 'a shop has at most 20' },
  listPlatformApps: { lacks: ['cursor', 'ids'], why: 'the operator’s own apps, which have no ids of ours' },
  listQueues: { lacks: ['cursor', 'ids'], why: 'a state of the service: one record a queue' },
  listChecks: { lacks: ['cursor', 'ids'], why: 'a state of the service: one record a check' },
  listFailedJobs: { lacks: ['cursor', 'ids'], why: 'a state of the service: its total and the newest 100' },
  listUnfinishedTemplates: { lacks: ['cursor', 'ids'], why: 'a shop has at most 50' },
  listAudiences: { lacks: ['cursor', 'ids'], why: 'a shop has at most 100' },
  readAudienceCustomers: { lacks: ['cursor', 'ids'], why: 'looked up by conditions: it goes on by `after`' },
  listSavedViews: { lacks: ['cursor', 'ids'], why: 'a record for each of the four lists' },
  listNewsDrafts: { lacks: ['cursor', 'ids'], why: 'a shop has at most 50' },
  listCircuits: { lacks: ['cursor', 'ids'], why: 'a state of the service: what fails just now' },
  listStockDifferences: { lacks: ['cursor', 'ids'], why: 'a report: its total and the first 1,000' },
}

let shop: Partner
let other: Partner
let records: ShopRecords
let othersRecords: ShopRecords

/** Creates records for every list; several in each have the same time. */
beforeAll(async () => {
  shop = await makeShop(running)
  other = await makeShop(running)
  records = await insertShopRecords(running, shop.shopId)
  othersRecords = await insertShopRecords(running, other.shopId)
  const { skuIds } = await makeProduct(running, shop)
  for (let n = 0; n < COPIES; n++) {
    await createProduct(shop, { name: `Trà sen ${n % 3}`, price: 1_000 * (n % 4) })
    await shop.post('/api/external/v1/customers', { fullName: `Lan ${n}` })
    await shop.post('/api/external/news', { title: `Khai trương ${n}`, content: '<p>Bài</p>' })
    await shop.post('/api/external/order/pos/create', { orderItems: [{ id: skuIds[0], quantity: 1 }] })
    await topUp(running, shop.shopId, 1_000 + n)
    await enter(shop, 'receive', [[skuIds[0]!, n + 1]], { supplier: `Nhà vườn ${n}` })
    await shop.post('/api/external/v1/warehouses', { name: `Kho ${n}` })
    await shop.post('/api/external/v1/consents', {
      phone: `09123456${10 + n}`,
      status: 'granted',
      source: 'quầy',
    })
    await manage(running, 'POST', '/shops', { name: `Chuỗi ${n}`, language: 'vi' })
    await manage(running, 'POST', `/shops/${shop.shopId}/keys`, { name: `Máy ${n}` })
    await manage(running, 'POST', `/shops/${shop.shopId}/official-accounts`, { oaId: unusedId(), name: 'OA' })
    await sql`
      with person as (
        insert into users (id, name, email, is_operator, created_at, updated_at)
        values (${unusedId()}, 'Người', ${`n${n}.${unusedId()}@example.com`}, true, now(), now())
        returning id
      )
      insert into members (shop_id, user_id, role, created_at, updated_at)
      select ${shop.shopId}, id, 'staff', ${new Date(Date.UTC(2026, 4, 1, 0, n % 3))}::timestamptz, now()
      from person`.execute(db)
    await sql`
      insert into closed_shops (id, asked_at, erasing_since, erased_at, topped_up, corrected, charged, charged_messages,
        owed, balance, held)
      values (${unusedId()}, now(), ${new Date(Date.UTC(2026, 4, 1, 0, n % 3))}, now(), 0, 0, 0, 0, 0, 0, 0)`.execute(
      db,
    )
    await sql`
      insert into shifts (shop_id, id, opened_by, opened_at, opening_cash)
      values (${shop.shopId}, ${unusedId()}, ${unusedId()}, ${new Date(Date.UTC(2026, 4, 1, 0, n % 3))}, 0)`.execute(
      db,
    )
    await sql`
      insert into webhook_attempts (shop_id, endpoint_id, event_id, number, status, duration_ms, created_at)
      values (${shop.shopId}, ${records.webhook}, ${records.event}, ${n + 1}, 204, 1,
        ${new Date(Date.UTC(2026, 4, 1, 0, n % 3))})`.execute(db)
    await sql`update products set sort_order = ${n % 2} where shop_id = ${shop.shopId} and name = ${`Trà sen ${n % 3}`}`.execute(
      db,
    )
  }
  await sql`
    insert into sku_costs (shop_id, sku_id, value, pieces, updated_at)
    select shop_id, id, 9000, 2, now() from skus where shop_id = ${shop.shopId}
    on conflict do nothing`.execute(db)
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
  await copy('product_imports', { status: 'done', finished_at: '2026-05-01T00:00:00Z' })
  for (const name of ['Trà', 'Bánh', 'Trà']) {
    const root = await addCategory(name)
    for (const child of ['Sen', 'Nhài']) await addCategory(child, root)
  }
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
        '84901234567', '{}', 'RECEIVED', 200, ${unusedId()}, ${at}, ${at}, ${at})`.execute(db)
  }
})

async function addCategory(name: string, parentId: string | null = null): Promise<string> {
  return (await shop.post(CATEGORIES, { name, parentId })).body.data._id
}

type Query = Record<string, string | number>

/** Reads a list as the shop or another one; the operator's lists as the operator. */
function ask({ path, query: always }: List, query: Query, whose: Partner = shop) {
  const address = typeof path === 'string' ? path : path(whose === shop ? records : othersRecords)
  const url = `${address}?${new URLSearchParams({ ...always, ...query } as Record<string, string>)}`
  return url.startsWith(MANAGE) ? manage(running, 'GET', url.slice(MANAGE.length)) : whose.get(url)
}
const read = async (list: List, query: Query) => {
  const answer = await ask(list, query)
  expect([answer.status, list.operationId], JSON.stringify(answer.body)).toEqual([200, list.operationId])
  return answer.body
}
const idOf = ({ _id }: Record_) => String(_id)
const idsOf = (list: List, listed: Record_[]) => listed.map(list.idOf ?? idOf)
const listOf = (operationId: string) => LISTS.find((list) => list.operationId === operationId)!
const [PRODUCT_LIST, ORDER_LIST, CUSTOMER_LIST, CATEGORY_LIST] = [
  listOf('listProducts'),
  listOf('listOrders'),
  listOf('listCustomers'),
  listOf('listCategories'),
]

async function byPages(list: List, query: Query = {}): Promise<string[]> {
  const found: string[] = []
  const { onward: [parameter, field] = [] } = list
  for (let next: Query = parameter === undefined ? { page: 1 } : {}; ; ) {
    const body = await read(list, { ...query, ...next, [list.size]: 50 })
    const listed = list.records(body)
    found.push(...idsOf(list, listed))
    if (listed.length < 50) return found
    next =
      parameter === undefined
        ? { page: Number(next.page) + 1 }
        : { [parameter]: (list.meta(body) as Record<string, string>)[field!]! }
  }
}

async function byCursors(list: List, query: Query = {}): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const body: Body = await read(list, { ...query, cursor, [list.size]: 3 })
    found.push(...idsOf(list, list.records(body)))
    cursor = list.meta(body).nextCursor!
    expect(cursor).not.toBe(undefined)
  }
  return found
}

type Operation = { operationId: string; parameters?: { name: string; in: string }[] }

describe('G-66 every list of the API document', () => {
  const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'))
  const operations = Object.values<{ get?: Operation }>(document.paths)
    .flatMap(({ get }) => (get === undefined ? [] : [get]))
    .map(({ operationId, parameters = [] }) => ({ operationId, names: parameters.map(({ name }) => name) }))
  const lists = operations.filter(
    ({ operationId, names }) =>
      operationId.startsWith('list') || names.includes('page') || names.includes('limit'),
  )

  it.each(lists)('$operationId takes cursor and ids, or has a reason', ({ operationId, names }) => {
    const lacking = ['cursor', 'ids'].filter((name) => !names.includes(name))
    expect(lacking).toEqual(EXCEPTIONS[operationId]?.lacks ?? [])
  })

  it('is tried below if it takes a cursor', () => {
    const taking = lists.filter(({ names }) => names.includes('cursor')).map(({ operationId }) => operationId)
    expect(LISTS.map(({ operationId }) => operationId).toSorted()).toEqual(taking.toSorted())
    expect(
      Object.keys(EXCEPTIONS).filter((name) => !lists.some((list) => list.operationId === name)),
    ).toEqual([])
  })
})

describe('G-66 cursors of lists', () => {
  it.each(LISTS)('200 $operationId: cursors give what page numbers give, in their order', async (list) => {
    const all = await byPages(list)
    expect(all.length).toBeGreaterThanOrEqual(COPIES)
    expect(await byCursors(list)).toEqual(all)
  })

  it.each(['createdAt', 'updatedAt', 'name', 'price', 'sortOrder', 'stock_quantity'])(
    '200 products by %s, up and down, also of a filter',
    async (sortBy) => {
      const list = PRODUCT_LIST
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

  it.each(LISTS.filter(({ onward }) => onward === undefined))(
    '400 $operationId names a page beside a cursor, which has a page of its own',
    async (list) => {
      expect(await read(list, { cursor: '*', page: 1 })).toEqual(await read(list, { cursor: '*' }))
      const { status, body } = await ask(list, { cursor: '*', page: 2 })
      expect([status, body.validation?.query.keys]).toEqual([400, ['page']])
    },
  )

  it('200 orders and customers of a filter', async () => {
    for (const filter of [
      { status: 'completed' },
      { search: 'lan' },
      { platform: 'mini_pos' },
      { startDate: '2020-01-01' },
    ])
      expect(await byCursors(ORDER_LIST, filter as never)).toEqual(await byPages(ORDER_LIST, filter as never))
    for (const filter of [{ search: 'lan' }, { search: 'lan', total: 'capped' }])
      expect(await byCursors(CUSTOMER_LIST, filter as never)).toEqual(
        await byPages(CUSTOMER_LIST, filter as never),
      )
  })

  it('200 and a record that is created meanwhile moves no other', async () => {
    const list = CUSTOMER_LIST
    const before = await byPages(list)
    const first = await read(list, { cursor: '*', limit: 4 })
    await shop.post('/api/external/v1/customers', { fullName: 'Lan giữa chừng' })
    const second = await read(list, { cursor: list.meta(first).nextCursor!, limit: 100 })
    expect(idsOf(list, [...list.records(first), ...list.records(second)])).toEqual(before)
  })

  it.each(LISTS)('200 $operationId: no nextCursor unless a cursor was asked for', async (list) => {
    expect(list.meta(await read(list, {}))).not.toHaveProperty('nextCursor')
    let cursor: string | null = '*'
    // Lists of all shops also contain records of other tests.
    for (let pages = 0; cursor !== null && pages < (list.isOfAll ? 100 : 1); pages++)
      cursor = list.meta(await read(list, { cursor, [list.size]: 50 })).nextCursor ?? null
    expect(cursor).toBe(null)
  })

  it.each(LISTS)(
    '400 $operationId: an invalid cursor, or one of another shop, list or order, names cursor',
    async (list) => {
      const own = list.meta(await read(list, { cursor: '*', [list.size]: 1 })).nextCursor!
      const neighbour = LISTS[(LISTS.indexOf(list) + 1) % LISTS.length]!
      const foreign = neighbour.meta(await read(neighbour, { cursor: '*', [neighbour.size]: 1 })).nextCursor!
      const parts = JSON.parse(Buffer.from(own, 'base64url').toString())
      const changed = [
        ...(list.isByText ? [] : [[...parts.slice(0, 2), 'x', parts[3]]]),
        [...parts.slice(0, 2), 2 ** 60, parts[3]],
        [...parts.slice(0, 2), null, parts[3]],
        [...parts.slice(0, 3), 'x'],
        parts.slice(0, 3),
      ].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
      const wrong: [Partner, string][] = [foreign, 'garbage', ...changed].map((cursor) => [shop, cursor])
      if (!list.isOfAll) wrong.push([other, own])
      for (const [whose, cursor] of wrong) {
        const answer = await ask(list, { cursor }, whose)
        expect([answer.status, answer.body.validation?.query.keys], cursor).toEqual([400, ['cursor']])
      }
    },
  )

  it('400 names cursor for that of another sort of products', async () => {
    const list = PRODUCT_LIST
    const body = await read(list, { cursor: '*', limit: 1, sortBy: 'price', sortType: 'asc' })
    for (const query of ['sortBy=price&sortType=desc', 'sortBy=name&sortType=asc', '']) {
      const answer = await shop.get(`${list.path}?cursor=${list.meta(body).nextCursor}&${query}`)
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, ['cursor']])
    }
  })
})

describe('G-66 the cursor of the categories', () => {
  const rest = async (cursor: string) =>
    idsOf(CATEGORY_LIST, (await read(CATEGORY_LIST, { cursor })).data.categories)
  /** The cursor after one of the categories. */
  async function cursorBehind(id: string): Promise<string> {
    const limit = (await byPages(CATEGORY_LIST)).indexOf(id) + 1
    return (await read(CATEGORY_LIST, { cursor: '*', limit })).data.meta.nextCursor
  }
  const remove = async (id: string) =>
    expect((await shop.call('DELETE', `${CATEGORIES}/${id}`)).status).toBe(200)

  it('200 after the cursor’s category, those above it and those before it are deleted', async () => {
    const root = await addCategory('Ly')
    const leaf = await addCategory('Ly sứ', root)
    await addCategory('Ly thủy tinh', root)
    const all = await byPages(CATEGORY_LIST)
    const cursor = await cursorBehind(leaf)
    const behind = all.slice(all.indexOf(leaf) + 1)
    const added = [await addCategory('A'), await addCategory('Ly giấy', root)]
    expect(await rest(cursor)).toEqual(behind)
    for (const id of [leaf, ...added]) await remove(id)
    expect(await rest(cursor)).toEqual(behind)
    await remove(behind[0]!)
    await remove(root)
    expect(await rest(cursor)).toEqual(behind.slice(1))
  })

  it('200 and those below the one before a deleted one are not given again', async () => {
    const before = await addCategory('Nến', null)
    await addCategory('Nến thơm', before)
    const deleted = await addCategory('Nến tealight')
    const cursor = await cursorBehind(deleted)
    const all = await byPages(CATEGORY_LIST)
    await remove(deleted)
    expect(await rest(cursor)).toEqual(all.slice(all.indexOf(deleted) + 1))
  })

  it('400 names cursor for invalid keys', async () => {
    const own = await cursorBehind((await byPages(CATEGORY_LIST))[0]!)
    const [name, owner, key, id] = JSON.parse(Buffer.from(own, 'base64url').toString())
    const [level] = JSON.parse(key)
    const wrong = [
      '[]',
      '{}',
      '[[1]]',
      JSON.stringify([[2 ** 31, level[1], level[2]]]),
      JSON.stringify([[0.5, level[1], level[2]]]),
      JSON.stringify([[0, 'a\0', level[2]]]),
      JSON.stringify([[0, '\ud800', level[2]]]),
      JSON.stringify([[0, level[1], 'x']]),
      JSON.stringify(Array(6).fill(level)),
    ]
    for (const each of wrong) {
      const cursor = Buffer.from(JSON.stringify([name, owner, each, id])).toString('base64url')
      const answer = await ask(CATEGORY_LIST, { cursor })
      expect([answer.status, answer.body.validation?.query.keys], each).toEqual([400, ['cursor']])
    }
    const spelled = `[[0.0,${JSON.stringify(level[1])},${JSON.stringify(level[2])}]]`
    const cursor = Buffer.from(JSON.stringify([name, owner, spelled, id])).toString('base64url')
    expect((await ask(CATEGORY_LIST, { cursor })).status).toBe(200)
  })
})

describe('G-66 ids of a list', () => {
  it.each(WITH_IDS)(
    '200 $operationId: those of the ids that exist, in the list’s order and shape',
    async (list) => {
      const listed = list.records(await read(list, { [list.size]: 50 }))
      const asked = idsOf(list, [listed[3]!, listed[0]!, listed[1]!])
      const ids = [...asked, unusedId(), asked[1]!.toUpperCase()].join(', ')
      const found = await read(list, { ids, cursor: '*', [list.size]: 1 })
      expect(list.records(found)).toEqual([listed[0], listed[1], listed[3]])
      expect(list.meta(found).nextCursor).toBe(null)
      if (list.isOfAll || list.operationId === 'listTemplates') return
      expect(list.records((await ask(list, { ids }, other)).body)).toEqual([])
    },
  )

  it.each(WITH_IDS)('400 $operationId: more than 100 ids, or a malformed one, names ids', async (list) => {
    const many = Array.from({ length: 101 }, unusedId).join()
    for (const ids of [many, 'x', `${unusedId()},1`]) {
      const answer = await ask(list, { ids })
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, ['ids']])
    }
  })

  it('200 a page of members behind a cursor, or of ids, has no invitations', async () => {
    const list = listOf('listMembers')
    await manage(running, 'POST', `/shops/${shop.shopId}/invitations`, {
      email: 'a@example.com',
      role: 'staff',
    })
    const { data: first } = await read(list, { cursor: '*', limit: 1 })
    const { data: second } = await read(list, { cursor: first.meta.nextCursor, limit: 1 })
    const { data: named } = await read(list, { ids: first.members[0]._id })
    expect([first, second, named].map(({ invitations }) => invitations.length)).toEqual([1, 0, 0])
  })
})
