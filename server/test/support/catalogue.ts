import { sql } from 'kysely'
import { newProduct, PRODUCTS, twoByTwo } from './products.ts'
import type { Answer, Partner, Service } from './service.ts'

export const POS = '/api/external/order/pos/create'

/** A product of {@link twoByTwo} as E10 returns it. */
export async function makeVariants(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct({ ...twoByTwo(), ...overrides }))).body.data
}

/** `PUT …/variants`. */
export function putVariants(shop: Partner, productId: string, body: unknown): Promise<Answer> {
  return shop.put(`${PRODUCTS}/${productId}/variants`, body)
}

export async function readProduct(shop: Partner, id: string) {
  return (await shop.get(`${PRODUCTS}/${id}`)).body.data
}

/** A point-of-sale order with one piece of each. */
export function order(shop: Partner, ...ids: string[]): Promise<Answer> {
  return shop.post(POS, { orderItems: ids.map((id) => ({ id, quantity: 1 })) })
}

/** Ends an order in the database as its completion or cancellation would, for tests of what follows. */
export async function endOrder(running: Service, shop: Partner, orderId: string) {
  const { db } = running.database
  await sql`
    with freed as (
      delete from order_reservations
      where shop_id = ${shop.shopId} and order_id = ${orderId}
      returning sku_id, warehouse_id, quantity
    ), stocked as (
      update stock t
      set reserved = t.reserved - f.quantity
      from freed f
      where t.shop_id = ${shop.shopId} and t.sku_id = f.sku_id and t.warehouse_id = f.warehouse_id
    ), summed as (
      update product_stock t
      set reserved_quantity = t.reserved_quantity - f.quantity
      from freed f
      join skus s on s.shop_id = ${shop.shopId} and s.id = f.sku_id
      where t.shop_id = ${shop.shopId} and t.product_id = s.product_id
    )
    update orders
    set status = 'cancelled'
    where shop_id = ${shop.shopId} and id = ${orderId}`.execute(db)
}

/** All SKUs of a product in the database, including retired ones, in the order of creation. */
export async function skuRows(running: Service, productId: string) {
  const { rows } = await sql<{ id: string; code: string; is_active: boolean; is_default: boolean }>`
    select id, code, is_active, is_default
    from skus
    where product_id = ${productId}
    order by id`.execute(running.database.db)
  return rows
}
