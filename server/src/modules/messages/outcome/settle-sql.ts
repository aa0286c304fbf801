import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { databaseInstant } from '../../../lib/time/dates.ts'
import { captureLate, settleFees, wallet } from '../../wallet/sql.ts'
import { addEvent, type NewEvent, notifiedColumns, notifyOfMessages } from '../history/event-sql.ts'
import type { MessageState } from '../rules.ts'

/** `error_code` of a message whose outcome was still unknown when it timed out. */
export const RELEASED = 'UNKNOWN_RELEASED'
/**
 * `error_code` of a message that the platform accepted but did not deliver in time, if messages are charged by their receipt
 * (G-26).
 */
export const NOT_DELIVERED = 'NOT_DELIVERED'

/** How a message ends. RECEIVED captures its fee, at once or with its receipt; ERROR releases it. */
export type Ending = {
  messageId: ObjectId
  /** Id of the ledger entry. */
  entryId: ObjectId
  /** The values with their secrets masked; the unmasked ones are no longer needed. */
  maskedParams: Readonly<Record<string, string>>
  /** The platform's response as JSON text that the database accepts, or null. */
  answer: string | null
  /** The event for the timeline. */
  event: NewEvent
} & (
  | { state: 'RECEIVED'; sessionId: string; sentAt: Date | null; deliveredAt: Date | null }
  | { state: 'ERROR'; errorCode: string; errorText: string }
)
export type Received = Ending & { state: 'RECEIVED' }

/** The messages that a statement ends, as an expression of that statement. */
const ended = sql.ref('ended')

/** The states that an outcome ends; only a cancellation ends a queued message. */
const UNDER_WAY: readonly MessageState[] = ['SENDING', 'UNKNOWN']

/**
 * Ends messages of a shop: writes their outcomes, settles their holds, and adds the events to their timelines and for the shop's
 * endpoints, all in one statement. Holds of messages that are charged by their receipt stay until the receipt comes. The wallet
 * and each counter are changed once. `from` names the states that may end.
 * @returns the ids of the messages that it ended; all others had ended already: a message is never settled twice.
 */
export async function settleMessages(
  db: Db,
  shopId: ObjectId,
  endings: Ending[],
  { now, from = UNDER_WAY }: { now: Date; from?: readonly MessageState[] },
): Promise<Set<ObjectId>> {
  if (endings.length === 0) return new Set()
  const charged = sql`(select * from ${ended} where receipt_due_at is null) as charged`
  const chosen = chooseInOrder(
    shopId,
    endings.map(({ messageId }) => messageId),
    from,
  )
  const { rows } = await sql<{ id: ObjectId }>`
    with ${chosen.expressions}${endChosen(shopId, endings, chosen.where, now)}, ${settleFees(shopId, charged, now)},
    ${addEvent(ended, { kind: sql`event_kind`, detail: sql`event_detail` }, now)},
    ${notifyOfEndings(shopId, endings, now)}
    select id
    from ${ended}`.execute(db)
  return new Set(rows.map((row) => row.id))
}

/** Fragments of a statement that changes messages; a single message needs neither a lock order nor a lock in advance. */
type Chosen = {
  /** Common table expressions, with the comma that follows. */
  expressions: RawBuilder<unknown>
  /** Which of the shop's messages `m` the statement changes. */
  where: RawBuilder<unknown>
}

/**
 * Chooses those of the messages that are in one of the states and meet the condition. They are locked in the order of their ids,
 * so that two such statements cannot deadlock.
 */
export function chooseInOrder(
  shopId: ObjectId,
  ids: ObjectId[],
  states: readonly MessageState[],
  condition: RawBuilder<unknown> = sql`true`,
): Chosen {
  const isIn = sql`m.state in (${sql.join(states.map((state) => sql.lit(state)))}) and ${condition}`
  if (ids.length === 1) {
    return { expressions: sql``, where: sql`m.id = ${ids[0]} and ${isIn}` }
  }
  return {
    expressions: sql`locked as materialized (
      select m.id
      from messages m
      where m.shop_id = ${shopId} and m.id = any(${ids}::text[]) and ${isIn}
      order by m.id
      for update
    ), `,
    where: sql`m.id = any(array(select id from locked))`,
  }
}

