import { setTimeout as pause } from 'node:timers/promises'
import type { Trx } from '../../../db/client.ts'
import { inShareOf } from '../../../db/share.ts'
import type { Deps } from '../../../deps.ts'
import { startLoop } from '../../../jobs/loop.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { forRequest } from '../../../lib/request-id.ts'
import { retryBeyondWait } from '../../../lib/retry.ts'
import type { Endpoint } from '../../../platform/breaker.ts'
import type { PlatformUnknown } from '../../../platform/types.ts'
import { EXEMPT_TAGS } from '../../consents/rules.ts'
import { findOptedOut } from '../../consents/sql.ts'
import { lockWallet } from '../../wallet/sql.ts'
import { OPTED_OUT } from '../outcome/endings.ts'
import { createGroupSettler } from '../outcome/settle-outcomes.ts'
import type { Outgoing } from '../outgoing.ts'
import type { Channel } from '../rules.ts'
import { callPlatformWithRetries } from '../send/call-platform.ts'
import { cancelQueuedTo } from './cancel-queued-to.ts'
import { expireQueued } from './expire-otp.ts'
import { type ClaimedMessage, claimQueuedMessages, isUnderWay, requeueMessage } from './queue-sql.ts'
import {
  type Candidate,
  type DueBatch,
  isExpiredOtp,
  isProbed,
  type NextStep,
  nextStep,
  shareOut,
} from './rules.ts'
import { endWaiting, listDueBatches, pauseBatches, reopenBatch, restBatches } from './sql.ts'

/**
 * The most messages in progress at once: of this process, all of which become UNKNOWN if it dies, and of one shop, so that a slow
 * account does not take every slot. A round waits for `free` slots, because claiming messages one by one would cost as much as
 * sending them. The platform's pace needs only a few slots; so does the embedded database, which runs in this same thread.
 */
const SLOTS = { all: 16, ofShop: 8, free: 4 }
const UNPACED_SLOTS = { all: 64, ofShop: 32, free: 16 }

const ENDPOINTS: Record<Channel, Endpoint> = { phone: 'sendToPhone', uid: 'sendToUid' }

export type Dispatcher = {
  /** One round: claims the messages that are due and starts sending them. @returns how long the next round can wait. */
  round(): Promise<number>
  /** Waits until no message is in progress. */
  settled(): Promise<void>
}

/**
 * Sends the queued messages of all shops (G-27). Any number of processes may do so: a message is claimed under a lease before the
 * platform is called. If the process then dies, the message becomes UNKNOWN and is never sent again.
 */
