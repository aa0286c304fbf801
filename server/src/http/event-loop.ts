/** The interval between measurements. A result exceeds the true value by at most this. */
const EVERY_MS = 20

/** Processor time of the event loop's thread, or of all threads if Node cannot separate them (before 23.9). */
const usedProcessor: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage

/**
 * Measures how long the event loop runs without completing a turn, in processor time. On an overloaded machine the wall
 * clock would make a process look blocked.
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
    /** The maximum since the last call, in ms. */
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
