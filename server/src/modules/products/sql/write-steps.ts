import { type RawBuilder, sql } from 'kysely'
import { type Step, stepNames } from '../../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { addShopEvents } from '../../webhooks/outbox/sql.ts'
import type { ProductCode } from '../rules.ts'
import { productEventData } from './columns.ts'

/**
 * The steps of the statements that write one or many products. Each statement starts with `p`, the products as they are
 * written, from which the columns of columns.ts are read.
 */
export const step = stepNames(
  'code',
  'taken',
  'same',
  'p',
  'new_code',
  'new_group',
  'new_option',
  'new_sku',
  'new_stock',
  'new_totals',
  'default_sku',
  'changed_sku',
  'kept',
  'dropped',
  'added',
  'retired',
  'unlisted',
)

/** Adds a stock row in the default warehouse for each new SKU. */
export const insertStock: Step = sql`${step.new_stock} as (
      insert into stock (shop_id, sku_id, warehouse_id)
      select s.shop_id, s.id, w.id
      from ${step.new_sku} s
      join warehouses w on w.shop_id = s.shop_id and w.is_default
    )`

/** Adds the row of stock totals for each new product. */
export const insertTotals: Step = sql`${step.new_totals} as (
      insert into product_stock (shop_id, product_id)
      select p.shop_id, p.id
      from ${step.p}
    )`

/**
 * The `updated_at` of a product `p` that is changed: `now` is from before the wait for the row, and a later change may have gone first.
 */
export function updatedAt(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(p.updated_at, ${now}::timestamptz)`
}

/** Copies the product's name, prices and codes to its default SKU (G-30). */
export function updateDefaultSku(shopId: ObjectId): Step {
  return sql`${step.default_sku} as (
      update skus s
      set name = p.name, price = p.price, origin_price = p.origin_price, code = p.item_sku, barcode = p.barcode,
        updated_at = p.updated_at
      from ${step.p}
      where s.shop_id = ${shopId} and s.product_id = p.id and s.is_default and s.is_active
        and (s.name, s.price, s.origin_price, s.code, s.barcode)
          is distinct from (p.name, p.price, p.origin_price, p.item_sku, p.barcode)
    )`
}

/** Records the events of the products written (G-62). */
export function productEvent(shopId: ObjectId, type: 'product.created' | 'product.updated', now: Date): Step {
  return addShopEvents('product_event', shopId, [{ type, data: productEventData, from: step.p }], now)
}

/**
 * Codes as JSON text, with their position as `at`. If several codes are taken, the first one is reported, whichever
 * index finds them.
 */
export function codesInOrder(codes: ProductCode[]): string {
  return JSON.stringify(codes.map(({ kind, code }, at) => ({ at, kind, code })))
}

/**
 * Condition: this product does not itself have the code `c` of another product, in any spelling. Two products may share
 * a code from before codes were folded (decision 0022), and may keep it.
 */
export function isNotOwn(shopId: ObjectId, productId: ObjectId): RawBuilder<unknown> {
  return sql`not exists (
        select
        from product_codes o
        where o.shop_id = ${shopId} and o.kind = c.kind and o.folded = c.folded and o.product_id = ${productId}
      )`
}
