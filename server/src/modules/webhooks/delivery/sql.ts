import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Attempt } from './rules.ts'

/** A completed attempt and the new state of its delivery. */
export type EndedAttempt = Attempt & {
  shopId: ObjectId
  endpointId: ObjectId
  eventId: ObjectId
  state: 'pending' | 'delivered' | 'failed'
  /** When the delivery is due next, if it is pending. */
  dueAt: Date
  startedAt: Date
}

/**
 * Writes attempts and the new states of their deliveries. One statement. A delivery that is no longer in progress is
 * left alone: its lease expired, and another process has delivered it.
 */
export async function insertAttempts(db: Db, attempts: EndedAttempt[]): Promise<void> {
  await sql`
    with ended as (
      select *
      from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as a ("shopId" text, "endpointId" text, "eventId" text,
        state text, "dueAt" timestamptz, status integer, "durationMs" integer, answer text, error text,
        "startedAt" timestamptz)
    ), delivery as (
      update webhook_deliveries d
      set state = ended.state, due_at = ended."dueAt", lease_until = null, attempts = d.attempts + 1, tries = d.tries + 1
      from ended
      where d.shop_id = ended."shopId" and d.endpoint_id = ended."endpointId" and d.event_id = ended."eventId"
        and d.state = 'leased'
      returning d.shop_id, d.endpoint_id, d.event_id, d.attempts, ended.status, ended."durationMs", ended.answer,
        ended.error, ended."startedAt"
    )
    insert into webhook_attempts
      (shop_id, endpoint_id, event_id, number, status, duration_ms, answer, error, created_at)
    select shop_id, endpoint_id, event_id, attempts, status, "durationMs", answer, error, "startedAt"
    from delivery`.execute(db)
}

/** Defers all of an endpoint's deliveries until `until`; a pause that ends later is kept. */
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

/** Records whether the endpoint's last delivery arrived. Writes only if that changes. */
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

/** Marks the pending deliveries of an endpoint that is disabled or deleted as failed; they can be recovered. */
export async function giveUpPending(trx: Db, shopId: ObjectId, endpointId: ObjectId): Promise<void> {
  await sql`
    update webhook_deliveries
    set state = 'failed'
    where shop_id = ${shopId} and endpoint_id = ${endpointId} and state = 'pending'`.execute(trx)
}

/** Disables an endpoint. @returns false if it was disabled already. */
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

/** How many deliveries of all shops are pending, counted up to `most`. */
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

/** Counts of deliveries of all shops, to endpoints that work, or to those that fail or are disabled. */
export type DeliveryCounts = { is_failing: boolean; waiting: number; active: number; failed: number }

/** Pending, running and failed deliveries, each counted up to `most`. */
export async function countDeliveries(db: Db, most: number): Promise<DeliveryCounts[]> {
  const upToMost = (state: string) => sql`(
        select d.shop_id, d.endpoint_id, d.state
        from webhook_deliveries d
        where d.state = ${sql.lit(state)}
        limit ${most}
      )`
  const { rows } = await sql<DeliveryCounts>`
    select e.failing_since is not null or e.disabled_at is not null as is_failing,
      count(*) filter (where counted.state = 'pending') as waiting,
      count(*) filter (where counted.state = 'leased') as active,
      count(*) filter (where counted.state = 'failed') as failed
    from (${upToMost('pending')} union all ${upToMost('leased')} union all ${upToMost('failed')}) as counted
    join webhook_endpoints e on e.shop_id = counted.shop_id and e.id = counted.endpoint_id
    group by is_failing`.execute(db)
  return rows
}
