import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { AverageCost } from '../average-cost.ts'

export type SkuCost = AverageCost & { skuId: ObjectId }

/**
 * The average costs of SKUs, locked until the transaction ends; missing rows are created, without a cost. Locked after the stock
 * and before the products' totals, in the lock order of all writers. In two statements, like `lockStock`.
 */
export async function lockCosts(
  trx: Db,
  shopId: ObjectId,
  skuIds: ObjectId[],
  now: Date,
): Promise<SkuCost[]> {
  const named = sql`shop_id = ${shopId} and sku_id = any (${skuIds}::text[])`
  const cost = sql`c.sku_id as "skuId", c.value, c.pieces`
  const existing = await sql<SkuCost>`
    select ${cost}
    from sku_costs c
    where ${named} and (select count(*) from sku_costs where ${named}) = ${skuIds.length}
    order by c.sku_id
    for no key update`.execute(trx)
  if (existing.rows.length === skuIds.length) return existing.rows
  const { rows } = await sql<SkuCost>`
    insert into sku_costs as c (shop_id, sku_id, updated_at)
    select ${shopId}, s.id, ${now}::timestamptz
    from unnest(${skuIds}::text[]) as s (id)
    order by s.id collate "C"
    on conflict (shop_id, sku_id) do update set value = c.value
    returning ${cost}`.execute(trx)
  return rows
}

/**
 * The stock of SKUs in all warehouses together. A separate statement after `lockCosts`, so that it sees what was committed while
 * `lockCosts` waited.
 */
export async function listOnHand(
  trx: Db,
  shopId: ObjectId,
  skuIds: ObjectId[],
): Promise<{ skuId: ObjectId; quantity: number }[]> {
  const { rows } = await sql<{ skuId: ObjectId; quantity: number }>`
    select sku_id as "skuId", sum(quantity)::bigint as quantity
    from stock
    where shop_id = ${shopId} and sku_id = any (${skuIds}::text[])
    group by sku_id`.execute(trx)
  return rows
}

/** Writes the average costs, whose rows must be locked. One statement. */
export async function updateCosts(trx: Db, shopId: ObjectId, costs: SkuCost[], now: Date): Promise<void> {
  const written = costs.map(({ skuId, value, pieces }) => ({ sku_id: skuId, value, pieces }))
  await sql`
    update sku_costs c
    set value = n.value, pieces = n.pieces, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as n (sku_id text, value bigint, pieces bigint)
    where c.shop_id = ${shopId} and c.sku_id = n.sku_id`.execute(trx)
}

/** The stock of a SKU in the warehouses of an entry, its total stock in all warehouses (`onHand`), and its average cost. */
export type SkuState = AverageCost & {
  skuId: ObjectId
  code: string
  onHand: number
  levels: { warehouseId: ObjectId; quantity: number; reserved: number }[]
}

/** The current state of the SKUs that an entry would change, without a lock. One statement. */
export async function listSkuStates(
  db: Db,
  shopId: ObjectId,
  skuIds: ObjectId[],
  warehouseIds: ObjectId[],
): Promise<SkuState[]> {
  const { rows } = await sql<SkuState>`
    select s.id as "skuId", coalesce(nullif(s.barcode, ''), s.code) as code, coalesce(c.value, 0) as value,
      coalesce(c.pieces, 0) as pieces, (
        select coalesce(sum(t.quantity), 0)::bigint
        from stock t
        where t.shop_id = s.shop_id and t.sku_id = s.id
      ) as "onHand", (
        select coalesce(json_agg(json_build_object('warehouseId', t.warehouse_id, 'quantity', t.quantity,
          'reserved', t.reserved)), '[]')
        from stock t
        where t.shop_id = s.shop_id and t.sku_id = s.id and t.warehouse_id = any (${warehouseIds}::text[])
      ) as levels
    from skus s
    left join sku_costs c on c.shop_id = s.shop_id and c.sku_id = s.id
    where s.shop_id = ${shopId} and s.id = any (${skuIds}::text[])`.execute(db)
  return rows
}

export type CostRow = { id: ObjectId; unit_cost: number; updated_at: Date }

/**
 * One page of the average costs of a shop's SKUs, in whole đồng, by the SKU's id: a range of the primary key. SKUs without a cost
 * are left out.
 */
export async function listCosts(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ costs: CostRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and c.sku_id = any(${ids}::text[])`
  const byId = { direction: 'asc', kind: 'text' } as const
  const { rows } = await sql<CostRow & { cursor_key: string }>`
    select c.sku_id as id, coalesce(c.unit_cost, 0) as unit_cost, c.updated_at, c.sku_id as cursor_key
    from sku_costs c
    where c.shop_id = ${shopId} and c.pieces > 0${among}${rowsAfter(sql`c.sku_id`, sql`c.sku_id`, after, byId)}
    order by c.sku_id
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page, hasMore, last } = pageOf(rows, limit)
  return { costs: page, hasMore, last }
}
