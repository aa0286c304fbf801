import { afterResponse, DEVICE_TIME, type KnownTime, serviceTimeAt } from './service-time.ts'

const PLACE = 'shopbell.service-time'

/** Kept for a reload without a connection. */
let known: KnownTime = read()

function read(): KnownTime {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? 'null') ?? DEVICE_TIME
  } catch {
    return DEVICE_TIME
  }
}

/** Notes the time that a response of the service states. `sentMs`: when its request was sent, by the device's clock. */
export function noteServiceTime({ headers }: Response, sentMs: number): void {
  const datedMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(datedMs)) return
  const isSameSecond = datedMs === known.seenMs
  known = afterResponse(known, { sentMs, receivedMs: Date.now(), datedMs })
  if (isSameSecond) return
  try {
    localStorage.setItem(PLACE, JSON.stringify(known))
  } catch {
    // The storage is full: a reload begins with the device's clock.
  }
}

/** The service's time, in ms. The clock of a device may be wrong, and be corrected while a sale waits (decision 0037). */
export function serviceNow(): number {
  return serviceTimeAt(known, Date.now())
}
