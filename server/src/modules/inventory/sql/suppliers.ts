import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { fold, likeContains } from '../../../lib/text/fold.ts'

export type SupplierRow = { id: ObjectId; name: string; last_received_at: Date }

/** Stores the supplier of received goods; a name that differs only in case or accents replaces the stored one. */
export async function upsertSupplier(
  trx: Db,
  shopId: ObjectId,
  supplier: { id: ObjectId; name: string; now: Date },
): Promise<void> {
  await sql`
    insert into suppliers as s (shop_id, id, name, search, last_received_at)
    values (${shopId}, ${supplier.id}, ${supplier.name}, ${fold(supplier.name)}, ${supplier.now})
    on conflict (shop_id, search) do update
      set name = excluded.name, last_received_at = greatest(s.last_received_at, excluded.last_received_at)`.execute(
    trx,
  )
}

/**
 * One page of the shop's suppliers, the most recently used first. Index suppliers_by_last_received; a search reads all of the
 * shop's suppliers, of which there are hundreds.
 */
export async function listSuppliers(
  db: Db,
  shopId: ObjectId,
  { search, ids }: { search: string | undefined; ids: ObjectId[] | undefined },
  { limit, offset, after }: Place,
): Promise<{ suppliers: SupplierRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const found = search === undefined ? sql`` : sql` and s.search like ${likeContains(fold(search))}`
  const among = ids === undefined ? sql`` : sql` and s.id = any(${ids}::text[])`
  const { rows } = await sql<SupplierRow & { cursor_key: number }>`
    select s.id, s.name, s.last_received_at, ${microseconds(sql`s.last_received_at`)} as cursor_key
    from suppliers s
    where s.shop_id = ${shopId}${found}${among}${rowsAfter(sql`s.last_received_at`, sql`s.id`, after)}
    order by s.last_received_at desc, s.id desc
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page, hasMore, last } = pageOf(rows, limit)
  return { suppliers: page, hasMore, last }
}
