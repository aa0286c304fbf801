import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/**
 * A stored quantity that differs from its ledger, in pieces. `sku_id` and `warehouse_id` are set for a stock row; a missing row
 * counts as 0. `product.totals` is 1 when the product has a row of totals, `product.isRetired` is 1 when that row is marked as
 * retired, and `product.isStocked` when it is marked as stocked.
 */
export type StockDifference = {
  number:
    | 'stock.quantity'
    | 'stock.reserved'
    | 'product.totalQuantity'
    | 'product.reservedQuantity'
    | 'product.totals'
    | 'product.isRetired'
    | 'product.isStocked'
  product_id: ObjectId
  sku_id: ObjectId | null
  warehouse_id: ObjectId | null
  stored: number
  derived: number
}

/**
 * The common table expressions `level` (a row for each SKU and warehouse: the stored quantities, and the sums of movements and
 * reservations) and `product_level` (their sums for each product), for the whole shop or for some products.
 */
function levels(shopId: ObjectId, productIds: ObjectId[] | undefined): RawBuilder<unknown> {
  const ofProducts =
    productIds === undefined
      ? sql``
      : sql`and sku_id in (
        select id
        from skus
        where shop_id = ${shopId} and product_id = any (${productIds}::text[])
      )`
  return sql`stored as (
      select sku_id, warehouse_id, quantity, reserved
      from stock
      where shop_id = ${shopId} ${ofProducts}
    ), moved as (
      select sku_id, warehouse_id, sum(quantity)::bigint as quantity, bool_or(entry_id is not null) as is_entered
      from stock_movements
      where shop_id = ${shopId} ${ofProducts}
      group by sku_id, warehouse_id
    ), promised as (
      select sku_id, warehouse_id, sum(quantity)::bigint as reserved
      from order_reservations
      where shop_id = ${shopId} ${ofProducts}
      group by sku_id, warehouse_id
    ), level as materialized (
      select k.product_id, pair.*
      from (
        select sku_id, warehouse_id, coalesce(stored.quantity, 0) as stored_quantity,
          coalesce(stored.reserved, 0) as stored_reserved, coalesce(moved.quantity, 0) as quantity,
          coalesce(promised.reserved, 0) as reserved, coalesce(moved.is_entered, false) as is_entered
        from stored
        full join moved using (sku_id, warehouse_id)
        full join promised using (sku_id, warehouse_id)
      ) as pair
      join skus k on k.shop_id = ${shopId} and k.id = pair.sku_id
    ), product_level as materialized (
      select p.id, coalesce(t.total_quantity, 0) as stored_quantity, coalesce(t.reserved_quantity, 0) as stored_reserved,
        coalesce(sum(l.quantity), 0)::bigint as quantity, coalesce(sum(l.reserved), 0)::bigint as reserved,
        t.is_retired as stored_is_retired, p.deleted_at is not null as is_retired,
        coalesce(t.is_stocked, false) as stored_is_stocked, coalesce(bool_or(l.is_entered), false) as is_stocked
      from products p
      left join product_stock t on t.shop_id = p.shop_id and t.product_id = p.id
      left join level l on l.product_id = p.id
      where p.shop_id = ${shopId} ${productIds === undefined ? sql`` : sql`and p.id = any (${productIds}::text[])`}
      group by p.id, t.total_quantity, t.reserved_quantity, t.is_retired, t.is_stocked, p.deleted_at
    )`
}

/** The common table expression `difference`, which contains {@link StockDifference}s; must follow {@link levels}. */
const difference = sql`difference as (
      select 'stock.quantity' as number, product_id, sku_id, warehouse_id, stored_quantity as stored,
        quantity as derived
      from level
      where stored_quantity <> quantity
      union all
      select 'stock.reserved', product_id, sku_id, warehouse_id, stored_reserved, reserved
      from level
      where stored_reserved <> reserved
      union all
      select 'product.totalQuantity', id, null, null, stored_quantity, quantity
      from product_level
      where stored_quantity <> quantity
      union all
      select 'product.reservedQuantity', id, null, null, stored_reserved, reserved
      from product_level
      where stored_reserved <> reserved
      union all
      select 'product.totals', id, null, null, 0, 1
      from product_level
      where stored_is_retired is null
      union all
      select 'product.isRetired', id, null, null, stored_is_retired::integer, is_retired::integer
      from product_level
      where stored_is_retired <> is_retired
      union all
      select 'product.isStocked', id, null, null, stored_is_stocked::integer, is_stocked::integer
      from product_level
      where stored_is_stocked <> is_stocked
    )`

