import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { databaseId } from '../../../db/fragments/horizon-sql.ts'
import type { Position } from '../../../lib/lists/feed-cursor.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { EventType } from '../outbox/event-types.ts'
import { sequenceOf } from '../outbox/sequence-sql.ts'

export type EventPosition = Position<'event'>

/** A delivery with its last attempt; times as the database writes them into JSON. */
export type DeliveryRow = {
  endpointId: ObjectId
  state: 'pending' | 'leased' | 'delivered' | 'failed'
  attempts: number
  dueAt: string
  last: {
    status: number | null
    answer: string
    error: string | null
    durationMs: number
    createdAt: string
  } | null
}

export type EventRow = EventPosition & {
  recordId: ObjectId
  eventType: EventType
  data: Record<string, unknown>
  createdAt: string
  sequence: number
  deliveries: DeliveryRow[]
}

export type FoundEvents = {
  events: EventRow[]
  /** The last row that was read, also of types not requested; null if there was none. */
  last: EventPosition | null
  isCut: boolean
  databaseId: string
  /** The number that the next transaction will get. */
  nextXid: string
  /** The time of the cursor's own row, in microseconds. */
  createdUs: number | null
}

const position = sql`'xid', c.xid::text, 'type', 'event', 'recordId', c.id,
        'createdUs', (extract(epoch from c.created_at) * 1000000)::bigint`

/**
 * The next events of some types after a position or since a time, up to `limit` + 1, in the order of commits, and only
 * from transactions before the horizon (decision 0026). At most `scanned` rows of all types are read; `isCut` means
 * that there may be more. One statement; it reads a range of index shop_events_by_commit, and each event's deliveries
 * with webhook_deliveries_by_event.
 */
export async function listEvents(
  db: Db,
  shopId: ObjectId,
  after: Position | { since: Date },
  horizon: string,
  types: EventType[] | undefined,
  { limit, scanned }: { limit: number; scanned: number },
): Promise<FoundEvents> {
  const isAsked = types === undefined ? sql`` : sql`where c.type = any(${types}::text[])`
  const begin =
    'since' in after
      ? sql`c.created_at >= ${after.since}`
      : sql`(c.xid, c.id) > (${after.xid}::text::xid8, ${after.recordId})`
  const createdUs =
    'since' in after
      ? sql`null::bigint`
      : sql`(
        select (extract(epoch from c.created_at) * 1000000)::bigint
        from shop_events c
        where c.shop_id = ${shopId} and c.id = ${after.recordId} and c.xid = ${after.xid}::text::xid8
      )`
  const { rows } = await sql<FoundEvents>`
    with scanned as materialized (
      select c.xid, c.id, c.type, c.created_at
      from shop_events c
      where c.shop_id = ${shopId} and c.xid < ${horizon}::text::xid8 and ${begin}
      order by c.xid, c.id
      limit ${sql.lit(scanned)}
    ), page as materialized (
      select c.xid, c.id, c.type, c.created_at
      from scanned c
      ${isAsked}
      order by c.xid, c.id
      limit ${limit + 1}
    )
    select coalesce((
        select json_agg(json_build_object(${position}, 'eventType', c.type, 'data', ev.data, 'createdAt', c.created_at,
          'sequence', ${sequenceOf('ev')}, 'deliveries', ${deliveriesOf(shopId)}) order by c.xid, c.id)
        from page c
        join shop_events ev on ev.shop_id = ${shopId} and ev.id = c.id
      ), '[]') as events, (
        select json_build_object(${position})
        from scanned c
        order by c.xid desc, c.id desc
        limit 1
      ) as last, (select count(*) from scanned) = ${scanned} as "isCut", ${databaseId} as "databaseId",
      pg_snapshot_xmax(pg_current_snapshot())::text as "nextXid", ${createdUs} as "createdUs"`.execute(db)
  return rows[0]!
}

/** The deliveries of the event `c`, each with its last attempt. */
function deliveriesOf(shopId: ObjectId) {
  return sql`coalesce((
            select json_agg(json_build_object('endpointId', d.endpoint_id, 'state', d.state, 'attempts', d.attempts,
              'dueAt', d.due_at, 'last', (
                select json_build_object('status', a.status, 'answer', left(a.answer, 100), 'error', a.error,
                  'durationMs', a.duration_ms, 'createdAt', a.created_at)
                from webhook_attempts a
                where a.shop_id = ${shopId} and a.endpoint_id = d.endpoint_id and a.event_id = d.event_id
                  and a.number = d.attempts
              )) order by d.endpoint_id)
            from webhook_deliveries d
            where d.shop_id = ${shopId} and d.event_id = c.id
          ), '[]')`
}
