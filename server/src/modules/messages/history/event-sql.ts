import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { addShopEvent } from '../../webhooks/outbox/sql.ts'
import type { MessageState } from '../rules.ts'
import type { HistoryRow } from './sql.ts'

/**
 * One step of a message. `sending` follows `accepted` only where a message waits for its turn; `status` is the
 * platform's response when it was asked; `late` is a receipt after `released`.
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

/** What is kept of a step; money in đồng. No value that was sent stands here. */
export type EventDetail = {
  code?: string
  text?: string
  cause?: string
  session_id?: string
  /** ISO 8601 */
  delivered_at?: string
  attempt?: number
  fee?: number
  charged?: number
  owed?: number
}

export type NewEvent = { kind: EventKind; detail: EventDetail }

/**
 * The common table expression `event` that adds one step to the timeline of each message in the expression `changed`
 * (`shop_id`, `id`), to stand in the statement that changes it. `kind` and `detail` may be made of its columns.
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

/** What a statement that changes messages `m` has to return of them for the shop's events (G-62). */
export const notifiedColumns = sql.raw(
  'm.shop_id, m.id, m.state, m.fee, m.template_id, m.channel, m.is_sample, m.is_late, m.session_id, m.delivered_at, m.error_code',
)

/** The shop's events about a message: which messages each is about, and what it says beside the message itself. */
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
 * The common table expression that notifies the shop's endpoints of what became of the messages in the expression
 * `changed`, which has the {@link notifiedColumns} (G-62): of each that the event is about.
 */
export function notifyOfMessages(
  shopId: ObjectId,
  type: keyof typeof NOTIFIED,
  changed: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  const data = sql`jsonb_build_object('messageId', id, 'templateId', template_id, 'channel', channel,
          'isSample', is_sample, ${NOTIFIED[type].data})`
  const from = sql`${changed} where ${NOTIFIED[type].about}`
  return addShopEvent(type.replace('.', '_'), shopId, { type, data, from, now })
}

export type EventRow = { kind: EventKind; detail: EventDetail; at: string }

export type MessageRow = Omit<HistoryRow, 'state'> & {
  state: MessageState
  is_late: boolean
  /** What the platform answered, as it came; null where there is none, or none worth keeping. */
  platform_answer: unknown
  /** What this service saw of a call whose outcome is unknown. */
  unknown_cause: string | null
  /** The template's params, for masking: the values of a message under way are kept plain. */
  declared: TemplateParam[]
  /** Oldest first. */
  events: EventRow[]
}

/** A message in any state with its timeline (G-27). One statement; the timeline is a range of its primary key. */
export async function findMessage(db: Db, shopId: ObjectId, id: ObjectId): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    select m.id, m.phone, m.user_uid, m.channel, m.platform_template_id, m.state, m.error_code, m.error_text, m.params,
      m.session_id, m.sent_at, m.delivered_at, m.created_at, m.updated_at, m.is_late, m.platform_answer,
      m.unknown_cause, t.params as declared,
      coalesce(e.events, '[]') as events
    from messages m
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    left join lateral (
      select jsonb_agg(
        jsonb_build_object(
          'kind', kind,
          'detail', detail,
          'at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )
        order by id
      ) as events
      from message_events
      where shop_id = m.shop_id and message_id = m.id
    ) e on true
    where m.shop_id = ${shopId} and m.id = ${id}`.execute(db)
  return rows[0]
}
