import type { Language } from './texts/catalogue.ts'

const SHOP_ZONE = 'Asia/Ho_Chi_Minh'

/** The shop's time zone has a constant offset. */
const ZONE_MS = 7 * 3_600_000

const LOCALES = { vi: 'vi-VN', en: 'en-GB' }

/** Keeps a formatter for each language. Creating one costs more than using it for a page of a list. */
function perLanguage<F>(make: (locale: string) => F): (language: Language) => F {
  const made: Partial<Record<Language, F>> = {}
  return (language) => {
    made[language] ??= make(LOCALES[language])
    return made[language]
  }
}

const vnd = perLanguage((locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'VND' }))
const percent = perLanguage(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
)
const short = perLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }))
const number = perLanguage((locale) => new Intl.NumberFormat(locale))
const time = perLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: SHOP_ZONE,
    }),
)
const date = perLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
)
const day = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', timeZone: 'UTC' }),
)

/** Whole đồng: `1.250.000 ₫`. */
export function formatVnd(amountVnd: number, language: Language): string {
  return vnd(language).format(amountVnd)
}

/** A sentence of the service, which writes `-1000 đồng`, with amounts as the screens write them. */
export function withAmounts(sentence: string, language: Language): string {
  return sentence.replace(/(-?\d+) đồng/g, (_, amount: string) => formatVnd(Number(amount), language))
}

export function formatNumber(value: number, language: Language): string {
  return number(language).format(value)
}

const SHORT = {
  vi: { k: 'k', m: ' tr', b: ' tỷ' },
  en: { k: 'K', m: 'M', b: 'B' },
}

/** A number at an axis, with at most one decimal: `50k`, `2,5 tr`. */
export function formatShort(value: number, language: Language): string {
  const { k, m, b } = SHORT[language]
  const [size, unit] = value >= 1e9 ? [1e9, b] : value >= 1e6 ? [1e6, m] : value >= 1e3 ? [1e3, k] : [1, '']
  return `${short(language).format(value / size)}${unit}`
}

/** A fraction as a percentage: `23,5%`. */
export function formatPercent(part: number, language: Language): string {
  return percent(language).format(part)
}

/** An instant in the shop's time zone, to the minute. */
export function formatTime(iso: string, language: Language): string {
  return time(language).format(new Date(iso))
}

/** A day as `dd/mm`. */
export function formatDay(date: string, language: Language): string {
  // Browsers write a dash in Vietnamese, but people write a slash.
  return day(language)
    .format(new Date(`${date}T00:00:00Z`))
    .replace('-', '/')
}

/** A day in words: `Chủ Nhật, 22 tháng 11`. */
export function formatDate(day: string, language: Language): string {
  return date(language).format(new Date(`${day}T00:00:00Z`))
}

/** The instant at which a day begins in the shop's time zone, as ISO 8601 UTC. The zone's offset is constant. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00+07:00`).toISOString()
}

export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59.999+07:00`).toISOString()
}

/** The instant of a day and time in the shop's time zone, `2026-11-22T09:30`, as ISO 8601 UTC. */
export function instantOf(moment: string): string {
  return new Date(`${moment}:00+07:00`).toISOString()
}

/** An instant's day and time in the shop's time zone, `2026-11-22T09:30`, whatever the browser's zone is. */
export function momentOf(iso: string): string {
  return new Date(Date.parse(iso) + ZONE_MS).toISOString().slice(0, 16)
}

/** Today in the shop's time zone, `2026-11-21`. */
export function today(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: SHOP_ZONE }).format(new Date())
}

/** Vietnamese national numbers in their usual grouping, by their digits after the country code. */
const VIETNAMESE_PHONES: [RegExp, string][] = [
  [/^([35789]\d{2})(\d{3})(\d{3})$/, '0$1 $2 $3'],
  [/^(2[48])(\d{4})(\d{4})$/, '0$1 $2 $3'],
  [/^(2\d{2})(\d{4})(\d{3})$/, '0$1 $2 $3'],
  [/^(1[89]00)(\d{4}|\d{6})$/, '$1 $2'],
]

/**
 * A stored phone number as people read it (G-22): `84903433369` is shown as `0903 433 369`, and another country's
 * number begins with `+`. Text that is not a stored number stays unchanged.
 */
export function formatPhone(stored: string): string {
  if (!/^[1-9]\d{6,14}$/.test(stored)) return stored
  if (stored.startsWith('84')) {
    const national = stored.slice(2)
    const form = VIETNAMESE_PHONES.find(([digits]) => digits.test(national))
    if (form !== undefined) return national.replace(form[0], form[1])
  }
  return `+${stored}`
}
