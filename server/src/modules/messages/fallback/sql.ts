import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { isSuspended } from '../../shops/suspended-sql.ts'
import { holdSmsFee, settleSmsFee } from '../../wallet/sms-sql.ts'
import { settleFees } from '../../wallet/sql.ts'
import { addEvent, type NewEvent, notifiedColumns, notifyOfMessages } from '../history/event-sql.ts'
import type { FallbackCause, FallbackOutcome, FallbackState } from './rules.ts'

/** What an SMS in place of a message needs: the shop's sender, the template's text and the message's values. */
export type FallbackPlan = {
  template_id: ObjectId
  phone: string
  params: Record<string, string>
  /** The template's params. */
  declared: TemplateParam[]
  text: string
  provider: string
  /** Of one SMS, in đồng. */
  price: number
}

/**
 * What an SMS in place of a message needs. Undefined unless the message goes to a Vietnamese phone number and its outcome was
 * never unknown, its template has an SMS text, and its shop has a sender and is not suspended. Also undefined for a message with
 * a one-time password once the platform has accepted it: the password is masked by then, and has expired.
 */
export async function findFallbackPlan(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
): Promise<FallbackPlan | undefined> {
  const { rows } = await sql<FallbackPlan>`
    select m.template_id, m.phone, m.params, t.params as declared, x.text, s.provider, s.price
    from messages m
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    join template_sms_texts x on x.shop_id = m.shop_id and x.template_id = m.template_id
    join sms_senders s on s.shop_id = m.shop_id
    where m.shop_id = ${shopId} and m.id = ${messageId} and m.channel = 'phone' and m.phone ~ '^84[0-9]{9}$'
      and not m.is_sample and m.unknown_cause is null and m.resent_at is null
      and (m.state in ('SENDING', 'FALLBACK') or not m.has_otp) and not ${isSuspended(sql`m.shop_id`)}`.execute(
    db,
  )
  return rows[0]
}

/**
 * Takes a message back from the platform, in one statement: it is no longer sent or awaited there, its fee is released, and its
 * timeline says why. Applies only to a message that the platform has just refused, or has accepted and not delivered in time, and
 * that still has the plan's phone number: a message whose recipient was erased since is left alone.
 * @returns `'taken'`; `'before'` if it was taken already; undefined if it ended in another way.
 */
export async function takeFromPlatform(
  trx: Trx,
  shopId: ObjectId,
  messageId: ObjectId,
  given: {
    phone: string
    entryId: ObjectId
    errorCode: string
    errorText: string
    answer: string | null
    event: NewEvent
    now: Date
  },
): Promise<'taken' | 'before' | undefined> {
  const taken = sql.ref('taken')
  const { rows } = await sql`
    with ${taken} as (
      update messages m
      set state = 'FALLBACK', error_code = ${given.errorCode}, error_text = ${given.errorText},
        platform_answer = coalesce(${given.answer}::jsonb, platform_answer), lease_until = null, sender_id = null,
        not_before = null, receipt_due_at = null, updated_at = ${given.now}
      where m.shop_id = ${shopId} and m.id = ${messageId} and m.unknown_cause is null and m.resent_at is null
        and m.phone = ${given.phone} and (m.state = 'SENDING' or (m.state = 'RECEIVED' and m.receipt_due_at is not null))
      returning m.shop_id, m.id, m.fee, ${given.entryId}::text as entry_id, m.fee as returned
    ), ${settleFees(shopId, taken, given.now)}, ${addEvent(taken, given.event, given.now)}
    select id
    from ${taken}`.execute(trx)
  if (rows.length > 0) return 'taken'
  const before = await sql`
    select message_id
    from message_fallbacks
    where shop_id = ${shopId} and message_id = ${messageId}`.execute(trx)
  return before.rows.length > 0 ? 'before' : undefined
}

/**
 * Adds the SMS that stands in for a message, due at once, and holds its fee, in one statement.
 * @returns false, with nothing changed, when the balance is lower than the fee.
 */
export async function insertFallback(
  trx: Trx,
  shopId: ObjectId,
  sms: {
    messageId: ObjectId
    cause: FallbackCause
    provider: string
    text: string
    parts: number
    fee: number
    entryId: ObjectId
    now: Date
  },
): Promise<boolean> {
  const { messageId, fee, parts, entryId, now } = sms
  const added = sql.ref('added')
  const detail = { cause: sms.cause, fee, parts }
  const { rows } = await sql`
    with ${holdSmsFee(shopId, { entryId, messageId, fee, now })}, ${added} as (
      insert into message_fallbacks
        (shop_id, message_id, cause, provider, text, parts, fee, state, due_at, hold_entry_id, created_at, updated_at)
      select shop_id, ${messageId}, ${sms.cause}, ${sms.provider}, ${sms.text}, ${parts}, ${fee}::bigint, 'QUEUED', ${now},
        ${entryId}, ${now}, ${now}
      from wallet
      returning shop_id, message_id as id
    ), ${addEvent(added, { kind: 'sms_queued', detail }, now)}
    select id
    from ${added}`.execute(trx)
  return rows.length > 0
}

