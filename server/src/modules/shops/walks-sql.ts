import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/**
 * Claims the retention run of a shop, unless one began after `notSince`: of several processes one gets it.
 * @returns the time up to which the last run emptied the values of messages, null if none did; undefined if another run
 *   began after `notSince`, or the shop is being erased.
 */
export async function takeWalk(
  db: Db,
  shopId: ObjectId,
  { now, notSince }: { now: Date; notSince: Date },
): Promise<{ values_before: Date | null } | undefined> {
  const { rows } = await sql<{ values_before: Date | null }>`
    insert into retention_walks as w (shop_id, begun_at)
    select s.id, ${now}::timestamptz
    from shops s
    where s.id = ${shopId} and s.erasing_since is null
    on conflict (shop_id) do update set begun_at = excluded.begun_at
      where w.begun_at <= ${notSince}
    returning values_before`.execute(db)
  return rows[0]
}

/** Records the time up to which the values of a shop's messages are emptied. */
export async function updateWalkedValues(db: Db, shopId: ObjectId, before: Date): Promise<void> {
  await sql`
    update retention_walks
    set values_before = ${before}
    where shop_id = ${shopId}`.execute(db)
}
