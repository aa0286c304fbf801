import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { TemplateParam } from '../../platform/types.ts'
import { holdFee, settleFee } from '../wallet/sql.ts'
import { addEvent, type NewEvent, tellMessage, toldColumns } from './history/event-sql.ts'
import type { Channel, MessageState, RecipientGuard, SendableTemplate } from './rules.ts'
import { guardRecipient } from './send/recipient-limit-sql.ts'
import { deadSenders } from './senders/sql.ts'

/**
 * The template of our id, or else of the platform's number (G-20), as sending needs it, with the official
 * account's price where the platform named none (G-61).
 */
export async function findSendableTemplate(
  db: Db,
  shopId: ObjectId,
  template: { id: ObjectId } | { platformNumber: string },
): Promise<SendableTemplate | undefined> {
  const { rows } = await sql<SendableTemplate>`
    select t.id, t.version, t.status, t.oa_id as "oaId", t.platform_template_id as "platformTemplateId", t.params,
      coalesce(t.price_phone, oa.price_phone) as "pricePhone", coalesce(t.price_uid, oa.price_uid) as "priceUid",
      oa.id is not null as "isOaLinked"
    from templates t
    left join official_accounts oa on oa.shop_id = t.shop_id and oa.oa_id = t.oa_id
    where t.shop_id = ${shopId} and t.deleted_at is null and ${
      'id' in template ? sql`t.id = ${template.id}` : sql`t.platform_template_id = ${template.platformNumber}`
    }`.execute(db)
  return rows[0]
}

export type NewMessage = {
  id: ObjectId
  /** As it was read; the statement inserts nothing when it has changed since. */
  template: SendableTemplate
  channel: Channel
  phone: string
  userUid: string
  params: Readonly<Record<string, string>>
  isSample: boolean
  /** đồng */
  fee: number
  holdEntryId: ObjectId
  leaseUntil: Date
  /** The process that hands it over; null where there is only one. */
  senderId: ObjectId | null
  now: Date
}

/** `accessToken` is the OA's, sealed; null when it was linked without one. */
export type Acceptance =
  | { outcome: 'accepted'; accessToken: Uint8Array | null }
  | { outcome: 'template-changed' }
  | { outcome: 'wallet-too-low' }
  | { outcome: 'recipient-limit'; retryAfterSeconds: number }

/**
 * Accepts a message: its row in SENDING under a lease and the hold of its fee, in one statement, both or
 * neither (G-26). The template must still be as it was read, its official account linked, and the recipient
 * within its limits.
 * @throws the unique violation of `messages_pkey` when a message has the id already.
 */
export async function insertAcceptedMessage(
  db: Db,
  shopId: ObjectId,
  message: NewMessage,
  guard: RecipientGuard,
): Promise<Acceptance> {
  const { template, fee, now } = message
  const hold = { entryId: message.holdEntryId, messageId: message.id, fee, now }
  const recipient = guardRecipient(shopId, message, guard)
  type Row = { is_accepted: boolean; access_token: Uint8Array | null; wait_seconds: number | null }
  const { rows } = await sql<Row>`
    with template as (
      select t.id, oa.access_token
      from templates t
      join official_accounts oa on oa.shop_id = t.shop_id and oa.oa_id = t.oa_id
      where t.shop_id = ${shopId} and t.id = ${template.id} and t.version = ${template.version}
        and t.status = ${template.status} and t.platform_template_id = ${template.platformTemplateId}
        and t.oa_id = ${template.oaId}
        and coalesce(t.price_phone, oa.price_phone) is not distinct from ${template.pricePhone}::bigint
        and coalesce(t.price_uid, oa.price_uid) is not distinct from ${template.priceUid}::bigint
    ), ${recipient.expressions}${holdFee(shopId, hold, sql`exists (select from template)${recipient.andAllowed}`)},
    message as (
      insert into messages
        (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, is_sample, has_otp,
        state, fee, lease_until, sender_id, created_at, updated_at)
      select ${shopId}, ${message.id}, id, ${template.platformTemplateId}, ${template.oaId}, ${message.channel},
        ${message.phone}, ${message.userUid}, ${JSON.stringify(message.params)}::jsonb, ${message.isSample},
        ${guard.hasOtp}, 'SENDING', ${fee}::bigint, ${message.leaseUntil},
        ${message.senderId}, ${now}, ${now}
      from template
      where (${fee}::bigint = 0 or exists (select from wallet))${recipient.andAllowed}
      returning shop_id, id
    ), ${addEvent('message', { kind: 'accepted', detail: { fee } }, now)}
    select exists (select from message) as is_accepted, access_token, ${recipient.waitSeconds} as wait_seconds
    from template`.execute(db)
  const row = rows[0]
  if (row === undefined) return { outcome: 'template-changed' }
  if (row.is_accepted) return { outcome: 'accepted', accessToken: row.access_token }
  return row.wait_seconds === null
    ? { outcome: 'wallet-too-low' }
    : { outcome: 'recipient-limit', retryAfterSeconds: row.wait_seconds }
}

