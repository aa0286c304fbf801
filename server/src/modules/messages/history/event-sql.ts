import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'
import { addShopEvents } from '../../webhooks/outbox/sql.ts'

/**
 * The kinds of events in a message's timeline. `sending` follows `accepted` only for a queued message; `status` is the platform's
 * response when it was asked; `late` is a receipt after `released`; `sms_…` concerns the SMS that stands in for the message.
 */
export type EventKind =
  | 'accepted'
  | 'sending'
  | 'sent'
  | 'rejected'
  | 'not_sent'
  | 'unknown'
  | 'resent'
  | 'status'
  | 'receipt'
  | 'released'
  | 'late'
  | 'put_off'
  | 'cancelled'
  | 'sms_queued'
  | 'sms_sent'
  | 'sms_unknown'
  | 'sms_put_off'
  | 'sms_delivered'
  | 'sms_failed'

/** The data of an event; money in đồng. It never contains a value that was sent. */
export type EventDetail = {
  code?: string
  text?: string
  cause?: string
  /** Of `released`: the error code that the message has since; absent for an unknown outcome. */
  released_for?: string
  session_id?: string
  /** ISO 8601 */
  delivered_at?: string
  attempt?: number
  fee?: number
  charged?: number
  owed?: number
  /** How many SMS the text is sent as. */
  parts?: number
}

export type NewEvent = { kind: EventKind; detail: EventDetail }

/**
 * The common table expression `event`, which adds one step to the timeline of each message in the expression `changed`
 * (`shop_id`, `id`). Use it in the statement that changes the messages. `kind` and `detail` may refer to columns of `changed`.
 */
export function addEvent(
  changed: RawBuilder<unknown>,
  { kind, detail }: NewEvent | { kind: EventKind | RawBuilder<unknown>; detail: RawBuilder<unknown> },
  now: Date,
): RawBuilder<unknown> {
  const kindOfEach = typeof kind === 'string' ? sql.lit(kind) : kind
  const detailOfEach = isBuilder(detail) ? detail : sql`${JSON.stringify(detail)}::jsonb`
  return sql`event as (
      insert into message_events (shop_id, message_id, kind, detail, created_at)
      select shop_id, id, ${kindOfEach}, ${detailOfEach}, ${now}::timestamptz
      from ${changed}
      order by id
    )`
}

function isBuilder(detail: EventDetail | RawBuilder<unknown>): detail is RawBuilder<unknown> {
  return 'toOperationNode' in detail
}

/** The columns of messages `m` that a statement must return for the shop's events (G-62). */
export const notifiedColumns = sql.raw(
  'm.shop_id, m.id, m.state, m.fee, m.template_id, m.channel, m.is_sample, m.is_late, m.session_id, m.delivered_at, m.error_code, m.request_id',
)

/** The shop's events about a message: which messages each event concerns, and its data besides the message itself. */
const NOTIFIED = {
  'message.received': {
    about: sql`state = 'RECEIVED'`,
    data: sql`'sessionId', session_id, 'fee', fee, 'isLate', is_late`,
  },
  'message.delivered': {
    about: sql`delivered_at is not null`,
    data: sql`'sessionId', session_id, 'deliveredAt',
          to_char(delivered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
  'message.failed': { about: sql`state = 'ERROR'`, data: sql`'errorCode', error_code` },
}

/**
 * The common table expression that writes the shop's events of these types for each message in the expression `changed` that the
 * event concerns (G-62), those of one type after those of another. `changed` must have the {@link notifiedColumns}.
 */
export function notifyOfMessages(
  shopId: ObjectId,
  types: (keyof typeof NOTIFIED)[],
  changed: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  const events = types.map((type) => ({
    type,
    data: sql`jsonb_build_object('messageId', id, 'templateId', template_id, 'channel', channel,
          'isSample', is_sample, ${NOTIFIED[type].data})`,
    from: sql`${changed} where ${NOTIFIED[type].about}`,
    requestId: sql`request_id`,
  }))
  return addShopEvents('notices', shopId, events, now)
}
