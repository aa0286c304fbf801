import { setTimeout as pause } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { AcceptedMessage, PlatformOk, PlatformOutcome } from '../../../platform/types.ts'
import type { Outgoing } from '../outgoing.ts'
import { maskedParams } from '../rules.ts'
import { settleGroupAsReceived, type TakenMessage } from './settle-group-sql.ts'
import { settleMessage, storableJson, storableText } from './settle-message.ts'

type Settled = Pick<Outgoing, 'id' | 'params' | 'template'>
type Waiting = { message: Settled; outcome: PlatformOk<AcceptedMessage>; resolve(): void }

const GROUP = 100
/** Waited for further messages of the shop: a larger group costs PostgreSQL less, about a tenth of all a message takes. */
const GATHER_MS = 10

/**
 * Settles the messages of batches: those of a shop that the platform took while one statement runs go into the next
 * one together, since settling each by itself costs the database more than anything else of a message. What ended
 * otherwise, or does not fit a group, is settled by itself. The promise never rejects, as {@link settleMessage}.
 */
export function createGroupSettler(
  deps: Deps,
): (shopId: ObjectId, message: Settled, outcome: PlatformOutcome<AcceptedMessage>) => Promise<void> {
  const waiting = new Map<ObjectId, Waiting[]>()

  async function settleGroup(shopId: ObjectId, group: Waiting[]): Promise<void> {
    const now = deps.clock.now()
    let ended = new Set<ObjectId>()
    try {
      const taken = group.map((one) => takenMessage(deps, one, now))
      ended = await settleGroupAsReceived(deps.db, shopId, taken, now)
    } catch (error) {
      // Its text only: PostgreSQL's detail shows the rows, with the phones.
      const reason = error instanceof Error ? error.message : String(error)
      deps.log.warn({ reason, count: group.length }, 'a group of messages is settled one by one')
    }
    for (const { message, outcome, resolve } of group) {
      if (!ended.has(message.id)) await settleMessage(deps, shopId, message, outcome)
      resolve()
    }
  }

  async function settleWaiting(shopId: ObjectId, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      await pause(GATHER_MS)
      await settleGroup(shopId, queue.splice(0, GROUP))
    }
    waiting.delete(shopId)
  }

  return async (shopId, message, outcome) => {
    if (outcome.kind !== 'ok') {
      await settleMessage(deps, shopId, message, outcome)
      return
    }
    await new Promise<void>((resolve) => {
      const queue = waiting.get(shopId)
      if (queue !== undefined) {
        queue.push({ message, outcome, resolve })
        return
      }
      const fresh = [{ message, outcome, resolve }]
      waiting.set(shopId, fresh)
      void settleWaiting(shopId, fresh)
    })
  }
}

function takenMessage({ ids }: Deps, { message, outcome }: Waiting, now: Date): TakenMessage {
  return {
    messageId: message.id,
    entryId: ids.next(),
    sessionId: storableText(outcome.data.msgId),
    sentAt: outcome.data.sentAt ?? now,
    maskedParams: maskedParams(message.template.params, message.params),
    answer: storableJson(outcome.raw),
  }
}
