import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { EventType, ShopEvent } from './event-types.ts'

/**
 * Writes an event of the shop in the transaction of its change (G-62), if an endpoint of the shop listens to it.
 * Its deliveries are inserted with it, by a trigger. One statement; for many events see {@link recordEvents}.
 */
export async function recordEvent(trx: Db, shopId: ObjectId, event: ShopEvent): Promise<void> {
  await recordEvents(trx, shopId, [event])
}

/** The same for several events, in one statement. */
export async function recordEvents(trx: Db, shopId: ObjectId, events: ShopEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into shop_events (shop_id, id, type, data, created_at)
    select ${shopId}, new_object_id(n.at), n.type, n.data, n.at
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as n (type text, data jsonb, at timestamptz)
    where ${listensTo(shopId, sql`n.type`)}`.execute(trx)
}

/**
 * The common table expression `name` that writes an event for each row of another expression of the same statement,
 * so that it costs no round trip of its own: `from` names that expression (with a `where` of its own if need be),
 * `data` is a `jsonb_build_object(…)` over its columns that keeps to `eventData[type]`. A shop that nobody listens
 * to pays one probe of `webhook_endpoints_listening`.
 */
export function addShopEvent(
  name: string,
  shopId: ObjectId | RawBuilder<unknown>,
  event: { type: EventType; data: RawBuilder<unknown>; from: RawBuilder<unknown>; now: Date },
): RawBuilder<unknown> {
  const { type, data, from, now } = event
  const listened = listensTo(shopId, sql`${sql.lit(type)}`)
  return sql`${sql.ref(name)} as (
      insert into shop_events (shop_id, id, type, data, created_at)
      select ${shopId}, new_object_id(${now}::timestamptz), ${sql.lit(type)}, events.data, ${now}::timestamptz
      from (select ${data} as data from ${from}) as events
      where ${listened}
    )`
}

/** Whether an endpoint of the shop asks for this type, whether it is switched on or off now. */
function listensTo(shopId: ObjectId | RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
        select
        from webhook_endpoints e
        where e.shop_id = ${shopId} and e.deleted_at is null and e.events && array[${type}::text, '*']
      )`
}
