import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { EndpointKey } from '../delivery/take-sql.ts'
import type { EventType } from '../outbox/event-types.ts'

/**
 * Starts a replay: the endpoint gets all events since `since` from transactions that have begun by now; later ones are
 * handed out to it anyway. A running replay continues where it is, unless `since` is earlier than its own start: it
 * skipped the events before that, so it starts over. @returns the time since which events are replayed.
 */
export async function startReplay(
  db: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  since: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ replay_since: Date }>`
    update webhook_endpoints
    set replay_since = least(replay_since, ${since}::timestamptz),
      replay_xid = case when ${since}::timestamptz >= replay_since then replay_xid else '0' end,
      replay_id = case when ${since}::timestamptz >= replay_since then replay_id else '' end,
      replay_until = pg_snapshot_xmax(pg_current_snapshot())
    where shop_id = ${shopId} and id = ${endpointId} and deleted_at is null
    returning replay_since`.execute(db)
  return rows[0]?.replay_since
}

/**
 * Up to `limit` endpoints of all shops after `after` that are being replayed, are enabled and have fewer than `enough`
 * deliveries due. Index webhook_endpoints_replaying.
 */
export async function listReplaying(
  db: Db,
  { after, enough, limit }: { after: EndpointKey; enough: number; limit: number },
): Promise<EndpointKey[]> {
  const { rows } = await sql<EndpointKey>`
    select e.shop_id, e.id
    from webhook_endpoints e
    where e.replay_since is not null and (e.shop_id, e.id) > (${after.shop_id}::text, ${after.id}::text)
      and e.deleted_at is null and e.disabled_at is null and (
        select count(*)
        from (
          select d.shop_id
          from webhook_deliveries d
          where d.shop_id = e.shop_id and d.endpoint_id = e.id and d.state = 'pending'
            and d.due_at <= statement_timestamp()
          limit ${enough}
        ) due
      ) < ${enough}
    order by e.shop_id, e.id
    limit ${limit}`.execute(db)
  return rows
}

/** The position of an endpoint's replay. */
export type Replay = {
  events: (EventType | '*')[]
  replay_since: Date
  replay_until: string
  replay_xid: string
  replay_id: ObjectId | ''
}

/** The endpoint's replay, with its row locked; undefined when there is none or another process has locked it. */
export async function lockReplay(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
): Promise<Replay | undefined> {
  const { rows } = await sql<Replay>`
    select events, replay_since, replay_until::text as replay_until, replay_xid::text as replay_xid, replay_id
    from webhook_endpoints
    where shop_id = ${shopId} and id = ${endpointId} and replay_since is not null and deleted_at is null
      and disabled_at is null
    for no key update skip locked`.execute(trx)
  return rows[0]
}

export type ReplayedEvent = { xid: string; id: ObjectId; is_wanted: boolean }

/**
 * The next events of a replay, only from transactions before `horizon`; `is_wanted` means that the endpoint asks for
 * the type.
 */
export async function listReplayedEvents(
  trx: Db,
  shopId: ObjectId,
  { events, replay_since: since, replay_until: until, replay_xid: xid, replay_id: id }: Replay,
  { horizon, limit }: { horizon: string; limit: number },
): Promise<ReplayedEvent[]> {
  const { rows } = await sql<ReplayedEvent>`
    select ev.xid::text as xid, ev.id, ev.created_at >= ${since} and ev.type <> 'webhook.test'
      and ${events}::text[] && array[ev.type::text, '*'] as is_wanted
    from shop_events ev
    where ev.shop_id = ${shopId} and ev.xid < least(${until}::text::xid8, ${horizon}::text::xid8)
      and (ev.xid, ev.id) > (${xid}::text::xid8, ${id})
    order by ev.xid, ev.id
    limit ${sql.lit(limit)}`.execute(trx)
  return rows
}

/** Queues those events for an endpoint that it has no delivery of, in the order of their times. */
export async function insertReplayed(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  eventIds: ObjectId[],
): Promise<void> {
  await sql`
    insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
    select ${shopId}, ${endpointId}, ev.id, 'pending', least(ev.created_at, statement_timestamp()), ev.created_at
    from shop_events ev
    where ev.shop_id = ${shopId} and ev.id = any(${eventIds}::text[])
    on conflict do nothing`.execute(trx)
}

/** Records the last event that a replay has reached; null ends the replay. */
export async function updateReplay(
  trx: Db,
  shopId: ObjectId,
  endpointId: ObjectId,
  last: Pick<ReplayedEvent, 'xid' | 'id'> | null,
): Promise<void> {
  const set =
    last === null
      ? sql`replay_since = null, replay_until = null, replay_xid = null, replay_id = null`
      : sql`replay_xid = ${last.xid}::text::xid8, replay_id = ${last.id}`
  await sql`
    update webhook_endpoints
    set ${set}
    where shop_id = ${shopId} and id = ${endpointId}`.execute(trx)
}
