import { startLoop } from '../../server/src/jobs/loop.ts'
import { waitedForProcessorMs } from './machine.ts'

/** A stall of the event loop, from the values of `/metrics` since the previous scrape. */
export type Stall = {
  /** How long the event loop was blocked. */
  lagMs: number
  /** The most processor time that its thread used in one turn: the share of the process itself. */
  busyMs: number
  /** How long the thread waited for a processor since the previous scrape: the share of the machine. */
  waitedMs: number
  /** The requests completed since then, slowest first. */
  during: string[]
}

export type Watch = {
  /** Takes the values of a scrape; scraping resets the metrics, so all scrapes must pass through here. */
  take(metrics: string): void
  /** Records a completed request, to be named with a stall. */
  note(name: string, ms: number): void
  /** Discards the stalls so far, because the start is not checked. @returns the longest of them. */
  begin(): Promise<Stall | undefined>
  end(): Promise<{ stalls: Stall[]; longest: Stall; rssMb: number; scrapes: number }>
}

/** How long a process may block its event loop. */
export const STALL_MS = 250
const EVERY_MS = 1_000
const NAMED = 5

/** Scrapes `/metrics` every second. A stall is recorded if the loop was blocked for {@link STALL_MS}. */
export function watchMetrics(url: string, pid: number): Watch {
  let answered: { name: string; ms: number }[] = []
  let stalls: Stall[] = []
  let longest: Stall = { lagMs: 0, busyMs: 0, waitedMs: 0, during: [] }
  let rssMb = 0
  let scrapes = 0
  let waitedBefore = waitedForProcessorMs(pid)

  function take(metrics: string): void {
    const value = (name: string) =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1])
    const waited = waitedForProcessorMs(pid)
    const stall: Stall = {
      lagMs: value('nodejs_eventloop_lag_max_seconds') * 1_000,
      busyMs: value('shopbell_event_loop_busy_max_seconds') * 1_000,
      waitedMs: waited - waitedBefore,
      during: answered
        .sort((a, b) => b.ms - a.ms)
        .slice(0, NAMED)
        .map(({ name, ms }) => `${name} (${Math.round(ms)} ms)`),
    }
    if ([stall.lagMs, stall.busyMs].some(Number.isNaN))
      throw new Error('/metrics does not show the event loop')
    waitedBefore = waited
    answered = []
    scrapes += 1
    rssMb = Math.max(rssMb, value('process_resident_memory_bytes') / 2 ** 20)
    if (stall.busyMs > longest.busyMs) longest = stall
    if (stall.lagMs > STALL_MS || stall.busyMs > STALL_MS) stalls.push(stall)
  }

  async function scrape(): Promise<void> {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(30_000) })
    take(await answer.text())
  }

  let stop = async () => {}
  return {
    take,
    note: (name, ms) => void answered.push({ name, ms }),
    async begin() {
      await scrape()
      const before = longest
      stalls = []
      longest = { lagMs: 0, busyMs: 0, waitedMs: 0, during: [] }
      rssMb = 0
      scrapes = 0
      stop = startLoop({ everyMs: EVERY_MS, firstMs: EVERY_MS, failed: () => {} }, scrape)
      return before
    },
    async end() {
      await stop()
      await scrape().catch(() => {})
      return { stalls, longest, rssMb, scrapes }
    },
  }
}
