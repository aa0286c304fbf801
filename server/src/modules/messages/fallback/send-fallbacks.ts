import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { forRequest } from '../../../lib/request-id.ts'
import { pauseAfter } from '../../../lib/retry.ts'
import type { MessageProvider, TextContent } from '../../../platform/provider.ts'
import { textProviderOf } from '../../../platform/providers.ts'
import type { PlatformOutcome } from '../../../platform/types.ts'
import { storableText } from '../outcome/endings.ts'
import { workClaimed } from '../outcome/work-claimed.ts'
import { endSms } from './end-fallback.ts'
import { filledText, nextFallbackStep } from './rules.ts'
import { beginSending, claimDueFallbacks, type FallbackRow, updateFallback } from './sql.ts'

const BATCH = 32

/**
 * Sends the SMS that are due, and asks the provider about those without a report (G-92). Any number of processes may do so: each
 * SMS is claimed before its provider is called. When `signal` is aborted, those that were not begun are due again at once.
 * @returns how many were claimed.
 */
export async function sendFallbacks(deps: Deps, signal?: AbortSignal): Promise<number> {
  const now = deps.clock.now()
  const claimedUntil = new Date(now.getTime() + deps.timings.smsClaimMs)
  const due = await claimDueFallbacks(deps.db, { now, claimedUntil, limit: BATCH })
  const how = { idOf: (sms: FallbackRow) => sms.message_id, failed: 'an SMS could not be processed', signal }
  const left = await workClaimed(deps, due, how, (sms) =>
    forRequest(sms.request_id, () => workFallback(deps, sms)),
  )
  for (const sms of left) await updateFallback(deps.db, sms, { dueAt: now, now })
  return due.length
}

async function workFallback(deps: Deps, sms: FallbackRow): Promise<void> {
  const { clock, timings } = deps
  const now = clock.now()
  const provider = providerOf(deps, sms)
  const step = nextFallbackStep(
    {
      state: sms.state,
      tries: sms.tries,
      sessionId: sms.session_id,
      hasOtp: sms.has_otp,
      hasSameKeys: sms.has_same_keys,
      createdAt: sms.created_at,
    },
    { now, dropsRepeats: provider?.dropsRepeats, timings },
  )
  if (step.kind === 'send') return send(deps, sms, provider!)
  if (step.kind === 'ask') return ask(deps, sms, provider)
  if (step.kind === 'wait') {
    return updateFallback(deps.db, sms, { dueAt: step.until, now })
  }
  const cause =
    step.outcome === 'REFUSED' ? 'it could not be sent in time' : 'nobody reported whether it arrived'
  await endSms(deps, sms, { outcome: step.outcome, tries: sms.tries, cause })
}

/** Undefined when the shop no longer has a sender, or has one of another provider. */
function providerOf(
  deps: Deps,
  { sender_provider: code }: FallbackRow,
): MessageProvider<TextContent> | undefined {
  return code === null ? undefined : textProviderOf(partsOf(deps), code)
}

function partsOf({ esmsUrl, timings, secrets }: Deps) {
  return { esmsUrl, timeoutMs: timings.platformTimeoutMs, secrets }
}

const accountOf = ({ shop_id: shopId, brandname, keys }: FallbackRow) => ({
  shopId,
  accountId: brandname ?? '',
  credentials: keys,
})

