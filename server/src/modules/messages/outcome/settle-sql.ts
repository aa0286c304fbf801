import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { captureLate, settleFee } from '../../wallet/sql.ts'
import { addEvent, tellMessage, toldColumns } from '../history/event-sql.ts'
import type { Channel } from '../rules.ts'

/** `error_code` of a message whose outcome stayed unknown until its time was over. */
export const RELEASED = 'UNKNOWN_RELEASED'

/** A message whose time is over, with what looking it up or handing it over once more takes. */
export type DueMessage = {
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
  session_id: string
  created_at: Date
  /** The template's params. */
  declared: TemplateParam[]
  /** The template may be sent and its official account is linked, now. */
  is_sendable: boolean
  /** The shop's own setting; null: the service's. */
  unknown_policy: 'release' | 'resend-once' | null
  /** The official account's, sealed; null when it was linked without one. */
  access_token: Uint8Array | null
}

/**
 * Takes up to `limit` UNKNOWN messages of all shops whose time is over, the longest first, and puts them off until
 * `claimedUntil`: several processes share a round, and what a dying one leaves behind comes again. Index
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
      where state = 'UNKNOWN' and settle_at <= ${now}
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
      m.platform_template_id, m.session_id, m.created_at, t.params as declared, s.unknown_policy, oa.access_token,
      t.status = 'ENABLE' and oa.shop_id is not null as is_sendable
    from claimed m
    join shops s on s.id = m.shop_id
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    left join official_accounts oa on oa.shop_id = m.shop_id and oa.oa_id = m.oa_id
    order by m.created_at, m.id`.execute(db)
  return rows
}

/** Puts an UNKNOWN message off until `settleAt`. */
export async function updateSettleAt(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  settleAt: Date,
): Promise<void> {
  await sql`
    update messages
    set settle_at = ${settleAt}
    where shop_id = ${shopId} and id = ${messageId} and state = 'UNKNOWN'`.execute(db)
}

/**
 * Ends an UNKNOWN message as ERROR with the code {@link RELEASED} and gives its fee back, in one statement.
 * @returns false when it has been settled meanwhile.
 */
export async function releaseUnknown(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  release: {
    entryId: ObjectId
    maskedParams: Readonly<Record<string, string>>
    cause: string
    now: Date
  },
): Promise<boolean> {
  const { now, cause } = release
  const { rows } = await sql`
    with ended as (
      update messages
      set state = 'ERROR', error_code = ${RELEASED}, error_text = ${cause}, session_id = '', settle_at = null,
        params = ${JSON.stringify(release.maskedParams)}::jsonb, updated_at = ${now}
      where shop_id = ${shopId} and id = ${messageId} and state = 'UNKNOWN'
      returning ${toldColumns}
    ), ${settleFee('release', release)}, ${addEvent('ended', { kind: 'released', detail: { cause } }, now)},
    ${tellMessage(shopId, 'message.failed', 'ended', now)}
    select id
    from ended`.execute(db)
  return rows.length > 0
}

/**
 * Takes the one further attempt of an UNKNOWN message, before it is handed over: whoever dies afterwards, there is
 * no third. Its time begins anew.
 * @returns false when it has been taken or the message was settled meanwhile.
 */
export async function claimResend(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { defaultTimeoutSeconds, now }: { defaultTimeoutSeconds: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    with changed as (
      update messages m
      set resent_at = ${now}, updated_at = ${now},
        settle_at = ${now}::timestamptz + make_interval(secs => coalesce(t.timeout_seconds, ${defaultTimeoutSeconds}))
      from templates t
      where m.shop_id = ${shopId} and m.id = ${messageId} and m.state = 'UNKNOWN' and m.resent_at is null
        and t.shop_id = m.shop_id and t.id = m.template_id
      returning m.shop_id, m.id
    ), ${addEvent('changed', { kind: 'resent', detail: { attempt: 2 } }, now)}
    select id
    from changed`.execute(db)
  return rows.length > 0
}

/** Notes that nobody knows what became of the second attempt either. */
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
    ), ${addEvent('seen', { kind: 'unknown', detail: { cause, attempt: 2 } }, now)}
    select id
    from seen`.execute(db)
}

/**
 * Makes a message RECEIVED whose fee was given back because nobody knew, now that it is known to have arrived, and
 * charges it again: of the fee what the balance holds, the rest is owed (decision 0006). One statement.
 * @returns false for any other message: a platform's definite no is final, unless it was about a second attempt.
 */
export async function settleAsLate(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  late: {
    entryId: ObjectId
    sessionId: string
    sentAt: Date | null
    deliveredAt: Date | null
    now: Date
  },
): Promise<boolean> {
  const { now, sessionId, deliveredAt } = late
  const detail = {
    session_id: sessionId,
    ...(deliveredAt === null ? {} : { delivered_at: deliveredAt.toISOString() }),
  }
  const { rows } = await sql`
    with ended as (
      update messages
      set state = 'RECEIVED', is_late = true, session_id = ${sessionId}, sent_at = ${late.sentAt},
        delivered_at = ${deliveredAt}, error_code = null, error_text = null, updated_at = ${now}
      where shop_id = ${shopId} and id = ${messageId} and state = 'ERROR'
        and (error_code = ${RELEASED} or resent_at is not null)
      returning ${toldColumns}
    ), ${captureLate(shopId, late)}, event as (
      insert into message_events (shop_id, message_id, kind, detail, created_at)
      select ended.shop_id, ended.id, 'late',
        ${JSON.stringify(detail)}::jsonb
          || jsonb_build_object('charged', coalesce(wallet.charged, 0), 'owed', ended.fee - coalesce(wallet.charged, 0)),
        ${now}::timestamptz
      from ended
      left join wallet on wallet.message_id = ended.id
    ), ${tellMessage(shopId, 'message.received', 'ended', now)},
    ${tellMessage(shopId, 'message.delivered', 'ended', now)}
    select id
    from ended`.execute(db)
  return rows.length > 0
}

/**
 * Completes a RECEIVED message by the platform's own answer, which its receipt overtook: when it was sent and what
 * was answered. The first session stands.
 */
export async function updateOvertakenAnswer(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  given: { sessionId: string; sentAt: Date; answer: string | null; now: Date },
): Promise<boolean> {
  const { sessionId, sentAt, now } = given
  const { rows } = await sql`
    with changed as (
      update messages
      set sent_at = ${sentAt}, platform_answer = ${given.answer}::jsonb, updated_at = ${now},
        session_id = case when session_id = id then ${sessionId} else session_id end
      where shop_id = ${shopId} and id = ${messageId} and state = 'RECEIVED' and sent_at is null
      returning shop_id, id
    ), ${addEvent('changed', { kind: 'sent', detail: { session_id: sessionId } }, now)}
    select id
    from changed`.execute(db)
  return rows.length > 0
}
