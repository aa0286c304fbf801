import type { PGlite } from '@electric-sql/pglite'

/** How long the database may run before the event loop gets a turn. */
const WORK_MS = 20

/**
 * Gives the event loop a turn between two messages to the embedded database. PGlite runs in the event loop's thread and
 * proceeds from one waiting statement to the next in microtasks, so while statements wait, no timer, request or
 * connection is served. 50 concurrent statements of 24 ms each blocked the loop for 1.1 s, and eight callers with ten
 * each for 2.5 s. Only one message is processed at a time, so a message that waits here cannot be overtaken.
 */
export function keepLoopTurning(pglite: PGlite): void {
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
