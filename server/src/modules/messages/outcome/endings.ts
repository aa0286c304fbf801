import type { ObjectId } from '../../../lib/object-id.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../../platform/types.ts'
import type { Outgoing } from '../outgoing.ts'
import { maskedParams, type SendableTemplate } from '../rules.ts'
import type { Ending, Received } from './settle-sql.ts'

/** `error_code` of a message that never reached the platform. */
export const NOT_SENT = 'NOT_SENT'
/** `error_code` of a queued message whose batch was cancelled before it was sent (G-27). */
export const CANCELLED = 'CANCELLED'
/** `error_code` of a queued message whose recipient opted out before it was sent (G-77). */
export const OPTED_OUT = 'OPTED_OUT'
/** `error_code` of a queued message whose one-time password expired before it could be sent (G-27). */
export const OTP_EXPIRED = 'OTP_EXPIRED'

/** The fields of a message that its ending needs. */
export type EndedMessage = Pick<Outgoing, 'id' | 'params'> & { template: Pick<SendableTemplate, 'params'> }

/** The ending of a message that the platform has accepted. */
export function receivedEnding(
  entryId: ObjectId,
  message: EndedMessage,
  given: Pick<Received, 'sessionId' | 'sentAt' | 'deliveredAt' | 'answer' | 'event'>,
): Received {
  return { state: 'RECEIVED', entryId, ...endedMessage(message), ...given }
}

/** The ending of a message that the platform has not accepted, or is not known to have accepted. */
export function errorEnding(
  entryId: ObjectId,
  message: EndedMessage,
  given: Pick<Ending & { state: 'ERROR' }, 'errorCode' | 'errorText' | 'answer' | 'event'>,
): Ending {
  return { state: 'ERROR', entryId, ...endedMessage(message), ...given }
}

/**
 * The ending that follows from the platform's response: accepted → RECEIVED; rejected, or definitely not sent → ERROR.
 * Undefined if the outcome is unknown. The timeline names `attempt` unless it is the first.
 */
export function endingOf(
  entryId: ObjectId,
  message: EndedMessage,
  outcome: PlatformOutcome<AcceptedMessage>,
  { now, attempt }: { now: Date; attempt?: number | undefined },
): Ending | undefined {
  const nth = attempt === undefined ? {} : { attempt }
  if (outcome.kind === 'ok') {
    const sessionId = storableText(outcome.data.msgId)
    return receivedEnding(entryId, message, {
      sessionId,
      sentAt: outcome.data.sentAt ?? now,
      deliveredAt: null,
      answer: storableJson(outcome.raw),
      event: { kind: 'sent', detail: { session_id: sessionId, ...nth } },
    })
  }
  if (outcome.kind === 'rejected') {
    const errorCode = String(outcome.code)
    const errorText = storableText(outcome.message)
    return errorEnding(entryId, message, {
      errorCode,
      errorText,
      answer: storableJson(outcome.raw),
      event: { kind: 'rejected', detail: { code: errorCode, text: errorText, ...nth } },
    })
  }
  if (!outcome.surelyNotSent) return undefined
  const cause = storableText(outcome.cause)
  return errorEnding(entryId, message, {
    errorCode: NOT_SENT,
    errorText: cause,
    answer: null,
    event: { kind: 'not_sent', detail: { cause, ...nth } },
  })
}

function endedMessage({ id, template, params }: EndedMessage) {
  return { messageId: id, maskedParams: maskedParams(template.params, params) }
}

/** Text that the database accepts: the platform may send anything, but the database takes neither NUL nor unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').slice(0, 2_000).toWellFormed()
}

/** The response as JSON text that the database accepts; null if there is none or it is too large to be useful. */
export function storableJson(raw: unknown): string | null {
  const text = JSON.stringify(raw)
  if (text === undefined || text.length > 10_000) return null
  // JSON escapes such characters; a response with these escapes is not worth storing.
  return /\\u(0000|d[89a-f])/i.test(text) ? null : text
}
