import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import { templateProviderOf } from '../../../platform/providers.ts'
import type { PlatformMessageStatus, PlatformOutcome } from '../../../platform/types.ts'
import { fallBackFromSilence } from '../fallback/begin-fallback.ts'
import { updateDelivered } from '../receipts/sql.ts'
import { NOT_DELIVERED } from './settle-sql.ts'
import { claimOverdueMessages, type OverdueMessage, releaseUndelivered } from './undelivered-sql.ts'
import { workClaimed } from './work-claimed.ts'

const BATCH = 16
const DAY_MS = 86_400_000
const BATCHES_A_ROUND = 125

/**
 * Settles the messages that are charged by their receipt if it did not come in time (G-26). The platform is asked first: a
 * message that it has delivered is charged, any other is released as undelivered. If the platform gives no response, or refuses
 * the account, the message waits for the next round after its claim, but no longer than `undeliveredAskedMs`, since the account
 * may be refused forever. A message whose account was unlinked is released at once. At most 2,000 messages a round; several
 * processes share the work.
 * @returns how many have ended.
 */
export async function settleUndeliveredMessages(deps: Deps, signal?: AbortSignal): Promise<number> {
  let ended = 0
  for (let batch = 0; batch < BATCHES_A_ROUND; batch++) {
    const now = deps.clock.now()
    const claimedUntil = new Date(now.getTime() + deps.timings.unknownClaimMs)
    const overdue = await claimOverdueMessages(deps.db, { now, claimedUntil, limit: BATCH })
    const failed = 'an undelivered message was not settled'
    await workClaimed(deps, overdue, { idOf: ({ id }) => id, failed, signal }, async (message) => {
      if (await settleOverdue(deps, message)) ended += 1
    })
    if (overdue.length < BATCH || signal?.aborted) break
  }
  return ended
}

/** Runs {@link settleUndeliveredMessages} now and 5 seconds after each round. @returns a function that stops it. */
export function startSettlingUndelivered(deps: Deps): () => Promise<void> {
  const { timings, log } = deps
  const failed = (error: unknown) => log.warn({ err: error }, 'settling undelivered messages failed')
  return startLoop({ everyMs: timings.recoveryEveryMs, failed }, async (stopping) => {
    const undelivered = await settleUndeliveredMessages(deps, stopping)
    if (undelivered > 0) log.info({ count: undelivered }, 'messages that wait for a receipt were settled')
  })
}

/** @returns whether the message was charged or released now. */
async function settleOverdue(deps: Deps, message: OverdueMessage): Promise<boolean> {
  const { db, ids, clock } = deps
  const { shop_id: shopId, id } = message
  const answer = await askPlatform(deps, message)
  const now = clock.now()
  const entryId = ids.next()
  if (answer !== undefined && !isAboutMessage(answer)) {
    const { undeliveredAskedMs: askedMs } = deps.timings
    if (now.getTime() - message.overdue_since.getTime() < askedMs) return false
    const cause = `no receipt came, and the platform could not be asked for ${Math.round(askedMs / DAY_MS)} days`
    return releaseUndelivered(db, shopId, id, { entryId, cause, note: cause, now })
  }
  if (answer?.kind === 'ok' && answer.data.status === 'delivered') {
    const delivered = { id, deliveredAt: answer.data.deliveredAt ?? now, entryId, isCharged: true }
    return (await updateDelivered(db, shopId, [delivered], now, 'status')).has(id)
  }
  const cause = 'no receipt came in time'
  if (isNotDelivered(answer)) {
    if (await fallBackFromSilence(deps, shopId, id, { errorCode: NOT_DELIVERED, cause })) return true
  }
  return releaseUndelivered(db, shopId, id, { entryId, cause, now })
}

/**
 * Whether the platform's response is about the message. A refusal of the account, such as of its token, is not: the message may
 * have been delivered, and waits until the platform can be asked about it.
 */
function isAboutMessage(answer: PlatformOutcome<PlatformMessageStatus>): boolean {
  if (answer.kind !== 'rejected') return answer.kind === 'ok'
  return answer.class === 'payload' || answer.class === 'recipient' || answer.class === 'template'
}

/** Whether the platform itself says that it knows the message and has not delivered it: only then may an SMS go out (G-92). */
function isNotDelivered(answer: PlatformOutcome<PlatformMessageStatus> | undefined): boolean {
  return answer?.kind === 'ok' && (answer.data.status === 'pushed' || answer.data.status === 'failed')
}

/** Undefined if the account was unlinked, since the platform cannot be asked then. */
async function askPlatform(
  deps: Deps,
  { shop_id: shopId, oa_id: oaId, provider, credentials, session_id: sessionId }: OverdueMessage,
): Promise<PlatformOutcome<PlatformMessageStatus> | undefined> {
  if (oaId === null) return undefined
  const account = { shopId, accountId: oaId, credentials }
  return templateProviderOf(deps, provider).messageStatus(account, sessionId)
}