type Settlement = {
  entryId: ObjectId
  /** The values with their secrets masked: the plain ones are needed no longer. */
  maskedParams: Readonly<Record<string, string>>
  /** The platform's answer as JSON text that the database takes, or null. */
  answer: string | null
  /** The step it was, for the timeline. */
  event: NewEvent
  now: Date
}

/**
 * Ends a message as RECEIVED and captures its hold, in one statement.
 * @returns false when it has ended already: two settlers never both settle.
 */
export async function settleAsReceived(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  settlement: Settlement & { sessionId: string; sentAt: Date | null; deliveredAt: Date | null },
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update messages
      set state = 'RECEIVED', session_id = ${settlement.sessionId}, sent_at = ${settlement.sentAt},
        delivered_at = ${settlement.deliveredAt}, lease_until = null, sender_id = null, settle_at = null,
        params = ${JSON.stringify(settlement.maskedParams)}::jsonb, platform_answer = ${settlement.answer}::jsonb,
        updated_at = ${settlement.now}
      where shop_id = ${shopId} and id = ${messageId} and state in ('SENDING', 'UNKNOWN')
      returning ${toldColumns}
    ), ${settleFee('capture', settlement)}, ${addEvent('ended', settlement.event, settlement.now)},
    ${tellMessage(shopId, 'message.received', 'ended', settlement.now)},
    ${tellMessage(shopId, 'message.delivered', 'ended', settlement.now)}
    select id
    from ended`.execute(db)
  return rows.length > 0
}

/**
 * Ends a message as ERROR and releases its hold, in one statement.
 * @returns false when it has ended already.
 */
export async function settleAsError(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  settlement: Settlement & { errorCode: string; errorText: string },
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update messages
      set state = 'ERROR', error_code = ${settlement.errorCode}, error_text = ${settlement.errorText},
        lease_until = null, sender_id = null, settle_at = null, session_id = '',
        params = ${JSON.stringify(settlement.maskedParams)}::jsonb, platform_answer = ${settlement.answer}::jsonb,
        updated_at = ${settlement.now}
      where shop_id = ${shopId} and id = ${messageId} and state in ('SENDING', 'UNKNOWN')
      returning ${toldColumns}
    ), ${settleFee('release', settlement)}, ${addEvent('ended', settlement.event, settlement.now)},
    ${tellMessage(shopId, 'message.failed', 'ended', settlement.now)}
    select id
    from ended`.execute(db)
  return rows.length > 0
}

/** Why nobody knows, and after how long it is settled where the template names no timeout. */
type Unknown = { cause: string; defaultTimeoutSeconds: number; now: Date }

/**
 * Leaves a message whose outcome nobody knows as UNKNOWN; its hold stays until it is settled, at the latest after
 * the template's timeout.
 * @returns the state it has now, which a receipt may have settled meanwhile.
 */
