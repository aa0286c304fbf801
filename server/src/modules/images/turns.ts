import { Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'

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
 * `most`: the most in progress of one shop, and of all together.
 */
export function createTurns(most: { ofShop: number; ofAll: number }) {
  const places = new Map<ObjectId, number>()
  const waiting = new Map<ObjectId, Job[]>()
  let all = 0
  let isAtWork = false

  /** @throws Refused IMAGES_BUSY when the shop, or all together, have as many in progress as allowed. */
  function enter(shopId: ObjectId): Place {
    const own = places.get(shopId) ?? 0
    if (own >= most.ofShop || all >= most.ofAll) {
      throw new Refused('IMAGES_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    places.set(shopId, own + 1)
    all += 1
    let hasLeft = false
    let isFree = false
    let job: Job | undefined
    let isRunning = false

    function free(): void {
      if (isFree || isRunning) return
      isFree = true
      all -= 1
      const left = places.get(shopId)! - 1
      if (left === 0) places.delete(shopId)
      else places.set(shopId, left)
    }

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
        free()
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
