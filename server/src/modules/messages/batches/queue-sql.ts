import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { requestIdNow } from '../../../lib/request-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { isWithdrawn } from '../../consents/sql.ts'
import { addEvent, type NewEvent } from '../history/event-sql.ts'
import type { Channel, RecipientGuard } from '../rules.ts'
import { type AccountRow, accountColumns, hasSmsText, receiptWithin } from '../sql.ts'

/** Why a queued message or its batch waits (G-27); another column says until when. */
export type WaitingReason =
  | 'NIGHT_WINDOW'
  | 'DAILY_QUOTA'
  | 'MONTHLY_QUOTA'
  | 'RATE_LIMIT'
  | 'PLATFORM_UNAVAILABLE'
  | 'PLATFORM_MONEY'
  | 'ACCOUNT_DISCONNECTED'
  | 'RETRY'

export type QueuedMessage = {
  id: ObjectId
  channel: Channel
  phone: string
  userUid: string
  params: Readonly<Record<string, string>>
  /** đồng */
  fee: number
}

/** Adds a batch's messages in QUEUED, in one statement (G-27). The caller must hold their fees. */
export async function insertQueuedMessages(
  trx: Db,
  shopId: ObjectId,
  batch: {
    id: ObjectId
    templateId: ObjectId
    platformTemplateId: string
    oaId: string
    hasOtp: boolean
    defaultTimeoutSeconds: number
    now: Date
  },
  messages: QueuedMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const { now } = batch
  await sql`
    with added as (
      insert into messages
        (shop_id, id, batch_id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, has_otp,
        state, fee, receipt_within_seconds, created_at, updated_at, request_id)
      select ${shopId}, given.id, ${batch.id}, ${batch.templateId}, ${batch.platformTemplateId}, ${batch.oaId}, channel,
        phone, "userUid", params, ${batch.hasOtp}, 'QUEUED', fee,
        (
          select ${receiptWithin(batch.defaultTimeoutSeconds)}
          from templates t
          join official_accounts oa on oa.shop_id = t.shop_id and oa.oa_id = t.oa_id
          where t.shop_id = ${shopId} and t.id = ${batch.templateId}
        ), ${now}, ${now}, ${requestIdNow()}::text
      from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb)
        as given (id text, channel text, phone text, "userUid" text, params jsonb, fee bigint)
      returning shop_id, id, fee
    )
    insert into message_events (shop_id, message_id, kind, detail, created_at)
    select shop_id, id, 'accepted', jsonb_build_object('fee', fee), ${now}::timestamptz
    from added`.execute(trx)
}

/** A message claimed for sending, with what the call of the provider needs. */
export type ClaimedMessage = AccountRow & {
  shop_id: ObjectId
  id: ObjectId
  batch_id: ObjectId
  template_id: ObjectId
  platform_template_id: string
  oa_id: string
  channel: Channel
  phone: string
  user_uid: string
  params: Record<string, string>
  put_offs: number
  /** When it was claimed; differs for each claim of the same message. */
  handed_at: Date
  /** The request that created the batch. */
  request_id: ObjectId | null
  declared: TemplateParam[]
  has_sms_text: boolean
  /** Whether the recipient opted out of messages of this template, by the consents when it was claimed. */
  is_opted_out: boolean
}

/**
 * Claims up to `count` due messages of each batch: QUEUED becomes SENDING under a lease. Concurrent processes never claim the
 * same message. Indexes messages_queued and consents_by_recipient.
 */