async function send(deps: Deps, sms: FallbackRow, provider: MessageProvider<TextContent>): Promise<void> {
  const { db, clock, timings, config } = deps
  const { shop_id: shopId, message_id: messageId, phone, tries } = sms
  const text = filledText(sms.text, sms.params, sms.declared)
  if (text === undefined) {
    await endSms(deps, sms, { outcome: 'REFUSED', tries, cause: 'the template has changed' })
    return
  }
  const begunAt = clock.now()
  const claimedUntil = new Date(begunAt.getTime() + timings.smsClaimMs)
  if (!(await beginSending(db, sms, { claimedUntil, now: begunAt }))) return
  const outcome = await provider.send(accountOf(sms), {
    to: { phone },
    content: { kind: 'text', text },
    trackingId: messageId,
    isSample: false,
    ...(config.publicUrl === undefined ? {} : { reportTo: `${config.publicUrl}/hooks/sms/${shopId}` }),
  })
  const now = clock.now()
  const dueAt = new Date(now.getTime() + pauseAfter(timings.smsRetryPausesMs, tries))
  if (outcome.kind === 'ok') {
    const sessionId = storableText(outcome.data.msgId)
    return updateFallback(db, sms, {
      state: 'SENT',
      sessionId,
      dueAt: new Date(now.getTime() + timings.smsStatusPausesMs[0]!),
      event: { kind: 'sms_sent', detail: sessionId === '' ? {} : { session_id: sessionId } },
      now,
    })
  }
  // Whatever the response is now, an earlier attempt may have been sent.
  const mayBeSent = sms.state !== 'QUEUED'
  if (outcome.kind === 'unknown' && (mayBeSent || !outcome.surelyNotSent)) {
    const event = { kind: 'sms_unknown', detail: { cause: storableText(outcome.cause) } } as const
    return updateFallback(db, sms, { state: 'UNKNOWN', dueAt, event, now })
  }
  const cause = storableText(outcome.kind === 'rejected' ? outcome.message : outcome.cause)
  const code = outcome.kind === 'rejected' ? { code: String(outcome.code) } : {}
  if (mayBeSent || isForNow(outcome)) {
    const state = mayBeSent ? 'UNKNOWN' : 'QUEUED'
    const event = { kind: 'sms_put_off', detail: { cause, ...code } } as const
    return updateFallback(db, sms, { state, dueAt, event, now })
  }
  await endSms(deps, sms, { outcome: 'REFUSED', tries, cause, ...code })
}

/** Whether the same SMS may be accepted later. */
function isForNow(outcome: Exclude<PlatformOutcome<unknown>, { kind: 'ok' }>): boolean {
  if (outcome.kind === 'unknown') return true
  return outcome.class === 'platform-money' || outcome.class === 'later' || outcome.class === 'transient'
}

/**
 * Asks what became of an SMS that the provider accepted. After `smsReportWithinMs`, a response that it is still in progress no
 * longer counts.
 */
async function ask(
  deps: Deps,
  sms: FallbackRow,
  provider: MessageProvider<TextContent> | undefined,
): Promise<void> {
  const { db, clock, timings } = deps
  const answer = await provider?.messageStatus(accountOf(sms), sms.session_id)
  if (answer?.kind === 'ok' && answer.data.status === 'delivered') {
    const { deliveredAt } = answer.data
    await endSms(deps, sms, {
      outcome: 'DELIVERED',
      tries: sms.tries,
      cause: '',
      ...(deliveredAt === undefined ? {} : { deliveredAt }),
    })
    return
  }
  if (answer?.kind === 'ok' && answer.data.status === 'failed') {
    const cause = 'the provider reports that it did not arrive'
    await endSms(deps, sms, { outcome: 'FAILED', tries: sms.tries, cause })
    return
  }
  const now = clock.now()
  if (now.getTime() - sms.created_at.getTime() >= timings.smsReportWithinMs) {
    const cause = 'nobody reported whether it arrived'
    await endSms(deps, sms, { outcome: 'UNCONFIRMED', tries: sms.tries, cause })
    return
  }
  const dueAt = new Date(now.getTime() + pauseAfter(timings.smsStatusPausesMs, sms.tries))
  await updateFallback(db, sms, { dueAt, now })
}

/** Runs {@link sendFallbacks} every second until stopped; stopping waits for the SMS in progress. */
export function startFallbacks(deps: Deps): () => Promise<void> {
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'a round of SMS failed; the next one continues')
  return startLoop({ everyMs: deps.timings.smsEveryMs, failed }, async (stopping) => {
    return (await sendFallbacks(deps, stopping)) === BATCH ? 0 : deps.timings.smsEveryMs
  })
}
