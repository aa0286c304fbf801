import { setTimeout as pause } from 'node:timers/promises'
import { type Db, isDatabaseAway } from '../../db/client.ts'
import { inShareOf } from '../../db/share.ts'
import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { parseEvent, type ReceiptEvent } from '../../platform/inbound.ts'
import { applyReceipts, type KeyedReceipt } from '../messages/receipts/receive-receipts.ts'
import { storedEvent } from './receive-event.ts'
import { type DueEventRow, type EventStep, lockDueEvents, updateEvents } from './sql.ts'
import { EventParked, workPlatformEvent } from './work-event.ts'

const ROUND = 200
const IDLE_MS = 1_000
const AFTER_ERROR_MS = 2_000
/** What arrives so soon after a first event goes into one round with it: a round costs some ten round trips. */
const GATHER_MS = 200
/** Events worked on by themselves at once: receipts, and templates' statuses, each of which asks the platform. */
const SLOTS = { receipts: 8, templates: 8 }
/** An event worked on by itself comes again after this long when its process dies: three calls of 10 s and more. */
const LEASE_MS = 60_000
const ROOM_IN_MS = 1_000
const STOP_WITHIN_MS = 5_000

/** Pauses after each try, about three minutes in all: by then a send that its receipt overtook has had its answer. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]

/** An event to be worked on by itself; `tries` counts this one. */
type Alone = { id: ObjectId; oaId: string; isReceipt: boolean; tries: number }

export type InboxWorker = {
  /** One round: what is due, 200 events at most. @returns whether more may be due at once. */
  round(): Promise<boolean>
  /** Waits until nothing is under way. */
  settled(): Promise<void>
}

/**
 * Works on the inbox beside any number of other processes. Receipts of received messages are applied together with
 * their outcomes, in one transaction that holds their rows; should the process die, they are due as before. Whatever
 * else an event asks for is done by itself, once the transaction has put it off (LEASE_MS).
 */
export function createInboxWorker(deps: Deps): InboxWorker {
  const { db, clock } = deps
  const templates = new Set<Promise<void>>()

  async function round(): Promise<boolean> {
    let due: DueEventRow[] = []
    let alone: Alone[]
    try {
      alone = await db.transaction().execute(async (trx) => {
        due = await lockDueEvents(trx, { now: clock.now(), limit: ROUND })
        return due.length === 0 ? [] : workTogether(trx, due)
      })
    } catch (error) {
      if (due.length === 0 || isDatabaseAway(error)) throw error
      deps.log.warn({ err: error, count: due.length }, 'a group of events is worked on one by one')
      alone = due.map(({ id, oa_id: oaId, tries }) => ({ id, oaId, isReceipt: true, tries: tries + 1 }))
      await updateEvents(db, alone.map(leased), clock.now())
    }
    for (const event of alone) if (!event.isReceipt) start(event)
    await workEach(alone.filter(({ isReceipt }) => isReceipt))
    return due.length === ROUND
  }

  /** @returns the events that are to be worked on by themselves. */
  async function workTogether(trx: Db, due: DueEventRow[]): Promise<Alone[]> {
    const now = clock.now()
    const receipts: KeyedReceipt[] = []
    const alone: Alone[] = []
    const steps: EventStep[] = []
    for (const row of due) {
      const { id, tries } = row
      const event = parseEvent(storedEvent(row.body), row.received_at)
      if (event.kind === 'receipt') receipts.push(keyed(row, event))
      else if (event.kind === 'other') steps.push({ id, outcome: 'kept' })
      else if (templates.size + alone.length < SLOTS.templates)
        alone.push({ id, oaId: row.oa_id, isReceipt: false, tries: tries + 1 })
      else steps.push({ id, isParked: false, tries, dueAt: new Date(now.getTime() + ROOM_IN_MS) })
    }
    const outcomes = await applyReceipts(trx, receipts, now)
    const rowOf = new Map(due.map((row) => [row.id, row]))
    for (const [id, outcome] of outcomes) {
      const { oa_id: oaId, tries: triesBefore } = rowOf.get(id)!
      const tries = triesBefore + 1
      const dueAt = retryAt(now, tries)
      if (outcome === 'alone') alone.push({ id, oaId, isReceipt: true, tries })
      else if (outcome === 'unmatched' && dueAt !== null) steps.push({ id, isParked: true, tries, dueAt })
      else steps.push({ id, outcome })
    }
    await updateEvents(trx, [...steps, ...alone.map(leased)], now)
    return alone
  }

  function leased({ id, tries }: Alone): EventStep {
    return { id, isParked: false, tries, dueAt: new Date(clock.now().getTime() + LEASE_MS) }
  }

  function start(event: Alone): void {
    const work = inShareOf(event.oaId, () => workAlone(event)).finally(() => templates.delete(work))
    templates.add(work)
  }

  async function workEach(events: Alone[]): Promise<void> {
    const queue = [...events]
    const worker = async () => {
      for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
        const { oaId } = event
        await inShareOf(oaId, () => workAlone(event!))
      }
    }
    await Promise.all(Array.from({ length: SLOTS.receipts }, worker))
  }

  /** Never rejects: what could not be written down is due again when the lease is over. */
  async function workAlone({ id, tries }: Alone): Promise<void> {
    try {
      const dueAt = await workPlatformEvent(deps, id, { isLast: tries > RETRY_MS.length }).then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof EventParked))
            deps.log.error({ err: error, eventId: id }, 'an event could not be worked on')
          return retryAt(clock.now(), tries)
        },
      )
      if (dueAt !== undefined) await updateEvents(db, [{ id, isParked: false, tries, dueAt }], clock.now())
    } catch (error) {
      deps.log.error({ err: error, eventId: id }, 'an event was not put off')
    }
  }

  return {
    round,
    async settled() {
      await Promise.all(templates)
    },
  }
}

/**
 * Runs rounds until stopped: as events come in here, and every second for those of other processes. A stop waits a
 * little for what is under way; an event given up is due again when its lease is over.
 */
export function startInboxWork(deps: Deps): () => Promise<void> {
  const worker = createInboxWorker(deps)
  const stopping = new AbortController()
  const { signal } = stopping

  async function go(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await worker.round()) continue
        await deps.inboxWake.sleep(IDLE_MS, signal)
        await pause(GATHER_MS)
      } catch (error) {
        deps.log.error({ err: error }, 'a round of the inbox failed; the next one goes on')
        await pause(AFTER_ERROR_MS, undefined, { signal }).catch(() => {})
      }
    }
    await Promise.race([worker.settled(), pause(STOP_WITHIN_MS, undefined, { ref: false })])
  }

  const running = go()
  return async () => {
    stopping.abort()
    await running
  }
}

/** When an event is worked on again after so many tries; null once they are over. */
function retryAt(now: Date, tries: number): Date | null {
  const pauseMs = RETRY_MS[tries - 1]
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs)
}

function keyed({ id, oa_id: oaId }: DueEventRow, receipt: ReceiptEvent): KeyedReceipt {
  return { key: id, oaId, receipt }
}
