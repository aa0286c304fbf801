import { Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { createSlots } from '../../lib/slots.ts'

const RETRY_AFTER_SECONDS = 5

type Job = { run(): Promise<void>; cancel(): void }

/** A request's place among those in progress. */
export type Place = {
  /** The result of `work`, which runs in its shop's turn; rejected if the caller disconnects before it begins. */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** To be called when the response was sent or the caller disconnected; the place is free once none of its work is running. */
  leave(): void
}

/**
 * Runs conversions of images one at a time in a process, the shops in turn, so that no shop waits for more than one image of each
 * other shop. A request takes a place before its body is read, so the number of waiting requests and their memory are bounded by
 * `most`: the most in progress of one shop, and of all together, of which the last `keptForFirst` are for shops that have none.
 */
export function createTurns({ ofShop, ...most }: { ofShop: number; ofAll: number; keptForFirst?: number }) {
  const slots = createSlots({ ofOwner: ofShop, ...most })
  const waiting = new Map<ObjectId, Job[]>()
  let isAtWork = false

  /** @throws Refused IMAGES_BUSY when the shop may not have another in progress. */
  function enter(shopId: ObjectId): Place {
    const free = slots.take(shopId)
    if (free === undefined) throw new Refused('IMAGES_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    let hasLeft = false
    let job: Job | undefined
    let isRunning = false

    return {
      turn: (work) =>
        new Promise((resolve, reject) => {
          job = {
            async run() {
              isRunning = true
              await work().then(resolve, reject)
              isRunning = false
              if (hasLeft) free()
            },
            cancel: () => reject(new CallerGone()),
          }
          if (hasLeft) return job.cancel()
          const queue = waiting.get(shopId)
          if (queue === undefined) waiting.set(shopId, [job])
          else queue.push(job)
          if (!isAtWork) void workOff()
        }),
      leave() {
        hasLeft = true
        const queue = waiting.get(shopId)
        const at = queue?.indexOf(job!) ?? -1
        if (at !== -1) {
          queue!.splice(at, 1)
          if (queue!.length === 0) waiting.delete(shopId)
          job!.cancel()
        }
        if (!isRunning) free()
      },
    }
  }

  async function workOff(): Promise<void> {
    isAtWork = true
    for (;;) {
      // A map keeps insertion order: the shop that has waited longest is first, and moves to the end after its turn.
      const next = waiting.entries().next().value
      if (next === undefined) break
      const [shopId, queue] = next
      const job = queue.shift()!
      waiting.delete(shopId)
      if (queue.length > 0) waiting.set(shopId, queue)
      await job.run()
    }
    isAtWork = false
  }

  return { enter }
}

/** The caller no longer waits for the response. */
class CallerGone extends Error {}
