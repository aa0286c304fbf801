import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** The given barcodes that no product of the shop has, in the order given. Uses the index product_codes_by_fold. */
export async function findFreeBarcodes(db: Db, shopId: ObjectId, barcodes: string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select n.code
    from unnest(${barcodes}::text[]) with ordinality as n (code, place)
    where not exists (
      select
      from product_codes c
      where c.shop_id = ${shopId} and c.kind = 'barcode' and c.folded = fold_code(n.code)
    )
    order by n.place`.execute(db)
  return rows.map(({ code }) => code)
}
