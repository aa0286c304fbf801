import { randomId } from '@shopbell/client'
import { useState } from 'react'
import { isRefusal } from '../../api/outcome.ts'

/** The service stores the outcome of a key for a day (G-10). */
export const KEY_IS_GOOD_MS = 23 * 3_600_000

/** A body that was sent and may have been booked. */
type Unsure<B> = { body: B; key: string; atMs: number }

/**
 * Sends requests that must not be booked twice. The same body is sent with the same `Idempotency-Key` until its outcome
 * is known, even after its dialog was closed or the page reloaded. Another body gets another key. `unsure` is the last
 * body whose outcome is unknown. Bodies must be JSON. `name` must identify the record, because the stored name contains
 * no address.
 */
export function useSentOnce<B>(name: string) {
  const [, redraw] = useState({})
  const place = `shopbell.sent ${name}`
  const read = () => {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? '[]') as Unsure<B>[]
    return kept.filter(({ atMs }) => Date.now() - atMs < KEY_IS_GOOD_MS)
  }
  const write = (unsure: Unsure<B>[]) => {
    if (unsure.length === 0) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(unsure))
    redraw({})
  }
  const isSame = (one: B, other: B) => JSON.stringify(one) === JSON.stringify(other)
  const unsure = read().at(-1)?.body
  return {
    unsure,
    isUnsure: (body: B) => read().some((one) => isSame(one.body, body)),
    /** Forgets bodies that may have been booked, after the person has checked. */
    forget: () => write([]),
    /** @throws what `sending` throws */
    async send<R>(body: B, sending: (headers: Record<'idempotency-key', string>) => Promise<R>): Promise<R> {
      const others = read().filter((one) => !isSame(one.body, body))
      const sent = read().find((one) => isSame(one.body, body)) ?? { body, key: randomId(), atMs: Date.now() }
      write([...others, sent])
      try {
        const result = await sending({ 'idempotency-key': sent.key })
        write([])
        return result
      } catch (error) {
        if (isRefusal(error)) write(others)
        throw error
      }
    },
  }
}
