import type { PGlite } from '@electric-sql/pglite'

/** How long the database may run before the event loop turns. */
const WORK_MS = 20

/**
 * Lets the event loop turn between two messages to the embedded database. PGlite works in the event loop's own thread
 * and goes on from one statement to the next waiting one in microtasks: as long as statements wait, no timer, request
 * or connection is served. 50 statements of 24 ms that were asked for at once kept the loop from turning for 1.1 s,
 * eight callers of ten each for 2.5 s. Only one message is under way at a time, so waiting here lets no other one pass.
 */
export function letLoopTurn(pglite: PGlite): void {
  const execute = pglite.execProtocolRaw.bind(pglite)
  let turnedAt = performance.now()
  pglite.execProtocolRaw = async (message, options) => {
    if (performance.now() - turnedAt > WORK_MS) {
      await new Promise((resolve) => setImmediate(resolve))
      turnedAt = performance.now()
    }
    return execute(message, options)
  }
}
