import { setTimeout as pause } from 'node:timers/promises'
import { type Db, isDatabaseAway } from '../../db/client.ts'
import { inShareOf } from '../../db/share.ts'
import type { Deps } from '../../deps.ts'
import { startLoop } from '../../jobs/loop.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { parseEvent, type ReceiptEvent } from '../../platform/inbound.ts'
import { applyReceipts, type KeyedReceipt } from '../messages/receipts/receive-receipts.ts'
import { storedEvent } from './receive-event.ts'
import { type DueEventRow, type EventStep, lockDueEvents, updateEvents } from './sql.ts'
import { EventParked, workPlatformEvent } from './work-event.ts'

const ROUND = 200
/** Events worked on by themselves at once: receipts, and templates' statuses, each of which asks the platform. */
const SLOTS = { receipts: 8, templates: 8 }

/** An event to be worked on by itself; `tries` counts this one. */
type Alone = { id: ObjectId; oaId: string; isReceipt: boolean; tries: number }

export type InboxWorker = {
  /** One round: what is due, 200 events at most. @returns whether more may be due at once. */
  round(): Promise<boolean>
  /** Waits until nothing is under way. */
  ended(): Promise<void>
}

/**
 * Works on the inbox beside any number of other processes. Receipts of received messages are applied together with
 * their outcomes, in one transaction that holds their rows; should the process die, they are due as before. Whatever
 * else an event asks for is done by itself, once the transaction has put it off.
 */
export function createInboxWorker(deps: Deps): InboxWorker {
  const { db, clock, timings } = deps
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
      else steps.push({ id, isParked: false, tries, dueAt: new Date(now.getTime() + timings.inboxRoomMs) })
    }
    const outcomes = await applyReceipts(deps, trx, receipts, { onlyDelivered: true })
    const rowOf = new Map(due.map((row) => [row.id, row]))
    for (const [id, outcome] of outcomes) {
      const { oa_id: oaId, tries: triesBefore } = rowOf.get(id)!
      const tries = triesBefore + 1
      const dueAt = retryAt(now, tries)
      if (outcome === 'deferred') alone.push({ id, oaId, isReceipt: true, tries })
      else if (outcome === 'unmatched' && dueAt !== null) steps.push({ id, isParked: true, tries, dueAt })
      else steps.push({ id, outcome })
    }
    await updateEvents(trx, [...steps, ...alone.map(leased)], now)
    return alone
  }

  function leased({ id, tries }: Alone): EventStep {
    return { id, isParked: false, tries, dueAt: new Date(clock.now().getTime() + timings.inboxLeaseMs) }
  }

  /** When an event is worked on again after so many tries; null once they are over. */
  function retryAt(now: Date, tries: number): Date | null {
    const pauseMs = timings.inboxRetryPausesMs[tries - 1]
    return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs)
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
      const dueAt = await workPlatformEvent(deps, id, {
        isLast: tries > timings.inboxRetryPausesMs.length,
      }).then(
        () => undefined,
        (error: unknown) => {
          if (!(error instanceof EventParked))
            deps.log.error({ err: error, eventId: id }, 'an event could not be worked on')
          return retryAt(clock.now(), tries)
        },
      )
      if (dueAt !== undefined) await updateEvents(db, [{ id, isParked: false, tries, dueAt }], clock.now())
    } catch (error) {
      deps.log.error({ err: error, eventId: id }, 'an event was not deferred')
    }
  }

  return {
    round,
    async ended() {
      await Promise.all(templates)
    },
  }
}

/**
 * Runs rounds until stopped: as events come in here, and every second for those of other processes. A stop waits a
 * little for what is under way; an event given up is due again when its lease is over.
 */
export function startInboxWork(deps: Deps): () => Promise<void> {
  const { timings } = deps
  const worker = createInboxWorker(deps)
  const failed = (error: unknown) =>
    deps.log.error({ err: error }, 'a round of the inbox failed; the next one goes on')
  const stop = startLoop({ everyMs: timings.afterErrorMs, failed }, async (stopping) => {
    if (await worker.round()) return 0
    await deps.inboxWake.sleep(timings.inboxIdleMs, stopping)
    return timings.inboxGatherMs
  })
  return async () => {
    await stop()
    await Promise.race([worker.ended(), pause(timings.inboxStopMs, undefined, { ref: false })])
  }
}

function keyed({ id, oa_id: oaId }: DueEventRow, receipt: ReceiptEvent): KeyedReceipt {
  return { key: id, oaId, receipt }
}
