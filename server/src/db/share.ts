import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * No connection of the pool came free in time, or what was read changed at every try: 503, to be tried again. Nothing
 * was done.
 */
export class DatabaseBusy extends Error {
  constructor(owner: string, says = 'no connection came free in time') {
    super(`${says} for ${owner === NOBODY ? 'work of no shop' : owner}`)
    this.name = 'DatabaseBusy'
  }
}

const NOBODY = ''
/** `waitedMs`: for connections so far, where all of the work's waits together have an end. */
type Share = { owner: string; waitedMs?: number }
const shares = new AsyncLocalStorage<Share>()

/**
 * Counts the connections that `work` takes, and all that it starts, to the share of `owner`: a shop, or an official
 * account where the shop is not known yet. What runs outside of any has a share of its own together.
 */
export function inShareOf<T>(owner: string, work: () => T): T {
  return shares.run({ owner }, work)
}

/** The same for a request: its waits for connections have one end together, since its caller waits for all of them. */
export function asRequestOf<T>(owner: string, work: () => T): T {
  return shares.run({ owner, waitedMs: 0 }, work)
}

/** The same share for what is called later from elsewhere, as a stream calls for its next piece. */
export function keepingShare<T>(work: () => T): () => T {
  const owner = shares.getStore()?.owner
  return owner === undefined ? work : () => inShareOf(owner, work)
}

type Waiter = { lend(): void }

/**
 * Lends `max` connections out. An owner gets one while it holds fewer than are free: half of them at most, and each of
 * n owners that never give theirs back the same part, with as large a part left for all others. Beyond that it waits;
 * of those that wait the owners are served in turn.
 */
export function createLender(max: number) {
  const held = new Map<string, number>()
  const waiting = new Map<string, Waiter[]>()
  let lent = 0

  const mayTake = (owner: string) => lent < max && (max === 1 || (held.get(owner) ?? 0) < max - lent)

  function note(owner: string): void {
    held.set(owner, (held.get(owner) ?? 0) + 1)
    lent += 1
  }

  function serve(): void {
    for (let isMoving = true; isMoving && lent < max; ) {
      isMoving = false
      for (const [owner, queue] of waiting) {
        if (!mayTake(owner)) continue
        const next = queue.shift()!
        waiting.delete(owner)
        if (queue.length > 0) waiting.set(owner, queue)
        note(owner)
        next.lend()
        isMoving = true
        break
      }
    }
  }

  function turn(owner: string, ms: number): Promise<void> {
    const queue = waiting.get(owner) ?? []
    waiting.set(owner, queue)
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        lend() {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0) waiting.delete(owner)
        reject(new DatabaseBusy(owner))
      }, ms)
      queue.push(waiter)
    })
  }

  return {
    /**
     * Waits for the caller's turn, `waitMs` at most in all. @returns whose share it is, to be given back, and how much of
     * the time is left. @throws DatabaseBusy
     */
    async take(waitMs: number): Promise<{ owner: string; leftMs: number }> {
      const share = shares.getStore() ?? { owner: NOBODY }
      const { owner, waitedMs = 0 } = share
      if (!waiting.has(owner) && mayTake(owner)) {
        note(owner)
        return { owner, leftMs: waitMs - waitedMs }
      }
      const startedAt = performance.now()
      try {
        await turn(owner, Math.max(0, waitMs - waitedMs))
      } finally {
        if (share.waitedMs !== undefined) share.waitedMs += performance.now() - startedAt
      }
      return { owner, leftMs: waitMs - waitedMs - (performance.now() - startedAt) }
    },
    give(owner: string): void {
      const left = held.get(owner)! - 1
      if (left > 0) held.set(owner, left)
      else held.delete(owner)
      lent -= 1
      serve()
    },
  }
}
