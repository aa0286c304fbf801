import { setTimeout as pause } from 'node:timers/promises'

/**
 * What `work` gives. While it throws it is tried again after each of `pausesMs`; `failed` is given each error.
 * The pauses keep no process alive. @throws what the last try throws.
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