/**
 * An SMS with what sending and ending it needs. The sender is the one that it was sent with, as long as that is stored, else the
 * shop's current one; null when the shop no longer has one.
 */
export type FallbackRow = {
  shop_id: ObjectId
  message_id: ObjectId
  state: FallbackState
  /** Counts the claims, so that it identifies the claim that returned this row. */
  tries: number
  text: string
  session_id: string
  sender_provider: string | null
  brandname: string | null
  /** Encrypted. */
  keys: Uint8Array | null
  /** Identifies the keys that it was sent with. */
  keys_id: ObjectId | null
  /** Whether the shop's keys are still those of the first attempt, or there were none then and are none now. */
  has_same_keys: boolean
  phone: string
  params: Record<string, string>
  has_otp: boolean
  /** The template's params. */
  declared: TemplateParam[]
  request_id: ObjectId | null
  created_at: Date
}

/** The columns of a {@link FallbackRow}; the SMS is `f`. */
const columns = sql`f.shop_id, f.message_id, f.state, f.tries, f.text, f.session_id, f.created_at, f.keys_id,
      coalesce(o.provider, s.provider) as sender_provider, coalesce(o.brandname, s.brandname) as brandname,
      coalesce(o.keys, s.keys) as keys, f.keys_id is not distinct from s.keys_id as has_same_keys, m.phone, m.params, m.has_otp, m.request_id, t.params as declared`
const joins = sql`
    join messages m on m.shop_id = f.shop_id and m.id = f.message_id
    join templates t on t.shop_id = m.shop_id and t.id = m.template_id
    left join sms_senders s on s.shop_id = f.shop_id
    left join former_sms_senders o on o.shop_id = f.shop_id and o.keys_id = f.keys_id`

/**
 * Claims up to `limit` SMS of all shops that are due, the longest due first, by postponing them until `claimedUntil`. Their
 * states stay: an SMS whose work never begins was not sent ({@link beginSending}). One in QUEUED gets the keys that the shop has
 * now. Index message_fallbacks_due.
 */
export async function claimDueFallbacks(
  db: Db,
  { now, claimedUntil, limit }: { now: Date; claimedUntil: Date; limit: number },
): Promise<FallbackRow[]> {
  const { rows } = await sql<FallbackRow>`
    with due as (
      select shop_id, message_id
      from message_fallbacks
      where due_at <= ${now} and not ${isSuspended(sql`message_fallbacks.shop_id`)}
      order by due_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update message_fallbacks f
      set due_at = ${claimedUntil}, tries = f.tries + 1, updated_at = ${now},
        keys_id = case
          when f.state = 'QUEUED' then (select s.keys_id from sms_senders s where s.shop_id = f.shop_id)
          else f.keys_id
        end
      from due
      where f.shop_id = due.shop_id and f.message_id = due.message_id
      returning f.*
    )
    select ${columns}
    from claimed f
    ${joins}
    order by f.created_at, f.message_id`.execute(db)
  return rows
}

/** The SMS of a message; undefined if it has none, or the SMS has ended. */
export async function findOpenFallback(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
): Promise<FallbackRow | undefined> {
  const { rows } = await sql<FallbackRow>`
    select ${columns}
    from message_fallbacks f
    ${joins}
    where f.shop_id = ${shopId} and f.message_id = ${messageId} and f.state <> 'ENDED'`.execute(db)
  return rows[0]
}

/**
 * Records that a claimed SMS is about to be handed to its provider: QUEUED becomes SENDING, so that it counts as possibly sent if
 * the process is killed. The claim is renewed until `claimedUntil`.
 * @returns false, with nothing changed, if another process has claimed the SMS meanwhile or its state has changed.
 */
