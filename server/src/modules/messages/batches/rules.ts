import { invalidField } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { isOtp } from '../../../lib/text/params.ts'
import { parseIsoInstant } from '../../../lib/time/dates.ts'
import { isSameDay, nextMidnight } from '../../../lib/time/vietnam-time.ts'
import type { DayQuota, PlatformOutcome, TemplateParam } from '../../../platform/types.ts'
import type { Timings } from '../../../timings.ts'
import type { Channel } from '../rules.ts'
import type { WaitingReason } from './queue-sql.ts'

/** The most messages in a batch. */
export const MAX_MESSAGES = 1_000

export type DueBatch = {
  shopId: ObjectId
  batchId: ObjectId
  oaId: string
  channels: Channel[]
  priority: number
  revision: number
  /** When its messages became due: when it was created, or the planned start. */
  startedAt: Date
  /** The reason for its last wait. */
  waitingReason: WaitingReason | null
}

/**
 * Whether a batch waited for its account's owner, who had to pay the platform or connect the account again. A single message then
 * finds out whether it was done.
 */
export function isProbed({ waitingReason }: Pick<DueBatch, 'waitingReason'>): boolean {
  return waitingReason === 'PLATFORM_MONEY' || waitingReason === 'ACCOUNT_DISCONNECTED'
}

export const URGENT = 0
export const ORDINARY = 1

/** Templates with a one-time password go first: it is useless minutes later. */
export function priorityOf(declared: readonly TemplateParam[]): number {
  return declared.some(isOtp) ? URGENT : ORDINARY
}

/** Until when the one-time passwords of a batch may be handed over: afterwards they are useless to their recipients. */
export function otpExpiresAt(startedAt: Date, timings: Pick<Timings, 'otpWithinMs'>): Date {
  return new Date(startedAt.getTime() + timings.otpWithinMs)
}

/** Whether a message of a batch that is handed over at an instant would be a one-time password that has expired. */
export function isExpiredOtp(
  { priority, startedAt }: Pick<DueBatch, 'priority' | 'startedAt'>,
  at: Date,
  timings: Pick<Timings, 'otpWithinMs'>,
): boolean {
  return priority === URGENT && at > otpExpiresAt(startedAt, timings)
}

/** How often the platform may defer a message before its response is taken as final. */
export const MAX_DEFERRALS = 8

/** What happens to a queued message after the platform's response. `isWholeBatch`: its other messages wait too. */
export type NextStep =
  | { kind: 'settle' }
  | {
      kind: 'wait'
      until: Date
      reason: WaitingReason
      isWholeBatch: boolean
      /** Whether it counts towards {@link MAX_DEFERRALS}. */
      isCounted: boolean
    }

/**
 * Whether a queued message has ended, or waits and is retried (G-27). It waits only if the platform definitely did not accept it:
 * until the night window, the quota or the platform's rate limit is over; with growing pauses after temporary faults; and while
 * the account has not paid the platform or must be connected again. A wait shorter than the platform's clock may lag behind ours is not counted: its end is
 * about to come, or has come by our clock only. `random` from 0 to 1 spreads the pauses; `isPlatformAway`: the circuit is open, so
 * the message was not tried.
 */
export function nextStep(
  outcome: PlatformOutcome<unknown>,
  deferrals: number,
  {
    now,
    timings,
    random,
    isPlatformAway,
  }: { now: Date; timings: Timings; random: number; isPlatformAway: boolean },
): NextStep {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const backoffMs =
    Math.min(timings.deferFirstMs * 2 ** deferrals, timings.deferLongestMs) * (0.5 + random / 2)
  const isLast = deferrals + 1 >= MAX_DEFERRALS
  if (outcome.kind === 'ok') return { kind: 'settle' }
  if (outcome.kind === 'unknown') {
    if (!outcome.surelyNotSent) return { kind: 'settle' }
    const reason = 'PLATFORM_UNAVAILABLE'
    if (isPlatformAway) {
      const until = after(timings.deferFirstMs * random)
      return { kind: 'wait', until, reason, isWholeBatch: false, isCounted: false }
    }
    if (isLast) return { kind: 'settle' }
    return { kind: 'wait', until: after(backoffMs), reason, isWholeBatch: false, isCounted: true }
  }
  if (outcome.class === 'transient' && outcome.retryAt !== undefined) {
    return {
      kind: 'wait',
      until: outcome.retryAt,
      reason: 'RATE_LIMIT',
      isWholeBatch: true,
      isCounted: false,
    }
  }
  if (outcome.class === 'platform-money' || outcome.class === 'auth') {
    const reason = outcome.class === 'auth' ? 'ACCOUNT_DISCONNECTED' : 'PLATFORM_MONEY'
    const until = after(timings.deferAccountMs)
    return { kind: 'wait', until, reason, isWholeBatch: true, isCounted: false }
  }
  if (outcome.class === 'later' && outcome.retryAt !== undefined) {
    const isCounted = outcome.retryAt.getTime() - now.getTime() >= timings.platformClockSlackMs
    if (isCounted && isLast) return { kind: 'settle' }
    return {
      kind: 'wait',
      until: outcome.retryAt,
      reason: reasonOf(outcome.code),
      // A recipient's limit does not affect other messages.
      isWholeBatch: outcome.code !== -1472,
      isCounted,
    }
  }
  if (isLast || outcome.class !== 'transient') return { kind: 'settle' }
  return { kind: 'wait', until: after(backoffMs), reason: 'RETRY', isWholeBatch: false, isCounted: true }
}