export function createDispatcher(deps: Deps): Dispatcher {
  const { db, clock, pace, timings } = deps
  const isUnpaced = deps.config.platformRatePerMinute === 0 && deps.database.kind === 'postgres'
  const slotsOf = isUnpaced ? UNPACED_SLOTS : SLOTS
  const settle = createGroupSettler(deps)
  const underWay = new Set<Promise<void>>()
  const busy = new Map<ObjectId, number>()
  /**
   * Batches of which a single message is being sent to find out whether the circuit can close, or the account works again.
   */
  const probing = new Set<ObjectId>()
  let after: ObjectId = ''

  async function round(): Promise<number> {
    while (underWay.size > slotsOf.all - slotsOf.free) await Promise.race(underWay)
    const now = clock.now()
    const due = await listDueBatches(db, now)
    const candidates = await withoutClosed(due)
    if (candidates.length === 0) return timings.dispatchIdleMs
    const slots = await pace.allow(slotsOf.all - underWay.size)
    if (slots === 0) return timings.dispatchPacedMs
    const { shares, last } = shareOut(candidates, { slots, perShop: slotsOf.ofShop, after, busy })
    after = last
    if (shares.length === 0) {
      await Promise.race([...underWay, pause(timings.dispatchIdleMs)])
      return 0
    }
    const claimed = await claimQueuedMessages(
      db,
      shares.map(({ batch: { shopId, batchId }, count }) => ({ shopId, batchId, count })),
      {
        leaseUntil: new Date(now.getTime() + timings.messageLeaseMs),
        senderId: deps.senderId,
        exemptTags: EXEMPT_TAGS,
        now,
      },
    )
    const batches = new Map(shares.map(({ batch }) => [batch.batchId, batch]))
    for (const message of claimed) start(message, batches.get(message.batch_id)!)
    const given = Map.groupBy(claimed, (message) => message.batch_id)
    const short = shares.filter(({ batch, count }) => (given.get(batch.batchId)?.length ?? 0) < count)
    await restBatches(
      db,
      short.map(({ batch: { shopId, batchId, revision } }) => ({ shopId, batchId, revision })),
      now,
    )
    return claimed.length > 0 ? 0 : timings.dispatchIdleMs
  }

  /**
   * The batches whose circuits let calls through; the others wait until their circuit may be probed. A batch with a half-open
   * circuit, or that waited for its account's owner, sends a single message first.
   */
  async function withoutClosed(due: DueBatch[]): Promise<Candidate[]> {
    const candidates: Candidate[] = []
    const closed: { shopId: ObjectId; batchId: ObjectId; until: Date }[] = []
    for (const batch of due) {
      const circuits = batch.channels.map((channel) => deps.breaker.circuit(batch.oaId, ENDPOINTS[channel]))
      const open = circuits.find((circuit) => circuit.state === 'open')
      if (open !== undefined) {
        closed.push({ shopId: batch.shopId, batchId: batch.batchId, until: open.retryAt })
        continue
      }
      const probed = circuits.filter((circuit) => circuit.state === 'half-open')
      if (probed.some((circuit) => circuit.isProbing)) continue
      if (probing.has(batch.batchId)) continue
      const isProbe = probed.length > 0 || isProbed(batch)
      candidates.push({ ...batch, room: isProbe ? 1 : Number.POSITIVE_INFINITY })
    }
    await pauseBatches(db, closed, { reason: 'PLATFORM_UNAVAILABLE', now: clock.now() })
    return candidates
  }

  function start(message: ClaimedMessage, batch: DueBatch): void {
    const shopId = message.shop_id
    const isProbe = isProbed(batch)
    if (isProbe) probing.add(message.batch_id)
    busy.set(shopId, (busy.get(shopId) ?? 0) + 1)
    const send = () => forRequest(message.request_id, () => sendQueued(deps, settle, message, batch))
    const sending = inShareOf(shopId, send)
      .catch((error: unknown) => logFailed(deps, message, error))
      .finally(() => {
        underWay.delete(sending)
        if (isProbe) probing.delete(message.batch_id)
        const left = busy.get(shopId)! - 1
        if (left > 0) busy.set(shopId, left)
        else busy.delete(shopId)
      })
    underWay.add(sending)
  }

  return {
    round,
    async settled() {
      await Promise.all(underWay)
    },
  }
}

/** The outcome of a message that is not sent because its recipient opted out or its one-time password has expired. */
const NOT_CALLED: PlatformUnknown = { kind: 'unknown', cause: 'it was not to be sent', surelyNotSent: true }

/**
 * Sends a claimed message to the platform, and settles it or requeues it (G-27). A message to somebody who opted out is requeued,
 * which cancels it: the opt-out passed it over because another transaction had it, which then wrote nothing. One-time passwords
 * that have expired, or will have when they are tried again, end instead of waiting: a whole batch at once, if all of it waits.
 */
