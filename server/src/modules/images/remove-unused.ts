import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { listShopTables, type ShopTable } from '../shops/deletion/tables-sql.ts'
import { findNamedImages } from './named-sql.ts'

const STEP = 500

/** Tables that contain no image addresses and may be long. */
const WITHOUT_PICTURES = [
  'change_stamps',
  'changes',
  'gateway_payments',
  'message_counts',
  'message_events',
  'order_counts',
  'order_reservations',
  'product_codes',
  'product_import_chunks',
  'product_stock',
  'sale_hours',
  'shop_days',
  'shop_events',
  'stock',
  'stock_movements',
  'wallet_entries',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_outbox',
]

/**
 * Removes the images of a shop that were stored before an instant and that no record refers to. Every table is read in steps of a
 * few hundred rows, without a lock. An image that is used only outside this service is removed too. @returns how many.
 */
export async function removeUnusedImages(
  { database, images }: Pick<Deps, 'database' | 'images'>,
  shopId: ObjectId,
  before: Date,
  stopping: Pick<AbortSignal, 'aborted'>,
): Promise<number> {
  const old: string[] = []
  for await (const { key, storedAt } of images.list(shopId)) if (storedAt < before) old.push(key)
  if (old.length === 0) return 0
  const named = new Set<string>()
  for (const table of (await listShopTables(database.slow)).sort(draftsFirst)) {
    if (WITHOUT_PICTURES.includes(table.table)) continue
    for (let after: string[] | undefined; ; ) {
      if (stopping.aborted) return 0
      const { last, hashes } = await findNamedImages(database.slow, shopId, table, { after, limit: STEP })
      for (const hash of hashes) named.add(hash)
      if (last === null || table.key.length === 0) break
      after = last
    }
  }
  let removed = 0
  for (const key of old) {
    if (stopping.aborted) return removed
    const [, hash] = /\/([0-9a-f]{64})\./.exec(key) ?? []
    if (hash === undefined || named.has(hash)) continue
    // The image may have been uploaded again since it was listed, for a record that was read before that.
    if (await images.removeOlder(key, before)) removed += 1
  }
  return removed
}

/** Publishing moves texts from drafts to articles: if drafts are read first, what is published in the meantime is still seen. */
function draftsFirst(a: ShopTable, b: ShopTable): number {
  return Number(b.table === 'news_drafts') - Number(a.table === 'news_drafts')
}
