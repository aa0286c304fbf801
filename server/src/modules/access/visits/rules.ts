/** For how long an operator sees a shop that they are no member of. */
const VISIT_MS = 30 * 60_000

export function endOfVisit(since: Date): Date {
  return new Date(since.getTime() + VISIT_MS)
}

/** Visits that began before this have ended. */
export function oldestVisit(now: Date): Date {
  return new Date(now.getTime() - VISIT_MS)
}