export async function claimQueuedMessages(
  db: Db,
  shares: { shopId: ObjectId; batchId: ObjectId; count: number }[],
  given: { leaseUntil: Date; senderId: ObjectId | null; exemptTags: readonly string[]; now: Date },
): Promise<ClaimedMessage[]> {
  const { leaseUntil, senderId, exemptTags, now } = given
  const recipient = sql`case m.channel when 'phone' then m.phone else m.user_uid end`
  const { rows } = await sql<ClaimedMessage>`
    with chosen as (
      select due.shop_id, due.id
      from jsonb_to_recordset(${JSON.stringify(shares)}::jsonb) as share ("shopId" text, "batchId" text, count int)
      cross join lateral (
        select q.shop_id, q.id
        from messages q
        where q.shop_id = share."shopId" and q.batch_id = share."batchId" and q.state = 'QUEUED'
          and (q.not_before is null or q.not_before <= ${now})
        order by q.id
        limit share.count
        for update skip locked
      ) as due
    ), claimed as (
      update messages m
      set state = 'SENDING', lease_until = ${leaseUntil}, sender_id = ${senderId}, not_before = null,
        handed_at = ${now}, updated_at = ${now}
      from chosen
      where m.shop_id = chosen.shop_id and m.id = chosen.id and m.state = 'QUEUED'
      returning m.shop_id, m.id, m.batch_id, m.template_id, m.platform_template_id, m.oa_id, m.channel, m.phone,
        m.user_uid, m.params, m.put_offs, m.handed_at, m.request_id
    ), ${addEvent(sql.ref('claimed'), { kind: 'sending', detail: {} }, now)}
    select m.shop_id, m.id, m.batch_id, m.template_id, m.platform_template_id, m.oa_id, m.channel, m.phone, m.user_uid, m.params,
      m.put_offs, m.handed_at, m.request_id, t.params as declared, ${accountColumns},
      ${hasSmsText},
      t.tag <> all (${exemptTags}::text[])
        and ${isWithdrawn({ shopId: sql`m.shop_id`, channel: sql`m.channel`, recipient })} as is_opted_out
    from claimed m
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    left join official_accounts oa on oa.shop_id = m.shop_id and oa.oa_id = m.oa_id
    order by m.id`.execute(db)
  return rows
}

/**
 * Requeues a claimed message that the platform definitely did not accept; its fee stays held.
 * @returns false if the claim is no longer valid: the message was requeued before, by a commit whose response was lost, or it
 * became UNKNOWN.
 */
export async function requeueMessage(
  trx: Db,
  shopId: ObjectId,
  { id, handed_at }: Pick<ClaimedMessage, 'id' | 'handed_at'>,
  wait: { notBefore: Date; reason: WaitingReason; isCounted: boolean; now: Date },
): Promise<boolean> {
  const event: NewEvent = { kind: 'put_off', detail: { cause: wait.reason } }
  const { rows } = await sql`
    with changed as (
      update messages
      set state = 'QUEUED', lease_until = null, sender_id = null, not_before = ${wait.notBefore},
        waiting_reason = ${wait.reason},
        put_offs = put_offs + ${wait.isCounted ? 1 : 0}::integer, updated_at = ${wait.now}
      where shop_id = ${shopId} and id = ${id} and state = 'SENDING' and handed_at = ${handed_at}
      returning shop_id, id
    ), ${addEvent(sql.ref('changed'), event, wait.now)}
    select id
    from changed`.execute(trx)
  return rows.length > 0
}

/** Whether this claim must still settle the message: it was neither requeued nor settled. */
export async function isUnderWay(
  trx: Db,
  shopId: ObjectId,
  { id, handed_at }: Pick<ClaimedMessage, 'id' | 'handed_at'>,
): Promise<boolean> {
  const { rows } = await sql`
    select id
    from messages
    where shop_id = ${shopId} and id = ${id} and state in ('SENDING', 'UNKNOWN') and handed_at = ${handed_at}`.execute(
    trx,
  )
  return rows.length > 0
}

export type CancellableMessage = {
  id: ObjectId
  params: Record<string, string>
  declared: TemplateParam[]
}

/** The messages of a batch that have not been claimed for sending, locked until the transaction ends. */
export async function lockQueuedMessages(
  trx: Db,
  shopId: ObjectId,
  batchId: ObjectId,
): Promise<CancellableMessage[]> {
  const { rows } = await sql<CancellableMessage>`
    select m.id, m.params, t.params as declared
    from messages m
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    where m.shop_id = ${shopId} and m.batch_id = ${batchId} and m.state = 'QUEUED'
    order by m.id
    for update of m`.execute(trx)
  return rows
}

