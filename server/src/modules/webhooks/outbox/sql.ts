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
 * The common table expression `name` that writes an event for each row of another expression of the same statement,
 * which saves a round trip. `from` names that expression (with a `where` of its own if needed), `data` is a
 * `jsonb_build_object(…)` over its columns that conforms to `eventData[type]`. `requestId` is a column of that
 * expression; without it, the event belongs to the current request.
 */
export function addShopEvent(
  name: string,
  shopId: ObjectId | RawBuilder<unknown>,
  event: {
    type: EventType
    data: RawBuilder<unknown>
    from: RawBuilder<unknown>
    now: Date
    requestId?: RawBuilder<unknown>
  },
): RawBuilder<unknown> {
  const { type, data, from, now, requestId = sql`${requestIdNow()}::text` } = event
  return sql`${sql.ref(name)} as (
      insert into shop_events (shop_id, id, type, data, created_at, request_id)
      select ${shopId}, new_object_id(${now}::timestamptz), ${sql.lit(type)}, events.data, ${now}::timestamptz,
        events.request_id
      from (select ${data} as data, ${requestId} as request_id from ${from}) as events
    )`
}
