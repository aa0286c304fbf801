import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type FeedCursor, readFeedCursor, writeFeedCursor } from '../../src/lib/lists/feed-cursor.ts'
import { findHeldBackSeconds } from '../../src/modules/copies/changes/sql.ts'
import { TYPE_NAMES } from '../../src/modules/copies/record-types.ts'
import { deleteOldRecords } from '../../src/process/retention/retention.ts'
import { makeProduct } from '../http/orders/order-fixtures.ts'
import { feedCaughtUp } from '../support/changes.ts'
import { onPostgres } from '../support/database.ts'
import { createProduct, PRODUCTS } from '../support/products.ts'
import { makeShop, manage, type Partner, partnerOf, service, unusedId } from '../support/service.ts'

const running = await service()
const { db } = running.deps
const CHANGES = '/api/external/changes'
const DAY_MS = 86_400_000

type Change = { type: string; id: string; op: 'upsert' | 'delete'; data?: Record<string, unknown> }

async function read(shop: Partner, query: Record<string, string | number> = {}) {
  await feedCaughtUp(db)
  return readAtOnce(shop, query)
}

async function readAtOnce(shop: Partner, query: Record<string, string | number>) {
  const answer = await shop.get(`${CHANGES}?${new URLSearchParams(query as Record<string, string>)}`)
  expect(answer.status).toBe(200)
  return answer.body.data as {
    changes: Change[]
    meta: { nextCursor: string; hasMore: boolean; limit: number }
  }
}

async function start(shop: Partner): Promise<string> {
  return (await read(shop)).meta.nextCursor
}

/** The changes that `work` makes, as pairs of type and id, with the records. */
async function changesOf(shop: Partner, work: () => Promise<unknown>, types = TYPE_NAMES.join()) {
  const after = await start(shop)
  await work()
  return (await read(shop, { after, types })).changes
}

const named = (changes: Change[]) => changes.map(({ type, id, op }) => `${op} ${type} ${id}`).toSorted()

