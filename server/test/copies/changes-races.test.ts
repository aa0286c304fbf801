import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { type Db, openPostgres } from '../../src/db/client.ts'
import { RECORD_TYPES, type RecordType } from '../../src/modules/copies/record-types.ts'
import { makeProduct } from '../http/orders/order-fixtures.ts'
import { feedCaughtUp } from '../support/changes.ts'
import { onPostgres } from '../support/database.ts'
import { createProduct } from '../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../support/service.ts'

const WRITERS = 8
/** 10,000 changes take minutes: CHANGES=10000 vitest run … */
const CHANGES = Number(process.env.CHANGES ?? 2_000)
const SKUS = 10

const running = await service()
const { db, config } = running.deps
const others = onPostgres ? openPostgres(config.databaseUrl!, { max: WRITERS }) : undefined
afterAll(() => others?.close())

type Row = { _id: string } & Record<string, unknown>
type Copy = Map<string, Row>

const below = (n: number) => Math.floor(Math.random() * n)
const pick = <T>(list: T[]): T => list[below(list.length)]!

/** A writer's records. Each writer changes only its own, so no writer waits for another. */
type Owned = { customers: string[]; news: string[]; orders: string[]; products: string[]; skus: string[] }

async function insertNews(trx: Db, shopId: string, own: Owned): Promise<void> {
  const news = unusedId()
  await sql`
    insert into news (shop_id, id, title, content, short_content, search, created_at, updated_at)
    values (${shopId}, ${news}, 'Bài', '', '', 'bai', now(), now())`.execute(trx)
  own.news.push(news)
}

/** The last statements of a transaction, because their counters make the other writers wait. */
async function insertCounted(trx: Db, shopId: string, own: Owned): Promise<void> {
  const [customer, order] = [unusedId(), unusedId()]
  await sql`
    insert into customers (shop_id, id, full_name, search, created_at, updated_at)
    values (${shopId}, ${customer}, 'Lan', 'lan', now(), now())`.execute(trx)
  await sql`
    insert into orders (shop_id, id, code, price, origin_price, status, search, platform, created_at, updated_at)
    values (${shopId}, ${order}, ${order}, 1, 1, 'pending', '', 'mini_app', now(), now())`.execute(trx)
  own.customers.push(customer)
  own.orders.push(order)
}

async function changeRecords(trx: Db, shopId: string, own: Owned): Promise<void> {
  const note = unusedId()
  await sql`
    update customers set note = ${note} where shop_id = ${shopId} and id = ${pick(own.customers)}`.execute(
    trx,
  )
  await sql`
    update orders set note = ${note} where shop_id = ${shopId} and id = ${pick(own.orders)}`.execute(trx)
  await sql`
    update products set alias_name = ${note} where shop_id = ${shopId} and id = ${pick(own.products)}`.execute(
    trx,
  )
  await sql`
    update stock set quantity = quantity + ${below(9)}
    where shop_id = ${shopId} and sku_id = ${pick(own.skus)}`.execute(trx)
}

async function deleteRecords(trx: Db, shopId: string, own: Owned): Promise<void> {
  await sql`delete from news where shop_id = ${shopId} and id = ${pick(own.news)}`.execute(trx)
  await sql`delete from customers where shop_id = ${shopId} and id = ${pick(own.customers)}`.execute(trx)
  if (below(10) > 0) return
  await sql`
    update products set deleted_at = now() where shop_id = ${shopId} and id = ${pick(own.products)}`.execute(
    trx,
  )
}

const DEADLOCK = '40P01'

/**
 * Writes in transactions of several statements with pauses between them. One of ten is rolled back, and one that meets a counter's
 * sale in the other order, by the database.
 */
async function writeInTransactions(shopId: string, own: Owned, isEnough: () => boolean): Promise<void> {
  while (!isEnough()) {
    await others!.db
      .transaction()
      .execute(async (trx) => {
        for (let step = 1 + below(4); step > 0; step--) {
          await pick([insertNews, deleteRecords, changeRecords, changeRecords])(trx, shopId, own)
          if (below(2) === 0) await pause(below(12))
        }
        if (below(3) === 0) await insertCounted(trx, shopId, own)
        if (below(10) === 0) throw new Error('undone')
      })
      .catch((error: Error & { code?: string }) => {
        if (error.message !== 'undone' && error.code !== DEADLOCK) throw error
      })
  }
}

