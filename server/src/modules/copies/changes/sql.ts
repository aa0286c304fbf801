import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { databaseId } from '../../../db/fragments/horizon-sql.ts'
import type { Position } from '../../../lib/lists/feed-cursor.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { RecordType } from '../record-types.ts'

/**
 * A change, and the data of the database that tell whether a cursor is valid; `createdUs` is the time of the cursor's own row.
 */
export type ChangeRow = Position<RecordType> & { type: RecordType; recordId: ObjectId }
export type FoundChanges = {
  changes: ChangeRow[]
  /** The last row that was looked at, including types that were not asked for; null if there was none. */
  last: ChangeRow | null
  isCut: boolean
  databaseId: string
  /** The id of the next transaction. */
  nextXid: string
  createdUs: number | null
}

const position = sql`'xid', c.xid::text, 'type', c.type, 'recordId', c.record_id,
        'createdUs', (extract(epoch from c.created_at) * 1000000)::bigint`

/**
 * The next changes of some types after a position, at most `limit`, as close to the order of commits as can be known: by
 * transaction id, and only those before the {@link findHorizon}. Looks at at most `scanned` rows of all types; `isCut`: there may
 * be more. One statement, a range of the primary key.
 */
export async function listChanges(
  db: Db,
  shopId: ObjectId,
  after: Position,
  horizon: string,
  types: RecordType[],
  { limit, scanned }: { limit: number; scanned: number },
): Promise<FoundChanges> {
  const { rows } = await sql<FoundChanges>`
    with scanned as materialized (
      select c.xid, c.type, c.record_id, c.created_at
      from changes c
      where c.shop_id = ${shopId} and c.xid < ${horizon}::text::xid8
        and (c.xid, c.type, c.record_id) > (${after.xid}::text::xid8, ${after.type}, ${after.recordId})
      order by c.xid, c.type, c.record_id
      limit ${sql.lit(scanned)}
    ), page as materialized (
      select c.xid, c.type, c.record_id, c.created_at
      from scanned c
      where c.type = any(${types}::text[])
      order by c.xid, c.type, c.record_id
      limit ${limit + 1}
    )
    select coalesce((
        select json_agg(json_build_object(${position}) order by c.xid, c.type, c.record_id)
        from page c
      ), '[]') as changes, (
        select json_build_object(${position})
        from scanned c
        order by c.xid desc, c.type desc, c.record_id desc
        limit 1
      ) as last, (select count(*) from scanned) = ${scanned} as "isCut", ${databaseId} as "databaseId",
      pg_snapshot_xmax(pg_current_snapshot())::text as "nextXid", (
        select (extract(epoch from c.created_at) * 1000000)::bigint
        from changes c
        where c.shop_id = ${shopId} and c.xid = ${after.xid}::text::xid8 and c.type = ${after.type}
          and c.record_id = ${after.recordId}
      ) as "createdUs"`.execute(db)
  return rows[0]!
}

/** The newest change of a shop before `horizon`, or null. */
export async function findNewest(
  db: Db,
  shopId: ObjectId,
  horizon: string,
): Promise<Pick<FoundChanges, 'last' | 'databaseId'>> {
  const { rows } = await sql<Pick<FoundChanges, 'last' | 'databaseId'>>`
    select (
        select json_build_object(${position})
        from changes c
        where c.shop_id = ${shopId} and c.xid < ${horizon}::text::xid8
        order by c.xid desc, c.type desc, c.record_id desc
        limit 1
      ) as last, ${databaseId} as "databaseId"`.execute(db)
  return rows[0]!
}

/** Deletes up to `limit` changes of all shops that are older than `before` (G-66). @returns how many. */
export async function deleteOldChanges(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from changes c
    using (
      select shop_id, xid, type, record_id
      from changes
      where created_at < ${before}
      order by created_at
      limit ${limit}
      for update skip locked
    ) old
    where c.shop_id = old.shop_id and c.xid = old.xid and c.type = old.type and c.record_id = old.record_id`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** For how many seconds the oldest open transaction that may write has been holding back all feeds; 0 if there is none. */
export async function findHeldBackSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from clock_timestamp() - open.since)), 0)::float8 as seconds
    from (
      select xact_start as since
      from pg_stat_activity
      where datname = current_database() and backend_xid is not null
      union all
      select prepared
      from pg_prepared_xacts
      where database = current_database()
    ) open`.execute(db)
  return rows[0]!.seconds
}
