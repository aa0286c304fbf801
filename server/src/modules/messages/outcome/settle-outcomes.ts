import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { retry } from '../../../lib/retry.ts'
import type { AcceptedMessage, PlatformOutcome } from '../../../platform/types.ts'
import { type EndedMessage, endingOf, storableText } from './endings.ts'
import { completeReceived, settleLate, settleMessages } from './settle-sql.ts'
import { leaveUnknown } from './unknown-sql.ts'

/** A message that the platform was called with, and what it answered. */
export type SentMessage = { message: EndedMessage; outcome: PlatformOutcome<AcceptedMessage> }

/** What became of a message. `not-sent`: it surely never reached the platform; nothing is charged. */
export type SendResult =
  | { kind: 'received'; messageId: ObjectId }
  | { kind: 'refused'; messageId: ObjectId; code: number; text: string }
  | { kind: 'not-sent'; messageId: ObjectId }
  | { kind: 'unknown'; messageId: ObjectId }

/** Whoever sent the message waits for so many tries; the others go on until its lease ends and it is settled as unknown. */
const AWAITED_TRIES = 3
const GROUP = 100

/**
 * Writes down what the platform answered to a message: accepted → RECEIVED and captured; refused, or surely never
 * sent → ERROR and released; anything else → UNKNOWN, and the hold stays. Never throws: should the database
 * be away, the message is unknown to the caller, for if he tried again it would be sent twice, and writing it down
 * goes on for two minutes.
 */
export function settleOutcome(deps: Deps, shopId: ObjectId, sent: SentMessage): Promise<SendResult> {
  const messageId = sent.message.id
  const settle = async () => (await settleGroup(deps, shopId, [sent]))[0]!
  return new Promise((resolve) => {
    const giveUp = () => resolve({ kind: 'unknown', messageId })
    let tries = 0
    const failed = (error: unknown) => {
      // Its text only: PostgreSQL's detail shows the row, with the phone.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log.error({ reason, messageId }, 'the outcome of a message was not written')
      tries += 1
      if (tries === AWAITED_TRIES) giveUp()
    }
    retry(deps.timings.settlePausesMs, settle, failed).then(resolve, giveUp)
  })
}

/**
 * Writes down the outcomes of messages of a shop: one statement for those that have ended, one for those that nobody
 * knows of. @returns the result of each, in the order given.
 */
async function settleGroup(
  { db, ids, clock, config }: Deps,
  shopId: ObjectId,
  group: SentMessage[],
): Promise<SendResult[]> {
  const now = clock.now()
  const endings = group.flatMap(
    ({ message, outcome }) => endingOf(ids.next(), message, outcome, { now }) ?? [],
  )
  const settled = await settleMessages(db, shopId, endings, { now })
  for (const ending of endings) {
    if (ending.state !== 'RECEIVED' || settled.has(ending.messageId)) continue
    // A receipt was faster, or this process stood still for so long that the fee was given back.
    const isComplete = await completeReceived(db, shopId, ending, now)
    if (!isComplete) await settleLate(db, shopId, ending, now)
  }
  const unknown = group.flatMap(({ message: { id }, outcome }) =>
    outcome.kind === 'unknown' && !outcome.surelyNotSent ? [{ id, cause: storableText(outcome.cause) }] : [],
  )
  const timeout = { defaultTimeoutSeconds: config.unknown.timeoutSeconds, now }
  const states = await leaveUnknown(db, shopId, unknown, timeout)
  return group.map(({ message: { id: messageId }, outcome }): SendResult => {
    if (outcome.kind === 'rejected') {
      return { kind: 'refused', messageId, code: outcome.code, text: outcome.message }
    }
    if (outcome.kind === 'ok' || states.get(messageId) === 'RECEIVED') return { kind: 'received', messageId }
    return { kind: outcome.surelyNotSent ? 'not-sent' : 'unknown', messageId }
  })
}

type Waiting = { sent: SentMessage; resolve(): void }

/**
 * Settles the messages of batches: the outcomes of a shop that come in while one group is written go into the next one
 * together, since settling each by itself costs the database more than anything else of a message. What does not fit a
 * group is settled by itself. The promise never rejects, as {@link settleOutcome}.
 */
export function createGroupSettler(deps: Deps): (shopId: ObjectId, sent: SentMessage) => Promise<void> {
  const waiting = new Map<ObjectId, Waiting[]>()

  async function settleTogether(shopId: ObjectId, group: Waiting[]): Promise<void> {
    // By id, so that the ledger's entries are in the order in which their balances run on.
    const sent = group
      .map((one) => one.sent)
      .sort((one, other) => (one.message.id < other.message.id ? -1 : 1))
    try {
      await settleGroup(deps, shopId, sent)
    } catch (error) {
      // Its text only: PostgreSQL's detail shows the rows, with the phones.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log.warn({ reason, count: group.length }, 'a group of messages is settled one by one')
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