/** Writes as a counter does: products are created, pieces sold, orders completed. */
async function writeByApi(shop: Partner, own: Owned, isEnough: () => boolean): Promise<void> {
  while (!isEnough()) {
    await createProduct(shop)
    const orderItems = [{ id: pick(own.skus), quantity: 1 }]
    const order = await shop.post('/api/external/order/pos/create', { orderItems })
    await shop.patch(`/api/external/v1/orders/${order.body.data._id}/status`, { status: 'completed' })
  }
}

/** Reads pages into the copy. It is often interrupted before it has stored the cursor, or in the middle of a page. */
async function readInto(copy: Copy, shop: Partner, from: string, isDone: () => boolean): Promise<number> {
  let [stored, stops] = [from, 0]
  for (;;) {
    const wasDone = isDone()
    const answer = await shop.get(`/api/external/changes?after=${stored}&limit=${1 + below(200)}`)
    expect(answer.status).toBe(200)
    const { changes, meta } = answer.body.data
    const isStopped = !wasDone && below(4) === 0
    for (const { type, id, op, data } of isStopped ? changes.slice(below(changes.length + 1)) : changes) {
      if (op === 'delete') copy.delete(`${type} ${id}`)
      else copy.set(`${type} ${id}`, data)
    }
    if (isStopped) {
      stops += 1
      await pause(below(60))
      continue
    }
    stored = meta.nextCursor
    if (wasDone && !meta.hasMore) return stops
  }
}

/** A product is compared without its stock, which has its own records. */
function compared(key: string, row: Row): Row {
  if (!key.startsWith('product')) return row
  const { stock_quantity: _, totalQuantity: _t, reservedQuantity: _r, ...rest } = row
  const skus = (row.skus as Row[]).map(({ stock_quantity: _s, ...sku }) => sku)
  return { ...rest, skus } as unknown as Row
}

describe.skipIf(!onPostgres)('G-66 a copy kept in step', () => {
  it('equals the source after overlapping changes of 8 writers, however often its reader is stopped', async () => {
    const shop = await makeShop(running)
    const owned: Owned[] = []
    for (let writer = 0; writer < WRITERS; writer++) {
      const own: Owned = { customers: [], news: [], orders: [], products: [], skus: [] }
      for (let n = 0; n < SKUS; n++) {
        const { productId, skuIds } = await makeProduct(running, shop)
        own.products.push(productId)
        own.skus.push(...skuIds)
      }
      await insertNews(db, shop.shopId, own)
      await insertCounted(db, shop.shopId, own)
      owned.push(own)
    }
    const from = (await shop.get('/api/external/changes')).body.data.meta.nextCursor
    const copy: Copy = new Map()
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from changes where shop_id = ${shop.shopId}`.execute(db)
      return Number(rows[0]!.n)
    }
    let [isEnough, isDone] = [false, false]
    const counting = (async () => {
      while ((await count()) < CHANGES) await pause(300)
      isEnough = true
    })()
    const reading = readInto(copy, shop, from, () => isDone)
    const writing = owned.map((own, index) =>
      index < 2
        ? writeByApi(shop, own, () => isEnough)
        : writeInTransactions(shop.shopId, own, () => isEnough),
    )
    await Promise.all([counting, ...writing])
    await feedCaughtUp(db)
    isDone = true
    expect(await reading).toBeGreaterThan(5)

    // Records that existed before the reader began and never changed are not in its copy.
    const source: Copy = new Map()
    for (const type of Object.keys(RECORD_TYPES) as RecordType[]) {
      const rows = await RECORD_TYPES[type].read(db, shop.shopId, { after: undefined, limit: 100_000 })
      for (const row of rows) source.set(`${type} ${row._id}`, JSON.parse(JSON.stringify(row)))
    }
    const { rows: noted } = await sql<{ key: string }>`
      select distinct type || ' ' || record_id as key from changes
      where shop_id = ${shop.shopId} and xid >= ${JSON.parse(Buffer.from(from, 'base64url').toString())[3]}::text::xid8`.execute(
      db,
    )
    const changed = new Set(noted.map(({ key }) => key))
    expect(copy.size).toBeGreaterThan(CHANGES / 10)
    for (const [key, row] of source)
      if (changed.has(key)) expect(compared(key, copy.get(key)!), key).toEqual(compared(key, row))
    for (const key of copy.keys()) expect(source.has(key), key).toBe(true)
  }, 240_000)
})
