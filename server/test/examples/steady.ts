const DAY_MS = 86_400_000
const VIETNAM_MS = 7 * 3_600_000
/** The day of every example. */
const DAY = Date.parse('2026-01-15T02:30:00.000Z')

/**
 * Replaces what each run makes anew: ids by numbered ones, times by the same time on a fixed day with the same number
 * of days between them, and secrets, tokens and addresses of this machine by similar ones.
 */
export function steady<Examples>(examples: Examples): Examples {
  const now = Date.now()
  const localDay = new Date(now + VIETNAM_MS).toISOString().slice(0, 10)
  const daysOff = (text: string) => {
    const from = text.length > 10 ? now : Date.parse(localDay)
    return Math.round((Date.parse(text) - from) / DAY_MS)
  }
  const onDay = (text: string) => {
    const days = daysOff(text)
    return Math.abs(days) > 400 ? text : new Date(DAY + days * DAY_MS).toISOString().slice(0, text.length)
  }
  const ids = numbered((n) => `6743f1a0c2b1d4e5f6${n.toString(16).padStart(6, '0')}`)
  const secrets = numbered((n) => `EXAMPLE${String(n).padStart(29, '0')}`)
  const tokens = numbered((n) => `example-token-${n}`)
  const cursors = numbered((n) => `example-cursor-${n}`)
  const text = JSON.stringify(examples)
    .replaceAll(/(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g, ids)
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, onDay)
    .replaceAll(/(?<=")20\d\d-\d\d-\d\d(?=")/g, onDay)
    .replaceAll(/(?<="waiting":\d+,"resumesAt":")[^"]+/g, '2026-01-16T17:00:00.000Z')
    .replaceAll(/(?<="month":")20\d\d-\d\d/g, '2026-01')
    .replaceAll(/(?<=sb_live_)[0-9A-Za-z]{36}/g, secrets)
    .replaceAll(/(?<=token=|"token":")[0-9A-Za-z_-]{20,}/g, tokens)
    .replaceAll(/\bWyJ[0-9A-Za-z_-]{20,}/g, cursors)
    .replaceAll(/sb_live_[0-9A-Za-z]{4}(?=\\?")/g, 'sb_live_EXAM')
    .replaceAll(/(?<=")1[78]\d{11}(?=")/g, String(DAY))
    .replaceAll(/(?<="(waiting|active)":)\d+/g, '0')
    .replaceAll(/(?<="durationMs":)\d+/g, '15')
    .replaceAll(/(?<="sequence":)\d+/g, String(DAY * 1_000))
    .replaceAll(/(?<=")200\d{10}(?=")/g, '2000000000008')
    .replaceAll(/the oldest has been due for \d+ s/g, 'nothing is overdue')
    .replaceAll(/[\d.]+ s (behind|ahead of)/g, '0.0 s behind')
    .replaceAll(/at \d{4}, the newest/g, 'at 0043, the newest')
    .replaceAll(/whsec_[0-9A-Za-z+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replaceAll(
      /(?<=\{"from":)"[^"]+","until":"[^"]+"/g,
      '"2025-11-16T17:00:00.000Z","until":"2025-12-16T02:30:00.000Z"',
    )
    .replaceAll(/(?<="hours":)\[\{"hour".*?\]/g, inOneHour)
    .replaceAll(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://shop.example')
  return JSON.parse(text)
}

/** Puts the sales of all hours into one, nine o'clock. */
function inOneHour(text: string): string {
  const hours = JSON.parse(text) as { hour: number; orders: number; revenue: number }[]
  const sum = (name: 'orders' | 'revenue') => hours.reduce((total, hour) => total + hour[name], 0)
  const sold = { orders: sum('orders'), revenue: sum('revenue') }
  return JSON.stringify(
    hours.map((hour) => ({ ...hour, ...(hour.hour === 9 ? sold : { orders: 0, revenue: 0 }) })),
  )
}

function numbered(make: (n: number) => string): (found: string) => string {
  const known = new Map<string, string>()
  return (found) => {
    const made = known.get(found) ?? make(known.size + 1)
    known.set(found, made)
    return made
  }
}
