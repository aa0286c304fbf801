import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../../platform/types.ts'
import type { Outgoing } from '../outgoing.ts'
import { maskedParams } from '../rules.ts'
import { settleAsError, settleAsReceived, settleAsUnknown } from '../sql.ts'
import { settleAsLate, updateOvertakenAnswer } from './settle-sql.ts'

/** What became of a message. `not-sent`: it surely never reached the platform; nothing is charged. */
export type SendResult =
  | { kind: 'received'; messageId: ObjectId }
  | { kind: 'refused'; messageId: ObjectId; code: number; text: string }
  | { kind: 'not-sent'; messageId: ObjectId }
  | { kind: 'unknown'; messageId: ObjectId }

/** `error_code` of a message that never reached the platform. */
export const NOT_SENT = 'NOT_SENT'
/** Of a queued message whose batch was cancelled before its turn (G-27). */
export const CANCELLED = 'CANCELLED'

const RETRY_PAUSES_MS = [100, 1_000]
/** Then without anyone waiting for it: until its lease ends and it is settled as unknown. */
const LATER_PAUSES_MS = [2_000, 5_000, 10_000, 20_000, 30_000, 60_000]

/**
 * Writes the platform's word on a message down: accepted → RECEIVED and captured; refused, or surely never
 * sent → ERROR and released; anything else → UNKNOWN, and the hold stays. Never throws: should the database
 * be away, the message is unknown to the caller, for telling him to try again would send it twice, and writing it down
 * goes on for two minutes.
 */
export async function settleMessage(
  deps: Deps,
  shopId: ObjectId,
  message: Pick<Outgoing, 'id' | 'params' | 'template'>,
  outcome: PlatformOutcome<AcceptedMessage>,
): Promise<SendResult> {
  const settled = await settleInTries(deps, shopId, message, outcome, RETRY_PAUSES_MS)
  if (settled !== undefined) return settled
  void pause(LATER_PAUSES_MS[0], undefined, { ref: false }).then(() =>
    settleInTries(deps, shopId, message, outcome, LATER_PAUSES_MS.slice(1)),
  )
  return { kind: 'unknown', messageId: message.id }
}

/** Undefined when it could not be written in any of the tries, between which the pauses lie. Never throws. */
async function settleInTries(
  deps: Deps,
  shopId: ObjectId,
  message: Pick<Outgoing, 'id' | 'params' | 'template'>,
  outcome: PlatformOutcome<AcceptedMessage>,
  pausesMs: readonly number[],
): Promise<SendResult | undefined> {
  for (const pauseMs of [...pausesMs, undefined]) {
    try {
      return await settle(deps, shopId, message, outcome)
    } catch (error) {
      // Its text only: PostgreSQL's detail shows the row, with the phone.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log.error({ reason, messageId: message.id }, 'the outcome of a message was not written')
      if (pauseMs !== undefined) await pause(pauseMs, undefined, { ref: false })
    }
  }
  return undefined
}

async function settle(
  { db, ids, clock, config }: Deps,
  shopId: ObjectId,
  message: Pick<Outgoing, 'id' | 'params' | 'template'>,
  outcome: PlatformOutcome<AcceptedMessage>,
): Promise<SendResult> {
  const messageId = message.id
  const now = clock.now()
  if (outcome.kind === 'unknown' && !outcome.surelyNotSent) {
    const state = await settleAsUnknown(db, shopId, messageId, {
      cause: storableText(outcome.cause),
      defaultTimeoutSeconds: config.unknown.timeoutSeconds,
      now,
    })
    return { kind: state === 'RECEIVED' ? 'received' : 'unknown', messageId }
  }
  const common = {
    entryId: ids.next(),
    maskedParams: maskedParams(message.template.params, message.params),
    now,
  }
  if (outcome.kind === 'ok') {
    const accepted = {
      ...common,
      sessionId: storableText(outcome.data.msgId),
      sentAt: outcome.data.sentAt ?? now,
      deliveredAt: null,
      answer: storableJson(outcome.raw),
    }
    const detail = { session_id: accepted.sessionId }
    if (!(await settleAsReceived(db, shopId, messageId, { ...accepted, event: { kind: 'sent', detail } }))) {
      // A receipt was faster, or this process stood still for so long that the fee was given back.
      if (!(await updateOvertakenAnswer(db, shopId, messageId, accepted))) {
        await settleAsLate(db, shopId, messageId, accepted)
      }
    }
    return { kind: 'received', messageId }
  }
  if (outcome.kind === 'rejected') {
    const errorCode = String(outcome.code)
    const errorText = storableText(outcome.message)
    await settleAsError(db, shopId, messageId, {
      ...common,
      errorCode,
      errorText,
      answer: storableJson(outcome.raw),
      event: { kind: 'rejected', detail: { code: errorCode, text: errorText } },
    })
    return { kind: 'refused', messageId, code: outcome.code, text: outcome.message }
  }
  const cause = storableText(outcome.cause)
  await settleAsError(db, shopId, messageId, {
    ...common,
    errorCode: NOT_SENT,
    errorText: cause,
    answer: null,
    event: { kind: 'not_sent', detail: { cause } },
  })
  return { kind: 'not-sent', messageId }
}

/** The platform may answer anything; the database takes neither NUL nor unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().slice(0, 2_000)
}

/** The answer as JSON text the database takes; null when there is none or it is too large to be of use. */
export function storableJson(raw: unknown): string | null {
  const text = JSON.stringify(raw)
  if (text === undefined || text.length > 10_000) return null
  // Whatever is not plain text stands escaped in JSON: an answer with such escapes is not worth keeping.
  return /\\u(0000|d[89a-f])/i.test(text) ? null : text
}
