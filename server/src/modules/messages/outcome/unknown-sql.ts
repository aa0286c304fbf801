import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { isSuspended } from '../../shops/suspended-sql.ts'
import { addEvent } from '../history/event-sql.ts'
import type { Channel, MessageState } from '../rules.ts'
import { deadSenders } from '../senders/sql.ts'
import { type AccountRow, accountColumns } from '../sql.ts'
import { chooseInOrder } from './settle-sql.ts'

/** The messages that a statement has changed, as an expression of that statement. */
const changed = sql.ref('changed')

/** A message that has timed out, with what resending or releasing it needs. */
export type DueMessage = AccountRow & {
  shop_id: ObjectId
  id: ObjectId
  oa_id: string
  channel: Channel
  phone: string
  user_uid: string
  params: Record<string, string>
  is_sample: boolean
  resent_at: Date | null
  platform_template_id: string
  /** The template's params. */
  declared: TemplateParam[]
  /** Whether the template can be sent and its official account is linked now. */
  is_sendable: boolean
  /** The shop's own setting; null: the service's setting applies. */
  unknown_policy: 'release' | 'resend-once' | null
}

/**
 * Claims up to `limit` UNKNOWN messages of all shops that have timed out, the oldest first, by postponing them until
 * `claimedUntil`: several processes share the work, and messages claimed by a process that died are due again then. Index
 * messages_to_settle.
 */
export async function claimDueMessages(
  db: Db,
  { now, claimedUntil, limit }: { now: Date; claimedUntil: Date; limit: number },
): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    with due as (
      select shop_id, id
      from messages
      where state = 'UNKNOWN' and settle_at <= ${now} and not ${isSuspended(sql`messages.shop_id`)}
      order by settle_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update messages m
      set settle_at = ${claimedUntil}
      from due
      where m.shop_id = due.shop_id and m.id = due.id
      returning m.*
    )
    select m.shop_id, m.id, m.oa_id, m.channel, m.phone, m.user_uid, m.params, m.is_sample, m.resent_at,
      m.platform_template_id, t.params as declared, s.unknown_policy, ${accountColumns},
      t.status = 'ENABLE' and oa.shop_id is not null as is_sendable
    from claimed m
    join shops s on s.id = m.shop_id
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    left join official_accounts oa on oa.shop_id = m.shop_id and oa.oa_id = m.oa_id
    order by m.created_at, m.id`.execute(db)
  return rows
}

/**
 * Uses up the one resend of an UNKNOWN message, before the platform is called: even if the process dies afterwards,
 * there is no third attempt. Its timeout starts again. @returns false if the resend was used already or the message was
 * settled in the meantime.
 */
export async function claimResend(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { defaultTimeoutSeconds, now }: { defaultTimeoutSeconds: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with ${changed} as (
      update messages m
      set resent_at = ${now}, updated_at = ${now},
        settle_at = ${now}::timestamptz + make_interval(secs => coalesce(t.timeout_seconds, ${defaultTimeoutSeconds}))
      from templates t
      where m.shop_id = ${shopId} and m.id = ${messageId} and m.state = 'UNKNOWN' and m.resent_at is null
        and t.shop_id = m.shop_id and t.id = m.template_id
      returning m.shop_id, m.id
    ), ${addEvent(changed, { kind: 'resent', detail: { attempt: 2 } }, now)}
    select id
    from ${changed}`.execute(db)
  return rows.length > 0
}

/** Records that the outcome of the second attempt is unknown too. */
export async function insertUnknownAgain(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { cause, now }: { cause: string; now: Date },
): Promise<void> {
  await sql`
    with seen as (
      select shop_id, id
      from messages
      where shop_id = ${shopId} and id = ${messageId} and state = 'UNKNOWN'
      for update
    ), ${addEvent(sql.ref('seen'), { kind: 'unknown', detail: { cause, attempt: 2 } }, now)}
    select id
    from seen`.execute(db)
}

/** How long a message stays UNKNOWN if its template names no timeout. */
type Timeout = { defaultTimeoutSeconds: number; now: Date }

/**
 * Makes messages of a shop UNKNOWN, in one statement. Their holds stay until they are settled, at the latest after the template's
 * timeout. @returns the current state of each, since a receipt may have settled it in the meantime.
 */
export async function leaveUnknown(
  db: Db,
  shopId: ObjectId,
  messages: { id: ObjectId; cause: string }[],
  timeout: Timeout,
): Promise<Map<ObjectId, MessageState>> {
  if (messages.length === 0) return new Map()
  const ids = messages.map(({ id }) => id)
  const chosen = chooseInOrder(shopId, ids, ['SENDING'])
  const { rows } = await sql<{ id: ObjectId; state: MessageState }>`
    with ${chosen.expressions}lost as (
      select m.shop_id, m.id, given.cause
      from messages m
      join jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as given (id text, cause text) on given.id = m.id
      where m.shop_id = ${shopId} and ${chosen.where}
    ), ${becomeUnknown(sql.ref('lost'), timeout)}
    select m.id, coalesce(changed.state, m.state) as state
    from messages m
    left join ${changed} as changed on changed.shop_id = m.shop_id and changed.id = m.id
    where m.shop_id = ${shopId} and m.id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/**
 * Makes up to `limit` messages of all shops UNKNOWN whose sender is dead, or whose lease ends before `expiredBefore`. Index
 * messages_leased, which holds the messages in progress. Several processes may run it at once. @returns how many it changed.
 */
export async function releaseExpiredLeases(
  db: Db,
  {
    cause,
    expiredBefore,
    limit,
    ...timeout
  }: Timeout & { cause: string; expiredBefore: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with ${deadSenders()}, expired as (
      select shop_id, id, ${cause}::text as cause
      from messages
      where state = 'SENDING'
        and (lease_until < ${expiredBefore} or sender_id in (select id from dead_senders))
      order by lease_until
      limit ${limit}
      for update skip locked
    ), ${becomeUnknown(sql.ref('expired'), timeout)}
    select id
    from ${changed}`.execute(db)
  return rows.length
}

/**
 * The CTE `changed`: the messages of the expression `lost` (`shop_id`, `id`, `cause`), which become UNKNOWN until they time out.
 */
function becomeUnknown(
  lost: RawBuilder<unknown>,
  { defaultTimeoutSeconds, now }: Timeout,
): RawBuilder<unknown> {
  return sql`${changed} as (
      update messages m
      set state = 'UNKNOWN', unknown_cause = lost.cause, lease_until = null, sender_id = null, updated_at = ${now},
        settle_at = ${now}::timestamptz + make_interval(secs => coalesce(t.timeout_seconds, ${defaultTimeoutSeconds}))
      from ${lost} as lost
      join templates t on t.shop_id = lost.shop_id
      where m.shop_id = lost.shop_id and m.id = lost.id and m.state = 'SENDING' and t.id = m.template_id
      returning m.shop_id, m.id, m.state, lost.cause
    ), ${addEvent(changed, { kind: 'unknown', detail: sql`jsonb_build_object('cause', cause)` }, now)}`
}
