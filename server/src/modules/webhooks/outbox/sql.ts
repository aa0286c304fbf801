import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { requestIdNow } from '../../../lib/request-id.ts'
import type { EventType, ShopEvent } from './event-types.ts'

/**
 * Writes an event of the shop in the transaction of its change (G-62). After the commit it is handed out to the
 * endpoints that ask for its type; it is kept for 30 days (G-68). One statement; for many events see
 * {@link recordEvents}.
 */
export async function recordEvent(trx: Db, shopId: ObjectId, event: ShopEvent): Promise<void> {
  await recordEvents(trx, shopId, [event])
}

/** Writes several events in one statement, like {@link recordEvent}. */
export async function recordEvents(trx: Db, shopId: ObjectId, events: ShopEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into shop_events (shop_id, id, type, data, created_at, request_id)
    select ${shopId}, new_object_id(n.at), n.type, n.data, n.at, ${requestIdNow()}::text
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as n (type text, data jsonb, at timestamptz)`.execute(
    trx,
  )
}

/**
 * An event for each row of another expression of the same statement. `from` names that expression (with a `where` of its own if
 * needed), `data` is a `jsonb_build_object(…)` over its columns that conforms to `eventData[type]`. `requestId` is a column of that
 * expression; without it, the event belongs to the current request.
 */
export type AddedEvent = {
  type: EventType
  data: RawBuilder<unknown>
  from: RawBuilder<unknown>
  requestId?: RawBuilder<unknown>
}

/**
 * The common table expression `name` that writes events in the order given, which saves a round trip. The rows of `from` must be
 * those that the change returns, so that an event is written while the change's locks are held (decision 0062).
 */
export function addShopEvents(
  name: string,
  shopId: ObjectId | RawBuilder<unknown>,
  events: AddedEvent[],
  now: Date,
): RawBuilder<unknown> {
  const rows = events.map(
    ({ type, data, from, requestId = sql`${requestIdNow()}::text` }) =>
      sql`select ${sql.lit(type)} as type, ${data} as data, ${requestId} as request_id from ${from}`,
  )
  return sql`${sql.ref(name)} as (
      insert into shop_events (shop_id, id, type, data, created_at, request_id)
      select ${shopId}, new_object_id(${now}::timestamptz), events.type, events.data, ${now}::timestamptz, events.request_id
      from (
        ${sql.join(rows, sql` union all `)}
      ) as events
    )`
}
