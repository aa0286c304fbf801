import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * No connection of the pool became free in time, or the data changed at every attempt. Nothing was done; the caller
 * gets 503 and may retry later.
 */
export class DatabaseBusy extends Error {
  constructor(owner: string, says = 'no connection became free in time') {
    super(`${says} for ${owner === NOBODY ? 'work of no shop' : owner}`)
    this.name = 'DatabaseBusy'
  }
}

const NOBODY = ''
/**
 * `waitedMs`: the time spent waiting for connections so far, if the work has one limit for all waits. `hasCommitted`: it has changed
 * something, so it may not end with a {@link DatabaseBusy}, after which its caller would do the same again.
 */
type Share = { owner: string; waitedMs?: number; hasCommitted?: boolean }
const shares = new AsyncLocalStorage<Share>()

/**
 * Counts the connections of `work`, and of all that it starts, to the share of `owner`: a shop, or an official account
 * while the shop is not known yet. Work outside of any share has one common share.
 */
export function inShareOf<T>(owner: string, work: () => T): T {
  return shares.run({ owner }, work)
}

/**
 * Like {@link inShareOf}, for a request: all its waits for connections have one common limit, because its caller waits
 * for all of them.
 */
export function asRequestOf<T>(owner: string, work: () => T): T {
  return shares.run({ owner, waitedMs: 0 }, work)
}

/**
 * Notes that the current request has committed a transaction. What it still reads for its response goes before the requests of its
 * shop that have not begun, and may wait as long as one that begins.
 */
export function noteCommit(): void {
  const share = shares.getStore()
  if (share?.waitedMs !== undefined) share.hasCommitted = true
}

/** Keeps the share for a function that is called later from elsewhere, for example when a stream asks for its next chunk. */
export function keepingShare<T>(work: () => T): () => T {
  const owner = shares.getStore()?.owner
  return owner === undefined ? work : () => inShareOf(owner, work)
}

type Waiter = { lend(): void }

/**
 * Lends `max` connections. An owner gets one while it holds fewer than are free. So one owner gets at most half of
 * them, and n owners that never return theirs get equal parts, with an equal part left for all others. Beyond that an
 * owner waits; waiting owners are served in turn.
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

  function turn(owner: string, ms: number, goesFirst: boolean): Promise<void> {
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
      if (goesFirst) queue.unshift(waiter)
      else queue.push(waiter)
    })
  }

  return {
    /**
     * Waits for the caller's turn, at most `waitMs` in total; after a commit, as long again.
     * @returns the share's owner, for `give`, and the time left.
     * @throws DatabaseBusy
     */
    async take(waitMs: number): Promise<{ owner: string; leftMs: number }> {
      const share = shares.getStore() ?? { owner: NOBODY }
      const { owner, hasCommitted = false } = share
      const waitedMs = hasCommitted ? 0 : (share.waitedMs ?? 0)
      if (!waiting.has(owner) && mayTake(owner)) {
        note(owner)
        return { owner, leftMs: waitMs - waitedMs }
      }
      const startedAt = performance.now()
      try {
        await turn(owner, Math.max(0, waitMs - waitedMs), hasCommitted)
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
