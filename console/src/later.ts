/** Time for what the first screen fetches. */
const FIRST_SCREEN_MS = 3_000

/** Resolves once what the first screen does without may be fetched. */
export const firstScreenOver = new Promise<void>((resolve) => setTimeout(resolve, FIRST_SCREEN_MS))
