import type { Deps } from '../deps.ts'

/** Starts this process's background work on the queues. */
export async function startWorkers(_deps: Deps): Promise<void> {}
