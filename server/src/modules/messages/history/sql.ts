import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isCountedDay, isInEdge } from '../../../db/count-plan-sql.ts'
import { pageOfRows } from '../../../db/far-page-sql.ts'
import { planCount } from '../../../lib/count-plan.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Channel } from '../rules.ts'

export type HistoryFilter = {
  /** The forms under which the number may be stored; a message has one of them. */
  phones?: string[]
  template?: { id: ObjectId } | { platformNumber: string }
  status?: 'RECEIVED' | 'ERROR'
  channel?: Channel
  /** Of the time of sending; both ends count. */
  from: Date | undefined
  to: Date | undefined
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
 * One page of a shop's ended messages, the one sent last first, and how many the filter finds (E7, G-25). A message is
 * sent when the platform is called, which for one of a batch may be long after it was accepted. One statement. The page is a
 * range of one of the messages_history indexes, or the messages of one phone, sorted. The total comes from message_counts; only the shorter
 * part of the days that `from` and `to` cut, or the messages of one phone, are counted one by one.
 */
export async function listHistory(
  db: Db,
  shopId: ObjectId,
  filter: HistoryFilter,
  page: { page: number; offset: number },
): Promise<{ messages: HistoryRow[]; total: number }> {
  const { rows } = await sql<HistoryRow & { total: number; id: ObjectId | null }>`
    with total as materialized (
      select (${total(shopId, filter)})::bigint as n
    ), page as materialized (
      ${pageOfRows(
        sql`
      select m.id, m.sending_at
      from messages m
      where ${ended(shopId, filter)} and ${sentWithin(filter.from, filter.to)}`,
        { forward: sql`m.sending_at desc, m.id desc`, backward: sql`m.sending_at, m.id` },
        { limit: page.offset, offset: (page.page - 1) * page.offset },
        sql`(select n from total)`,
      )}
    )
    select total.n as total, m.id, m.phone, m.user_uid, m.channel, m.platform_template_id, m.state, m.error_code,
      m.error_text, m.params, m.session_id, m.sent_at, m.delivered_at, m.created_at, m.updated_at
    from total
    left join page on true
    left join messages m on m.shop_id = ${shopId} and m.id = page.id
    order by page.sending_at desc, page.id desc`.execute(db)
  return { messages: rows.filter((row) => row.id !== null), total: rows[0]!.total }
}

/** What the filter asks of a message `m`, but for its time. */
function ended(shopId: ObjectId, filter: HistoryFilter): RawBuilder<unknown> {
  return conditions([
    sql`m.shop_id = ${shopId}`,
    filter.status === undefined
      ? sql`m.state in ('RECEIVED', 'ERROR')`
      : sql`m.state = ${sql.lit(filter.status)}`,
    filter.phones && sql`m.channel = 'phone' and m.phone = any(${filter.phones}::text[])`,
    filter.channel && sql`m.channel = ${sql.lit(filter.channel)}`,
    filter.template && sql`m.template_id = ${templateId(shopId, filter.template)}`,
  ])
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

function total(shopId: ObjectId, filter: HistoryFilter): RawBuilder<unknown> {
  const { from, to } = filter
  const counted = (when: RawBuilder<unknown>) =>
    sql`(select count(*) from messages m where ${ended(shopId, filter)} and ${when})`
  if (filter.phones) return counted(sentWithin(from, to))
  const { days, edges } = planCount(from, to)
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

function fromCounters(
  shopId: ObjectId,
  filter: HistoryFilter,
  days: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const where = conditions([
    sql`c.shop_id = ${shopId}`,
    days,
    filter.status && sql`c.state = ${sql.lit(filter.status)}`,
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
