import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { Edit } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { lockShop } from '../../shops/sql.ts'

export type UnfinishedHead = {
  id: ObjectId
  version: number
  name: string
  created_at: Date
  updated_at: Date
}
export type UnfinishedRow = UnfinishedHead & { content: string }
type Written = { name: string; content: string; by: ObjectId | null; now: Date }

const headColumns = sql.raw('id, version, name, created_at, updated_at')

/** A shop's unfinished templates without their content, last changed first: never more than a few. */
export async function listUnfinished(db: Db, shopId: ObjectId, limit: number): Promise<UnfinishedHead[]> {
  const { rows } = await sql<UnfinishedHead>`
    select ${headColumns}
    from unfinished_templates
    where shop_id = ${shopId}
    order by updated_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

export async function findUnfinished(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<UnfinishedRow | undefined> {
  const { rows } = await sql<UnfinishedRow>`
    select ${headColumns}, content
    from unfinished_templates
    where shop_id = ${shopId} and id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Inserts an unfinished template; undefined when the shop already has `max`. It locks the shop's row, so that two
 * concurrent inserts cannot exceed the limit.
 * @throws the unique violation of `unfinished_templates_pkey` when there was one of this id.
 */
export async function insertUnfinished(
  trx: Trx,
  shopId: ObjectId,
  { id, name, content, by, now }: Written & { id: ObjectId },
  max: number,
): Promise<UnfinishedRow | undefined> {
  await lockShop(trx, shopId)
  const { rows } = await sql<UnfinishedRow>`
    insert into unfinished_templates (shop_id, id, name, content, created_at, updated_at, updated_by)
    select ${shopId}, ${id}, ${name}, ${content}, ${now}::timestamptz, ${now}::timestamptz, ${by}
    where (select count(*) from unfinished_templates where shop_id = ${shopId}) < ${max}::integer
    returning ${headColumns}, content`.execute(trx)
  return rows[0]
}

/** Overwrites an unfinished template if it is in a version that the caller knows; undefined otherwise (G-71). */
export async function overwriteUnfinished(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  { name, content, by, now }: Written,
  { known }: Pick<Edit, 'known'>,
): Promise<UnfinishedRow | undefined> {
  const isKnown = known === undefined ? sql`` : sql`and version = any(${known}::integer[])`
  const { rows } = await sql<UnfinishedRow>`
    update unfinished_templates
    set name = ${name}, content = ${content}, version = version + 1, updated_at = ${now}, updated_by = ${by}
    where shop_id = ${shopId} and id = ${id} ${isKnown}
    returning ${headColumns}, content`.execute(db)
  return rows[0]
}

/** Deletes an unfinished template. @returns whether there was one. */
export async function deleteUnfinished(db: Db, shopId: ObjectId, id: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    delete from unfinished_templates
    where shop_id = ${shopId} and id = ${id}
    returning id`.execute(db)
  return rows.length > 0
}
