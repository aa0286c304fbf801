import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { isDatabaseAway } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { createCache } from '../../lib/cache.ts'
import { insertPlatformEvents, listSigningRows, type NewPlatformEvent, type SigningRow } from './sql.ts'

/** What arrives at the hook, gathered: see {@link createInbox}. */
export type Inbox = {
  /** Resolves once the event is committed. */
  put(event: NewPlatformEvent): Promise<void>
  /** What the events of an official account may be signed with, as it was up to a second ago unless `isFresh`. */
  signingRows(oaId: string, isFresh: boolean): Promise<SigningRow[]>
}

type Waiting = { event: NewPlatformEvent; resolve(): void; reject(error: unknown): void }

const BATCH = 100
const REMEMBERED = 1_000

/**
 * The inbox of a process. Whatever arrives while one statement runs goes into the next one together, and the
 * secrets of an official account are read once a second at most, unless a signature does not fit them. An event that
 * the database refuses fails alone.
 */
export function createInbox({ db, timings, inboxWake }: Pick<Deps, 'db' | 'timings' | 'inboxWake'>): Inbox {
  const waiting: Waiting[] = []
  const remembered = createCache<SigningRow[]>({ max: REMEMBERED, keptMs: timings.inboxSecretsKeptMs })
  let isWriting = false

  async function write(batch: Waiting[]): Promise<void> {
    try {
      await insertPlatformEvents(
        db,
        batch.map(({ event }) => event),
      )
      for (const one of batch) one.resolve()
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) {
        for (const one of batch) one.reject(error)
        return
      }
      for (const one of batch) await insertPlatformEvents(db, [one.event]).then(one.resolve, one.reject)
    }
    inboxWake.wake()
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (waiting.length > 0) {
      // The embedded database answers without the event loop ever turning: one turn reads what else has arrived.
      await turnOfTheLoop()
      await write(waiting.splice(0, BATCH))
    }
    isWriting = false
  }

  return {
    put: (event) =>
      new Promise((resolve, reject) => {
        waiting.push({ event, resolve, reject })
        void writeAll()
      }),
    async signingRows(oaId, isFresh) {
      return (await remembered.get(oaId, () => listSigningRows(db, oaId), isFresh)) ?? []
    },
  }
}
