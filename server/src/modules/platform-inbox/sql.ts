import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** The secrets that may sign an official account's events, encrypted. */
export type SigningRow = {
  app_id: string | null
  app_secret: Uint8Array | null
  oa_secret_key: Uint8Array | null
  previous_oa_secret_key: Uint8Array | null
}

export type PlatformEventRow = {
  id: ObjectId
  oa_id: string
  name: string
  /** The stored JSON as text, since parsing by the driver would lose the last digits of long ids. */
  body: string
  received_at: Date
  processed_at: Date | null
}

/** An open event that was claimed; `tries` counts the failed attempts. */
export type DueEventRow = Omit<PlatformEventRow, 'processed_at'> & { tries: number }

/** The links of an official account in every shop, by its id alone, since an event names no shop. */
export async function listSigningRows(db: Db, oaId: string): Promise<SigningRow[]> {
  const { rows } = await sql<SigningRow>`
    select oa.app_id, coalesce(app.app_secret, oa.secret_key) as app_secret, app.oa_secret_key,
      app.previous_oa_secret_key
    from official_accounts oa
    left join platform_apps app on app.app_id = oa.app_id
    where oa.oa_id = ${oaId}
    order by oa.shop_id
    limit 100`.execute(db)
  return rows
}

/** The secrets that may sign the events of the operator's apps, for any account. */
export async function listAppSigningRows(db: Db): Promise<SigningRow[]> {
  const { rows } = await sql<SigningRow>`
    select app_id, app_secret, oa_secret_key, previous_oa_secret_key
    from platform_apps
    order by created_at, app_id
    limit 100`.execute(db)
  return rows
}

/** An event as received; `body` is JSON text. */
export type NewPlatformEvent = { id: ObjectId; oaId: string; name: string; body: string; now: Date }

/** Puts events into the inbox, due at once, in one statement. */
export async function insertPlatformEvents(db: Db, events: NewPlatformEvent[]): Promise<void> {
  const column = <K extends keyof NewPlatformEvent>(key: K) => events.map((event) => event[key])
  await sql`
    insert into platform_events (id, oa_id, name, body, received_at, due_at)
    select id, oa_id, name, body::jsonb, received_at, received_at
    from unnest(${column('id')}::text[], ${column('oaId')}::text[], ${column('name')}::text[],
      ${column('body')}::text[], ${column('now')}::timestamptz[]) as given (id, oa_id, name, body, received_at)`.execute(
    db,
  )
}

export async function findPlatformEvent(db: Db, id: ObjectId): Promise<PlatformEventRow | undefined> {
  const { rows } = await sql<PlatformEventRow>`
    select id, oa_id, name, body::text as body, received_at, processed_at
    from platform_events
    where id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Up to `limit` open events that are due, locked until the transaction ends; events that another process has locked are
 * skipped. Index platform_events_due.
 */
export async function lockDueEvents(
  trx: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<DueEventRow[]> {
  const { rows } = await sql<DueEventRow>`
    select id, oa_id, name, body::text as body, received_at, tries
    from platform_events
    where processed_at is null and due_at <= ${now}
    order by due_at
    limit ${limit}
    for update skip locked`.execute(trx)
  return rows
}

/**
 * The result of an attempt at an event. Either its final outcome, or when it is due again (null: a polling round picks it up) and
 * how many attempts it has had (absent: as many as before). `isParked`: it matched nothing. `isErased`: it is about a person who
 * was erased, so its body is emptied.
 */
export type EventStep =
  | { id: ObjectId; outcome: string; isErased?: boolean }
  | { id: ObjectId; outcome?: undefined; isParked: boolean; tries?: number; dueAt: Date | null }

/** Writes the results of several open events, in one statement. */
export async function updateEvents(db: Db, steps: EventStep[], now: Date): Promise<void> {
  if (steps.length === 0) return
  await sql`
    update platform_events e
    set outcome = case when step."isParked" then 'parked' else coalesce(step.outcome, e.outcome) end,
      processed_at = case when step.outcome is not null then ${now}::timestamptz end,
      tries = coalesce(step.tries, e.tries), due_at = step."dueAt",
      body = case when step."isErased" then '{}' else e.body end
    from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      as step (id text, outcome text, "isErased" boolean, "isParked" boolean, tries integer, "dueAt" timestamptz)
    where e.id = step.id and e.processed_at is null`.execute(db)
}

/** Open events that came between two instants, the newest first, since older events are less likely to match. */
export async function listOpenEvents(
  db: Db,
  between: { after: Date; before: Date; limit: number },
): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select id
    from platform_events
    where processed_at is null and received_at > ${between.after} and received_at < ${between.before}
    order by received_at desc
    limit ${between.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Makes the parked events of an official account due as if they were new: the newest 100 that came after `after`. */
export async function wakeParkedEvents(
  db: Db,
  oaId: string,
  { after, now }: { after: Date; now: Date },
): Promise<void> {
  await sql`
    with due as (
      select id
      from platform_events
      where processed_at is null and outcome = 'parked' and oa_id = ${oaId} and received_at > ${after}
      order by received_at desc
      limit 100
      for update skip locked
    )
    update platform_events
    set due_at = ${now}, tries = 0
    where id in (select id from due)`.execute(db)
}

/** Deletes up to `limit` events that were processed before `before`. @returns how many. Index platform_events_done. */
export async function deleteDoneEvents(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id
      from platform_events
      where processed_at < ${before}
      order by processed_at
      limit ${limit}
      for update skip locked
    )
    delete from platform_events
    where id in (select id from due)
    returning id`.execute(db)
  return rows.length
}

/** Closes the events that stayed open too long: nothing can match them any more. */
export async function closeUnmatchedEvents(db: Db, receivedBefore: Date, now: Date): Promise<void> {
  await sql`
    update platform_events
    set processed_at = ${now}, outcome = 'unmatched'
    where processed_at is null and received_at < ${receivedBefore}`.execute(db)
}
