import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import {
  type ChildRows,
  type Children,
  childColumns,
  type ProductRow,
  storedColumns,
  subItemGroupIds,
  totalColumns,
} from './columns.ts'

/** A product with the requested children (E9), or undefined. One statement. */
export async function findProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  children: Children,
): Promise<(ProductRow & ChildRows) | undefined> {
  const { rows } = await sql<ProductRow & ChildRows>`
    select ${storedColumns}, ${totalColumns}, ${subItemGroupIds}${childColumns(children)}
    from products p
    join product_stock totals on totals.shop_id = p.shop_id and totals.product_id = p.id
    where p.shop_id = ${shopId} and p.id = ${id} and p.deleted_at is null`.execute(db)
  return rows[0]
}
