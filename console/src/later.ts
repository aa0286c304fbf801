/** Time for what the first screen fetches after the files that its page names. */
const FIRST_SCREEN_MS = 3_000
/** An external picture that never loads does not delay the rest for longer. */
const MOST_MS = 10_000

/** Resolves once files that the first screen does not need may be fetched: later on a slow connection, so that it loads first. */
export const firstScreenOver = Promise.race([
  new Promise<void>((resolve) => addEventListener('load', () => setTimeout(resolve, FIRST_SCREEN_MS))),
  new Promise<void>((resolve) => setTimeout(resolve, MOST_MS)),
])

/** Resolves once the first screen is over and there is nothing to do. */
export async function idle(): Promise<void> {
  await firstScreenOver
  // Safari has no such callback.
  if (typeof requestIdleCallback === 'undefined') return
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: FIRST_SCREEN_MS }))
}
