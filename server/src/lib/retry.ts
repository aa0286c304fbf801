import { setTimeout as pause } from 'node:timers/promises'

/**
 * The result of `work`. While it throws, it is retried after each of `pausesMs`; `failed` gets each error. The pauses
 * do not keep the process alive. @throws the error of the last attempt.
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

/** Who waits for the end of {@link retryBeyondWait} hears of it after so many tries in vain. */
const AWAITED_TRIES = 3

/**
 * The same for work that must be done however long it takes: the caller waits for the first tries only, the others go on
 * without him. @returns what `work` gives, or undefined where it has not succeeded by then. Never throws.
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
