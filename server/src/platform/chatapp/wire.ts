import type { PlatformTemplateStatus } from '../types.ts'

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown

/**
 * Parses JSON text, with integers too large for a double kept as text. The platform's ids exceed 2^53 and sometimes
 * come as numbers; plain parsing would change their last digits.
 * @throws SyntaxError when the text is not JSON.
 */
export function parseWireJson(text: string): unknown {
  // The reviver costs ten times as much as parsing, so it is used only for texts with that many digits outside of
  // quotes.
  if (!/(?<!["\d])\d{16}/.test(text)) return JSON.parse(text)
  return parseWithSource(text, (_key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source ?? '')
      ? context.source
      : value,
  )
}

/** The value as an object with unknown fields, or an empty one when it is something else. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** The value as a list, or an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** A non-empty text; numbers become their digits. Undefined for anything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return undefined
}

/** A finite number that may have come as text. */
export function asNumber(value: unknown): number | undefined {
  const text = asText(value)
  if (text === undefined) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

/** Whole đồng from a number or a text such as `"300"` or `"300.0"`; undefined when absent or negative. */
export function asVnd(value: unknown): number | undefined {
  const number = asNumber(value)
  return number === undefined || number < 0 ? undefined : Math.round(number)
}

/** Whether the value says yes: `true`, `1`, `"true"` or `"1"`. */
export function asBoolean(value: unknown): boolean {
  return value === true || value === 1 || value === 'true' || value === '1'
}

const CLOCK_FIRST = /^(\d{1,2}):(\d{2})(?::(\d{2}))? (\d{2})\/(\d{2})\/(\d{4})$/
const DATE_FIRST = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/

/**
 * A time from epoch milliseconds or seconds (number or text), ISO 8601, `hh:mm[:ss] dd/mm/yyyy` or
 * `yyyy-mm-dd hh:mm:ss`; the last two are read as Vietnam time (UTC+7). Undefined when it is none of them.
 */
export function asTime(value: unknown): Date | undefined {
  const text = asText(value)?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) {
    const epoch = Number(text)
    // Below 10^11 milliseconds would be before March 1973, so it can only be seconds.
    return validDate(epoch > 0 ? new Date(epoch < 1e11 ? epoch * 1000 : epoch) : undefined)
  }
  const clock = CLOCK_FIRST.exec(text)
  if (clock) {
    const [, hour, minute, second = '00', day, month, year] = clock
    return validDate(new Date(`${year}-${month}-${day}T${hour!.padStart(2, '0')}:${minute}:${second}+07:00`))
  }
  const dated = DATE_FIRST.exec(text)
  if (dated) return validDate(new Date(`${dated[1]}T${dated[2]}+07:00`))
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? validDate(new Date(text)) : undefined
}

function validDate(date: Date | undefined): Date | undefined {
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

const STATUS_WORDS: Record<string, PlatformTemplateStatus> = {
  ENABLE: 'ENABLE',
  PENDING_REVIEW: 'PENDING_REVIEW',
  REJECT: 'REJECTED',
  REJECTED: 'REJECTED',
  DISABLE: 'DISABLE',
  DELETE: 'DISABLE',
  '1': 'ENABLE',
  '2': 'PENDING_REVIEW',
  '3': 'REJECTED',
  '4': 'DISABLE',
  '5': 'DISABLE',
}

/**
 * Our status for the platform's template status, given as its word or its list number (1 to 5). A deleted template is
 * `DISABLE` with `deleted`. `status` is absent for an unknown word (G-16).
 */
export function asTemplateStatus(value: unknown): { status?: PlatformTemplateStatus; deleted: boolean } {
  const word = asText(value)?.trim().toUpperCase() ?? ''
  return { status: STATUS_WORDS[word], deleted: word === 'DELETE' || word === '5' }
}

/** The list filter's number for one of our statuses. */
export const STATUS_NUMBERS: Record<PlatformTemplateStatus, number> = {
  ENABLE: 1,
  PENDING_REVIEW: 2,
  REJECTED: 3,
  DISABLE: 4,
}