/** The CTE `ended`: the chosen messages, changed to their endings. */
function endChosen(
  shopId: ObjectId,
  endings: Ending[],
  chosen: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> {
  return sql`${ended} as (
      update messages m
      set state = given.state, session_id = given.session_id, sent_at = given.sent_at,
        delivered_at = given.delivered_at, error_code = given.error_code, error_text = given.error_text,
        params = given.params, platform_answer = given.answer::jsonb, not_before = null, lease_until = null,
        sender_id = null, settle_at = null, updated_at = ${now},
        receipt_due_at = case
          when given.state = 'RECEIVED' and given.delivered_at is null and m.fee > 0
            then ${now}::timestamptz + make_interval(secs => m.receipt_within_seconds)
        end
      from jsonb_to_recordset(${JSON.stringify(endings.map(endingRow))}::jsonb) as given (id text, entry_id text,
        state text, session_id text, sent_at timestamptz, delivered_at timestamptz, error_code text, error_text text,
        params jsonb, answer text, event_kind text, event_detail jsonb)
      where m.shop_id = ${shopId} and ${chosen} and given.id = m.id
      returning ${notifiedColumns}, m.receipt_due_at, given.entry_id,
        case when given.state = 'RECEIVED' then 0 else m.fee end as returned, given.event_kind, given.event_detail
    )`
}

function endingRow(ending: Ending) {
  const { messageId: id, entryId: entry_id, state, maskedParams: params, answer, event } = ending
  return {
    ...{ id, entry_id, state, params, answer, event_kind: event.kind, event_detail: event.detail },
    ...(ending.state === 'RECEIVED'
      ? {
          session_id: ending.sessionId,
          sent_at: ending.sentAt && databaseInstant(ending.sentAt),
          delivered_at: ending.deliveredAt && databaseInstant(ending.deliveredAt),
        }
      : { session_id: '', error_code: ending.errorCode, error_text: ending.errorText }),
  }
}

/** The events of each type that these endings can cause. */
function notifyOfEndings(shopId: ObjectId, endings: Ending[], now: Date): RawBuilder<unknown> {
  const has = (test: (ending: Ending) => boolean) => endings.some(test)
  const isDelivered = (ending: Ending) => ending.state === 'RECEIVED' && ending.deliveredAt !== null
  const types = [
    ...(has(({ state }) => state === 'RECEIVED') ? ['message.received' as const] : []),
    ...(has(isDelivered) ? ['message.delivered' as const] : []),
    ...(has(({ state }) => state === 'ERROR') ? ['message.failed' as const] : []),
  ]
  return notifyOfMessages(shopId, types, ended, now)
}

/**
 * Makes a message RECEIVED that arrived after its fee was released, as unknown or undelivered, and charges it again: as much of
 * the fee as the balance covers; the rest is owed (decision 0006). One statement. Any other message stays as it is, since the
 * platform's rejection is final, unless it concerned a second attempt.
 */
export async function settleLate(
  db: Db,
  shopId: ObjectId,
  { messageId, entryId, sessionId, sentAt, deliveredAt }: Received,
  now: Date,
): Promise<void> {
  const detail = {
    session_id: sessionId,
    ...(deliveredAt === null ? {} : { delivered_at: deliveredAt.toISOString() }),
  }
  const charged = sql`coalesce((select charged from ${wallet}), 0)`
  const withCharge = sql`${JSON.stringify(detail)}::jsonb || jsonb_build_object('charged', ${charged}, 'owed', fee - ${charged})`
  await sql`
    with ${ended} as (
      update messages m
      set state = 'RECEIVED', is_late = true, session_id = ${sessionId}, sent_at = ${sentAt},
        delivered_at = ${deliveredAt}, error_code = null, error_text = null, updated_at = ${now}
      where m.shop_id = ${shopId} and m.id = ${messageId} and m.state = 'ERROR'
        and (m.error_code in (${RELEASED}, ${NOT_DELIVERED}) or m.resent_at is not null)
        and (m.receipt_within_seconds is null or ${deliveredAt}::timestamptz is not null)
      returning ${notifiedColumns}
    ), ${captureLate(shopId, ended, { entryId, now })}, ${addEvent(ended, { kind: 'late', detail: withCharge }, now)},
    ${notifyOfMessages(shopId, ['message.received', 'message.delivered'], ended, now)}
    select id
    from ${ended}`.execute(db)
}

/**
 * Completes a RECEIVED message whose receipt came before the platform's response: adds the time of sending and the response. The
 * first session id stays.
 * @returns false for a message that needs no completion.
 */
export async function completeReceived(
  db: Db,
  shopId: ObjectId,
  { messageId, sessionId, sentAt, answer, event }: Received,
  now: Date,
): Promise<boolean> {
  const changed = sql.ref('changed')
  const { rows } = await sql`
    with ${changed} as (
      update messages
      set sent_at = ${sentAt}, platform_answer = ${answer}::jsonb, updated_at = ${now},
        session_id = case when session_id = id then ${sessionId} else session_id end
      where shop_id = ${shopId} and id = ${messageId} and state = 'RECEIVED' and sent_at is null
      returning shop_id, id
    ), ${addEvent(changed, event, now)}
    select id
    from ${changed}`.execute(db)
  return rows.length > 0
}
