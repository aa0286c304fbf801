import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Channel } from './rules.ts'

export type HistoryFilter = {
  /** The forms under which the number may be stored; a message has one of them. */
  phones?: string[]
  template?: { id: ObjectId } | { platformNumber: string }
  status?: 'RECEIVED' | 'ERROR'
  channel?: Channel
  /** Both ends count. */
  from?: Date
  to?: Date
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
 * One page of a shop's ended messages, newest first, and how many the filter finds (E7, G-25). One statement.
 * The page is a range of one of the messages_history indexes. The total comes from message_counts; only the
 * parts of days at the ends of `from` and `to`, or the messages of one phone, are counted one by one.
 */
export async function listHistory(
  db: Db,
  shopId: ObjectId,
  filter: HistoryFilter,
  page: { page: number; offset: number },
): Promise<{ messages: HistoryRow[]; total: number }> {
  const { rows } = await sql<HistoryRow & { total: number; id: ObjectId | null }>`
    with page as (
      select m.id, m.created_at
      from messages m
      where ${ended(shopId, filter)} and ${createdWithin(filter.from, filter.to)}
      order by m.created_at desc, m.id desc
      limit ${page.offset}
      offset ${(page.page - 1) * page.offset}
    )
    select total.n as total, m.id, m.phone, m.user_uid, m.channel, m.platform_template_id, m.state, m.error_code,
      m.error_text, m.params, m.session_id, m.sent_at, m.delivered_at, m.created_at, m.updated_at
    from (select (${total(shopId, filter)})::bigint as n) as total
    left join page on true
    left join messages m on m.shop_id = ${shopId} and m.id = page.id
    order by page.created_at desc, page.id desc`.execute(db)
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

function createdWithin(from: Date | undefined, to: Date | undefined): RawBuilder<unknown> {
  return conditions([
    sql`true`,
    from && sql`m.created_at >= ${from}::timestamptz`,
    to && sql`m.created_at <= ${to}::timestamptz`,
  ])
}

function total(shopId: ObjectId, filter: HistoryFilter): RawBuilder<unknown> {
  const { from, to } = filter
  const counted = (when: RawBuilder<unknown>) =>
    sql`(select count(*) from messages m where ${ended(shopId, filter)} and ${when})`
  if (filter.phones) return counted(createdWithin(from, to))
  if (!from && !to) return fromCounters(shopId, filter, sql`c.day = '-infinity'`)

  const days = wholeDays(from, to)
  if (days === undefined) return counted(createdWithin(from, to))
  const { first, end } = days
  const parts = [
    fromCounters(
      shopId,
      filter,
      conditions([
        sql`c.day > '-infinity'`,
        first && sql`c.day >= ${isoDay(first)}::date`,
        end && sql`c.day < ${isoDay(end)}::date`,
      ]),
    ),
  ]
  if (first)
    parts.push(counted(sql`m.created_at >= ${from}::timestamptz and m.created_at < ${first}::timestamptz`))
  if (end)
    parts.push(counted(sql`m.created_at >= ${end}::timestamptz and m.created_at <= ${to}::timestamptz`))
  return sql.join(parts, sql` + `)
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

const DAY_MS = 86_400_000
// The last day a plain `yyyy-mm-dd` can name.
const LAST_DAY_MS = Date.UTC(9999, 11, 31)

/** The UTC days that lie wholly between: from `first` up to but not including `end`; undefined when there is none. */
function wholeDays(
  from: Date | undefined,
  to: Date | undefined,
): { first: Date | undefined; end: Date | undefined } | undefined {
  const first = from && Math.ceil(from.getTime() / DAY_MS) * DAY_MS
  const end = to && Math.floor(to.getTime() / DAY_MS) * DAY_MS
  if (first !== undefined && (first > LAST_DAY_MS || (end !== undefined && first >= end))) return undefined
  return {
    first: first === undefined ? undefined : new Date(first),
    end: end === undefined ? undefined : new Date(end),
  }
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function conditions(parts: (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> {
  return sql.join(
    parts.filter((part) => part !== undefined),
    sql` and `,
  )
}
