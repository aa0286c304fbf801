import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** Schedules the erasure of a shop for `dueAt`, or cancels it with null. An earlier export no longer counts. */
export async function updateDeletion(
  trx: Trx,
  shopId: ObjectId,
  deletion: { askedAt: Date; dueAt: Date } | null,
): Promise<void> {
  await sql`
    update shops
    set deletion_asked_at = ${deletion?.askedAt ?? null}::timestamptz,
      deletion_due_at = ${deletion?.dueAt ?? null}::timestamptz, exported_at = null
    where id = ${shopId}`.execute(trx)
}

/** Records that the export of a shop in deletion was read to its end, if it began after the deletion was requested. */
export async function updateExported(
  db: Db,
  shopId: ObjectId,
  { begunAt, now }: { begunAt: Date; now: Date },
): Promise<void> {
  await sql`
    update shops
    set exported_at = ${now}
    where id = ${shopId} and deletion_asked_at <= ${begunAt} and erasing_since is null`.execute(db)
}

/**
 * The shops that are due to be erased, or whose erasure was interrupted, after `after` in the order of their ids. Index
 * shops_to_erase.
 */
export async function listShopsToErase(
  db: Db,
  now: Date,
  { after, limit }: { after: ObjectId; limit: number },
): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select id
    from shops
    where deletion_due_at <= ${now} and exported_at is not null and id > ${after}
    order by id
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Makes the deletion of a due shop final. @returns whether it is final, now or already before; false if it was
 * withdrawn.
 */
export async function beginErasing(trx: Trx, shopId: ObjectId, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update shops
    set erasing_since = coalesce(erasing_since, ${now})
    where id = ${shopId} and deletion_due_at <= ${now} and exported_at is not null
    returning id`.execute(trx)
  return rows.length > 0
}

/**
 * Inserts the closing record that is kept of a shop, if it is missing. {@link foldEntries} adds the sums of the ledger
 * to it.
 */
export async function insertClosing(trx: Trx, shopId: ObjectId): Promise<void> {
  await sql`
    insert into closed_shops
      (id, asked_at, erasing_since, topped_up, corrected, charged, charged_messages, owed, balance, held, is_folded)
    select id, deletion_asked_at, erasing_since, 0, 0, 0, 0, 0, 0, 0, true
    from shops
    where id = ${shopId}
    on conflict do nothing`.execute(trx)
}

/**
 * Deletes up to `limit` entries of a shop's ledger, within `allowErasing`, and adds them to the sums of its closing
 * record.
 * @returns how many.
 */
export async function foldEntries(trx: Trx, shopId: ObjectId, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with gone as (
      delete from wallet_entries
      where shop_id = ${shopId} and id in (select id from wallet_entries where shop_id = ${shopId} limit ${limit})
      returning type, amount, held_change, owed
    ), sums as (
      select count(*) as n, coalesce(sum(amount) filter (where type = 'top_up'), 0) as topped_up,
        coalesce(sum(amount) filter (where type = 'correction'), 0) as corrected,
        coalesce(-sum(amount + held_change) filter (where type not in ('top_up', 'correction')), 0) as charged,
        count(*) filter (where type in ('capture', 'late_capture', 'sms_capture')) as charged_messages, coalesce(sum(owed), 0) as owed,
        coalesce(sum(amount), 0) as balance, coalesce(sum(held_change), 0) as held
      from gone
    ), folded as (
      update closed_shops c
      set topped_up = c.topped_up + s.topped_up, corrected = c.corrected + s.corrected, charged = c.charged + s.charged,
        charged_messages = c.charged_messages + s.charged_messages, owed = c.owed + s.owed,
        balance = c.balance + s.balance, held = c.held + s.held
      from sums s
      where c.id = ${shopId} and c.is_folded
    )
    select n
    from sums`.execute(trx)
  return rows[0]!.n
}

/** Deletes up to `limit` events of the platform for accounts that no other shop has. @returns how many. */
export async function deletePlatformEvents(db: Db, shopId: ObjectId, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from platform_events p
    using (
      select e.id
      from platform_events e
      where e.oa_id in (select a.oa_id from official_accounts a where a.shop_id = ${shopId})
        and not exists (
          select
          from official_accounts others
          where others.oa_id = e.oa_id and others.shop_id <> ${shopId}
        )
      limit ${limit}
    ) old
    where p.id = old.id`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes the emptied shop and records the time in its closing record. @throws while a row of a table refers to it. */
export async function deleteShop(trx: Trx, shopId: ObjectId, now: Date): Promise<void> {
  await sql`
    with closed as (
      update closed_shops
      set erased_at = ${now}
      where id = ${shopId}
    )
    delete from shops
    where id = ${shopId}`.execute(trx)
}

export type ClosingRow = {
  id: ObjectId
  asked_at: Date
  erasing_since: Date
  erased_at: Date | null
  topped_up: number
  corrected: number
  charged: number
  charged_messages: number
  owed: number
  balance: number
  held: number
}

/** One page of the closing records of erased shops, newest first. Index closed_shops_newest. */
export async function listClosings(
  db: Db,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ closings: ClosingRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  const { rows } = await sql<ClosingRow & { cursor_key: number }>`
    select id, asked_at, erasing_since, erased_at, topped_up, corrected, charged, charged_messages, owed, balance, held,
      ${microseconds(sql`erasing_since`)} as cursor_key
    from closed_shops
    where true${among}${rowsAfter(sql`erasing_since`, sql`id`, after)}
    order by erasing_since desc, id desc
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: closings, hasMore, last } = pageOf(rows, limit)
  return { closings, hasMore, last }
}
