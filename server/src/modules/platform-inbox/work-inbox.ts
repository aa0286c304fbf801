import { setTimeout as pause } from 'node:timers/promises'
import { type Db, isDatabaseAway, isDatabaseBusy } from '../../db/client.ts'
import { inShareOf } from '../../db/share.ts'
import type { Deps } from '../../deps.ts'
import { startLoop } from '../../jobs/loop.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { ReceiptEvent } from '../../platform/chatapp/inbound.ts'
import { PROTOCOLS } from '../../platform/providers.ts'
import { applyReceipts, type KeyedReceipt } from '../messages/receipts/apply-receipts.ts'
import { storedEvent } from './receive-event.ts'
import { type DueEventRow, type EventStep, lockDueEvents, updateEvents } from './sql.ts'
import { endedBy, workPlatformEvent } from './work-event.ts'

const ROUND = 200
/** Concurrent events that are processed individually: receipts, and statuses of templates, each of which calls the platform. */
const SLOTS = { receipts: 8, templates: 8 }

/** An event to process individually; `tries` includes this attempt. */
type Alone = { id: ObjectId; oaId: string; isReceipt: boolean; tries: number }

type DueReceipt = { row: DueEventRow; receipt: ReceiptEvent }
/** Due events: receipts, those that are processed individually, and those that have ended or wait for a free slot. */
type SortedEvents = { receipts: DueReceipt[]; alone: Alone[]; steps: EventStep[] }

export type InboxWorker = {
  /** One round: processes the due events, 200 at most. @returns whether more may be due already. */
  round(): Promise<boolean>
  /** Waits until no event is in progress. */
  ended(): Promise<void>
}

/**
 * Processes the inbox beside any number of other processes. Receipts of received messages are applied together with their
 * outcomes, in one transaction that locks the events; if the process dies, they are due as before. All other events are processed
 * individually, after the transaction has postponed them under a lease.
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
      // If the database is busy, each event by itself would wait for the same lock in turn.
      if (due.length === 0 || isDatabaseAway(error) || isDatabaseBusy(error)) throw error
      deps.log.warn({ err: error, count: due.length }, 'a group of events is processed one by one')
      const sorted = sortOut(due)
      alone = [...sorted.alone, ...sorted.receipts.map(({ row }) => aloneOf(row, true))]
      await updateEvents(db, [...sorted.steps, ...alone.map(leased)], clock.now())
    }
    for (const event of alone) if (!event.isReceipt) start(event)
    await workEach(alone.filter(({ isReceipt }) => isReceipt))
    return due.length === ROUND
  }

  /** @returns the events to process individually. */
  async function workTogether(trx: Db, due: DueEventRow[]): Promise<Alone[]> {
    const now = clock.now()
    const { receipts, alone, steps } = sortOut(due)
    const outcomes = await applyReceipts(deps, trx, receipts.map(keyed), { onlyDelivered: true })
    for (const { row } of receipts) {
      const { id } = row
      const tries = row.tries + 1
      const dueAt = retryAt(now, tries)
      const outcome = outcomes.get(id)!
      if (outcome === 'deferred') alone.push(aloneOf(row, true))
      else if (outcome === 'unmatched' && dueAt !== null) steps.push({ id, isParked: true, tries, dueAt })
      else steps.push(endedBy(id, outcome))
    }
    await updateEvents(trx, [...steps, ...alone.map(leased)], now)
    return alone
  }

  /** Decides what to do with each event. Of the templates' events, only as many are started as there are free slots. */
  function sortOut(due: DueEventRow[]): SortedEvents {
    const receipts: DueReceipt[] = []
    const alone: Alone[] = []
    const steps: EventStep[] = []
    const laterAt = new Date(clock.now().getTime() + timings.inboxRoomMs)
    for (const row of due) {
      const { id, tries } = row
      const event = PROTOCOLS.chatapp.inbound.parse(storedEvent(row.body), row.received_at)
      if (event.kind === 'receipt') receipts.push({ row, receipt: event })
      else if (event.kind !== 'template-status' && event.kind !== 'template-standing')
        steps.push({ id, outcome: 'kept' })
      else if (templates.size + alone.length < SLOTS.templates) alone.push(aloneOf(row, false))
      else steps.push({ id, isParked: false, tries, dueAt: laterAt })
    }
    return { receipts, alone, steps }
  }

  function leased({ id, tries }: Alone): EventStep {
    return { id, isParked: false, tries, dueAt: new Date(clock.now().getTime() + timings.inboxLeaseMs) }
  }

  /** When an event is retried after so many attempts; null once they are used up. */
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

  /** Never rejects: an event whose result could not be written is due again when its lease ends. */
  async function workAlone({ id, tries }: Alone): Promise<void> {
    const given = { tries, dueAt: retryAt(clock.now(), tries) }
    try {
      await workPlatformEvent(deps, id, given)
    } catch (error) {
      deps.log.error({ err: error, eventId: id }, 'an event could not be processed')
      await updateEvents(db, [{ id, isParked: false, ...given }], clock.now()).catch((later: unknown) =>
        deps.log.error({ err: later, eventId: id }, 'an event was not deferred'),
      )
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
 * Runs rounds until stopped: whenever this process receives events, and every second for the events of other processes. Stopping
 * waits briefly for events in progress; one that is left behind is due again when its lease ends.
 */
export function startInboxWork(deps: Deps): () => Promise<void> {
  const { timings } = deps
  const worker = createInboxWorker(deps)
  const failed = (error: unknown) =>
    deps.log.error({ err: error }, 'a round of the inbox failed; the next one continues')
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

function keyed({ row: { id, oa_id: oaId }, receipt }: DueReceipt): KeyedReceipt {
  return { key: id, oaId, receipt }
}

function aloneOf({ id, oa_id: oaId, tries }: DueEventRow, isReceipt: boolean): Alone {
  return { id, oaId, isReceipt, tries: tries + 1 }
}
