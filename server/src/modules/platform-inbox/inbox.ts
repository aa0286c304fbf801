import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { isDatabaseAway, isDatabaseBusy } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { createCache } from '../../lib/cache.ts'
import {
  insertPlatformEvents,
  listAppSigningRows,
  listSigningRows,
  type NewPlatformEvent,
  type SigningRow,
} from './sql.ts'

/** Collects the events that arrive at the hook: see {@link createInbox}. */
export type Inbox = {
  /** Resolves once the event is committed. */
  put(event: NewPlatformEvent): Promise<void>
  /** The secrets that may sign the events of an official account, up to a second old unless `isFresh`. */
  signingRows(oaId: string, isFresh: boolean): Promise<SigningRow[]>
  /** The same for all apps of the operator. */
  appSigningRows(isFresh: boolean): Promise<SigningRow[]>
}

type Waiting = { event: NewPlatformEvent; resolve(): void; reject(error: unknown): void }

const BATCH = 100
const REMEMBERED = 1_000

/**
 * The inbox of a process. The events that arrive while one statement runs are written together by the next one, and the secrets
 * of an official account are read at most once a second, unless a signature does not match. If the database refuses an event, the
 * others are still stored.
 */
export function createInbox({ db, timings, inboxWake }: Pick<Deps, 'db' | 'timings' | 'inboxWake'>): Inbox {
  const waiting: Waiting[] = []
  const remembered = createCache<SigningRow[]>({ max: REMEMBERED, keptMs: timings.inboxSecretsKeptMs })
  const rememberedApps = createCache<SigningRow[]>({ max: 1, keptMs: timings.inboxSecretsKeptMs })
  let isWriting = false

  async function write(batch: Waiting[]): Promise<void> {
    try {
      await insertPlatformEvents(
        db,
        batch.map(({ event }) => event),
      )
      for (const one of batch) one.resolve()
    } catch (error) {
      // One by one, they would each wait as long as they did together.
      if (batch.length === 1 || isDatabaseAway(error) || isDatabaseBusy(error)) {
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
      // The embedded database responds without a turn of the event loop; one turn here lets events that have arrived be read.
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
    async appSigningRows(isFresh) {
      return (await rememberedApps.get('', () => listAppSigningRows(db), isFresh)) ?? []
    },
  }
}
