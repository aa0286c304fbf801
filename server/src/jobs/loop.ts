import { setTimeout as pause } from 'node:timers/promises'

/**
 * Runs `round` until stopped, one round at a time, without keeping the process alive. The next round begins after the
 * milliseconds that `round` returns, or after `everyMs` if it returns none or throws; `failed` gets the error. The
 * first round begins at once, or after `firstMs`.
 * @returns a function that stops it: it ends the pause, aborts the round's signal, and waits for the running round.
 */
export function startLoop(
  { everyMs, firstMs = 0, failed }: { everyMs: number; firstMs?: number; failed(error: unknown): void },
  round: (stopping: AbortSignal) => Promise<number> | Promise<void>,
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let waitMs = firstMs
    while (!signal.aborted) {
      if (waitMs > 0) await pause(waitMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      try {
        waitMs = (await round(signal)) ?? everyMs
      } catch (error) {
        failed(error)
        waitMs = everyMs
      }
    }
  }

  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
