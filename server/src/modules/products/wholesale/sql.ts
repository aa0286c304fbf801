import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { NewTier } from './rules.ts'

/** The ids of a locked product's active SKUs and of its wholesale prices. */
export async function findTierIds(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
): Promise<{ skuIds: ObjectId[]; ids: ObjectId[] }> {
  const { rows } = await sql<{ skuIds: ObjectId[]; ids: ObjectId[] }>`
    select (
      select coalesce(json_agg(s.id), '[]')
      from skus s
      where s.shop_id = ${shopId} and s.product_id = ${productId} and s.is_active
    ) as "skuIds", (
      select coalesce(json_agg(n.id), '[]')
      from skus s
      join wholesale_prices n on n.shop_id = s.shop_id and n.sku_id = s.id
      where s.shop_id = ${shopId} and s.product_id = ${productId}
    ) as ids`.execute(trx)
  return rows[0]!
}

/**
 * Replaces all wholesale prices of a locked product with `tiers`. Two statements, since ids and quantities may swap.
 */
export async function replaceTiers(
  trx: Db,
  shopId: ObjectId,
  productId: ObjectId,
  tiers: NewTier[],
): Promise<void> {
  await sql`
    delete from wholesale_prices n
    using skus s
    where s.shop_id = ${shopId} and s.product_id = ${productId} and n.shop_id = s.shop_id and n.sku_id = s.id`.execute(
    trx,
  )
  await sql`
    insert into wholesale_prices (shop_id, id, sku_id, min_quantity, price)
    select ${shopId}, n.id, n.sku_id, n.min_quantity, n.price
    from jsonb_to_recordset(${JSON.stringify(tiers)}::jsonb)
      as n (id text, sku_id text, min_quantity integer, price bigint)`.execute(trx)
}
