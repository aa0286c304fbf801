/** The interval of the measurements, which exceed the true value by at most this. */
const EVERY_MS = 20

/** Processor time of the event loop's thread; of all threads if Node cannot separate them (before 23.9). */
const usedProcessor: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage

/**
 * Measures how long the event loop runs without turning. By processor time, not by the clock: on an overloaded machine,
 * the clock makes a process look blocked.
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
    /** The maximum since the last reading, in ms. */
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
