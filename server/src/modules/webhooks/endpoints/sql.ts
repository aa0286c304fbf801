import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { lockShop } from '../../shops/sql.ts'
import type { EventType } from '../outbox/event-types.ts'

export type EndpointRow = {
  id: ObjectId
  version: number
  url: string
  events: (EventType | '*')[]
  /** Sealed. */
  secret: Uint8Array
  /** Until when the secret before it also signs. */
  old_secret_until: Date | null
  disabled_at: Date | null
  disabled_reason: 'requested' | 'failing' | 'gone' | null
  failing_since: Date | null
  replay_since: Date | null
  created_at: Date
  updated_at: Date
}

const endpointColumns = sql.raw(
  'id, version, url, events, secret, old_secret_until, disabled_at, disabled_reason, failing_since, replay_since, created_at, updated_at',
)

/** The shop's endpoints, oldest first: never more than a few (G-62). */
export async function listEndpoints(db: Db, shopId: ObjectId, limit: number): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    select ${endpointColumns}
    from webhook_endpoints
    where shop_id = ${shopId} and deleted_at is null
    order by created_at, id
    limit ${limit}`.execute(db)
  return rows
}

export async function findEndpoint(db: Db, shopId: ObjectId, id: ObjectId): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${endpointColumns}
    from webhook_endpoints
    where shop_id = ${shopId} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

/** The endpoint, locked until the transaction ends. */
export async function lockEndpoint(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${endpointColumns}
    from webhook_endpoints
    where shop_id = ${shopId} and id = ${id} and deleted_at is null
    for no key update`.execute(trx)
  return rows[0]
}

/**
 * Inserts an endpoint; undefined when the shop already has `max`. It locks the shop's row, so that two concurrent
 * inserts cannot exceed the limit.
 * @throws the unique violation of `webhook_endpoints_pkey` when there was one of this id.
 */
export async function insertEndpoint(
  trx: Db,
  shopId: ObjectId,
  endpoint: { id: ObjectId; url: string; events: (EventType | '*')[]; secret: Uint8Array; now: Date },
  max: number,
): Promise<EndpointRow | undefined> {
  await lockShop(trx, shopId)
  const { id, url, events, secret, now } = endpoint
  const { rows } = await sql<EndpointRow>`
    insert into webhook_endpoints (shop_id, id, url, events, secret, created_at, updated_at)
    select ${shopId}, ${id}, ${url}, ${events}::text[], ${secret}::bytea, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from webhook_endpoints where shop_id = ${shopId} and deleted_at is null) < ${max}::integer
    returning ${endpointColumns}`.execute(trx)
  return rows[0]
}

/**
 * Changes an endpoint; undefined fields stay unchanged. Enabling it clears earlier failures and its pause; a new
 * address clears the pause too, because that address has not asked for one.
 */
export async function updateEndpoint(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  change: {
    url: string | undefined
    events: (EventType | '*')[] | undefined
    isEnabled: boolean | undefined
    by: ObjectId | null
    now: Date
  },
): Promise<EndpointRow | undefined> {
  const { isEnabled, now } = change
  const switched =
    isEnabled === undefined
      ? sql``
      : isEnabled
        ? sql`disabled_at = null, disabled_reason = null, failing_since = null,`
        : sql`disabled_at = coalesce(disabled_at, ${now}), disabled_reason = coalesce(disabled_reason, 'requested'),`
  const isAskedAnew = isEnabled === true || change.url !== undefined
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoints
    set ${switched} ${isAskedAnew ? sql`paused_until = null,` : sql``} url = coalesce(${change.url ?? null}, url), events = coalesce(${change.events ?? null}::text[], events),
      ${change.events === undefined ? sql`` : replayAnew(change.events)}
      version = version + 1, updated_at = ${now}, updated_by = ${change.by}
    where shop_id = ${shopId} and id = ${id} and deleted_at is null
    returning ${endpointColumns}`.execute(db)
  return rows[0]
}

/** Restarts a running replay if new types were added: it has skipped the events of those types until now. */
function replayAnew(events: string[]) {
  const isNew = sql`replay_since is not null and not (${events}::text[] <@ events)`
  return sql`replay_xid = case when ${isNew} then '0' else replay_xid end,
      replay_id = case when ${isNew} then '' else replay_id end,`
}

/** Deletes an endpoint and its secrets; its attempts are kept for their usual time. */
export async function deleteEndpoint(db: Db, shopId: ObjectId, id: ObjectId, now: Date): Promise<void> {
  await sql`
    update webhook_endpoints
    set deleted_at = ${now}, updated_at = ${now}, secret = '', old_secret = null, old_secret_until = null
    where shop_id = ${shopId} and id = ${id} and deleted_at is null`.execute(db)
}

/**
 * Replaces the secret; the old one also signs until `oldUntil`. If an older one still signs, it stays the old one: the receiver may
 * not have got the secret in between.
 */
export async function rotateSecret(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  rotation: { secret: Uint8Array; oldUntil: Date; now: Date },
): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoints
    set old_secret = case when old_secret_until > ${rotation.now} then old_secret else secret end,
      old_secret_until = ${rotation.oldUntil}, secret = ${rotation.secret}::bytea, updated_at = ${rotation.now}
    where shop_id = ${shopId} and id = ${id} and deleted_at is null
    returning ${endpointColumns}`.execute(db)
  return rows[0]
}

