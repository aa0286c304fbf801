const ISO = /^(\d{4}-\d{2}-\d{2})([T ]\d{1,2}:\d{2})?$/

/**
 * Reads `2026-11-22` from `22/11/2026`, `22.11.26`, `22-11-2026`, `22112026`, or as programs write it, also with a time;
 * undefined if it is not a day. With `latest`, such as today for a birthday, a year of two digits that would be later is
 * one of the 1900s.
 */
export function readDay(text: string, latest?: string): string | undefined {
  const day = ISO.exec(text.trim())?.[1] ?? readDayFirst(text, latest)
  if (day === undefined) return undefined
  const at = new Date(`${day}T00:00:00Z`)
  // 31/02 would become the third of March.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined
}

function readDayFirst(text: string, latest: string | undefined): string | undefined {
  const parts =
    /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4}|\d{2})$/.exec(text.trim()) ??
    /^(\d{2})(\d{2})(\d{4})$/.exec(text.trim())
  if (parts === null) return undefined
  const [day, month, year] = parts.slice(1) as [string, string, string]
  const monthDay = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const iso = `${year.padStart(4, '20')}-${monthDay}`
  return year.length === 2 && latest !== undefined && iso > latest ? `19${year}-${monthDay}` : iso
}

/** Writes `22/11/2026` for `2026-11-22`. */
export function writeDay(iso: string): string {
  return iso.split('-').reverse().join('/')
}

/**
 * Reads `2026-11-22T09:30` from `22/11/2026 9:30`, `22/11/2026 9h30`, or as programs write it, and full hours from
 * `22/11/2026 9h`; undefined if it is not a day and time.
 */
export function readMoment(text: string): string | undefined {
  const parts = /^([^:]+?)(?:[ ,]+|(?<=-\d{2})T)(\d{1,2})(?:[:h.](\d{1,2})|h)$/.exec(text.trim())
  const day = readDay(parts?.[1] ?? '')
  if (day === undefined) return undefined
  const [hour, minute = '00'] = parts!.slice(2) as [string, string | undefined]
  return Number(hour) < 24 && Number(minute) < 60
    ? `${day}T${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
    : undefined
}

/** Writes `22/11/2026 09:30` for `2026-11-22T09:30`. */
export function writeMoment(iso: string): string {
  const [day = '', time = ''] = iso.split('T')
  return `${writeDay(day)} ${time}`.trim()
}

/** Whether a text that `read` does not take is written as it should be, but names a day that does not exist: `31/02/2026`. */
export function isNoSuchDay(text: string, read: (text: string) => string | undefined): boolean {
  const onFirstDay = text
    .trim()
    .replace(/^\d{1,2}[/.\- ]\d{1,2}(?=[/.\- ])/, '01/01')
    .replace(/^\d{4}(?=\d{4})/, '0101')
    .replace(/^(\d{4})-\d{2}-\d{2}/, '$1-01-01')
  return read(text) === undefined && read(onFirstDay) !== undefined
}

/**
 * The month of a day such as `2026-11-24` and the months before it, newest first. `2026-11` is labelled `11/2026`,
 * whatever the browser's language.
 */
export function lastMonths(day: string, count: number): { value: string; label: string }[] {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, ago) => {
    const value = new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 7)
    return { value, label: value.split('-').reverse().join('/') }
  })
}
