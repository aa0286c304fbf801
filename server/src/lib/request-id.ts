import { AsyncLocalStorage } from 'node:async_hooks'

const requests = new AsyncLocalStorage<string>()

/**
 * Runs `work`, and everything that it starts, under the id of a request. Log lines, jobs, events, messages and calls to
 * the platform then contain this id. Without an id, `work` just runs.
 */
export function forRequest<T>(id: string | null | undefined, work: () => T): T {
  return id == null ? work() : requests.run(id, work)
}

/** The id of the request that the current work belongs to. */
export function requestIdNow(): string | null {
  return requests.getStore() ?? null
}
