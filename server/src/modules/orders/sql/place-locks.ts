import { sql } from 'kysely'
import { type Step, stepNames } from '../../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

// The locks of a counter sale, which all writers take in this order: the customer, stock by (SKU, warehouse), products'
// totals by id, SKUs by id.

/** The steps of a counter sale, as they follow on one another. */
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
 * The text by which the customer's orders are found, kept as it is until the order can be seen: who changes the name
 * changes the orders too. First of all locks, as a rename holds the customer while it waits for orders.
 */
export function lockBuyer(shopId: ObjectId, customerId: ObjectId | undefined): Step {
  return sql`${step.buyer} as materialized (
      select search
      from customers
      where shop_id = ${shopId} and id = ${customerId ?? null}
      for share
    )`
}

/** What is free of each SKU in each warehouse. */
export function lockStock(shopId: ObjectId, skuIds: ObjectId[]): Step {
  return sql`${step.held} as materialized (
      select sku_id, warehouse_id, quantity - reserved as available
      from stock
      where shop_id = ${shopId} and sku_id = any (${skuIds}::text[])
        and (select count(*) from ${step.buyer}) >= 0
      order by sku_id, warehouse_id
      for no key update
    )`
}

/** The products' totals, which a change of their SKUs holds too. */
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

/** The SKUs that are still for sale, kept from being retired meanwhile. */
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
