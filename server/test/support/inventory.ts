import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'
import { newProduct, PRODUCTS } from './products.ts'
import type { Partner } from './service.ts'

export const WAREHOUSES = '/api/external/v1/warehouses'
export const ENTRIES = '/api/external/v1/inventory/entries'
export const MOVEMENTS = '/api/external/v1/inventory/movements'
export const POS = '/api/external/order/pos/create'

/** Creates a product with one SKU and receives `pieces` of it into the default warehouse. Returns the SKU's id. */
export async function stockedSku(partner: Partner, pieces = 0, name = 'Áo thun'): Promise<string> {
  const made = await partner.post(PRODUCTS, newProduct({ name }))
  const skuId = made.body.data.skus[0]._id
  if (pieces > 0) await enter(partner, 'receive', [[skuId, pieces]])
  return skuId
}

/** Makes a stock entry, which must be accepted, and returns it. */
export async function enter(
  partner: Partner,
  type: string,
  items: [skuId: string, quantity: number][],
  more: Record<string, unknown> = {},
) {
  const answer = await partner.post(ENTRIES, entry(type, items, more))
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

export function entry(type: string, items: [string, number][], more: Record<string, unknown> = {}) {
  return { type, items: items.map(([skuId, quantity]) => ({ skuId, quantity })), ...more }
}

export async function makeWarehouse(partner: Partner, fields: Record<string, unknown> = {}): Promise<string> {
  return (await partner.post(WAREHOUSES, { name: 'Kho hai', ...fields })).body.data._id
}

/** The shop's stock as `quantity/reserved`, by SKU and warehouse. */
export async function stockOf(db: Db, shopId: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ place: string; level: string }>`
    select sku_id || ' ' || warehouse_id as place, quantity || '/' || reserved as level
    from stock
    where shop_id = ${shopId} and (quantity, reserved) <> (0, 0)`.execute(db)
  return Object.fromEntries(rows.map(({ place, level }) => [place, level]))
}
