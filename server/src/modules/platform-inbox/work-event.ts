import type { Deps } from '../../deps.ts'
import { parseEvent, type TemplateStatusEvent } from '../../platform/inbound.ts'
import { applyReceipts } from '../messages/receipts/receive-receipts.ts'
import { refreshTemplate } from '../templates/review/apply-review.ts'
import { listByPlatformId } from '../templates/review/sql.ts'
import { storedEvent } from './receive-event.ts'
import {
  closeUnmatchedEvents,
  findPlatformEvent,
  listOpenEvents,
  updateOutcome,
  wakeParkedEvents,
} from './sql.ts'

const ROUND = 200

/** The event is parked: what it is about is not known here yet. */
export class EventParked extends Error {
  constructor(eventId: string) {
    super(`event ${eventId} matches nothing yet`)
    this.name = 'EventParked'
  }
}

/**
 * Does what an event of the inbox asks for, once: a template's status is brought up to date, a receipt goes to
 * its message, anything else is only kept. An event that came before what it is about is parked: a receipt until
 * its last attempt, a template's status for a day.
 * @throws EventParked while another try may help.
 */
export async function workPlatformEvent(
  deps: Deps,
  eventId: string,
  attempt: { isLast: boolean },
): Promise<void> {
  const { db, clock } = deps
  const row = await findPlatformEvent(db, eventId)
  if (row === undefined || row.processed_at !== null) return
  const event = parseEvent(storedEvent(row.body), row.received_at)
  if (event.kind === 'other') return updateOutcome(db, eventId, 'kept', clock.now())

  const outcome =
    event.kind === 'receipt'
      ? (await applyReceipts(deps, db, [{ key: eventId, oaId: row.oa_id, receipt: event }])).get(eventId)!
      : await workTemplateStatus(deps, row.oa_id, event, attempt.isLast)
  if (outcome !== 'unmatched') return updateOutcome(db, eventId, outcome, clock.now())
  if (event.kind === 'receipt' && attempt.isLast) {
    return updateOutcome(db, eventId, 'unmatched', clock.now())
  }
  await updateOutcome(db, eventId, 'parked', null)
  throw new EventParked(eventId)
}

/** Makes the parked events of an official account due again, once one of its templates has got its number. */
export async function requeueParkedEvents(
  { db, clock, timings, inboxWake }: Pick<Deps, 'db' | 'clock' | 'timings' | 'inboxWake'>,
  oaId: string,
): Promise<void> {
  const now = clock.now()
  await wakeParkedEvents(db, oaId, { after: new Date(now.getTime() - timings.inboxOpenMs), now })
  inboxWake.wake()
}

/**
 * Works on the events that stayed open when their own tries were over. The newest 200 a round;
 * gives up what is older than a day. Stops early when `signal` is aborted.
 */
export async function workOpenEvents(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { db, clock, timings, log } = deps
  const now = clock.now()
  const after = new Date(now.getTime() - timings.inboxOpenMs)
  await closeUnmatchedEvents(db, after, now)
  const before = new Date(now.getTime() - timings.inboxRetriedMs)
  for (const eventId of await listOpenEvents(db, { after, before, limit: ROUND })) {
    if (signal?.aborted) return
    try {
      await workPlatformEvent(deps, eventId, { isLast: true })
    } catch (error) {
      if (!(error instanceof EventParked))
        log.error({ err: error, eventId }, 'an event could not be worked on')
    }
  }
}

async function workTemplateStatus(
  deps: Deps,
  oaId: string,
  event: TemplateStatusEvent,
  isLast: boolean,
): Promise<'applied' | 'unchanged' | 'unmatched'> {
  const reported = { status: event.to, deleted: event.deleted, reason: event.reason }
  const outcomes = []
  for (const template of await listByPlatformId(deps.db, oaId, event.platformTemplateId)) {
    outcomes.push(
      await refreshTemplate(deps, template.shop_id, template.id, { source: 'webhook', reported, isLast }),
    )
  }
  const isOpen = outcomes.some((outcome) => outcome === 'awaiting' || outcome === 'unanswered')
  if (outcomes.length === 0 || isOpen) return 'unmatched'
  return outcomes.includes('changed') ? 'applied' : 'unchanged'
}
