/** Long enough for the first screen's requests. */
const FIRST_SCREEN_MS = 3_000

/** Resolves when files that the first screen does not need may be loaded. */
export const firstScreenOver = new Promise<void>((resolve) => setTimeout(resolve, FIRST_SCREEN_MS))
