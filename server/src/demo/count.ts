import { sql } from 'kysely'
import { recordEntry } from '../modules/inventory/record-entry.ts'
import type { Seeding } from './seeding.ts'

/** The pieces of some goods after the stock count; nothing else in the demo runs low. */
const LEFT: Record<string, number> = { 'Mứt gừng Huế': 2, 'Kẹo dừa Bến Tre': 4, 'Đũa gỗ mun (10 đôi)': 3 }

/** Seeds a stock count after which a few goods are nearly sold out, with one piece of each in every other warehouse. */
export async function seedCount({ trx, shopId, ids, now, warehouseId, at }: Seeding): Promise<void> {
  const { rows } = await sql<{ sku_id: string; warehouse_id: string; name: string; reserved: number }>`
    select t.sku_id, t.warehouse_id, p.name, t.reserved::int as reserved
    from products p
    join skus k on k.shop_id = p.shop_id and k.product_id = p.id
    join stock t on t.shop_id = k.shop_id and t.sku_id = k.id
    where p.shop_id = ${shopId} and p.name in (${sql.join(Object.keys(LEFT))})`.execute(trx)
  for (const [place, counted] of Map.groupBy(rows, (row) => row.warehouse_id)) {
    const items = counted.map(({ sku_id, name, reserved }) => ({
      skuId: sku_id,
      quantity: reserved + (place === warehouseId ? LEFT[name]! - 1 : 1),
    }))
    await recordEntry(
      at(now),
      shopId,
      { type: 'count', warehouseId: place, items, note: 'Kiểm kho' },
      ids.next(),
      null,
    )
  }
}