export async function beginSending(
  db: Db,
  { shop_id: shopId, message_id: messageId, tries, state }: FallbackRow,
  { claimedUntil, now }: { claimedUntil: Date; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update message_fallbacks
    set state = case when state = 'QUEUED' then 'SENDING' else state end, due_at = ${claimedUntil}, updated_at = ${now}
    where shop_id = ${shopId} and message_id = ${messageId} and tries = ${tries} and state = ${state}
    returning message_id`.execute(db)
  return rows.length > 0
}

/**
 * Records the state of a claimed SMS after an attempt, and when it is due again. Changes nothing if another process has claimed
 * the SMS meanwhile.
 */
export async function updateFallback(
  db: Db,
  { shop_id: shopId, message_id: messageId, tries }: Pick<FallbackRow, 'shop_id' | 'message_id' | 'tries'>,
  step: {
    state?: 'QUEUED' | 'UNKNOWN' | 'SENT'
    sessionId?: string
    dueAt: Date
    event?: NewEvent
    now: Date
  },
): Promise<void> {
  const changed = sql.ref('changed')
  const event: RawBuilder<unknown> =
    step.event === undefined ? sql`` : sql`, ${addEvent(changed, step.event, step.now)}`
  await sql`
    with ${changed} as (
      update message_fallbacks f
      set state = coalesce(${step.state ?? null}::text, f.state), due_at = ${step.dueAt}, updated_at = ${step.now},
        session_id = coalesce(nullif(${step.sessionId ?? ''}::text, ''), f.session_id),
        sent_at = case when ${step.state ?? null}::text = 'SENT' then coalesce(f.sent_at, ${step.now}) else f.sent_at end
      where f.shop_id = ${shopId} and f.message_id = ${messageId} and f.tries = ${tries} and f.state <> 'ENDED'
      returning f.shop_id, f.message_id as id
    )${event}
    select id
    from ${changed}`.execute(db)
}

/** How an SMS ends. `entryId` is the ledger entry's. */
export type FallbackEnding = {
  messageId: ObjectId
  outcome: FallbackOutcome
  /** Ends it only if no other process has claimed it since this claim; without it, the SMS is ended in any case. */
  tries: number | undefined
  entryId: ObjectId
  /** The provider's id, '' if the provider named none. */
  sessionId: string
  deliveredAt: Date | null
  /** The values with their secrets masked. */
  maskedParams: Readonly<Record<string, string>>
  event: NewEvent
}

/**
 * Ends an SMS and its message, in one statement: the fee is captured if the SMS arrived, else released. The message becomes
 * RECEIVED at the price of what delivered it, or ERROR for the reason that the SMS stood in for.
 * @returns when the message's own receipt came in the meantime, null if none came; undefined if the SMS had ended already, since
 * it is never settled twice, or if another process has claimed it.
 */
export async function endFallback(
  db: Db,
  shopId: ObjectId,
  { messageId, outcome, tries, entryId, sessionId, deliveredAt, maskedParams, event }: FallbackEnding,
  now: Date,
): Promise<{ overtakenAt: Date | null } | undefined> {
  const done = sql.ref('done')
  const ended = sql.ref('ended')
  const isDelivered = outcome === 'DELIVERED'
  const how = isDelivered
    ? sql`state = 'RECEIVED', error_code = null, error_text = null, fee = done.fee, delivered_at = ${deliveredAt}::timestamptz,
        session_id = case when done.session_id = '' then m.id else done.session_id end, sent_at = coalesce(done.sent_at, ${now})`
    : sql`state = 'ERROR'`
  const { rows } = await sql<{ overtakenAt: Date | null }>`
    with ${done} as (
      update message_fallbacks f
      set state = 'ENDED', outcome = ${outcome}, end_entry_id = ${entryId}, due_at = null, updated_at = ${now},
        session_id = coalesce(nullif(${sessionId}::text, ''), f.session_id)
      where f.shop_id = ${shopId} and f.message_id = ${messageId} and f.state <> 'ENDED'
        and f.tries = coalesce(${tries ?? null}::integer, f.tries)
      returning f.shop_id, f.message_id, f.fee, f.session_id, f.sent_at, f.overtaken_at
    ), ${ended} as (
      update messages m
      set ${how}, params = ${JSON.stringify(maskedParams)}::jsonb, updated_at = ${now}
      from ${done} as done
      where m.shop_id = done.shop_id and m.id = done.message_id
      returning ${notifiedColumns}
    ), ${settleSmsFee(shopId, done, { entryId, isCaptured: isDelivered, now })}, ${addEvent(ended, event, now)},
    ${notifyOfMessages(shopId, ['message.received', 'message.delivered', 'message.failed'], ended, now)}
    select overtaken_at as "overtakenAt"
    from ${done}`.execute(db)
  return rows[0]
}

/**
 * Records that a message reached the phone after an SMS was begun for it. @returns whether it did so; false if the SMS has ended
 * or this was recorded before.
 */
export async function markOvertaken(
  db: Db,
  shopId: ObjectId,
  messageId: ObjectId,
  { deliveredAt, now }: { deliveredAt: Date; now: Date },
): Promise<boolean> {
  const changed = sql.ref('changed')
  const detail = { delivered_at: deliveredAt.toISOString() }
  const { rows } = await sql`
    with ${changed} as (
      update message_fallbacks f
      set overtaken_at = ${deliveredAt}, updated_at = ${now}
      where f.shop_id = ${shopId} and f.message_id = ${messageId} and f.state <> 'ENDED' and f.overtaken_at is null
      returning f.shop_id, f.message_id as id
    ), ${addEvent(changed, { kind: 'receipt', detail }, now)}
    select id
    from ${changed}`.execute(db)
  return rows.length > 0
}
