/** How long an export may be read. Its file has the state at the time of reading, and its cursor stays valid for much longer. */
export const EXPORT_KEPT_MS = 24 * 3_600_000

/** The most files that a process sends to one shop at once. */
export const MOST_READ_AT_ONCE = 2
export const BUSY_RETRY_SECONDS = 10
