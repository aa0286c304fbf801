import { useSyncExternalStore } from 'react'
import { noteServiceTime } from './service-clock.ts'

/** The longest that a customer at the counter waits for a response. Then the counter continues without the service (decision 0031). */
export const LONGEST_WAIT_MS = 4_000
/** A sale has several scans, so each of them waits less. */
export const SCAN_WAIT_MS = 3_000

const RETRY_MS = 3_000
/** A request without a response for so long makes the console check whether the service hangs. */
const SLOW_MS = 1_500
const KNOCK_MS = 2_500

/**
 * Whether a proxy answered because the service is unavailable. The service's own 503, when it cannot reach the
 * platform, is JSON.
 */
function isOfProxy({ status, headers }: Response): boolean {
  return [502, 503, 504].includes(status) && !/json/.test(headers.get('content-type') ?? '')
}

let isAway = false
/** How many responses came from the service. */
let answers = 0
let knocking: Promise<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function set(away: boolean): void {
  if (isAway === away) return
  isAway = away
  for (const listener of listeners) listener()
}

/**
 * Calls `fetch` and notes whether the service could be reached.
 * @throws what `fetch` throws
 */
export async function fetchFromService(request: Request): Promise<Response> {
  const slow = setTimeout(() => void checkConnection(), SLOW_MS)
  const sentMs = Date.now()
  try {
    const response = await fetch(request)
    if (isOfProxy(response)) watch()
    else noteAnswer(response, sentMs)
    return response
  } catch (error) {
    if (!request.signal.aborted) watch()
    throw error
  } finally {
    clearTimeout(slow)
  }
}

/** Whether the last request could not reach the service. */
export function isServiceAway(): boolean {
  return isAway
}

/** Checks whether the service is available, now and every few seconds until it answers. One check at a time. */
export function checkConnection(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  knocking ??= knock().finally(() => {
    knocking = undefined
  })
  return knocking
}

async function knock(): Promise<void> {
  const before = answers
  const sentMs = Date.now()
  const response = await fetch('/health/live', {
    cache: 'no-store',
    signal: AbortSignal.timeout(KNOCK_MS),
  }).catch(() => undefined)
  if (response?.ok) noteAnswer(response, sentMs)
  // Otherwise the service answered another request meanwhile.
  else if (answers === before || isAway) watch()
}

function noteAnswer(response: Response, sentMs: number): void {
  answers += 1
  // First, because the waiting sales are sent next.
  noteServiceTime(response, sentMs)
  set(false)
}

function watch(): void {
  set(true)
  timer ??= setTimeout(() => void checkConnection(), RETRY_MS)
}

/** Calls `callback` each time the service becomes available again. */
export function onReturn(callback: () => void): () => void {
  const listener = () => !isAway && callback()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAway,
  )
}
