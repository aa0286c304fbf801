import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** A shop that had its turn, and how many of its events were handed out. */
export type HandedOut = { shop_id: ObjectId; events: number }

/**
 * Writes the deliveries of new events of all shops in turns: up to `shops` shops after `after`, the first `perShop`
 * events of each. An event is handed out once, even if several processes try at the same time. A shop is skipped while
 * each of its endpoints has `enough` deliveries due: the rest of a backlog then waits as one narrow row per event, not
 * as a row for each endpoint. If a shop has no enabled endpoint, `forNobody` of its events are handed out in one turn.
 * One statement; its cost depends on the number of shops that wait.
 */
export async function handOutEvents(
  db: Db,
  turn: { after: ObjectId | ''; shops: number; perShop: number; enough: number; forNobody: number },
): Promise<HandedOut[]> {
  const { rows } = await sql<HandedOut>`
    with recursive waiting as (
      (select o.shop_id from webhook_outbox o where o.shop_id > ${turn.after}::text order by o.shop_id limit 1)
      union all
      select next.shop_id
      from waiting w
      cross join lateral (
        select o.shop_id from webhook_outbox o where o.shop_id > w.shop_id order by o.shop_id limit 1
      ) as next
    ), shop as (
      select w.shop_id, case when hungry.is_any is null then ${turn.forNobody}::integer else ${turn.perShop}::integer end as most
      from waiting w
      cross join lateral ${hungryEndpoints(sql`w.shop_id`, turn.enough)} as hungry
      where hungry.is_any is not false
      limit ${turn.shops}
    ), ${handOut(sql``)}`.execute(db)
  return rows
}

/** Hands out up to `most` events of one shop, however many deliveries its endpoints have due. @returns how many. */
export async function handOutEventsOf(db: Db, shopId: ObjectId, most: number): Promise<number> {
  const { rows } = await sql<HandedOut>`
    with shop as (
      select ${shopId}::text as shop_id, ${most}::integer as most
    ), ${handOut(sql`and o.shop_id = ${shopId}`)}`.execute(db)
  return rows[0]?.events ?? 0
}

/** Up to `limit` shops that have events to hand out. */
export async function listWaitingShops(db: Db, limit: number): Promise<ObjectId[]> {
  const { rows } = await sql<{ shop_id: ObjectId }>`
    with recursive waiting as (
      (select o.shop_id from webhook_outbox o order by o.shop_id limit 1)
      union all
      select next.shop_id
      from waiting w
      cross join lateral (
        select o.shop_id from webhook_outbox o where o.shop_id > w.shop_id order by o.shop_id limit 1
      ) as next
    )
    select shop_id
    from waiting
    limit ${limit}`.execute(db)
  return rows.map((row) => row.shop_id)
}

/** How many events of all shops are not handed out yet, counted up to `most`. */
export async function countOutbox(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from (select o.shop_id from webhook_outbox o limit ${most}) as waiting`.execute(db)
  return rows[0]!.n
}

/**
 * Hands out the first events of each row of `shop`, in the order in which they were written. An event goes to the
 * endpoints that were registered before it and ask for its type. For a disabled endpoint, the delivery is stored as
 * failed, so that it can be recovered. A replay may have written the delivery already (G-68). Rows are deleted by their
 * ctid: for a join by key the planner expects too many rows, and reads the whole table.
 */
function handOut(bound: RawBuilder<unknown>): RawBuilder<HandedOut> {
  return sql`next as (
      select o.place
      from shop
      cross join lateral (
        select o.ctid as place
        from webhook_outbox o
        where o.shop_id = shop.shop_id
        order by o.written_at, o.event_id
        limit shop.most
        for update skip locked
      ) as o
    ), taken as (
      delete from webhook_outbox o
      where o.ctid = any(array(select place from next)) ${bound}
      returning o.shop_id, o.written_at, o.event_id
    ), delivery as (
      insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
      select ev.shop_id, e.id, ev.id, case when e.disabled_at is null then 'pending' else 'failed' end, t.written_at,
        ev.created_at
      from taken t
      join shop_events ev on ev.shop_id = t.shop_id and ev.id = t.event_id
      join webhook_endpoints e on e.shop_id = t.shop_id and e.deleted_at is null and e.events && array[ev.type::text, '*']
        and e.registered_at <= t.written_at
      on conflict do nothing
    )
    select shop.shop_id, count(taken.event_id) as events
    from shop
    left join taken on taken.shop_id = shop.shop_id
    group by shop.shop_id
    order by shop.shop_id`
}

/**
 * Whether any endpoint of the shop has fewer than `enough` deliveries due; null if no endpoint is enabled. It need not
 * be an endpoint that the next event is for: an event for it may come later in the backlog.
 */
function hungryEndpoints(shopId: RawBuilder<unknown>, enough: number): RawBuilder<unknown> {
  return sql`(
        select bool_or(due.n < ${enough}) as is_any
        from webhook_endpoints e
        cross join lateral (
          select count(*) as n
          from (
            select d.shop_id
            from webhook_deliveries d
            where d.shop_id = e.shop_id and d.endpoint_id = e.id and d.state = 'pending'
              and d.due_at <= statement_timestamp()
            limit ${enough}
          ) as d
        ) as due
        where e.shop_id = ${shopId} and e.deleted_at is null and e.disabled_at is null
      )`
}
