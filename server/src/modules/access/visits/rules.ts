/** How long an operator can view a shop of which they are not a member. */
const VISIT_MS = 30 * 60_000

/** When a visit that began at `since` ends. */
export function endOfVisit(since: Date): Date {
  return new Date(since.getTime() + VISIT_MS)
}

/** Visits that began before this instant have ended. */
export function oldestVisit(now: Date): Date {
  return new Date(now.getTime() - VISIT_MS)
}
