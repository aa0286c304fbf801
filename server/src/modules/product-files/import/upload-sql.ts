import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** Adds a piece to an upload. */
export async function insertChunk(
  db: Db,
  shopId: ObjectId,
  chunk: { uploadId: ObjectId; n: number; bytes: Buffer; now: Date },
): Promise<void> {
  await sql`
    insert into product_import_chunks (shop_id, upload_id, n, bytes, created_at)
    values (${shopId}, ${chunk.uploadId}, ${chunk.n}, ${chunk.bytes}, ${chunk.now})`.execute(db)
}

/** A piece of an upload, or undefined after its last. */
export async function findChunk(
  db: Db,
  shopId: ObjectId,
  uploadId: ObjectId,
  n: number,
): Promise<Uint8Array | undefined> {
  const { rows } = await sql<{ bytes: Uint8Array }>`
    select bytes
    from product_import_chunks
    where shop_id = ${shopId} and upload_id = ${uploadId} and n = ${n}`.execute(db)
  return rows[0]?.bytes
}

/** Deletes an upload unless an unfinished import needs it. */
export async function deleteUnusedUpload(db: Db, shopId: ObjectId, uploadId: ObjectId): Promise<void> {
  await sql`
    delete from product_import_chunks c
    where c.shop_id = ${shopId} and c.upload_id = ${uploadId} and not exists (
      select
      from product_imports i
      where i.shop_id = c.shop_id and i.upload_id = c.upload_id and i.finished_at is null
    )`.execute(db)
}

/**
 * Deletes up to `limit` pieces of uploads that are older than `before` and belong to no import, for all shops: the
 * process that received them died before it created the import.
 * @returns how many.
 */
export async function deleteOldUploads(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select c.shop_id, c.upload_id, c.n
      from product_import_chunks c
      where c.created_at < ${before} and not exists (
        select
        from product_imports i
        where i.shop_id = c.shop_id and i.upload_id = c.upload_id and i.finished_at is null
      )
      limit ${limit}
      for update of c skip locked
    )
    delete from product_import_chunks
    where (shop_id, upload_id, n) in (select shop_id, upload_id, n from due)
    returning n`.execute(db)
  return rows.length
}
