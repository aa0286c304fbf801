import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import { whoOf } from '../../../db/fragments/who-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Who } from '../../../lib/who.ts'

/** Parts of a product that are replaced as a whole. The history names them without their content. */
export type ReplacedPart = 'wholesale_prices' | 'sub_items'
export type HistoryKind =
  | ReplacedPart
  | 'created'
  | 'updated'
  | 'retired'
  | 'skus_added'
  | 'skus_updated'
  | 'skus_removed'

/** Each field's value before and after. A long text is recorded as two nulls, images as their number. */
export type FieldChanges = Record<string, [string | number | null, string | number | null]>
export type HistoryRow = {
  id: number
  at: Date
  by: Who | null
  kind: HistoryKind
  changes: FieldChanges
  skus: { name: string; changes: FieldChanges }[]
  sku_count: number
}

/**
 * The newest entries of a product's history, also for a retired product; undefined if the shop has no such product.
 * Uses the table's primary key.
 */
export async function listHistory(
  db: Db,
  shopId: ObjectId,
  productId: ObjectId,
  limit: number,
): Promise<HistoryRow[] | undefined> {
  const { rows } = await sql<HistoryRow & { id: number | null }>`
    select h.id, h.at, ${whoOf(sql`h.shop_id`, sql`h.by_id`)} as by, h.kind, h.changes, h.skus, h.sku_count
    from products p
    left join lateral (
      select shop_id, id, at, by_id, kind, changes, skus, sku_count
      from product_history
      where shop_id = p.shop_id and product_id = p.id
      order by id desc
      limit ${limit}
    ) h on true
    where p.shop_id = ${shopId} and p.id = ${productId}
    order by h.id desc`.execute(db)
  return rows.length === 0 ? undefined : rows.filter(({ id }) => id !== null)
}

/** Adds a history entry for a replaced part. Triggers record the changes in the columns of products and SKUs. */
export async function noteReplacedPart(
  trx: Trx,
  shopId: ObjectId,
  productId: ObjectId,
  kind: ReplacedPart,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    insert into product_history (shop_id, product_id, at, by_id, kind)
    values (${shopId}, ${productId}, ${now}, ${by}, ${kind})`.execute(trx)
}
