import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '../../../src/db/client.ts'
import { makeShop, type Partner, type Service, unusedId } from '../../support/service.ts'

/** SKUs of one product for a test. `stock` is the quantity in the default warehouse. */
export type SkuFixture = {
  name?: string
  price?: number
  stock?: number
  code?: string
  barcode?: string
  isActive?: boolean
}

/** A product with its SKUs, inserted into the tables as the catalogue and the inventory write them. */
export async function makeProduct(
  running: Service,
  partner: Partner,
  { name = 'Áo thun', vat = 8, skus = [{}] as SkuFixture[] } = {},
): Promise<{ productId: string; skuIds: string[] }> {
  const { db } = running.deps
  const productId = unusedId()
  await sql`
    insert into products (shop_id, id, name, images, price, vat_basis_points, slug, search, sku_drafts, created_at, updated_at)
    values (${partner.shopId}, ${productId}, ${name}, '["https://x.example/p.png"]', 50000, ${vat * 100}, ${productId}, '',
      '{"variants": [], "skus": []}', now(), now())`.execute(db)
  await sql`
    insert into product_stock (shop_id, product_id, total_quantity)
    values (${partner.shopId}, ${productId}, ${skus.reduce((sum, sku) => sum + (sku.stock ?? 100), 0)})`.execute(
    db,
  )
  const warehouseId = await defaultWarehouse(db, partner.shopId)
  const skuIds: string[] = []
  for (const [position, sku] of skus.entries()) {
    const skuId = unusedId()
    skuIds.push(skuId)
    await sql`
      insert into skus (shop_id, id, product_id, name, price, code, barcode, position, is_active, created_at, updated_at)
      values (${partner.shopId}, ${skuId}, ${productId}, ${sku.name ?? name}, ${sku.price ?? 100_000},
        ${sku.code ?? ''}, ${sku.barcode ?? ''}, ${position}, ${sku.isActive ?? true}, now(), now())`.execute(
      db,
    )
    await addStock(db, partner.shopId, skuId, warehouseId, sku.stock ?? 100)
  }
  return { productId, skuIds }
}

/** A shop with one product of one SKU. */
export async function shopWithSku(
  running: Service,
  settings: { oversell?: 'allow' | 'deny'; stock?: number; price?: number } = {},
) {
  const { oversell = 'allow', stock = 100, price = 100_000 } = settings
  const partner = await makeShop(running, { oversell })
  const { productId, skuIds } = await makeProduct(running, partner, { skus: [{ stock, price }] })
  return { partner, productId, skuId: skuIds[0]! }
}

export async function countOrders(partner: Partner): Promise<number> {
  return (await partner.get('/api/external/v1/orders')).body.data.meta.total
}

/** The state that a refusal must leave: no order, and nothing of the SKU reserved. */
export async function expectNoOrder(db: Db, partner: Partner, skuId: string): Promise<void> {
  expect(await countOrders(partner)).toBe(0)
  expect(Object.values(await reservedOf(db, partner.shopId, skuId))).toEqual([0])
}

export async function defaultWarehouse(db: Db, shopId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from warehouses where shop_id = ${shopId} and is_default`.execute(db)
  return rows[0]!.id
}

export async function addWarehouse(db: Db, shopId: string, id: string): Promise<void> {
  await sql`
    insert into warehouses (shop_id, id, name, created_at, updated_at)
    values (${shopId}, ${id}, 'Kho phụ', now(), now())`.execute(db)
}

export async function addStock(db: Db, shopId: string, skuId: string, warehouseId: string, n: number) {
  await sql`
    insert into stock (shop_id, sku_id, warehouse_id, quantity)
    values (${shopId}, ${skuId}, ${warehouseId}, ${n})`.execute(db)
}

/** The reserved quantity of a SKU, by warehouse id. */
export async function reservedOf(db: Db, shopId: string, skuId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ warehouse_id: string; reserved: number }>`
    select warehouse_id, reserved from stock where shop_id = ${shopId} and sku_id = ${skuId}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.warehouse_id, row.reserved]))
}

export type OrderFixture = {
  createdAt?: Date
  status?: string
  platform?: string
  paymentMethod?: string
  customerId?: string | undefined
  code?: string
  search?: string
  price?: number
  paidAmount?: number
  paymentStatus?: string
}

/** Inserts orders without items, as an import would, and returns their ids in the given order. */
export async function importOrders(db: Db, shopId: string, orders: OrderFixture[]): Promise<string[]> {
  const rows = orders.map((order) => {
    const id = unusedId()
    return {
      id,
      code: order.code ?? id,
      status: order.status ?? 'pending',
      platform: order.platform ?? 'mini_app',
      payment_method: order.paymentMethod ?? '',
      customer_id: order.customerId ?? null,
      search: order.search ?? (order.code ?? id).toLowerCase(),
      price: order.price ?? 0,
      paid_amount: order.paidAmount ?? 0,
      payment_status: order.paymentStatus ?? 'not_paid',
      created_at: (order.createdAt ?? new Date()).toISOString(),
    }
  })
  await sql`
    insert into orders (shop_id, id, code, status, platform, payment_method, customer_id, search, created_at,
      updated_at, price, origin_price, paid_amount, payment_status, is_paid)
    select ${shopId}, o.id, o.code, o.status, o.platform, o.payment_method, o.customer_id, o.search, o.created_at,
      o.created_at, o.price, o.price, o.paid_amount, o.payment_status, o.payment_status = 'paid'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o (id text, code text, status text, platform text,
      payment_method text, customer_id text, search text, price bigint, paid_amount bigint, payment_status text,
      created_at timestamptz)`.execute(db)
  return rows.map((row) => row.id)
}
