import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Attempt } from '../endpoints/rules.ts'

/** A delivery whose turn it is; `is_failing`: the endpoint's last one did not arrive. */
export type DueDelivery = {
  shop_id: ObjectId
  endpoint_id: ObjectId
  event_id: ObjectId
  is_failing: boolean
}

/**
 * Takes the deliveries of all shops that are due, for each endpoint as many as it has room for, now `queued`. Its cost
 * is the number of endpoints that wait for something, however much it is: index webhook_deliveries_pending is gone
 * through endpoint by endpoint. Several processes may do so at once.
 */
export async function queueDueDeliveries(
  trx: Db,
  { now, room, roomWhileFailing }: { now: Date; room: number; roomWhileFailing: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with recursive waiting as (
      (
        select shop_id, endpoint_id
        from webhook_deliveries
        where state = 'pending'
        order by shop_id, endpoint_id
        limit 1
      )
      union all
      select next.shop_id, next.endpoint_id
      from waiting w
      cross join lateral (
        select d.shop_id, d.endpoint_id
        from webhook_deliveries d
        where d.state = 'pending' and (d.shop_id, d.endpoint_id) > (w.shop_id, w.endpoint_id)
        order by d.shop_id, d.endpoint_id
        limit 1
      ) as next
    ), endpoint as (
      select e.shop_id, e.id, e.failing_since is not null as is_failing,
        greatest(case when e.failing_since is null then ${room}::integer else ${roomWhileFailing}::integer end - (
          select count(*)
          from webhook_deliveries q
          where q.shop_id = e.shop_id and q.endpoint_id = e.id and q.state = 'queued'
        ), 0) as room
      from waiting w
      join webhook_endpoints e on e.shop_id = w.shop_id and e.id = w.endpoint_id
      where e.paused_until is null or e.paused_until <= ${now}
    ), due as (
      select d.shop_id, d.endpoint_id, d.event_id, endpoint.is_failing
      from endpoint
      cross join lateral (
        select p.shop_id, p.endpoint_id, p.event_id
        from webhook_deliveries p
        where p.shop_id = endpoint.shop_id and p.endpoint_id = endpoint.id and p.state = 'pending'
          and p.due_at <= ${now}
        order by p.due_at
        limit endpoint.room
        for update skip locked
      ) as d
    )
    update webhook_deliveries d
    set state = 'queued'
    from due
    where d.shop_id = due.shop_id and d.endpoint_id = due.endpoint_id and d.event_id = due.event_id
      and d.state = 'pending'
    returning d.shop_id, d.endpoint_id, d.event_id, due.is_failing`.execute(trx)
  return rows
}

/** What an attempt at a queued delivery needs; the secrets are sealed, the old one only while it signs along. */
export type DeliveryRow = {
  type: string
  data: unknown
  created_at: Date
  tries: number
  url: string
  secret: Uint8Array
  old_secret: Uint8Array | null
  is_off: boolean
  /** While this lies ahead nothing goes to the endpoint. */
  paused_until: Date | null
  failing_since: Date | null
}

/** Undefined when the delivery is not queued any more: somebody else has seen to it. */
export async function findQueuedDelivery(
  db: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  eventId: ObjectId,
  now: Date,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ev.type, ev.data, ev.created_at, d.tries, e.url, e.secret, e.failing_since,
      case when e.paused_until > ${now} then e.paused_until end as paused_until,
      case when e.old_secret_until > ${now} then e.old_secret end as old_secret,
      e.disabled_at is not null or e.deleted_at is not null as is_off
    from webhook_deliveries d
    join webhook_endpoints e on e.shop_id = d.shop_id and e.id = d.endpoint_id
    join shop_events ev on ev.shop_id = d.shop_id and ev.id = d.event_id
    where d.shop_id = ${shopId} and d.endpoint_id = ${endpointId} and d.event_id = ${eventId}
      and d.state = 'queued'`.execute(db)
  return rows[0]
}

/** Writes an attempt down and what becomes of its delivery. One statement; nothing when another was faster. */
export async function insertAttempt(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  eventId: ObjectId,
  attempt: Attempt,
  next: { state: 'pending' | 'delivered' | 'failed'; dueAt: Date; startedAt: Date },
): Promise<void> {
  await sql`
    with delivery as (
      update webhook_deliveries
      set state = ${next.state}, due_at = ${next.dueAt}, attempts = attempts + 1, tries = tries + 1
      where shop_id = ${shopId} and endpoint_id = ${endpointId} and event_id = ${eventId} and state = 'queued'
      returning shop_id, endpoint_id, event_id, attempts
    )
    insert into webhook_attempts
      (shop_id, endpoint_id, event_id, number, status, duration_ms, answer, error, created_at)
    select shop_id, endpoint_id, event_id, attempts, ${attempt.status}::integer, ${attempt.durationMs}::integer,
      ${attempt.answer}, ${attempt.error}, ${next.startedAt}::timestamptz
    from delivery`.execute(trx)
}

/** Gives a queued delivery up without an attempt: its endpoint is switched off or deleted. */
export async function giveUpDelivery(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  eventId: ObjectId,
): Promise<void> {
  await sql`
    update webhook_deliveries
    set state = 'failed'
    where shop_id = ${shopId} and endpoint_id = ${endpointId} and event_id = ${eventId} and state = 'queued'`.execute(
    trx,
  )
}

/** Puts a queued delivery back without an attempt: its endpoint has asked to be left alone meanwhile. */
export async function deferDelivery(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  eventId: ObjectId,
  dueAt: Date,
): Promise<void> {
  await sql`
    update webhook_deliveries
    set state = 'pending', due_at = ${dueAt}
    where shop_id = ${shopId} and endpoint_id = ${endpointId} and event_id = ${eventId} and state = 'queued'`.execute(
    trx,
  )
}

/** Lets all of an endpoint's deliveries wait until then; a pause that ends later stays. */
export async function pauseEndpoint(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  until: Date,
): Promise<void> {
  await sql`
    update webhook_endpoints
    set paused_until = greatest(paused_until, ${until}::timestamptz)
    where shop_id = ${shopId} and id = ${endpointId}`.execute(trx)
}

/** Notes whether the endpoint's last delivery arrived. Writes only where that is news. */
export async function updateFailingSince(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  failingSince: Date | null,
): Promise<void> {
  await sql`
    update webhook_endpoints
    set failing_since = ${failingSince}::timestamptz
    where shop_id = ${shopId} and id = ${endpointId}
      and (failing_since is null) = (${failingSince}::timestamptz is not null)`.execute(trx)
}

/** Keeps what waits for an endpoint as failed, for it to recover: it is switched off, or deleted. */
export async function giveUpPending(trx: Db, shopId: ObjectId, endpointId: ObjectId): Promise<void> {
  await sql`
    update webhook_deliveries
    set state = 'failed'
    where shop_id = ${shopId} and endpoint_id = ${endpointId} and state = 'pending'`.execute(trx)
}

/** Switches an endpoint off. False when it was off already. */
export async function disableEndpoint(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  { reason, now }: { reason: 'failing' | 'gone'; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints
    set disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now}
    where shop_id = ${shopId} and id = ${endpointId} and disabled_at is null and deleted_at is null
    returning id`.execute(trx)
  return rows.length > 0
}

/** How many deliveries of all shops wait or are under way, counted up to `most`. */
export async function countWaiting(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from (
      select shop_id
      from webhook_deliveries
      where state = 'pending'
      limit ${most}
    ) waiting`.execute(db)
  return rows[0]!.n
}
