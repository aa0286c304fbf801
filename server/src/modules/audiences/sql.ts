import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { lockShop } from '../shops/sql.ts'
import type { Definition } from './rules.ts'

export type AudienceRow = Definition & {
  id: ObjectId
  version: number
  name: string
  created_at: Date
  updated_at: Date
}
type Named = { name: string; foldedName: string }
type Change = { by: ObjectId | null; now: Date }

/** The constraint whose violation means AUDIENCE_NAME_TAKEN. */
export const NAME_CONSTRAINT = 'audiences_one_per_name'

const columns = sql.raw('id, version, name, match, conditions, created_at, updated_at')

/** A shop's audiences by name; there are never more than a hundred. */
export async function listAudiences(db: Db, shopId: ObjectId, limit: number): Promise<AudienceRow[]> {
  const { rows } = await sql<AudienceRow>`
    select ${columns}
    from audiences
    where shop_id = ${shopId}
    order by folded_name
    limit ${limit}`.execute(db)
  return rows
}

export async function findAudience(db: Db, shopId: ObjectId, id: ObjectId): Promise<AudienceRow | undefined> {
  const { rows } = await sql<AudienceRow>`
    select ${columns}
    from audiences
    where shop_id = ${shopId} and id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Adds an audience; undefined when the shop has `max` already. Locks the shop's row, so that concurrent calls run one after
 * another.
 * @throws the unique violations of {@link NAME_CONSTRAINT} and of `audiences_pkey`.
 */
export async function insertAudience(
  trx: Trx,
  shopId: ObjectId,
  { id, name, foldedName, match, conditions, by, now }: Named & Definition & Change & { id: ObjectId },
  max: number,
): Promise<AudienceRow | undefined> {
  await lockShop(trx, shopId)
  const { rows } = await sql<AudienceRow>`
    insert into audiences (shop_id, id, name, folded_name, match, conditions, created_at, updated_at, updated_by)
    select ${shopId}, ${id}, ${name}, ${foldedName}, ${match}, ${JSON.stringify(conditions)}::jsonb,
      ${now}::timestamptz, ${now}::timestamptz, ${by}
    where (select count(*) from audiences where shop_id = ${shopId}) < ${max}::integer
    returning ${columns}`.execute(trx)
  return rows[0]
}

/**
 * Changes the given fields if the record has a version that the caller knows; undefined if there is none (G-71).
 * @throws the unique violation of {@link NAME_CONSTRAINT}.
 */
export async function updateAudience(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  { name, foldedName, match, conditions, by, now }: Partial<Named & Definition> & Change,
  { known }: Pick<Edit, 'known'>,
): Promise<AudienceRow | undefined> {
  const isKnown = known === undefined ? sql`` : sql`and version = any(${known}::integer[])`
  const stored = conditions === undefined ? null : JSON.stringify(conditions)
  const { rows } = await sql<AudienceRow>`
    update audiences
    set name = coalesce(${name ?? null}, name), folded_name = coalesce(${foldedName ?? null}, folded_name),
      match = coalesce(${match ?? null}, match), conditions = coalesce(${stored}::jsonb, conditions),
      version = version + 1, updated_at = ${now}, updated_by = ${by}
    where shop_id = ${shopId} and id = ${id} ${isKnown}
    returning ${columns}`.execute(db)
  return rows[0]
}

/** Deletes an audience. @returns whether it existed. */
export async function deleteAudience(db: Db, shopId: ObjectId, id: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    delete from audiences
    where shop_id = ${shopId} and id = ${id}
    returning id`.execute(db)
  return rows.length > 0
}
