import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { isOtp } from '../../../lib/text/params.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import type { Outgoing } from '../outgoing.ts'
import { callPlatform } from '../send/call-platform.ts'
import { errorEnding, storableText } from './endings.ts'
import { settleOutcome } from './settle-outcomes.ts'
import { RELEASED, settleMessages } from './settle-sql.ts'
import { claimDueMessages, claimResend, type DueMessage, insertUnknownAgain } from './unknown-sql.ts'
import { workClaimed } from './work-claimed.ts'

const BATCH = 16
const BATCHES_A_ROUND = 125

/** `settled` counts the messages that ended, `waiting` those that were sent again. */
export type SettleRound = { settled: number; waiting: number }

/**
 * Settles the messages whose outcome was still unknown when they timed out, by the UNKNOWN_POLICY of the shop or the service: the
 * fee is released, or a phone message without an OTP is sent once more first (decision 0006). At most 2,000 messages a round;
 * several processes share the work. Stops early when `signal` is aborted.
 */
export async function settleUnknownMessages(deps: Deps, signal?: AbortSignal): Promise<SettleRound> {
  const round: SettleRound = { settled: 0, waiting: 0 }
  for (let batch = 0; batch < BATCHES_A_ROUND; batch++) {
    const now = deps.clock.now()
    const claimedUntil = new Date(now.getTime() + deps.timings.unknownClaimMs)
    const due = await claimDueMessages(deps.db, { now, claimedUntil, limit: BATCH })
    const failed = 'an unknown message was not settled'
    await workClaimed(deps, due, { idOf: ({ id }) => id, failed, signal }, async (message) => {
      round[(await settleDue(deps, message)) ? 'settled' : 'waiting'] += 1
    })
    if (due.length < BATCH || signal?.aborted) break
  }
  return round
}

/** Runs {@link settleUnknownMessages} now and 5 seconds after each round. @returns a function that stops it. */
export function startSettlingUnknown(deps: Deps): () => Promise<void> {
  const { timings, log } = deps
  const failed = (error: unknown) => log.warn({ err: error }, 'settling unknown messages failed')
  return startLoop({ everyMs: timings.recoveryEveryMs, failed }, async (stopping) => {
    const { settled, waiting } = await settleUnknownMessages(deps, stopping)
    if (settled + waiting > 0) log.info({ settled, waiting }, 'unknown messages were settled')
  })
}

/**
 * Whether a message may be sent once more. The platform delivers every copy that it gets (docs/reference/platform.md), so a
 * second copy must do no harm: never a message by UID, never an OTP, which has expired, never a sample.
 */
export function mayResend(
  message: Pick<DueMessage, 'channel' | 'is_sample' | 'resent_at' | 'is_sendable'> & {
    declared: readonly Pick<TemplateParam, 'techSetting'>[]
  },
  policy: 'release' | 'resend-once',
): boolean {
  return (
    policy === 'resend-once' &&
    message.channel === 'phone' &&
    message.resent_at === null &&
    !message.is_sample &&
    message.is_sendable &&
    !message.declared.some(isOtp)
  )
}

/** @returns whether the message has ended. */
async function settleDue(deps: Deps, message: DueMessage): Promise<boolean> {
  if (mayResend(message, message.unknown_policy ?? deps.config.unknown.policy)) return resend(deps, message)
  return release(deps, message, 'no receipt came in time')
}

/** Calls the platform for the second and last time. @returns whether the message has ended. */
async function resend(deps: Deps, message: DueMessage): Promise<boolean> {
  const { db, clock, config } = deps
  const { shop_id: shopId, id } = message
  const defaultTimeoutSeconds = config.unknown.timeoutSeconds
  if (!(await claimResend(db, shopId, id, { defaultTimeoutSeconds, now: clock.now() }))) return true
  const outcome = await callPlatform(deps, shopId, outgoing(message))
  if (outcome.kind === 'unknown') {
    const cause = storableText(outcome.cause)
    if (outcome.surelyNotSent) return release(deps, message, `the second attempt was never sent: ${cause}`)
    await insertUnknownAgain(db, shopId, id, { cause, now: clock.now() })
    return false
  }
  const { kind } = await settleOutcome(deps, shopId, { message: outgoing(message), outcome, attempt: 2 })
  return kind !== 'unknown'
}

async function release({ db, ids, clock }: Deps, message: DueMessage, cause: string): Promise<true> {
  const ending = errorEnding(ids.next(), outgoing(message), {
    errorCode: RELEASED,
    errorText: cause,
    answer: null,
    event: { kind: 'released', detail: { cause } },
  })
  await settleMessages(db, message.shop_id, [ending], { now: clock.now() })
  return true
}

function outgoing(message: DueMessage): Outgoing {
  return {
    id: message.id,
    channel: message.channel,
    phone: message.phone,
    userUid: message.user_uid,
    params: message.params,
    isSample: message.is_sample,
    platformTemplateId: message.platform_template_id,
    account: { provider: message.provider, credentials: message.credentials },
    // No SMS may go out in its place, since its outcome was unknown (G-92).
    hasSmsText: false,
    template: { oaId: message.oa_id, params: message.declared },
  }
}
