import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { retryBeyondWait } from '../../../lib/retry.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../../platform/types.ts'
import { fallBackFromRefusal } from '../fallback/begin-fallback.ts'
import type { Outgoing } from '../outgoing.ts'
import { type EndedMessage, endingOf, storableText } from './endings.ts'
import { completeReceived, settleLate, settleMessages } from './settle-sql.ts'
import { leaveUnknown } from './unknown-sql.ts'

/** A message that was sent to the platform, and the outcome; `attempt` is given unless it was the first call. */
export type SentMessage = {
  message: EndedMessage & Pick<Outgoing, 'hasSmsText'>
  outcome: PlatformOutcome<AcceptedMessage>
  attempt?: number
}

/** The result of a message. `not-sent`: it definitely never reached the platform; nothing is charged. */
export type SendResult =
  | { kind: 'received'; messageId: ObjectId }
  | { kind: 'refused'; messageId: ObjectId; code: number; text: string }
  | { kind: 'not-sent'; messageId: ObjectId }
  | { kind: 'unknown'; messageId: ObjectId }
  /** Refused, and an SMS goes out in its place (G-92). */
  | { kind: 'fallback'; messageId: ObjectId }

const GROUP = 100

/**
 * Writes the outcome of a message: accepted → RECEIVED and captured; rejected, or definitely not sent → ERROR and released;
 * anything else → UNKNOWN, and the hold stays. Never throws: if the database is unavailable, the result is `unknown`, since a
 * caller's retry would send the message twice, and writing is retried until the message's lease ends.
 */
export async function settleOutcome(deps: Deps, shopId: ObjectId, sent: SentMessage): Promise<SendResult> {
  const messageId = sent.message.id
  const failed = (error: unknown) => {
    // Only the error's text: PostgreSQL's detail contains the row, with the phone number.
    const reason = error instanceof Error ? error.message : String(error)
    deps.log.error({ reason, messageId }, 'the outcome of a message was not written')
  }
  const settle = async () => (await settleGroup(deps, shopId, [sent]))[0]!
  return (
    (await retryBeyondWait(deps.timings.settlePausesMs, failed, settle)) ?? { kind: 'unknown', messageId }
  )
}

/**
 * Writes the outcomes of messages of a shop: one statement for those that have ended, one for those that are unknown.
 * @returns the result of each, in the order given.
 */
async function settleGroup(deps: Deps, shopId: ObjectId, group: SentMessage[]): Promise<SendResult[]> {
  const { db, ids, clock, config } = deps
  const fallenBack = await fallBack(deps, shopId, group)
  const now = clock.now()
  const ending = group.filter(({ message }) => !fallenBack.has(message.id))
  const endings = ending.flatMap(
    ({ message, outcome, attempt }) => endingOf(ids.next(), message, outcome, { now, attempt }) ?? [],
  )
  const settled = await settleMessages(db, shopId, endings, { now })
  for (const received of endings) {
    if (received.state !== 'RECEIVED' || settled.has(received.messageId)) continue
    // A receipt came first, or this process stalled for so long that the fee was released.
    const isComplete = await completeReceived(db, shopId, received, now)
    if (!isComplete) await settleLate(db, shopId, received, now)
  }
  const unknown = group.flatMap(({ message: { id }, outcome }) =>
    outcome.kind === 'unknown' && !outcome.surelyNotSent ? [{ id, cause: storableText(outcome.cause) }] : [],
  )
  const timeout = { defaultTimeoutSeconds: config.unknown.timeoutSeconds, now }
  const states = await leaveUnknown(db, shopId, unknown, timeout)
  return group.map(({ message: { id: messageId }, outcome }): SendResult => {
    if (fallenBack.has(messageId)) return { kind: 'fallback', messageId }
    if (outcome.kind === 'rejected') {
      return { kind: 'refused', messageId, code: outcome.code, text: outcome.message }
    }
    if (outcome.kind === 'ok' || states.get(messageId) === 'RECEIVED') return { kind: 'received', messageId }
    return { kind: outcome.surelyNotSent ? 'not-sent' : 'unknown', messageId }
  })
}

/**
 * The messages in whose place an SMS goes out: those that were refused at the first attempt because the person cannot be reached.
 */
async function fallBack(deps: Deps, shopId: ObjectId, group: SentMessage[]): Promise<Set<ObjectId>> {
  const begun = new Set<ObjectId>()
  for (const { message, outcome } of group) {
    if (!message.hasSmsText || outcome.kind !== 'rejected') continue
    if (await fallBackFromRefusal(deps, shopId, message.id, outcome)) begun.add(message.id)
  }
  return begun
}

type Waiting = { sent: SentMessage; resolve(): void }

/**
 * Settles the messages of batches: the outcomes of a shop that arrive while one group is being written form the next
 * group, since settling each message alone would be the most expensive step for the database. If a group fails, its
 * messages are settled one by one. The promise never rejects, as with {@link settleOutcome}.
 */
export function createGroupSettler(deps: Deps): (shopId: ObjectId, sent: SentMessage) => Promise<void> {
  const waiting = new Map<ObjectId, Waiting[]>()

  async function settleTogether(shopId: ObjectId, group: Waiting[]): Promise<void> {
    // By id, so that the ledger's entries are in the order of their running balances.
    const sent = group
      .map((one) => one.sent)
      .sort((one, other) => (one.message.id < other.message.id ? -1 : 1))
    try {
      await settleGroup(deps, shopId, sent)
    } catch (error) {
      // Only the error's text: PostgreSQL's detail contains the rows, with the phone numbers.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log.warn({ reason, count: group.length }, 'the messages of a group are settled one by one')
      for (const one of sent) await settleOutcome(deps, shopId, one)
    }
    for (const { resolve } of group) resolve()
  }

  async function settleWaiting(shopId: ObjectId, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      await pause(deps.timings.settleGatherMs)
      await settleTogether(shopId, queue.splice(0, GROUP))
    }
    waiting.delete(shopId)
  }

  return (shopId, sent) =>
    new Promise((resolve) => {
      const queue = waiting.get(shopId)
      if (queue !== undefined) {
        queue.push({ sent, resolve })
        return
      }
      const fresh = [{ sent, resolve }]
      waiting.set(shopId, fresh)
      void settleWaiting(shopId, fresh)
    })
}
