import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { copiedRows } from '../../../db/fragments/copied-sql.ts'
import type { Copied } from '../../../lib/lists/copied.ts'
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

/** Products of a shop by id, without retired ones, with the requested children (G-66, G-67). One statement. */
export async function listCopiedProducts(
  db: Db,
  shopId: ObjectId,
  copied: Copied,
  children: Children,
): Promise<(ProductRow & ChildRows)[]> {
  const { rows } = await sql<ProductRow & ChildRows>`
    with ids as materialized (
      select p.id
      from products p
      where p.shop_id = ${shopId} and p.deleted_at is null
      ${copiedRows(sql`p.id`, copied)}
    )
    select ${storedColumns}, ${totalColumns}, ${subItemGroupIds}${childColumns(children)}
    from ids
    join products p on p.shop_id = ${shopId} and p.id = ids.id
    join product_stock totals on totals.shop_id = ${shopId} and totals.product_id = ids.id
    order by p.id`.execute(db)
  return rows
}
