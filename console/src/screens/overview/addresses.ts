import type { Overview } from '../../api/rows.ts'

/** The address of a list with the filter of a number, so that the list has as many records as the number says. */
const address = (path: string, search: Record<string, string>) =>
  `${path}?${new URLSearchParams(Object.entries(search).filter(([, value]) => value !== ''))}`

export type Days = { from: string; to: string }

export const daysOf = ({ days }: Overview): Days => ({ from: days[0]!.day, to: days.at(-1)!.day })

/** Orders that were not cancelled. */
export const soldIn = (days: Days) => address('/orders', { ...days, cancelled: 'no' })

/** Orders between two instants in ISO 8601. */
export const soldBetween = (since: string, until: string) =>
  address('/orders', { since, until, cancelled: 'no' })

export const soldInHour = (day: string, hour: number) => {
  const begin = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00+07:00`)
  return soldBetween(begin.toISOString(), new Date(begin.getTime() + 3_600_000 - 1).toISOString())
}

export const soldBy = (days: Days, { soldBy, by }: Overview['sellers'][number]) =>
  address('/orders', { ...days, cancelled: 'no', seller: soldBy ?? 'none', by: by?.name ?? '' })

/** `since` is the oldest order that was counted, if the period has more. */
export const withProduct = (days: Days, since: string | null, { _id, name }: { _id: string; name: string }) =>
  address('/orders', {
    ...(since === null ? days : { since, to: days.to }),
    cancelled: 'no',
    product: _id,
    of: name,
  })

export const messagesIn = (
  days: Days,
  more: { template?: string; status?: string; delivered?: string } = {},
) => address('/messages', { ...days, ...more })

export const OWED = '/orders?payment=owed'

export const LOW_STOCK = '/products?stock=low'
