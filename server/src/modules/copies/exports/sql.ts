import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { RecordType } from '../record-types.ts'

export type ExportRow = { id: ObjectId; type: RecordType; cursor: string; created_at: Date }

export async function insertExport(
  db: Db,
  shopId: ObjectId,
  { id, type, cursor, now }: { id: ObjectId; type: RecordType; cursor: string; now: Date },
): Promise<ExportRow> {
  const { rows } = await sql<ExportRow>`
    insert into record_exports (shop_id, id, type, cursor, created_at)
    values (${shopId}, ${id}, ${type}, ${cursor}, ${now})
    returning id, type, cursor, created_at`.execute(db)
  return rows[0]!
}

export async function findExport(db: Db, shopId: ObjectId, id: ObjectId): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    select id, type, cursor, created_at
    from record_exports
    where shop_id = ${shopId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Deletes up to `limit` exports of all shops that are older than `before` (G-67). @returns how many. */
export async function deleteOldExports(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from record_exports e
    using (
      select shop_id, id
      from record_exports
      where created_at < ${before}
      order by created_at
      limit ${limit}
    ) old
    where e.shop_id = old.shop_id and e.id = old.id`.execute(db)
  return Number(numAffectedRows)
}
