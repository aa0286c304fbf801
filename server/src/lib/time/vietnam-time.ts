/** Vietnam's offset from UTC, which is constant all year. */
export const VIETNAM_OFFSET_MS = 7 * 3_600_000

const NIGHT_BEGINS = 22
const NIGHT_ENDS = 6

/** Whether two instants are on the same day in Vietnam. */
export function isSameDay(one: Date, other: Date): boolean {
  return nextMidnight(one).getTime() === nextMidnight(other).getTime()
}

/** The next midnight in Vietnam. */
export function nextMidnight(after: Date): Date {
  return nextHour(after, 0)
}

/** The next 06:00 in Vietnam, when the night window ends. */
export function nextMorning(after: Date): Date {
  return nextHour(after, NIGHT_ENDS)
}

/** Whether an instant is in the night window, 22:00 to 06:00 in Vietnam. */
export function isNight(at: Date): boolean {
  const hour = inVietnam(at).getUTCHours()
  return hour >= NIGHT_BEGINS || hour < NIGHT_ENDS
}

function nextHour(after: Date, hour: number): Date {
  const local = inVietnam(after)
  local.setUTCDate(local.getUTCDate() + (local.getUTCHours() < hour ? 0 : 1))
  return new Date(local.setUTCHours(hour, 0, 0, 0) - VIETNAM_OFFSET_MS)
}

/** The instant whose UTC fields are those of `at` in Vietnam. */
function inVietnam(at: Date): Date {
  return new Date(at.getTime() + VIETNAM_OFFSET_MS)
}