/**
 * The first `limit` quantities that differ from their ledger, by product, and their total number. One statement, and so one
 * snapshot; it reads the ledger of the whole shop, or of the products `productIds`.
 */
export async function listStockDifferences(
  db: Db,
  shopId: ObjectId,
  options: { productIds?: ObjectId[]; limit: number },
): Promise<{ differences: StockDifference[]; total: number }> {
  const { rows } = await sql<{ differences: StockDifference[]; total: number }>`
    with ${levels(shopId, options.productIds)}, ${difference}
    select (select count(*) from difference) as total, (
      select coalesce(json_agg(to_json(listed)), '[]')
      from (
        select number, product_id, sku_id, warehouse_id, stored, derived
        from difference
        order by product_id, sku_id, warehouse_id, number
        limit ${options.limit}
      ) as listed
    ) as differences`.execute(db)
  return rows[0]!
}

/** The ids of the products whose totals, or whose SKUs' stock, differ from the ledger. */
export async function listDifferingProducts(db: Db, shopId: ObjectId): Promise<ObjectId[]> {
  const { rows } = await sql<{ product_id: ObjectId }>`
    with ${levels(shopId, undefined)}, ${difference}
    select distinct product_id
    from difference
    order by product_id`.execute(db)
  return rows.map((row) => row.product_id)
}

/**
 * Locks the stored quantities of these products until the transaction ends, in the lock order of all writers: stock by (SKU,
 * warehouse), then totals by product; missing rows are created. From then on their ledgers cannot change. Two statements, so that
 * later reads see everything that was committed while this waited for the locks.
 * @returns the ids of the products whose totals were created.
 */
export async function lockStockOfProducts(
  trx: Db,
  shopId: ObjectId,
  productIds: ObjectId[],
): Promise<ObjectId[]> {
  await sql`
    insert into stock as t (shop_id, sku_id, warehouse_id)
    select ${shopId}, pair.sku_id, pair.warehouse_id
    from (
      select s.sku_id, s.warehouse_id
      from stock s
      where s.shop_id = ${shopId}
      union
      select m.sku_id, m.warehouse_id
      from stock_movements m
      where m.shop_id = ${shopId}
    ) as pair
    join skus k on k.shop_id = ${shopId} and k.id = pair.sku_id
    where k.product_id = any (${productIds}::text[])
    order by pair.sku_id, pair.warehouse_id
    on conflict (shop_id, sku_id, warehouse_id) do update set quantity = t.quantity`.execute(trx)
  const { rows } = await sql<{ product_id: ObjectId; is_new: boolean }>`
    insert into product_stock as t (shop_id, product_id, is_retired)
    select shop_id, id, deleted_at is not null
    from products
    where shop_id = ${shopId} and id = any (${productIds}::text[])
    order by id
    on conflict (shop_id, product_id) do update set total_quantity = t.total_quantity
    returning t.product_id, t.xmax = 0 as is_new`.execute(trx)
  return rows.filter((row) => row.is_new).map((row) => row.product_id)
}

/** Sets the quantities of these products, which must be locked, to the values in their ledgers. One statement. */
export async function repairStockOfProducts(
  trx: Db,
  shopId: ObjectId,
  productIds: ObjectId[],
): Promise<void> {
  await sql`
    with ${levels(shopId, productIds)}, repaired_stock as (
      update stock t
      set quantity = l.quantity, reserved = l.reserved
      from level l
      where t.shop_id = ${shopId} and t.sku_id = l.sku_id and t.warehouse_id = l.warehouse_id
        and (t.quantity, t.reserved) <> (l.quantity, l.reserved)
    )
    update product_stock t
    set total_quantity = l.quantity, reserved_quantity = l.reserved, is_retired = l.is_retired,
      is_stocked = l.is_stocked
    from product_level l
    where t.shop_id = ${shopId} and t.product_id = l.id
      and (t.total_quantity, t.reserved_quantity, t.is_retired, t.is_stocked)
        <> (l.quantity, l.reserved, l.is_retired, l.is_stocked)`.execute(trx)
}
