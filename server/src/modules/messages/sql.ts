import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { requestIdNow } from '../../lib/request-id.ts'
import { holdFee, wallet } from '../wallet/sql.ts'
import { addEvent } from './history/event-sql.ts'
import type { Channel, RecipientGuard, SendableTemplate } from './rules.ts'
import { guardRecipient } from './send/recipient-limit-sql.ts'

/**
 * The template with our id, or else with the platform's number (G-20), as sending needs it, with the official account's price
 * where the platform named none (G-61).
 */
export async function findSendableTemplate(
  db: Db,
  shopId: ObjectId,
  template: { id: ObjectId } | { platformNumber: string },
): Promise<SendableTemplate | undefined> {
  const { rows } = await sql<SendableTemplate>`
    select t.id, t.version, t.status, t.oa_id as "oaId", t.platform_template_id as "platformTemplateId", t.params,
      ${priceBy('phone')} as "pricePhone", ${priceBy('uid')} as "priceUid",
      oa.id is not null as "isOaLinked"
    from templates t
    left join official_accounts oa on oa.shop_id = t.shop_id and oa.oa_id = t.oa_id
    where t.shop_id = ${shopId} and t.deleted_at is null and ${
      'id' in template ? sql`t.id = ${template.id}` : sql`t.platform_template_id = ${template.platformNumber}`
    }`.execute(db)
  return rows[0]
}

/**
 * What a message of the template `t` costs by a channel, null if it has no price: the platform's price of the template, else
 * the price that the official account `oa` was given (G-61). `feeOf` takes one of the two.
 */
function priceBy(channel: Channel): RawBuilder<unknown> {
  const column = sql.ref(`price_${channel}`)
  return sql`coalesce(t.${column}, oa.${column})`
}

/** Whether an SMS may go out in place of a message of the template `t` (G-91). */
export const hasSmsText = sql`exists (
        select
        from template_sms_texts x
        where x.shop_id = t.shop_id and x.template_id = t.id
      ) as has_sms_text`

/** The columns of an {@link AccountRow}; the account is `oa`. If it was unlinked, the provider is the messaging platform. */
export const accountColumns = sql`coalesce(oa.provider, 'chatapp') as provider, oa.access_token as credentials`

/**
 * How many seconds to wait for a message's receipt before its fee is released, from its template `t` and official account `oa`;
 * null if the fee is charged when the platform accepts the message.
 */
export function receiptWithin(defaultTimeoutSeconds: number): RawBuilder<unknown> {
  return sql`case when oa.charge_on = 'delivered' then coalesce(t.timeout_seconds, ${defaultTimeoutSeconds}::integer) end`
}

export type NewMessage = {
  id: ObjectId
  /** The template as it was read; the statement inserts nothing if it has changed since. */
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
  /** The process that sends it; null if there is only one. */
  senderId: ObjectId | null
  /** How long to wait for a receipt if the template names no time. */
  defaultTimeoutSeconds: number
  now: Date
}

/** Who carries an official account's messages, and its credentials: encrypted, and null if it was linked without any. */
export type AccountRow = { provider: string; credentials: Uint8Array | null }

export type Acceptance =
  | { outcome: 'accepted'; account: AccountRow; hasSmsText: boolean }
  | { outcome: 'template-changed' }
  | { outcome: 'wallet-too-low' }
  | { outcome: 'recipient-limit'; retryAfterSeconds: number }

/**
 * Accepts a message: inserts its row in SENDING under a lease and holds its fee, in one statement, both or neither (G-26). The
 * template must still be as it was read, its official account linked, and the recipient within its limits. The account is locked
 * against unlinking, which would not see the message yet.
 * @throws the unique violation of `messages_pkey` if a message has this id already.
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
  type Row = AccountRow & { is_accepted: boolean; has_sms_text: boolean; wait_seconds: number | null }
  const { rows } = await sql<Row>`
    with template as (
      select t.id, ${accountColumns}, ${hasSmsText}, ${receiptWithin(message.defaultTimeoutSeconds)} as receipt_within_seconds
      from templates t
      join official_accounts oa on oa.shop_id = t.shop_id and oa.oa_id = t.oa_id
      where t.shop_id = ${shopId} and t.id = ${template.id} and t.version = ${template.version}
        and t.status = ${template.status} and t.platform_template_id = ${template.platformTemplateId}
        and t.oa_id = ${template.oaId}
        and ${priceBy('phone')} is not distinct from ${template.pricePhone}::bigint
        and ${priceBy('uid')} is not distinct from ${template.priceUid}::bigint
      for key share of oa
    ), ${recipient.expressions}${holdFee(shopId, hold, sql`exists (select from template)${recipient.andAllowed}`)},
    message as (
      insert into messages
        (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, user_uid, params, is_sample, has_otp,
        state, fee, lease_until, sender_id, receipt_within_seconds, created_at, updated_at, request_id)
      select ${shopId}, ${message.id}, id, ${template.platformTemplateId}, ${template.oaId}, ${message.channel},
        ${message.phone}, ${message.userUid}, ${JSON.stringify(message.params)}::jsonb, ${message.isSample},
        ${guard.hasOtp}, 'SENDING', ${fee}::bigint, ${message.leaseUntil},
        ${message.senderId}, receipt_within_seconds, ${now}, ${now}, ${requestIdNow()}::text
      from template
      where (${fee}::bigint = 0 or exists (select from ${wallet}))${recipient.andAllowed}
      returning shop_id, id
    ), ${addEvent(sql.ref('message'), { kind: 'accepted', detail: { fee } }, now)}
    select exists (select from message) as is_accepted, provider, credentials, has_sms_text, ${recipient.waitSeconds} as wait_seconds
    from template`.execute(db)
  const row = rows[0]
  if (row === undefined) return { outcome: 'template-changed' }
  if (row.is_accepted) {
    const { provider, credentials, has_sms_text } = row
    return { outcome: 'accepted', account: { provider, credentials }, hasSmsText: has_sms_text }
  }
  return row.wait_seconds === null
    ? { outcome: 'wallet-too-low' }
    : { outcome: 'recipient-limit', retryAfterSeconds: row.wait_seconds }
}
