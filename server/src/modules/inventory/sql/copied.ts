import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { copiedRows } from '../../../db/fragments/copied-sql.ts'
import type { Copied } from '../../../lib/lists/copied.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

export type SkuStockRow = {
  id: ObjectId
  product_id: ObjectId
  warehouses: { id: ObjectId; quantity: number; reserved: number }[] | null
}

/** The stock of SKUs that are not retired, by the SKU's id, in each warehouse (G-66, G-67). One statement. */
export async function listCopiedStock(db: Db, shopId: ObjectId, copied: Copied): Promise<SkuStockRow[]> {
  const { rows } = await sql<SkuStockRow>`
    with ids as materialized (
      select s.id
      from skus s
      where s.shop_id = ${shopId} and s.is_active
      ${copiedRows(sql`s.id`, copied)}
    )
    select s.id, s.product_id, (
        select json_agg(w)
        from (
          select t.warehouse_id as id, t.quantity, t.reserved
          from stock t
          where t.shop_id = s.shop_id and t.sku_id = s.id
          order by t.warehouse_id
        ) w
      ) as warehouses
    from ids
    join skus s on s.shop_id = ${shopId} and s.id = ids.id
    order by s.id`.execute(db)
  return rows
}
