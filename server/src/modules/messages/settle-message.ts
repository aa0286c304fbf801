import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../platform/types.ts'
import { maskedParams } from './rules.ts'
import type { MessageUnderWay } from './send-message.ts'
import { settleAsError, settleAsReceived, settleAsUnknown } from './sql.ts'

/** What became of a message. `not-sent`: it surely never reached the platform; nothing is charged. */
export type SendResult =
  | { kind: 'received'; messageId: ObjectId }
  | { kind: 'refused'; messageId: ObjectId; code: number; text: string }
  | { kind: 'not-sent'; messageId: ObjectId }
  | { kind: 'unknown'; messageId: ObjectId }

/** `error_code` of a message that never reached the platform. */
export const NOT_SENT = 'NOT_SENT'

const RETRY_PAUSES_MS = [100, 1_000]

/**
 * Writes the platform's word on a message down: accepted → RECEIVED and captured; refused, or surely never
 * sent → ERROR and released; anything else → UNKNOWN, and the hold stays. Never throws: should the database
 * be away, the message is unknown to the caller, for telling him to try again would send it twice.
 */
export async function settleMessage(
  deps: Deps,
  shopId: ObjectId,
  message: MessageUnderWay,
  outcome: PlatformOutcome<AcceptedMessage>,
): Promise<SendResult> {
  for (const pauseMs of [...RETRY_PAUSES_MS, undefined]) {
    try {
      return await settle(deps, shopId, message, outcome)
    } catch (error) {
      // Its text only: PostgreSQL's detail shows the row, with the phone.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log.error({ reason, messageId: message.id }, 'the outcome of a message was not written')
      if (pauseMs !== undefined) await pause(pauseMs)
    }
  }
  return { kind: 'unknown', messageId: message.id }
}

async function settle(
  { db, ids, clock }: Deps,
  shopId: ObjectId,
  message: MessageUnderWay,
  outcome: PlatformOutcome<AcceptedMessage>,
): Promise<SendResult> {
  const messageId = message.id
  const now = clock.now()
  const common = () => ({
    entryId: ids.next(),
    maskedParams: maskedParams(message.template.params, message.params),
    now,
  })
  if (outcome.kind === 'ok') {
    const { msgId, sentAt } = outcome.data
    // Where a receipt was faster the message is received already.
    await settleAsReceived(db, shopId, messageId, {
      ...common(),
      sessionId: storableText(msgId),
      sentAt: sentAt ?? now,
      deliveredAt: null,
      answer: storableJson(outcome.raw),
    })
    return { kind: 'received', messageId }
  }
  if (outcome.kind === 'rejected') {
    await settleAsError(db, shopId, messageId, {
      ...common(),
      errorCode: String(outcome.code),
      errorText: storableText(outcome.message),
      answer: storableJson(outcome.raw),
    })
    return { kind: 'refused', messageId, code: outcome.code, text: outcome.message }
  }
  if (outcome.surelyNotSent) {
    await settleAsError(db, shopId, messageId, {
      ...common(),
      errorCode: NOT_SENT,
      errorText: storableText(outcome.cause),
      answer: null,
    })
    return { kind: 'not-sent', messageId }
  }
  const state = await settleAsUnknown(db, shopId, messageId, { cause: storableText(outcome.cause), now })
  return { kind: state === 'RECEIVED' ? 'received' : 'unknown', messageId }
}

/** The platform may answer anything; the database takes neither NUL nor unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().slice(0, 2_000)
}

/** The answer as JSON text the database takes; null when there is none or it is too large to be of use. */
function storableJson(raw: unknown): string | null {
  const text = JSON.stringify(raw)
  if (text === undefined || text.length > 10_000) return null
  // Whatever is not plain text stands escaped in JSON: an answer with such escapes is not worth keeping.
  return /\\u(0000|d[89a-f])/i.test(text) ? null : text
}