function reasonOf(code: number): WaitingReason {
  if (code === -133 || code === -234) return 'NIGHT_WINDOW'
  return code === -1441 ? 'MONTHLY_QUOTA' : 'DAILY_QUOTA'
}

/** A batch that may send, and the most messages that it may send now (`room`). */
export type Candidate = DueBatch & { room: number }
export type Share = { batch: Candidate; count: number }

/** Urgent batches leave one in this many slots to ordinary ones, if both wait. */
const ORDINARY_PART = 4

/**
 * Distributes `slots`: urgent batches first, but a quarter stays for ordinary ones if any wait; one slot for each shop
 * in turn, beginning after the shop `after`, so that one shop's many messages do not delay another's. A shop has at
 * most `perShop` messages in progress; `busy` counts the current ones. A shop's own batches are served in the order
 * given.
 */
export function shareOut(
  batches: Candidate[],
  given: { slots: number; perShop: number; after: ObjectId; busy: ReadonlyMap<ObjectId, number> },
): { shares: Share[]; last: ObjectId } {
  const counts = new Map<Candidate, number>()
  const busy = new Map(given.busy)
  let left = given.slots
  let last = given.after

  function serve(some: Candidate[], slots: number): void {
    const shops = inTurn(some, last)
    let wanted = Math.min(slots, left)
    for (let isMoving = true; isMoving && wanted > 0; ) {
      isMoving = false
      for (const [shopId, own] of shops) {
        if (wanted === 0) break
        const batch = own.find((one) => (counts.get(one) ?? 0) < one.room)
        if (batch === undefined || (busy.get(shopId) ?? 0) >= given.perShop) continue
        counts.set(batch, (counts.get(batch) ?? 0) + 1)
        busy.set(shopId, (busy.get(shopId) ?? 0) + 1)
        wanted -= 1
        left -= 1
        last = shopId
        isMoving = true
      }
    }
  }

  const urgent = batches.filter((batch) => batch.priority === URGENT)
  const ordinary = batches.filter((batch) => batch.priority !== URGENT)
  serve(urgent, given.slots - (ordinary.length > 0 ? Math.floor(given.slots / ORDINARY_PART) : 0))
  serve(ordinary, left)
  serve(urgent, left)
  return { shares: [...counts].map(([batch, count]) => ({ batch, count })), last }
}

/** The batches by shop, the shops in the order of their ids, beginning after one of them. */
function inTurn(batches: Candidate[], after: ObjectId): [ObjectId, Candidate[]][] {
  const byShop = Map.groupBy(batches, (batch) => batch.shopId)
  const shops = [...byShop].sort(([one], [other]) => (one < other ? -1 : 1))
  const start = shops.findIndex(([shopId]) => shopId > after)
  return start <= 0 ? shops : [...shops.slice(start), ...shops.slice(0, start)]
}

const LONGEST_DELAY_MS = 30 * 24 * 60 * 60 * 1000

/**
 * When a batch starts; null for at once. @throws ValidationError for a text that is not an instant, or an instant too far ahead.
 */
export function startOf(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null
  const at = parseIsoInstant(text)
  if (at === undefined) throw invalidField(['scheduledAt'], 'date.format')
  if (at.getTime() > now.getTime() + LONGEST_DELAY_MS) {
    throw invalidField(['scheduledAt'], 'date.tooFarAhead', { limit: 30 })
  }
  return at
}

/** How many messages of an account a day's quota leaves to a batch, how many of the batch wait, and until when. */
export type QuotaForecast = { left: number; waiting: number; resumesAt: Date }

/**
 * What the quota of the day on which a batch starts leaves to its `messages`, after the `ahead` messages that are sent before
 * them. Of today's quota, the platform has counted what was already sent.
 */
export function quotaForecast(
  quota: DayQuota,
  { messages, ahead, startsAt, now }: { messages: number; ahead: number; startsAt: Date; now: Date },
): QuotaForecast {
  const left = Math.max((isSameDay(startsAt, now) ? quota.remaining : quota.daily) - ahead, 0)
  return { left, waiting: Math.max(messages - left, 0), resumesAt: nextMidnight(startsAt) }
}
