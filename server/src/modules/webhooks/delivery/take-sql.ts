import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { isSuspended } from '../../shops/suspended-sql.ts'
import { sequenceOf } from '../outbox/sequence-sql.ts'

export type EndpointKey = { shop_id: ObjectId; id: ObjectId }

/** Keys that sort before and after those of all endpoints. */
export const FIRST_KEY: EndpointKey = { shop_id: '', id: '' }
export const LAST_KEY: EndpointKey = { shop_id: 'g', id: 'g' }

/**
 * Locks up to `limit` endpoints that have a delivery due and room for it, in the order of their keys: those after
 * `after`, up to and including `upTo`. An endpoint that another process has locked is skipped, so that each process
 * counts what the others have claimed. Endpoints of the `full` shops are left out. Index webhook_deliveries_pending is read endpoint by endpoint, which costs the
 * same however many deliveries wait for each.
 */
export async function lockWaitingEndpoints(
  trx: Db,
  range: { after: EndpointKey; upTo: EndpointKey },
  { isFailing, room, limit, full }: { isFailing: boolean; room: number; limit: number; full: ObjectId[] },
): Promise<EndpointKey[]> {
  const { after, upTo } = range
  const { rows } = await sql<EndpointKey>`
    with recursive waiting as (
      (
        select d.shop_id, d.endpoint_id
        from webhook_deliveries d
        where d.state = 'pending' and (d.shop_id, d.endpoint_id) > (${after.shop_id}::text, ${after.id}::text)
          and (d.shop_id, d.endpoint_id) <= (${upTo.shop_id}::text, ${upTo.id}::text)
        order by d.shop_id, d.endpoint_id
        limit 1
      )
      union all
      select next.shop_id, next.endpoint_id
      from waiting w
      cross join lateral (
        select d.shop_id, d.endpoint_id
        from webhook_deliveries d
        where d.state = 'pending' and (d.shop_id, d.endpoint_id) > (w.shop_id, w.endpoint_id)
          and (d.shop_id, d.endpoint_id) <= (${upTo.shop_id}::text, ${upTo.id}::text)
        order by d.shop_id, d.endpoint_id
        limit 1
      ) as next
    )
    select e.shop_id, e.id
    from waiting w
    cross join lateral (
      select e.shop_id, e.id
      from webhook_endpoints e
      where e.shop_id = w.shop_id and e.id = w.endpoint_id and e.shop_id <> all(${full}::text[])
        and (e.failing_since is not null) = ${isFailing}
        and (e.paused_until is null or e.paused_until <= statement_timestamp())
        and exists (
          select
          from webhook_deliveries p
          where p.shop_id = e.shop_id and p.endpoint_id = e.id and p.state = 'pending'
            and p.due_at <= statement_timestamp()
        )
        and ${leasedOf(sql`e`)} < ${room}::integer
        and not ${isSuspended(sql`e.shop_id`)}
      for no key update skip locked
    ) as e
    limit ${limit}`.execute(trx)
  return rows
}

/** A delivery claimed by this process. The secrets are sealed; the old one is set only while it still signs. */
export type TakenDelivery = {
  shop_id: ObjectId
  endpoint_id: ObjectId
  event_id: ObjectId
  tries: number
  url: string
  secret: Uint8Array
  old_secret: Uint8Array | null
  failing_since: Date | null
  type: string
  data: unknown
  created_at: Date
  /** See `sequenceOf`. */
  sequence: number
  request_id: ObjectId | null
}

/**
 * Claims up to `limit` due deliveries of locked endpoints under a lease: first one of each endpoint, then their second
 * ones, no more than `room` of one endpoint at a time over all processes, and no more of a shop than its endpoints' `ofShop`.
 * Deliveries of an endpoint that is
 * disabled or deleted are marked as failed instead; some exist because they were written while the endpoint changed.
 * Rows are updated by their ctid, because the planner expects many more of them than there are slots, and would read
 * the whole table.
 */
export async function takeDeliveries(
  trx: Db,
  endpoints: (EndpointKey & { ofShop: number })[],
  { room, limit, leaseMs }: { room: number; limit: number; leaseMs: number },
): Promise<TakenDelivery[]> {
  const { rows } = await sql<TakenDelivery>`
    with endpoint as (
      select e.shop_id, e.id, locked."ofShop" as of_shop, e.disabled_at is not null or e.deleted_at is not null as is_off,
        greatest(${room}::integer - ${leasedOf(sql`e`)}, 0) as room
      from jsonb_to_recordset(${JSON.stringify(endpoints)}::jsonb) as locked (shop_id text, id text, "ofShop" integer)
      join webhook_endpoints e on e.shop_id = locked.shop_id and e.id = locked.id
    ), due as (
      select d.place, endpoint.shop_id, endpoint.of_shop,
        row_number() over (partition by endpoint.shop_id, endpoint.id order by d.due_at) as turn
      from endpoint
      cross join lateral (
        select p.ctid as place, p.due_at
        from webhook_deliveries p
        where p.shop_id = endpoint.shop_id and p.endpoint_id = endpoint.id and p.state = 'pending'
          and p.due_at <= statement_timestamp()
        order by p.due_at
        limit endpoint.room
        for update skip locked
      ) as d
    ), in_turn as (
      select place, turn, of_shop, row_number() over (partition by shop_id order by turn) as turn_of_shop
      from due
    ), chosen as (
      select place
      from in_turn
      where turn_of_shop <= of_shop
      order by turn
      limit ${limit}
    ), taken as (
      update webhook_deliveries d
      set state = case when e.is_off then 'failed' else 'leased' end,
        lease_until = case when not e.is_off then statement_timestamp() + ${leaseMs} * interval '1 millisecond' end
      from endpoint e
      where d.ctid = any(array(select place from chosen)) and d.shop_id = e.shop_id and d.endpoint_id = e.id
        and d.state = 'pending'
      returning d.shop_id, d.endpoint_id, d.event_id, d.tries, e.is_off
    )
    select t.shop_id, t.endpoint_id, t.event_id, t.tries, e.url, e.secret, e.failing_since,
      case when e.old_secret_until > statement_timestamp() then e.old_secret end as old_secret,
      ev.type, ev.data, ev.created_at, ${sequenceOf('ev')} as sequence, ev.request_id
    from taken t
    join webhook_endpoints e on e.shop_id = t.shop_id and e.id = t.endpoint_id
    join shop_events ev on ev.shop_id = t.shop_id and ev.id = t.event_id
    where not t.is_off`.execute(trx)
  return rows
}

/**
 * Makes the deliveries of a process that died due again. Index webhook_deliveries_leased has only those in progress.
 */
export async function releaseExpiredLeases(db: Db): Promise<number> {
  const { rows } = await sql`
    update webhook_deliveries
    set state = 'pending', lease_until = null
    where state = 'leased' and lease_until <= statement_timestamp()
    returning shop_id, event_id`.execute(db)
  return rows.length
}

/** How many deliveries of an endpoint are in progress. */
function leasedOf(endpoint: ReturnType<typeof sql>) {
  return sql<number>`(
          select count(*)
          from webhook_deliveries q
          where q.shop_id = ${endpoint}.shop_id and q.endpoint_id = ${endpoint}.id and q.state = 'leased'
        )`
}
