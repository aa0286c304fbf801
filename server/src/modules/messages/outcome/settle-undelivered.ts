import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import type { PlatformMessageStatus, PlatformOutcome } from '../../../platform/types.ts'
import { accessTokenOf } from '../../official-accounts/tokens/stored-tokens.ts'
import { updateDelivered } from '../receipts/sql.ts'
import { claimOverdueMessages, type OverdueMessage, releaseUndelivered } from './undelivered-sql.ts'

const BATCH = 16
const DAY_MS = 86_400_000
const BATCHES_A_ROUND = 125
/** Concurrent messages, as of unknown ones. */
const AT_ONCE = 8

/**
 * Settles the messages that are charged by their receipt when that has not come in time (G-26): the platform is asked first; one
 * that it has delivered is charged, any other is released as undelivered. One that it cannot be asked about waits for the next
 * round after its claim, but no longer than `undeliveredAskedMs`: its account may be refused for ever. At most 2,000 a round; several processes share the work. @returns how many have ended.
 */
export async function settleUndeliveredMessages(deps: Deps, signal?: AbortSignal): Promise<number> {
  let ended = 0
  for (let batch = 0; batch < BATCHES_A_ROUND; batch++) {
    const now = deps.clock.now()
    const claimedUntil = new Date(now.getTime() + deps.timings.unknownClaimMs)
    const overdue = await claimOverdueMessages(deps.db, { now, claimedUntil, limit: BATCH })
    const queue = [...overdue]
    const worker = async () => {
      for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
        if (signal?.aborted) return
        try {
          if (await inShareOf(message.shop_id, () => settleOverdue(deps, message))) ended += 1
        } catch (error) {
          // Its text only: PostgreSQL's detail shows the row, with the phone.
          const reason = error instanceof Error ? error.message : String(error)
          deps.log.error({ reason, messageId: message.id }, 'an undelivered message was not settled')
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    if (overdue.length < BATCH || signal?.aborted) break
  }
  return ended
}

/** Whether the message is charged or released now. */
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
  return releaseUndelivered(db, shopId, id, { entryId, cause: 'no receipt came in time', now })
}

/**
 * Whether the platform said something of the message. A refusal of the account, such as of its token, says nothing: the
 * message may have been delivered, and waits until it can be asked about.
 */
function isAboutMessage(answer: PlatformOutcome<PlatformMessageStatus>): boolean {
  if (answer.kind !== 'rejected') return answer.kind === 'ok'
  return answer.class === 'payload' || answer.class === 'recipient' || answer.class === 'template'
}

/** Undefined for an account that was unlinked: nobody can be asked. */
async function askPlatform(
  { platform, secrets }: Deps,
  { shop_id: shopId, oa_id: oaId, access_token: sealed, session_id: sessionId }: OverdueMessage,
): Promise<PlatformOutcome<PlatformMessageStatus> | undefined> {
  if (oaId === null) return undefined
  return platform.messageStatus(
    { shopId, oaId, accessToken: accessTokenOf(secrets, oaId, sealed) },
    sessionId,
  )
}