/**
 * The queued messages to a recipient, locked until the transaction ends. Leaves out those of templates with an exempt tag, and
 * those that another transaction has locked: it cancels them, or whoever claims them for sending sees the opt-out.
 */
export async function lockQueuedMessagesTo(
  trx: Db,
  shopId: ObjectId,
  to: { channel: Channel; recipient: string; exemptTags: readonly string[] },
): Promise<CancellableMessage[]> {
  const { channel, recipient, exemptTags } = to
  // Uses index messages_history_by_phone or messages_by_uid; the literal channel satisfies their conditions.
  const isTo =
    channel === 'phone'
      ? sql`m.channel = 'phone' and m.phone = ${recipient}`
      : sql`m.channel = 'uid' and m.user_uid = ${recipient}`
  const { rows } = await sql<CancellableMessage>`
    select m.id, m.params, t.params as declared
    from messages m
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id and t.tag <> all (${exemptTags}::text[])
    where m.shop_id = ${shopId} and ${isTo} and m.state = 'QUEUED'
    order by m.id
    for update of m skip locked`.execute(trx)
  return rows
}

/**
 * Seconds until each recipient may be sent to, in the order given; null when now. `earlier` counts the messages to the same
 * recipient that precede it in the same request. The wallet must be locked, which makes acceptances under a limit run one after
 * another.
 */
export async function findRecipientWaits(
  trx: Db,
  shopId: ObjectId,
  recipients: { channel: Channel; recipient: string; earlier: number }[],
  { hasOtp, limits }: RecipientGuard,
  now: Date,
): Promise<(number | null)[]> {
  if (limits.length === 0 || recipients.length === 0) return recipients.map(() => null)
  const counts = sql`${limits.map((limit) => limit.count)}::integer[]`
  const seconds = sql`${limits.map((limit) => limit.seconds)}::integer[]`
  const { rows } = await sql<{ wait_seconds: number | null }>`
    select case
        when given.earlier >= (select min(n) from unnest(${counts}) as n) then (select max(n) from unnest(${seconds}) as n)
        else recipient_wait(${shopId}::object_id, given.channel, given.recipient, ${hasOtp}::boolean,
          array(select n - given.earlier from unnest(${counts}) with ordinality as c (n, place) order by place),
          ${seconds}, ${now}::timestamptz)
      end as wait_seconds
    from jsonb_to_recordset(${JSON.stringify(recipients.map((one, place) => ({ place, ...one })))}::jsonb)
      as given (place int, channel text, recipient text, earlier int)
    order by given.place`.execute(trx)
  return rows.map((row) => row.wait_seconds)
}

/**
 * How an official account is reached, and how many of its queued messages are sent before a batch that starts at `startsAt`: those
 * of the shop's batches that are due by then, of a later day only those that are due on that day. Undefined if the account is not
 * linked. Index message_batches_due.
 */
export async function findAccountQueue(
  db: Db,
  shopId: ObjectId,
  oaId: string,
  { startsAt, now }: { startsAt: Date; now: Date },
): Promise<(AccountRow & { queued: number }) | undefined> {
  const { rows } = await sql<AccountRow & { queued: number }>`
    select ${accountColumns}, (
        select count(*)
        from message_batches b
        join messages m on m.shop_id = b.shop_id and m.batch_id = b.id and m.state = 'QUEUED'
        where b.shop_id = oa.shop_id and b.oa_id = oa.oa_id and b.is_open and b.due_at <= ${startsAt}
          and (shop_day(b.due_at) = shop_day(${startsAt}) or shop_day(${startsAt}) = shop_day(${now}))
      ) as queued
    from official_accounts oa
    where oa.shop_id = ${shopId} and oa.oa_id = ${oaId}`.execute(db)
  return rows[0]
}