export async function settleAsUnknown(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { cause, defaultTimeoutSeconds, now }: Unknown,
): Promise<MessageState | undefined> {
  const { rows } = await sql<{ state: MessageState }>`
    with changed as (
      update messages m
      set state = 'UNKNOWN', unknown_cause = ${cause}, lease_until = null, sender_id = null, updated_at = ${now},
        settle_at = ${now}::timestamptz + make_interval(secs => coalesce(t.timeout_seconds, ${defaultTimeoutSeconds}))
      from templates t
      where m.shop_id = ${shopId} and m.id = ${messageId} and m.state = 'SENDING'
        and t.shop_id = m.shop_id and t.id = m.template_id
      returning m.shop_id, m.id, m.state
    ), ${addEvent('changed', { kind: 'unknown', detail: { cause } }, now)}
    select coalesce((select state from changed), state) as state
    from messages
    where shop_id = ${shopId} and id = ${messageId}`.execute(db)
  return rows[0]?.state
}

/**
 * Up to `limit` messages of all shops whose sender is dead, or whose lease ends before `expiredBefore`, now UNKNOWN.
 * Index messages_leased, which holds what is under way. The number of them. Several processes may run it at once.
 */
export async function releaseExpiredLeases(
  db: Db,
  {
    cause,
    defaultTimeoutSeconds,
    now,
    expiredBefore,
    limit,
  }: Unknown & { expiredBefore: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with ${deadSenders()}, expired as (
      select shop_id, id
      from messages
      where state = 'SENDING'
        and (lease_until < ${expiredBefore} or sender_id in (select id from dead_senders))
      order by lease_until
      limit ${limit}
      for update skip locked
    ), changed as (
      update messages m
      set state = 'UNKNOWN', unknown_cause = ${cause}, lease_until = null, sender_id = null, updated_at = ${now},
        settle_at = ${now}::timestamptz + make_interval(secs => coalesce(t.timeout_seconds, ${defaultTimeoutSeconds}))
      from expired
      join templates t on t.shop_id = expired.shop_id
      where m.shop_id = expired.shop_id and m.id = expired.id and t.id = m.template_id
      returning m.shop_id, m.id
    ), ${addEvent('changed', { kind: 'unknown', detail: { cause } }, now)}
    select id
    from changed`.execute(db)
  return rows.length
}

export type ReceiptTarget = {
  shop_id: ObjectId
  id: ObjectId
  state: MessageState
  params: Record<string, string>
  declared: TemplateParam[]
}

/**
 * The message that a receipt of this official account is about: by our id, else by the platform's session.
 * The one place that looks across shops, since an official account names its shop only here.
 */
export async function findReceiptTarget(
  db: Db,
  oaId: string,
  by: { id: ObjectId } | { sessionId: string },
): Promise<ReceiptTarget | undefined> {
  const { rows } = await sql<ReceiptTarget>`
    select m.shop_id, m.id, m.state, m.params, t.params as declared
    from official_accounts oa
    join messages m on m.shop_id = oa.shop_id and m.oa_id = oa.oa_id
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    where oa.oa_id = ${oaId}
      and ${'id' in by ? sql`m.id = ${by.id}` : sql`m.session_id = ${by.sessionId} and m.session_id <> ''`}
    limit 1`.execute(db)
  return rows[0]
}

/**
 * Notes when a received message reached the phone; the first receipt stands (G-25).
 * @returns whether the message is RECEIVED.
 */
export async function updateDelivered(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { deliveredAt, now }: { deliveredAt: Date; now: Date },
): Promise<boolean> {
  const event: NewEvent = { kind: 'receipt', detail: { delivered_at: deliveredAt.toISOString() } }
  const { rows } = await sql`
    with changed as (
      update messages
      set delivered_at = ${deliveredAt}, updated_at = ${now}
      where shop_id = ${shopId} and id = ${messageId} and state = 'RECEIVED' and delivered_at is null
      returning ${toldColumns}
    ), ${addEvent('changed', event, now)}, ${tellMessage(shopId, 'message.delivered', 'changed', now)}
    select id
    from messages
    where shop_id = ${shopId} and id = ${messageId} and state = 'RECEIVED'`.execute(db)
  return rows.length > 0
}