describe('G-66 GET /api/external/changes', () => {
  it('200 and nothing but a cursor at the start, and nothing again while nothing changes', async () => {
    const shop = await makeShop(running)
    await createProduct(shop)
    const first = await read(shop)
    expect(first).toMatchObject({ changes: [], meta: { hasMore: false, limit: 100 } })
    const second = await read(shop, { after: first.meta.nextCursor })
    expect(second).toMatchObject({ changes: [], meta: { hasMore: false } })
    expect(await read(shop, { after: second.meta.nextCursor })).toMatchObject({ changes: [] })
  })

  it('200 and a product with the stock of its SKUs when it is created, changed and retired, as E9 shows it', async () => {
    const shop = await makeShop(running)
    let product: { _id: string; skus: { _id: string }[] } | undefined
    const created = await changesOf(shop, async () => {
      product = await createProduct(shop)
    })
    const { _id: id, skus } = product!
    expect(named(created)).toEqual([`upsert product ${id}`, `upsert stock ${skus[0]!._id}`])
    const shown = (await shop.get(`${PRODUCTS}/${id}?select=wholesalePrices,subItemsGroups,skuImages`)).body
      .data
    expect(created.find(({ type }) => type === 'product')!.data).toEqual(shown)

    const changed = await changesOf(shop, () =>
      shop.patch(`${PRODUCTS}/${id}`, { shopId: shop.shopId, name: 'Áo len' }),
    )
    expect(named(changed)).toEqual([`upsert product ${id}`])
    expect(changed[0]!.data).toMatchObject({ name: 'Áo len' })

    const retired = await changesOf(shop, () => shop.call('DELETE', `${PRODUCTS}/${id}`))
    expect(named(retired)).toEqual([`delete product ${id}`, `delete stock ${skus[0]!._id}`])
  })

  it('200 and the product after each change of its parts', async () => {
    const shop = await makeShop(running)
    const { _id: id, skus } = await createProduct(shop)
    const option = { id: 's', name: 'Cỡ', options: [{ id: 's', value: 'S' }] }
    const parts: [string, unknown][] = [
      ['wholesale-prices', { wholesalePrices: [{ skuId: skus[0]._id, minQuantity: 10, price: 1 }] }],
      ['sub-items-groups', { subItemsGroups: [{ name: 'Gói', subItems: [{ name: 'Giấy', price: 1 }] }] }],
      [
        'variants',
        {
          variants: [option],
          skus: [{ name: 'S', price: 1, variantOptionIds: ['s'], images: ['https://x.example/s.png'] }],
        },
      ],
    ]
    for (const [part, body] of parts) {
      const changes = await changesOf(
        shop,
        async () => expect((await shop.put(`${PRODUCTS}/${id}/${part}`, body)).status).toBe(200),
        'product',
      )
      expect(named(changes), part).toEqual([`upsert product ${id}`])
      const shown = await shop.get(`${PRODUCTS}/${id}?select=wholesalePrices,subItemsGroups,skuImages`)
      expect(changes[0]!.data, part).toEqual(shown.body.data)
    }
  })

  it('200 and a SKU’s stock as a tombstone when it is retired, and again when it is reactivated', async () => {
    const shop = await makeShop(running)
    const { productId, skuIds } = await makeProduct(running, shop, { skus: [{ code: 'A' }] })
    const put = (skus: unknown[]) => shop.put(`${PRODUCTS}/${productId}/variants`, { variants: [], skus })
    const retired = await changesOf(shop, () => put([{ name: 'B', price: 1, sku: 'B' }]), 'stock')
    expect(named(retired)).toContain(`delete stock ${skuIds[0]}`)
    const back = await changesOf(shop, () => put([{ _id: skuIds[0], name: 'A', price: 1 }]), 'stock')
    expect(back.find(({ id }) => id === skuIds[0])).toMatchObject({
      op: 'upsert',
      data: { itemId: productId, stock_quantity: 100, warehouses: [{ quantity: 100, reserved: 0 }] },
    })
  })

  it('200 and a sale as the order (E13) and the stock of its SKUs, also when it is paid and completed', async () => {
    const shop = await makeShop(running)
    const { skuIds } = await makeProduct(running, shop, { skus: [{}, {}, {}] })
    const lines = skuIds.slice(0, 2).map((id) => ({ id, quantity: 2 }))
    let order = ''
    const sold = await changesOf(shop, async () => {
      const answer = await shop.post('/api/external/order/pos/create', { orderItems: lines })
      order = answer.body.data._id
    })
    const both = [`upsert order ${order}`, ...lines.map(({ id }) => `upsert stock ${id}`)].toSorted()
    expect(named(sold)).toEqual(both)
    const shown = (await shop.get(`/api/external/v1/orders/${order}`)).body.data
    expect(sold.find(({ type }) => type === 'order')!.data).toEqual(shown)
    expect(sold.find(({ type }) => type === 'stock')!.data).toMatchObject({ stock_quantity: 98 })
    const pay = () => shop.patch(`/api/external/v1/orders/${order}/payment`, { paidAmount: 1 })
    expect(named(await changesOf(shop, pay))).toEqual([`upsert order ${order}`])
    const complete = () => shop.patch(`/api/external/v1/orders/${order}/status`, { status: 'completed' })
    expect(named(await changesOf(shop, complete))).toEqual(both)
  })

  it('200 and a customer, with the orders that show another name then', async () => {
    const shop = await makeShop(running)
    const { skuIds } = await makeProduct(running, shop)
    let id = ''
    const created = await changesOf(shop, async () => {
      id = (await shop.post('/api/external/v1/customers', { fullName: 'Lan' })).body.data._id
    })
    expect(named(created)).toEqual([`upsert customer ${id}`])
    const sale = { userId: id, orderItems: [{ id: skuIds[0], quantity: 1 }] }
    const order = (await shop.post('/api/external/order/pos/create', sale)).body.data._id
    const renamed = await changesOf(shop, () =>
      shop.patch(`/api/external/v1/customers/${id}`, { fullName: 'Mai' }),
    )
    expect(named(renamed)).toEqual([`upsert customer ${id}`, `upsert order ${order}`])
    expect(
      renamed.map(({ data }) => data!.fullName ?? (data!.user as { fullName: string }).fullName),
    ).toEqual(['Mai', 'Mai'])
  })

  it('200 and an article when it is created, gets a product, loses it with its retirement, and is deleted', async () => {
    const shop = await makeShop(running)
    const { productId } = await makeProduct(running, shop)
    const news = '/api/external/news'
    let id = ''
    const made = await changesOf(shop, async () => {
      id = (await shop.post(news, { title: 'Khai trương', content: '<p>Bài</p>' })).body.data._id
    })
    expect(named(made)).toEqual([`upsert news ${id}`])
    const attached = await changesOf(shop, () => shop.post(`${news}/${id}/items`, { newsIds: [productId] }))
    expect(attached).toMatchObject([{ type: 'news', id, data: { itemIds: [productId] } }])
    expect(attached[0]!.data).toEqual((await shop.get(`${news}/${id}`)).body.data)
    const retired = await changesOf(shop, () => shop.call('DELETE', `${PRODUCTS}/${productId}`), 'news')
    expect(retired).toMatchObject([{ type: 'news', id, data: { itemIds: [] } }])
    expect(named(await changesOf(shop, () => shop.call('DELETE', `${news}/${id}`)))).toEqual([
      `delete news ${id}`,
    ])
  })

  it('200 and tombstones of orders and customers that the operator deletes in the database', async () => {
    const shop = await makeShop(running)
    const [order, customer] = [unusedId(), unusedId()]
    await sql`
      insert into customers (shop_id, id, full_name, search, created_at, updated_at)
      values (${shop.shopId}, ${customer}, 'Lan', 'lan', now(), now())`.execute(db)
    await sql`
      insert into orders (shop_id, id, code, price, origin_price, status, search, platform, created_at, updated_at)
      values (${shop.shopId}, ${order}, 'CU1', 1, 1, 'pending', 'cu1', 'mini_pos', now(), now())`.execute(db)
    const deleted = await changesOf(shop, async () => {
      await sql`alter table order_events disable trigger order_events_append_only`.execute(db)
      await sql`delete from order_events where shop_id = ${shop.shopId}`.execute(db)
      await sql`alter table order_events enable trigger order_events_append_only`.execute(db)
      await sql`delete from orders where shop_id = ${shop.shopId}`.execute(db)
      await sql`delete from customers where shop_id = ${shop.shopId}`.execute(db)
    })
    expect(named(deleted)).toEqual([`delete customer ${customer}`, `delete order ${order}`])
  })

  it('200 and nothing of another shop', async () => {
    const [mine, other] = [await makeShop(running), await makeShop(running)]
    expect(await changesOf(mine, () => createProduct(other))).toEqual([])
    expect(await changesOf(mine, () => createProduct(mine))).toHaveLength(2)
  })

  it('200 and pages that together give everything, each record once a page and newest', async () => {
    const shop = await makeShop(running)
    let after = await start(shop)
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await createProduct(shop, { name: `Áo ${n}` }))._id)
    for (const id of ids) await shop.patch(`${PRODUCTS}/${id}`, { shopId: shop.shopId, price: 7 })
    const seen: string[] = []
    for (let more = true; more; ) {
      const page = await read(shop, { after, limit: 3, types: 'product' })
      expect(page.changes.length).toBeLessThanOrEqual(3)
      expect(new Set(page.changes.map(({ id }) => id)).size).toBe(page.changes.length)
      for (const change of page.changes) {
        expect(change.data).toMatchObject({ price: 7 })
        seen.push(change.id)
      }
      after = page.meta.nextCursor
      more = page.meta.hasMore
    }
    expect(new Set(seen)).toEqual(new Set(ids))
    expect(seen).toHaveLength(14)
    expect(await read(shop, { after, limit: 500 })).toMatchObject({ changes: [] })
  })

  it('200 and the cursor passes over many changes of types that are not asked for', async () => {
    const shop = await makeShop(running)
    const after = await start(shop)
    await sql`
      insert into changes (shop_id, type, record_id)
      select ${shop.shopId}, 'stock', lpad(to_hex(n), 24, '0')
      from generate_series(1, 20001) n`.execute(db)
    const customer = await shop.post('/api/external/v1/customers', { fullName: 'Lan' })
    const first = await read(shop, { after, types: 'customer' })
    expect(first).toMatchObject({ changes: [], meta: { hasMore: true } })
    const second = await read(shop, { after: first.meta.nextCursor, types: 'customer' })
    expect(second).toMatchObject({ changes: [{ id: customer.body.data._id }], meta: { hasMore: false } })
  })

  it.skipIf(!onPostgres)('200 and a change that began earlier and commits later is not skipped', async () => {
    const shop = await makeShop(running)
    const [early, late] = [unusedId(), unusedId()]
    const insert = (on: typeof db, id: string) =>
      sql`
      insert into news (shop_id, id, title, content, short_content, search, created_at, updated_at)
      values (${shop.shopId}, ${id}, 'Bài', '', '', 'bai', now(), now())`.execute(on)
    let after = await start(shop)
    await db.transaction().execute(async (trx) => {
      await insert(trx, early)
      await insert(db, late)
      const page = await readAtOnce(shop, { after })
      expect(page).toMatchObject({ changes: [], meta: { hasMore: false } })
      after = page.meta.nextCursor
      expect(await findHeldBackSeconds(db)).toBeGreaterThan(0)
      const metrics = await running.app.inject('/metrics')
      expect(metrics.body).toMatch(/^shopbell_changes_held_back_seconds\{.*\} \d+\.\d+$/m)
    })
    const { changes } = await read(shop, { after })
    expect(changes.map(({ id }) => id)).toEqual([early, late])
  })

  describe('what a key may read', () => {
    async function keyWith(shop: Partner, scopes: string[]): Promise<Partner> {
      const made = await manage(running, 'POST', `/shops/${shop.shopId}/keys`, { name: 'k', scopes })
      return partnerOf(running, shop.shopId, made.body.data.apiKey)
    }

    it('200 and only the types of the key’s scopes when none are named; 403 naming the scope for another', async () => {
      const shop = await makeShop(running)
      const erp = await keyWith(shop, ['catalogue'])
      const after = await start(erp)
      await createProduct(shop)
      await shop.post('/api/external/v1/customers', { fullName: 'Lan' })
      const types = (await read(erp, { after })).changes.map(({ type }) => type)
      expect(types.toSorted()).toEqual(['product', 'stock'])
      const refused = await erp.get(`${CHANGES}?after=${after}&types=product,customer`)
      expect(refused).toMatchObject({ status: 403, body: { code: 'SCOPE_MISSING' } })
      expect(refused.body.message).toContain('orders')
      const all = await keyWith(shop, ['read'])
      expect((await read(all, { after })).changes).toHaveLength(3)
      expect((await (await keyWith(shop, ['wallet'])).get(CHANGES)).status).toBe(403)
    })
  })

  describe('400', () => {
    it.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=ten', 'limit'],
      ['types=product,batch', 'types'],
      ['after=garbage', 'after'],
      [`after=${Buffer.from('[1]').toString('base64url')}`, 'after'],
      [`after=${Buffer.from('null').toString('base64url')}`, 'after'],
    ])('%s names %s', async (query, field) => {
      const shop = await makeShop(running)
      const answer = await shop.get(`${CHANGES}?${query}`)
      expect([answer.status, answer.body.validation?.query.keys]).toEqual([400, [field]])
    })

    it('a cursor of another shop, of another version, or with a changed part', async () => {
      const [mine, other] = [await makeShop(running), await makeShop(running)]
      const parts = JSON.parse(Buffer.from(await start(mine), 'base64url').toString())
      const changed = [
        ['changes.2', ...parts.slice(1)],
        ['events.1', ...parts.slice(1)],
        [parts[0], other.shopId, ...parts.slice(2)],
        [...parts.slice(0, 2), 'x', ...parts.slice(3)],
        [...parts.slice(0, 3), '-1', ...parts.slice(4)],
        [...parts.slice(0, 4), 'batch', ...parts.slice(5)],
        [...parts.slice(0, 7), 'soon'],
      ].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
      for (const after of [...changed, await start(other)]) {
        const answer = await mine.get(`${CHANGES}?after=${after}`)
        expect([answer.status, answer.body.validation?.query.keys], after).toEqual([400, ['after']])
      }
    })
  })

  describe('410 CURSOR_TOO_OLD', () => {
    async function expectGone(shop: Partner, change: (cursor: FeedCursor) => unknown) {
      await createProduct(shop)
      const cursor = readFeedCursor('changes', shop.shopId, await start(shop), TYPE_NAMES)!
      change(cursor)
      const answer = await shop.get(`${CHANGES}?after=${writeFeedCursor('changes', shop.shopId, cursor)}`)
      expect(answer).toMatchObject({ status: 410, body: { code: 'CURSOR_TOO_OLD', error: 'Gone' } })
    }

    it('for a cursor of more than 30 days ago, and not a minute before', async () => {
      const shop = await makeShop(running)
      await expectGone(shop, (cursor) => {
        cursor.seenMs = Date.now() - 30 * DAY_MS - 1_000
      })
      const cursor = readFeedCursor('changes', shop.shopId, await start(shop), TYPE_NAMES)!
      const after = writeFeedCursor('changes', shop.shopId, {
        ...cursor,
        seenMs: Date.now() - 30 * DAY_MS + 60_000,
      })
      expect((await shop.get(`${CHANGES}?after=${after}`)).status).toBe(200)
    })

    it('for a cursor of another database, or of a later time of this one', async () => {
      const shop = await makeShop(running)
      await expectGone(shop, (cursor) => {
        cursor.databaseId = '7'
      })
      await expectGone(shop, (cursor) => {
        cursor.position.xid = String(BigInt(cursor.position.xid) + 1_000_000n)
      })
      await expectGone(shop, (cursor) => {
        cursor.position.createdUs += 1
      })
      await expectGone(shop, (cursor) => {
        cursor.position.recordId = unusedId()
      })
    })

    it('follows what is deleted: changes go after 31 days, and a cursor that still needs them is refused', async () => {
      const shop = await makeShop(running)
      await createProduct(shop)
      const after = await start(shop)
      await createProduct(shop)
      await createProduct(shop)
      const page = await read(shop, { after, limit: 1 })
      expect(page.meta.hasMore).toBe(true)
      await sql`
        update changes set created_at = now() - interval '31 days' - interval '1 second'
        where shop_id = ${shop.shopId}`.execute(db)
      expect(await deleteOldRecords(running.deps, 'changes')).toBeGreaterThanOrEqual(6)
      const { rows } = await sql`select from changes where shop_id = ${shop.shopId}`.execute(db)
      expect(rows).toEqual([])
      for (const cursor of [after, page.meta.nextCursor])
        expect((await shop.get(`${CHANGES}?after=${cursor}`)).status).toBe(410)
      expect(await read(shop, { after: await start(shop) })).toMatchObject({ changes: [] })
    })
  })
})
