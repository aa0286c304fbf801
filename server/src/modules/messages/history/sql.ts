import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isCountedDay, isInEdge } from '../../../db/fragments/count-plan-sql.ts'
import { pageOfRows } from '../../../db/fragments/far-page-sql.ts'
import { microseconds, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { type Direction, sortKeys } from '../../../db/fragments/sort-sql.ts'
import { planCount } from '../../../lib/lists/count-plan.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { VIETNAM_OFFSET_MS } from '../../../lib/time/vietnam-time.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { CHARGED, CHARGED_FOR_SMS, entriesThatCharge } from '../charges/sql.ts'
import type { Channel, MessageState } from '../rules.ts'
import type { EventDetail, EventKind } from './event-sql.ts'

const DAY_MS = 86_400_000

export type HistoryFilter = {
  /** The forms in which the number may be stored; a message has one of them. */
  phones?: string[]
  template?: { id: ObjectId } | { platformNumber: string }
  batchId: ObjectId | undefined
  status?: 'RECEIVED' | 'ERROR'
  channel?: Channel
  isDelivered: boolean | undefined
  /** Whether it was cancelled with its batch before it was sent (G-27). */
  isCancelled: boolean | undefined
  /** Bounds of the time of sending, both included. */
  from: Date | undefined
  to: Date | undefined
  ids?: ObjectId[] | undefined
}

export type HistoryRow = {
  id: ObjectId
  phone: string
  user_uid: string
  channel: Channel
  platform_template_id: string
  state: 'RECEIVED' | 'ERROR'
  error_code: string | null
  error_text: string | null
  params: Record<string, string>
  session_id: string
  sent_at: Date | null
  delivered_at: Date | null
  created_at: Date
  updated_at: Date
}

/**
 * One page of a shop's ended messages in the order of sending, and how many the filter finds (E7, G-25). A message counts as sent
 * when the platform is called, which for a message of a batch may be long after it was accepted. One statement. The page is a
 * range of one of the messages_history indexes, or the messages of one phone or batch, sorted. The total comes from message_counts,
 * or from shop_days for the delivered messages of whole days. Counted one by one are only the shorter parts of the days that `from`
 * and `to` cut, the messages of one phone, of a batch or of given ids, and those of any other filter by delivery.
 */
export async function listHistory(
  db: Db,
  shopId: ObjectId,
  filter: HistoryFilter,
  direction: Direction,
  page: Place,
  now: Date,
): Promise<{ messages: HistoryRow[]; total: number; last: Keyset | undefined }> {
  const { rows } = await sql<HistoryRow & { total: number; id: ObjectId | null; cursor_key: number }>`
    with total as materialized (
      select (${total(shopId, filter, now)})::bigint as n
    ), page as materialized (
      ${pageOfRows(
        sql`
      select m.id, m.sending_at
      from ${messagesOf(shopId, filter)}
      where ${ended(shopId, filter)} and ${sentWithin(filter.from, filter.to)}${rowsAfter(sql`m.sending_at`, sql`m.id`, page.after, { direction })}`,
        sortKeys(sql`m.sending_at`, sql`m.id`, direction),
        page,
        sql`(select n from total)`,
      )}
    )
    select total.n as total, ${microseconds(sql`page.sending_at`)} as cursor_key, m.id, m.phone, m.user_uid, m.channel, m.platform_template_id, m.state, m.error_code,
      m.error_text, m.params, m.session_id, m.sent_at, m.delivered_at, m.created_at, m.updated_at
    from total
    left join page on true
    left join messages m on m.shop_id = ${shopId} and m.id = page.id
    order by ${sortKeys(sql`page.sending_at`, sql`page.id`, direction).forward}`.execute(db)
  const messages = rows.filter((row) => row.id !== null)
  const row = messages.at(-1)
  return { messages, total: rows[0]!.total, last: row && { key: row.cursor_key, id: row.id } }
}

/** A message as a line of the export. */
export type ExportedMessage = HistoryRow & {
  /** When the platform was called; the order of the export. */
  sending_at: Date
  template_name: string
  /** By the platform or an SMS, in đồng, owed parts included. */
  charged: number
  cursor_key: number
}

/**
 * The next `limit` ended messages of a filter after a message, the last sent first, as E7 sorts, with what each cost. One
 * statement: a range of one of the messages_history indexes that starts there, so a late chunk costs as much as the first.
 */
export async function listMessagesAfter(
  db: Db,
  shopId: ObjectId,
  filter: HistoryFilter,
  after: Keyset | undefined,
  limit: number,
): Promise<ExportedMessage[]> {
  // A bound limit would tell the planner nothing, and it would sort the whole history.
  const { rows } = await sql<ExportedMessage>`
    with page as materialized (
      select m.id, m.sending_at
      from ${messagesOf(shopId, filter)}
      where ${ended(shopId, filter)} and ${sentWithin(filter.from, filter.to)}${rowsAfter(sql`m.sending_at`, sql`m.id`, after)}
      order by m.sending_at desc, m.id desc
      limit ${sql.lit(limit)}
    )
    select m.id, m.phone, m.user_uid, m.channel, m.platform_template_id, t.name as template_name, m.state, m.error_code,
      m.error_text, m.params, m.session_id, m.sending_at, m.sent_at, m.delivered_at, m.created_at, m.updated_at,
      ${CHARGED} + ${CHARGED_FOR_SMS} as charged, ${microseconds(sql`m.sending_at`)} as cursor_key
    from page
    join messages m on m.shop_id = ${shopId} and m.id = page.id
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    ${entriesThatCharge(sql`m`)}
    order by m.sending_at desc, m.id desc`.execute(db)
  return rows
}

/**
 * The messages `m` to which the conditions apply; `offset 0` stops the planner from walking the history to find a few ids or
 * the messages of a batch.
 */
function messagesOf(shopId: ObjectId, { ids, batchId }: HistoryFilter): RawBuilder<unknown> {
  if (ids === undefined && batchId === undefined) return sql`messages m`
  const few = conditions([
    sql`shop_id = ${shopId}`,
    ids && sql`id = any(${ids}::text[])`,
    batchId === undefined ? undefined : sql`batch_id = ${batchId}`,
  ])
  return sql`(
        select * from messages where ${few} offset 0
      ) m`
}

/** The filter's conditions on a message `m`, except for its time. */
function ended(shopId: ObjectId, filter: HistoryFilter): RawBuilder<unknown> {
  return conditions([
    sql`m.shop_id = ${shopId}`,
    filter.status === undefined
      ? sql`m.state in ('RECEIVED', 'ERROR')`
      : sql`m.state = ${sql.lit(filter.status)}`,
    filter.phones && sql`m.channel = 'phone' and m.phone = any(${filter.phones}::text[])`,
    filter.channel && sql`m.channel = ${sql.lit(filter.channel)}`,
    filter.template && sql`m.template_id = ${templateId(shopId, filter.template)}`,
    filter.isDelivered === undefined
      ? undefined
      : sql`(m.state = 'RECEIVED' and m.delivered_at is not null) = ${sql.lit(filter.isDelivered)}`,
    cancelled(filter),
  ])
}

/** In the words of messages_failed and messages_cancelled, so that the list of either is a range of its index. */
function cancelled({ status, isCancelled }: HistoryFilter): RawBuilder<unknown> | undefined {
  if (isCancelled === undefined) return undefined
  if (isCancelled) return sql`m.state = 'ERROR' and m.error_code = 'CANCELLED'`
  const isOther = sql`m.error_code is distinct from 'CANCELLED'`
  return status === 'ERROR' ? isOther : sql`(m.state <> 'ERROR' or ${isOther})`
}

function templateId(
  shopId: ObjectId,
  template: { id: ObjectId } | { platformNumber: string },
): RawBuilder<unknown> {
  if ('id' in template) return sql`${template.id}`
  return sql`(
    select t.id
    from templates t
    where t.shop_id = ${shopId} and t.platform_template_id = ${template.platformNumber}
  )`
}

function sentWithin(from: Date | undefined, to: Date | undefined): RawBuilder<unknown> {
  return conditions([
    sql`true`,
    from && sql`m.sending_at >= ${from}::timestamptz`,
    to && sql`m.sending_at <= ${to}::timestamptz`,
  ])
}

function total(shopId: ObjectId, filter: HistoryFilter, now: Date): RawBuilder<unknown> {
  const { from, to } = filter
  const counted = (when: RawBuilder<unknown>) =>
    sql`(select count(*) from ${messagesOf(shopId, filter)} where ${ended(shopId, filter)} and ${when})`
  if (filter.phones || filter.ids || filter.batchId) return counted(sentWithin(from, to))
  if (filter.isDelivered !== undefined) {
    return isOfWholeDays(filter) ? deliveredInDays(shopId, filter) : counted(sentWithin(from, to))
  }
  const { days, edges } = planCount(from, to, now)
  const parts = [
    sql`0`,
    ...(days === undefined ? [] : [sql`+ ${fromCounters(shopId, filter, isCountedDay(sql`c.day`, days))}`]),
    ...edges.map((edge) => {
      const ofEdge = counted(isInEdge(sql`m.sending_at`, edge))
      return edge.sign < 0 ? sql`- ${ofEdge}` : sql`+ ${ofEdge}`
    }),
  ]
  return sql.join(parts, sql` `)
}

/** Whether the filter asks only for the delivered messages of whole days in the shop's zone, whose numbers are stored by day. */
function isOfWholeDays({
  isDelivered,
  isCancelled,
  status,
  channel,
  template,
  from,
  to,
}: HistoryFilter): boolean {
  const isMidnight = (at: Date | undefined, afterMs: number) =>
    at === undefined || (at.getTime() + afterMs + VIETNAM_OFFSET_MS) % DAY_MS === 0
  const isAlone =
    status !== 'ERROR' && isCancelled === undefined && channel === undefined && template === undefined
  return isDelivered === true && isAlone && isMidnight(from, 0) && isMidnight(to, 1)
}

function deliveredInDays(shopId: ObjectId, { from, to }: HistoryFilter): RawBuilder<unknown> {
  const where = conditions([
    sql`d.shop_id = ${shopId}`,
    from && sql`d.day >= shop_day(${from}::timestamptz)`,
    to && sql`d.day <= shop_day(${to}::timestamptz)`,
  ])
  return sql`(select coalesce(sum(d.delivered), 0) from shop_days d where ${where})`
}

function fromCounters(
  shopId: ObjectId,
  filter: HistoryFilter,
  days: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const where = conditions([
    sql`c.shop_id = ${shopId}`,
    days,
    filter.status && sql`(c.state = 'RECEIVED') = ${sql.lit(filter.status === 'RECEIVED')}`,
    filter.isCancelled === undefined
      ? undefined
      : sql`(c.state = 'CANCELLED') = ${sql.lit(filter.isCancelled)}`,
    filter.channel && sql`c.channel = ${sql.lit(filter.channel)}`,
    filter.template && sql`c.template_id = ${templateId(shopId, filter.template)}`,
  ])
  return sql`(select coalesce(sum(c.n), 0) from message_counts c where ${where})`
}

function conditions(parts: (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> {
  return sql.join(
    parts.filter((part) => part !== undefined),
    sql` and `,
  )
}

export type EventRow = { kind: EventKind; detail: EventDetail; at: string }

export type MessageRow = Omit<HistoryRow, 'state'> & {
  state: MessageState
  is_late: boolean
  /** Whether an SMS delivered it. */
  is_by_sms: boolean
  /** Whether it was sent to oneself before a batch. */
  is_test: boolean
  /** The platform's response, unchanged; null if there was none, or none worth storing. */
  platform_answer: unknown
  /** What this service observed of a call whose outcome is unknown. */
  unknown_cause: string | null
  request_id: ObjectId | null
  /** When it was handed over a second time (G-24); null if it was not. */
  resent_at: Date | null
  /** The template's params, for masking: the values of a message in progress are stored unmasked. */
  declared: TemplateParam[]
  /** Oldest first. */
  events: EventRow[]
}

/** A message in any state with its timeline (G-27). One statement; the timeline is a range of its primary key. */
export async function findMessage(db: Db, shopId: ObjectId, id: ObjectId): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    select m.id, m.phone, m.user_uid, m.channel, m.platform_template_id, m.state, m.error_code, m.error_text, m.params,
      m.session_id, m.sent_at, m.delivered_at, m.created_at, m.updated_at, m.is_late, m.platform_answer,
      m.unknown_cause, m.request_id, m.resent_at, t.params as declared,
      exists (
        select
        from message_fallbacks f
        where f.shop_id = m.shop_id and f.message_id = m.id and f.outcome = 'DELIVERED'
      ) as is_by_sms,
      coalesce((
        select b.is_test
        from message_batches b
        where b.shop_id = m.shop_id and b.id = m.batch_id
      ), false) as is_test,
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
