import { pauseAfter } from '../../../lib/retry.ts'
import { fillParams, paramKeysIn } from '../../../lib/text/params.ts'
import { toNfc } from '../../../lib/text/text.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import type { Timings } from '../../../timings.ts'

/** Why an SMS replaces a message (G-92). */
export type FallbackCause = 'NO_ACCOUNT' | 'BLOCKED' | 'NOT_DELIVERED'

/** `UNKNOWN`: the provider may or may not have accepted it; `SENT`: the provider accepted it. */
export type FallbackState = 'QUEUED' | 'SENDING' | 'UNKNOWN' | 'SENT' | 'ENDED'

/** `REFUSED`: it was never sent; `FAILED`: the provider reports that it did not arrive; `UNCONFIRMED`: no report came in time. */
export type FallbackOutcome = 'DELIVERED' | 'REFUSED' | 'FAILED' | 'UNCONFIRMED'

/**
 * The text with its params replaced by a message's values, and fixed params by their own. Undefined if a param of the text has no
 * value, because the template has changed since or the values were erased.
 */
export function filledText(
  text: string,
  params: Readonly<Record<string, string>>,
  declared: readonly Pick<TemplateParam, 'key' | 'label' | 'isFixed' | 'sampleValue'>[],
): string | undefined {
  const fixed = declared
    .filter(({ isFixed }) => isFixed)
    .map(({ key, label, sampleValue }) => [toNfc(key), toNfc(sampleValue || label)] as const)
  const values = { ...Object.fromEntries(fixed), ...params }
  if (paramKeysIn(text).some((key) => !Object.hasOwn(values, key))) return undefined
  return fillParams(text, values)
}

/** What to do with an SMS that is due. */
export type FallbackStep =
  | { kind: 'send' }
  | { kind: 'ask' }
  | { kind: 'wait'; until: Date }
  | { kind: 'end'; outcome: 'REFUSED' | 'UNCONFIRMED' }

/**
 * What to do with an SMS that is due. It is sent only while it is still useful. It is sent again only if its provider drops
 * repeats and the keys are those of the first attempt, since a provider recognises repeats within one account only. An SMS that
 * may have been sent is waited for until `smsReportWithinMs` is over, and never counts as refused.
 */
export function nextFallbackStep(
  sms: {
    state: FallbackState
    tries: number
    sessionId: string
    hasOtp: boolean
    hasSameKeys: boolean
    createdAt: Date
  },
  given: { now: Date; dropsRepeats: boolean | undefined; timings: FallbackTimings },
): FallbackStep {
  const { now, dropsRepeats, timings } = given
  const ageMs = now.getTime() - sms.createdAt.getTime()
  const end = new Date(sms.createdAt.getTime() + timings.smsReportWithinMs)
  const isOver = now >= end
  const later = (pausesMs: readonly number[]): FallbackStep => {
    const dueMs = now.getTime() + pauseAfter(pausesMs, sms.tries)
    return { kind: 'wait', until: new Date(Math.min(dueMs, end.getTime())) }
  }
  if (sms.state === 'SENT') {
    if (sms.sessionId !== '') return { kind: 'ask' }
    return isOver ? { kind: 'end', outcome: 'UNCONFIRMED' } : later(timings.smsStatusPausesMs)
  }
  const isUseful = ageMs <= (sms.hasOtp ? timings.otpWithinMs : timings.smsSendWithinMs)
  if (sms.state === 'QUEUED') {
    return dropsRepeats !== undefined && isUseful ? { kind: 'send' } : { kind: 'end', outcome: 'REFUSED' }
  }
  if (isOver) return { kind: 'end', outcome: 'UNCONFIRMED' }
  const isDropped = dropsRepeats && sms.hasSameKeys
  return isDropped && isUseful ? { kind: 'send' } : later(timings.smsStatusPausesMs)
}

export type FallbackTimings = Pick<
  Timings,
  'smsReportWithinMs' | 'smsStatusPausesMs' | 'otpWithinMs' | 'smsSendWithinMs' | 'smsRetryPausesMs'
>
