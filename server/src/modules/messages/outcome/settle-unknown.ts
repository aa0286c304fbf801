import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { isOtp } from '../../../lib/params.ts'
import type { TemplateParam } from '../../../platform/types.ts'
import { accessTokenOf } from '../../official-accounts/tokens.ts'
import type { Outgoing } from '../outgoing.ts'
import { callPlatform } from '../send/call-platform.ts'
import { endingOf, errorEnding, receivedEnding, storableJson, storableText } from './endings.ts'
import { RELEASED, settleMessages } from './settle-sql.ts'
import {
  claimDueMessages,
  claimResend,
  type DueMessage,
  insertUnknownAgain,
  updateSettleAt,
} from './unknown-sql.ts'

const BATCH = 16
const BATCHES_A_ROUND = 125
/** Messages worked on at once: few beside the requests, enough that one slow answer holds nothing up. */
const AT_ONCE = 8

/** `settled` counts what has ended, `waiting` what goes on: resent, or to be asked for again. */
export type SettleRound = { settled: number; waiting: number }

/**
 * Settles the messages whose outcome stayed unknown until their time was over: by a look at the platform where it
 * named its message, else as the shop's or the service's UNKNOWN_POLICY says: the fee is given back, or a message by phone that is no OTP is
 * sent once more first (decision 0006). At most 2,000 messages a round; several processes share the
 * work. Stops early when `signal` is aborted.
 */
export async function settleUnknownMessages(deps: Deps, signal?: AbortSignal): Promise<SettleRound> {
  const round: SettleRound = { settled: 0, waiting: 0 }
  for (let batch = 0; batch < BATCHES_A_ROUND; batch++) {
    const now = deps.clock.now()
    const claimedUntil = new Date(now.getTime() + deps.timings.unknownClaimMs)
    const due = await claimDueMessages(deps.db, { now, claimedUntil, limit: BATCH })
    const queue = [...due]
    const worker = async () => {
      for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
        if (signal?.aborted) return
        try {
          const isSettled = await inShareOf(message.shop_id, () => settleDue(deps, message))
          round[isSettled ? 'settled' : 'waiting'] += 1
        } catch (error) {
          // Its text only: PostgreSQL's detail shows the row, with the phone.
          const reason = error instanceof Error ? error.message : String(error)
          deps.log.error({ reason, messageId: message.id }, 'an unknown message was not settled')
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    if (due.length < BATCH || signal?.aborted) break
  }
  return round
}

/**
 * Whether a message may be sent once more: the platform repeats whatever it gets
 * (docs/reference/platform.md), so a second copy must do no harm. Never by UID, never an OTP, whose time is over, never a sample.
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

/** Whether the message has ended. */
async function settleDue(deps: Deps, message: DueMessage): Promise<boolean> {
  if (message.session_id !== '') {
    const status = await lookUp(deps, message)
    if (status !== 'unknown') return status === 'received'
  }
  if (mayResend(message, message.unknown_policy ?? deps.config.unknown.policy)) return resend(deps, message)
  return release(deps, message, 'no receipt came in time')
}

/** `waiting`: the platform gave no clear answer, and is asked again. */
async function lookUp(deps: Deps, message: DueMessage): Promise<'received' | 'waiting' | 'unknown'> {
  const { db, ids, platform, clock } = deps
  const { shop_id: shopId, id, session_id: sessionId } = message
  const answer = await platform.messageStatus(credentials(deps, message), sessionId)
  const now = clock.now()
  if (answer.kind !== 'ok') {
    if (now.getTime() - message.created_at.getTime() > deps.timings.unknownAskForMs) return 'unknown'
    await updateSettleAt(db, shopId, id, new Date(now.getTime() + deps.timings.unknownAskEveryMs))
    return 'waiting'
  }
  if (answer.data.status === 'unknown') return 'unknown'
  const deliveredAt = answer.data.deliveredAt ?? null
  const ending = receivedEnding(ids.next(), outgoing(message), {
    sessionId,
    sentAt: null,
    deliveredAt,
    answer: storableJson(answer.raw),
    event: {
      kind: 'status',
      detail: { session_id: sessionId, ...(deliveredAt && { delivered_at: deliveredAt.toISOString() }) },
    },
  })
  await settleMessages(db, shopId, [ending], { now })
  return 'received'
}

/** Calls the platform for the second and last time. Whether the message has ended. */
async function resend(deps: Deps, message: DueMessage): Promise<boolean> {
  const { db, ids, clock, config } = deps
  const { shop_id: shopId, id } = message
  const defaultTimeoutSeconds = config.unknown.timeoutSeconds
  if (!(await claimResend(db, shopId, id, { defaultTimeoutSeconds, now: clock.now() }))) return true
  const outcome = await callPlatform(deps, shopId, outgoing(message))
  const now = clock.now()
  if (outcome.kind === 'unknown') {
    const cause = storableText(outcome.cause)
    if (outcome.surelyNotSent) return release(deps, message, `the second attempt never left: ${cause}`)
    await insertUnknownAgain(db, shopId, id, { cause, now })
    return false
  }
  const ending = endingOf(ids.next(), outgoing(message), outcome, { now, attempt: 2 })!
  await settleMessages(db, shopId, [ending], { now })
  return true
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
    accessToken: message.access_token,
    template: { oaId: message.oa_id, params: message.declared },
  }
}

function credentials({ secrets }: Deps, { shop_id: shopId, oa_id: oaId, access_token }: DueMessage) {
  return { shopId, oaId, accessToken: accessTokenOf(secrets, oaId, access_token) }
}
