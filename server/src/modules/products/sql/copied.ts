import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { copiedOrder, copiedRows } from '../../../db/fragments/copied-sql.ts'
import { MOST_PIECE_BYTES, rowsWithin } from '../../../db/fragments/rows-within-sql.ts'
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

/** The first of the products of a shop by id that fit, without retired ones, with the requested children (G-66, G-67). One statement. */
export async function listCopiedProducts(
  db: Db,
  shopId: ObjectId,
  copied: Copied,
  children: Children,
): Promise<(ProductRow & ChildRows)[]> {
  const row = sql`
      select ${storedColumns}, ${totalColumns}, ${subItemGroupIds}${childColumns(children)}
      from products p
      join product_stock totals on totals.shop_id = ${shopId} and totals.product_id = p.id
      where p.shop_id = ${shopId} and p.id = numbered.id
      limit 1`
  const { rows } = await sql<ProductRow & ChildRows>`
    with recursive ids as materialized (
      select p.id
      from products p
      where p.shop_id = ${shopId} and p.deleted_at is null
      ${copiedRows(sql`p.id`, copied)}
    ), ${rowsWithin(copiedOrder(sql`ids.id`, copied), row, sql`octet_length(found::text)`, MOST_PIECE_BYTES)}
    select *
    from within
    where place > 0
    order by place`.execute(db)
  return rows
}
