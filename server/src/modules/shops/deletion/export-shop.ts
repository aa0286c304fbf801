import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { RECORD_TYPES, type RecordType, TYPE_NAMES } from '../../copies/record-types.ts'
import { presentShop } from '../present.ts'
import { findShop } from '../sql.ts'
import { listShopTables, listTableRows } from './tables-sql.ts'

const STEP = 200

/** The tables whose rows are already in the records that partners read. */
const IN_RECORDS = [
  'products',
  'product_codes',
  'product_stock',
  'skus',
  'stock',
  'sub_item_groups',
  'sub_items',
  'variant_groups',
  'variant_options',
  'wholesale_prices',
  'orders',
  'order_items',
  'order_reservations',
  'customers',
  'news',
  'news_items',
]
/** Tables of counters, and tables for the service's own work. */
const WORKINGS = [
  'account_connects',
  'change_stamps',
  'changes',
  'idempotency_keys',
  'message_counts',
  'order_counts',
  'product_counts',
  'product_import_chunks',
  'record_exports',
  'shop_counters',
  'webhook_outbox',
]

/**
 * Everything that a shop holds, as lines of JSON, `{"type", "record"}` each (G-69): the shop; products, stock, orders,
 * customers and news as partners read them; then the rows of all other tables, under the table's name. Secrets and
 * one-time passwords are left out. The last line is `{"type":"end","count":n}`: a file without it is incomplete.
 */
export async function* exportShop(db: Db, shopId: ObjectId): AsyncGenerator<string, void> {
  const shop = await findShop(db, shopId)
  let count = 1
  yield `${JSON.stringify({ type: 'shop', record: shop === undefined ? null : presentShop(shop) })}\n`
  for (const type of TYPE_NAMES) {
    for await (const records of recordsOf(db, shopId, type)) {
      count += records.length
      yield records.map((record) => `${JSON.stringify({ type, record })}\n`).join('')
    }
  }
  for (const table of await listShopTables(db)) {
    if (IN_RECORDS.includes(table.table) || WORKINGS.includes(table.table)) continue
    for (let after: string[] | undefined; ; ) {
      const rows = await listTableRows(db, shopId, table, { after, limit: STEP })
      count += rows.length
      if (rows.length > 0) yield rows.map(({ row }) => `{"type":"${table.table}","record":${row}}\n`).join('')
      if (rows.length < STEP || table.key.length === 0) break
      after = rows.at(-1)!.key
    }
  }
  yield `${JSON.stringify({ type: 'end', count })}\n`
}

async function* recordsOf(
  db: Db,
  shopId: ObjectId,
  type: RecordType,
): AsyncGenerator<{ _id: ObjectId }[], void> {
  for (let after: ObjectId | undefined; ; ) {
    const records: { _id: ObjectId }[] = await RECORD_TYPES[type].read(db, shopId, { after, limit: STEP })
    if (records.length === 0) return
    yield records
    after = records.at(-1)!._id
  }
}
