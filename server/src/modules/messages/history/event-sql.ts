import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { addShopEvent } from '../../webhooks/outbox/sql.ts'
import type { MessageState } from '../rules.ts'
import type { HistoryRow } from './sql.ts'

/**
 * One step of a message. `sending` follows `accepted` only where a message waits for its turn; `status` is the
 * platform's word when it was asked; `late` is a receipt after `released`.
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
 * The common table expression `event` that adds one step to the timeline of each message in the expression named
 * `changed` (`shop_id`, `id`), to stand in the statement that changes it.
 */
export function addEvent(changed: string, { kind, detail }: NewEvent, now: Date): RawBuilder<unknown> {
  return sql`event as (
      insert into message_events (shop_id, message_id, kind, detail, created_at)
      select shop_id, id, ${sql.lit(kind)}, ${JSON.stringify(detail)}::jsonb, ${now}::timestamptz
      from ${sql.ref(changed)}
    )`
}

/** What a statement that changes a message has to return of it for the shop's events (G-62). */
export const toldColumns = sql.raw(
  'shop_id, id, fee, template_id, channel, is_sample, is_late, session_id, delivered_at, error_code',
)

const TOLD = {
  'message.received': sql`'sessionId', session_id, 'fee', fee, 'isLate', is_late`,
  'message.delivered': sql`'sessionId', session_id, 'deliveredAt',
          to_char(delivered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  'message.failed': sql`'errorCode', error_code`,
}

/**
 * The common table expression that tells the shop's endpoints what became of each message in the expression named
 * `changed`, which has the {@link toldColumns} (G-62). A message is told as delivered once its delivery is known.
 */
export function tellMessage(
  shopId: ObjectId,
  type: keyof typeof TOLD,
  changed: string,
  now: Date,
): RawBuilder<unknown> {
  const data = sql`jsonb_build_object('messageId', id, 'templateId', template_id, 'channel', channel,
          'isSample', is_sample, ${TOLD[type]})`
  const isKnown = type === 'message.delivered' ? sql` where delivered_at is not null` : sql``
  const from = sql`${sql.ref(changed)}${isKnown}`
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