/** Inserts a test event and its delivery to this one endpoint. One statement. */
export async function insertTestEvent(
  db: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  { eventId, now }: { eventId: ObjectId; now: Date },
): Promise<void> {
  await sql`
    with event as (
      insert into shop_events (shop_id, id, type, data, created_at)
      values (${shopId}, ${eventId}, 'webhook.test', jsonb_build_object('endpointId', ${endpointId}::text),
        ${now}::timestamptz)
      returning shop_id, id, created_at
    )
    insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
    select shop_id, ${endpointId}, id, 'pending', created_at, created_at
    from event`.execute(db)
}

export type AttemptRow = {
  event_id: ObjectId
  type: EventType
  number: number
  status: number | null
  duration_ms: number
  answer: string
  error: string | null
  created_at: Date
}

/** One page of an endpoint's attempts, newest first. Index webhook_attempts_by_created. */
export async function listAttempts(
  db: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  { limit, offset, after }: Place,
): Promise<{ attempts: AttemptRow[]; hasMore: boolean; last: Keyset | undefined } | undefined> {
  // Attempts of one event may have the same time, so the sort key is the time and the number,
  // `<microseconds>.<number>`.
  const [us, number] = String(after?.key ?? '').split('.')
  const behind =
    after === undefined
      ? sql``
      : sql` and (created_at, event_id, number) < (
          timestamptz 'epoch' + ${us}::bigint * interval '1 microsecond', ${after.id}::text, ${number}::integer
        )`
  type Listed = AttemptRow & { cursor_key: string }
  const { rows } = await sql<Listed | { [K in keyof Listed]: null }>`
    select a.event_id, ev.type, a.number, a.status, a.duration_ms, a.answer, a.error, a.created_at,
      ${microseconds(sql`a.created_at`)} || '.' || a.number as cursor_key
    from webhook_endpoints e
    left join lateral (
      select *
      from webhook_attempts
      where shop_id = ${shopId} and endpoint_id = e.id${behind}
      order by created_at desc, event_id desc, number desc
      limit ${limit + 1}
      offset ${offset}
    ) a on true
    left join shop_events ev on ev.shop_id = ${shopId} and ev.id = a.event_id
    where e.shop_id = ${shopId} and e.id = ${endpointId} and e.deleted_at is null
    order by a.created_at desc, a.event_id desc, a.number desc`.execute(db)
  if (rows.length === 0) return undefined
  const found = rows.filter((row): row is Listed => row.event_id !== null)
  const attempts = found.slice(0, limit)
  const last = attempts.at(-1)
  const hasMore = found.length > limit
  return { attempts, hasMore, last: last && { key: last.cursor_key, id: last.event_id } }
}

/** Queues a delivery again, with all of its retries. @returns false if the event was never meant for the endpoint. */
export async function requeueDelivery(
  db: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  eventId: ObjectId,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    with asked as (
      update webhook_deliveries
      set state = 'pending', due_at = ${now}, tries = 0
      where shop_id = ${shopId} and endpoint_id = ${endpointId} and event_id = ${eventId} and state <> 'leased'
    )
    select event_id
    from webhook_deliveries
    where shop_id = ${shopId} and endpoint_id = ${endpointId} and event_id = ${eventId}`.execute(db)
  return rows.length > 0
}

/** Does the same for up to `limit` deliveries of events since `since` that failed. @returns their number. */
export async function requeueFailed(
  db: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  { since, limit, now }: { since: Date; limit: number; now: Date },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select event_id
      from webhook_deliveries
      where shop_id = ${shopId} and endpoint_id = ${endpointId} and state = 'failed' and created_at >= ${since}
      order by created_at
      limit ${limit}
      for update skip locked
    )
    update webhook_deliveries
    set state = 'pending', due_at = ${now}, tries = 0
    where shop_id = ${shopId} and endpoint_id = ${endpointId} and event_id in (select event_id from due)
    returning event_id`.execute(db)
  return rows.length
}

/** Deletes up to `limit` events older than `before`, with their deliveries and attempts, for all shops. */
export async function deleteOldEvents(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select shop_id, id
      from shop_events
      where created_at < ${before}
      order by created_at
      limit ${limit}
      for update skip locked
    )
    delete from shop_events
    where (shop_id, id) in (select shop_id, id from due)
    returning id`.execute(db)
  return rows.length
}
