import { setTimeout as pause } from 'node:timers/promises'

/**
 * Runs `round` until stopped, never two at a time, without keeping the process alive. The next one begins after the
 * milliseconds that it returns, or after `everyMs` when it returns none or throws, which `failed` is given. The first
 * begins at once, or after `firstMs`.
 * @returns a function that stops it: a pause ends, the round's signal is aborted, and the running round is waited for.
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
