import { sql } from 'kysely'
import { type Step, stepNames } from '../../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

// The locks of a counter sale. All writers take them in this order: the customer, stock by (SKU, warehouse), products' totals by
// id, SKUs by id.

/** The steps of a counter sale, in the order in which they run. */
export const step = stepNames(
  'lines',
  'wanted',
  'buyer',
  'held',
  'held_totals',
  'sold',
  'ranked',
  'filled',
  'taken',
  'short',
  'numbered',
  'placed',
  'items',
  'reservations',
  'reserved_stock',
  'reserved_totals',
  'shift',
  'payment',
)

/**
 * The customer's search text, by which their orders are found, locked until the order is visible, because a change of the name
 * also changes the orders. The first of all locks, since a rename holds the customer while it waits for orders.
 */
export function lockBuyer(shopId: ObjectId, customerId: ObjectId | undefined): Step {
  return sql`${step.buyer} as materialized (
      select search
      from customers
      where shop_id = ${shopId} and id = ${customerId ?? null}
      for share
    )`
}

/** The available pieces of each SKU in each warehouse, or in a named one, locked. */
export function lockStock(shopId: ObjectId, skuIds: ObjectId[], warehouseId: ObjectId | undefined): Step {
  const isNamed = warehouseId === undefined ? sql`` : sql` and warehouse_id = ${warehouseId}`
  return sql`${step.held} as materialized (
      select sku_id, warehouse_id, quantity - reserved as available
      from stock
      where shop_id = ${shopId} and sku_id = any (${skuIds}::text[])${isNamed}
        and (select count(*) from ${step.buyer}) >= 0
      order by sku_id, warehouse_id
      for no key update
    )`
}

/** Locks the products' totals, which a change of their SKUs locks too. */
export function lockTotals(shopId: ObjectId, productIds: ObjectId[]): Step {
  return sql`${step.held_totals} as materialized (
      select product_id
      from product_stock
      where shop_id = ${shopId} and product_id = any (${productIds}::text[])
        and (select count(*) from ${step.held}) >= 0
      order by product_id
      for no key update
    )`
}

/** The SKUs that are still for sale, locked so that they are not retired in the meantime. */
export function lockSkus(shopId: ObjectId, skuIds: ObjectId[]): Step {
  return sql`${step.sold} as materialized (
      select id
      from skus
      where shop_id = ${shopId} and id = any (${skuIds}::text[]) and is_active
        and (select count(*) from ${step.held_totals}) >= 0
      order by id
      for share
    )`
}