async function sendQueued(
  deps: Deps,
  settle: ReturnType<typeof createGroupSettler>,
  message: ClaimedMessage,
  batch: DueBatch,
): Promise<void> {
  const { db, clock, breaker, timings } = deps
  const { shop_id: shopId, id, batch_id: batchId } = message
  const outgoing: Outgoing = {
    id,
    channel: message.channel,
    phone: message.phone,
    userUid: message.user_uid,
    params: message.params,
    isSample: false,
    platformTemplateId: message.platform_template_id,
    account: { provider: message.provider, credentials: message.credentials },
    hasSmsText: message.has_sms_text,
    template: { oaId: message.oa_id, params: message.declared },
  }
  const isExpired = isExpiredOtp(batch, clock.now(), timings)
  const isCalled = !message.is_opted_out && !isExpired
  const outcome = isCalled ? await callPlatformWithRetries(deps, shopId, outgoing) : NOT_CALLED
  const now = clock.now()
  const circuit = breaker.circuit(message.oa_id, ENDPOINTS[message.channel])
  const isPlatformAway = circuit.state !== 'closed'
  const step: NextStep = isCalled
    ? nextStep(outcome, message.put_offs, { now, timings, random: Math.random(), isPlatformAway })
    : { kind: 'wait', until: now, reason: 'RETRY', isWholeBatch: isExpired, isCounted: false }
  if (step.kind === 'settle') {
    await settle(shopId, { message: outgoing, outcome })
    // Any response that settles it shows that the account works again.
    if (isProbed(batch) && outcome.kind !== 'unknown') await endWaiting(db, shopId, batchId, now)
    return
  }
  const { reason, until, isCounted, isWholeBatch } = step
  const isTooLate = isExpiredOtp(batch, until, timings)
  const failed = (error: unknown) => logFailed(deps, message, error)
  await retryBeyondWait(timings.settlePausesMs, failed, async () => {
    const isFinal = await db.transaction().execute(async (trx) => {
      const pause = isWholeBatch ? { until, reason } : undefined
      const wait = { notBefore: until, reason, isCounted, now }
      const isOpen = await reopenBatch(trx, shopId, batchId, { pause, now })
      if (isOpen && (await requeueMessage(trx, shopId, message, wait))) {
        if (isTooLate) await expireQueued(deps, trx, message, { isWholeBatch })
        else await cancelIfOptedOut(deps, trx, message)
        return false
      }
      // The batch was cancelled in the meantime, or this process was considered dead.
      return isUnderWay(trx, shopId, message)
    })
    if (isFinal) await settle(shopId, { message: outgoing, outcome })
  })
}

/**
 * Cancels a message that was just requeued if its recipient opted out while the platform was being called: the opt-out passed the
 * message over, since it was not queued then (G-77). Both lock the wallet, so the later of the two sees what the earlier one
 * wrote.
 */
async function cancelIfOptedOut(
  { ids, clock }: Deps,
  trx: Trx,
  { shop_id: shopId, template_id: templateId, channel, phone, user_uid: userUid }: ClaimedMessage,
): Promise<void> {
  await lockWallet(trx, shopId)
  const recipient = { channel, recipient: channel === 'phone' ? phone : userUid }
  const given = { templateId, exemptTags: EXEMPT_TAGS }
  if ((await findOptedOut(trx, shopId, given, [recipient])).length === 0) return
  const to = { ...recipient, exemptTags: EXEMPT_TAGS }
  await cancelQueuedTo(trx, shopId, to, { code: OPTED_OUT, ids, now: clock.now() })
}

function logFailed(deps: Deps, { id: messageId }: ClaimedMessage, error: unknown): void {
  // Only the error's text: PostgreSQL's detail contains the row.
  const reason = error instanceof Error ? error.message : String(error)
  deps.log.error({ reason, messageId }, 'a queued message was not put back')
}

/** Runs rounds until stopped; stopping waits for the messages in progress. */
export function startDispatcher(deps: Deps): () => Promise<void> {
  const dispatcher = createDispatcher(deps)
  const failed = (error: unknown) =>
    deps.log.warn({ err: error }, 'queued messages could not be claimed; the next round continues')
  const stop = startLoop({ everyMs: deps.timings.afterErrorMs, failed }, dispatcher.round)
  return async () => {
    await stop()
    await dispatcher.settled()
  }
}
