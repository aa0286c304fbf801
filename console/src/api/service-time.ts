/** A browser's knowledge of the service's time, in ms. */
export type KnownTime = {
  /** The service's time less the device's. */
  offsetMs: number
  /** The newest time that the service has stated. */
  seenMs: number
}

/** Until a response came, the device's clock is believed. */
export const DEVICE_TIME: KnownTime = { offsetMs: 0, seenMs: 0 }

/** The longest age that the service accepts, in seconds: 31 years. */
const LONGEST_AGE = 999_999_999
/** `Date` states whole seconds. */
const SECOND_MS = 1_000

/**
 * What is known after a response that the service dated. `sentMs` and `receivedMs` are the device's. An offset that the
 * response allows is kept, because a slow response says little: only a clock that was set moves it.
 */
export function afterResponse(
  { offsetMs }: KnownTime,
  { sentMs, receivedMs, datedMs }: { sentMs: number; receivedMs: number; datedMs: number },
): KnownTime {
  const [low, high] = [datedMs - receivedMs, datedMs + SECOND_MS - sentMs]
  return { offsetMs: Math.max(low, Math.min(high, offsetMs)), seenMs: datedMs }
}

/**
 * The service's time while the device's clock says `deviceMs`. A clock that was put back is never before what the service has stated,
 * to the end of that second: a sale after a shift was opened stays after it.
 */
export function serviceTimeAt({ offsetMs, seenMs }: KnownTime, deviceMs: number): number {
  const now = deviceMs + offsetMs
  return now < seenMs ? seenMs + SECOND_MS : now
}

/**
 * The age of a sale in seconds, to the millisecond, as the service accepts it (`x-sale-age`): a counter may make two sales in a second, and
 * they keep their order. A sale whose time was stored while the
 * clock of a device was years wrong is sent too.
 */
export function ageOf(soldAtMs: number, nowMs: number): number {
  return Math.min(LONGEST_AGE, Math.max(0, Math.ceil(nowMs - soldAtMs) / 1_000))
}
