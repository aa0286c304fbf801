import { setTimeout as pause } from 'node:timers/promises'

/**
 * Waits until `isDone` returns true, checking every `everyMs`, for at most `withinMs` (without it, without limit).
 * @returns whether it was done in time.
 */
export async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  { everyMs, withinMs = Number.POSITIVE_INFINITY }: { everyMs: number; withinMs?: number },
): Promise<boolean> {
  const until = performance.now() + withinMs
  while (!(await isDone())) {
    if (performance.now() > until) return false
    await pause(everyMs)
  }
  return true
}
