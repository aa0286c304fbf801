/** How often the loop is looked at; what is measured is longer than the truth by this at most. */
const EVERY_MS = 20

/** Processor time of the thread that runs the event loop; of all threads where Node cannot separate them (before 23.9). */
const usedProcessor: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage

/**
 * Watches for how long the event loop works without turning. By processor time, not by the clock: a machine that has none
 * to give looks, by the clock, like a process that stands still.
 */
export function watchEventLoop(): { takeBusyMs(): number; stop(): void } {
  let before = usedMs()
  let mostMs = 0
  const timer = setInterval(look, EVERY_MS)
  timer.unref()

  function look(): void {
    const now = usedMs()
    mostMs = Math.max(mostMs, now - before)
    before = now
  }

  return {
    /** The most since it was last taken, in ms. */
    takeBusyMs() {
      look()
      const taken = mostMs
      mostMs = 0
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

function usedMs(): number {
  const { user, system } = usedProcessor()
  return (user + system) / 1_000
}
