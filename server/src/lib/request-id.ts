import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string>()

/**
 * Runs `work`, and all that it starts, for the request with this id: log lines, jobs, events, messages and calls of the
 * platform carry it. Without an id nothing changes.
 */
export function forRequest<T>(id: string | null | undefined, work: () => T): T {
  return id == null ? work() : requests.run(id, work)
}

/** The id of the request that this work is done for. */
export function requestIdNow(): string | null {
  return requests.getStore() ?? null
}
