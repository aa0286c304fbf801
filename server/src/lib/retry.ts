import { setTimeout as pause } from 'node:timers/promises'

/**
 * Returns the result of `work`. While it throws, it is retried after each of `pausesMs`, and `failed` gets each error.
 * The pauses do not keep the process alive.
 * @throws the error of the last attempt.
 */
export async function retry<T>(
  pausesMs: readonly number[],
  work: () => Promise<T>,
  failed?: (error: unknown) => void,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    failed?.(error)
    const [pauseMs, ...later] = pausesMs
    if (pauseMs === undefined) throw error
    await pause(pauseMs, undefined, { ref: false })
    return retry(later, work, failed)
  }
}

/** The number of failed attempts after which the caller of {@link retryBeyondWait} no longer waits. */
const AWAITED_TRIES = 3

/**
 * Like {@link retry}, for work that must be done however long it takes. The caller waits only for the first
 * `awaitedTries` attempts; the others continue in the background. Never throws.
 * @returns the result of `work`, or undefined if it has not succeeded within these attempts.
 */
export function retryBeyondWait<T>(
  pausesMs: readonly number[],
  failed: (error: unknown) => void,
  work: () => Promise<T>,
  awaitedTries = AWAITED_TRIES,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(undefined)
    let tries = 0
    retry(pausesMs, work, (error) => {
      failed(error)
      tries += 1
      if (tries === awaitedTries) giveUp()
    }).then(resolve, giveUp)
  })
}

/** The pause after the attempt that is number `tries`, counted from 1; the last one repeats. */
export function pauseAfter(pausesMs: readonly number[], tries: number): number {
  return pausesMs[Math.max(0, Math.min(tries, pausesMs.length) - 1)]!
}
