import { isParam } from '../text/params.ts'
import { VIETNAM_OFFSET_MS } from './vietnam-time.ts'

type WallTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  ms: number
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const VOUCHER_FORM = /^(?:(\d{2}):(\d{2})(?::(\d{2}))? )?(\d{2})\/(\d{2})\/(\d{4})$/
// A space may replace the plus of an offset: `+07:00` arrives like that from a query that was not encoded.
const ISO_FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\- ]\d{2}(?::?\d{2})?)?)?$/i

/** Whether a voucher may have this text as its date: a real date in one of G-11's forms, or a single `<param>`. */
export function isVoucherDate(text: string): boolean {
  return isParam(text) || voucherInstant(text) !== undefined
}

/**
 * The instant of a voucher date, in epoch milliseconds; undefined for a `<param>` or anything that is not a real date
 * in one of G-11's forms. Without an offset it is Vietnam time. A bare date means the start of the day, or with `edge`
 * 'end' its last millisecond, because a voucher is still valid on its day of expiry.
 */
export function voucherInstant(text: string, edge: 'start' | 'end' = 'start'): number | undefined {
  const parts = VOUCHER_FORM.exec(text)
  if (!parts) return isoInstant(text, VIETNAM_OFFSET_MS, edge)
  const [, hour, minute, second, day, month, year] = parts
  const instant = utcInstant(wallTime(year, month, day, hour, minute, second))
  if (instant === undefined) return undefined
  return instant - VIETNAM_OFFSET_MS + (edge === 'end' && hour === undefined ? DAY_MS - 1 : 0)
}

/**
 * The instant of an ISO 8601 date or date-time (E12); undefined when it has another form or is not a real date. A bare
 * date is midnight UTC, and a time without an offset is UTC. Years are limited to 1 to 9999, so that the database
 * accepts every result. Fractions beyond milliseconds are cut off.
 */
export function parseIsoInstant(text: string): Date | undefined {
  const instant = isoInstant(text, 0, 'start')
  return instant === undefined ? undefined : new Date(instant)
}

/** A fraction of a second that is not whole milliseconds. */
const BEYOND_MS = /[.,]\d{3}\d*[1-9]/
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * The first millisecond of a range that starts at an ISO 8601 date or date-time: as {@link parseIsoInstant}, but a
 * fraction beyond milliseconds is rounded up, because a record of the millisecond before it is not in the range.
 */
export function parseIsoStart(text: string): Date | undefined {
  const instant = parseIsoInstant(text)
  if (instant === undefined || !BEYOND_MS.test(text)) return instant
  return new Date(Math.min(instant.getTime() + 1, LAST_INSTANT))
}

function isoInstant(text: string, defaultOffsetMs: number, edge: 'start' | 'end'): number | undefined {
  const parts = ISO_FORM.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, fraction, zone] = parts
  const wall = utcInstant(wallTime(year, month, day, hour, minute, second, fraction))
  const offset = zone === undefined ? defaultOffsetMs : offsetMs(zone)
  if (wall === undefined || offset === undefined) return undefined
  const instant = wall - offset + (edge === 'end' && hour === undefined ? DAY_MS - 1 : 0)
  const utcYear = new Date(instant).getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? instant : undefined
}

function offsetMs(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', ''))
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
}

function wallTime(
  year = '',
  month = '',
  day = '',
  hour = '0',
  minute = '0',
  second = '0',
  fraction = '',
): WallTime {
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    ms: Number(fraction.padEnd(3, '0').slice(0, 3)),
  }
}

function utcInstant(wall: WallTime): number | undefined {
  if (wall.year < 1 || wall.hour > 23 || wall.minute > 59 || wall.second > 59) return undefined
  // Date.UTC reads years below 100 as 19xx; setUTCFullYear does not. Both turn 31/02 into a day in March.
  const date = new Date(0)
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day)
  if (date.getUTCMonth() !== wall.month - 1) return undefined
  return date.setUTCHours(wall.hour, wall.minute, wall.second, wall.ms)
}

/** The day in the shops' time zone, `2026-11-24`. */
export function dayOf(instant: Date): string {
  return new Date(instant.getTime() + VIETNAM_OFFSET_MS).toISOString().slice(0, 10)
}

/** The minute in the shops' time zone, `2026-11-24 09:30`. */
export function minuteOf(instant: Date): string {
  const local = new Date(instant.getTime() + VIETNAM_OFFSET_MS).toISOString()
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`
}

/** The span of a month such as `2026-11` in the shops' time zone, Asia/Ho_Chi_Minh, whose offset is constant. */
export function monthOfZone(month: string): { from: Date; before: Date } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const start = (of: number) => new Date(Date.UTC(year, of, 1) - VIETNAM_OFFSET_MS)
  return { from: start(number - 1), before: start(number) }
}

/** ISO 8601 in the form that PostgreSQL reads: a year of more than four digits must not have the sign that ISO requires. */
export function databaseInstant(instant: Date): string {
  return instant.toISOString().replace(/^\+0*/, '')
}
