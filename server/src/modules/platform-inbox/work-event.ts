import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { TemplateStandingEvent, TemplateStatusEvent } from '../../platform/chatapp/inbound.ts'
import { PROTOCOLS } from '../../platform/providers.ts'
import { applyReceipts } from '../messages/receipts/apply-receipts.ts'
import { updateStanding } from '../templates/report/sql.ts'
import { refreshTemplate } from '../templates/review/apply-review.ts'
import { listByPlatformId } from '../templates/review/sql.ts'
import { storedEvent } from './receive-event.ts'
import {
  closeUnmatchedEvents,
  type EventStep,
  findPlatformEvent,
  listOpenEvents,
  updateEvents,
  wakeParkedEvents,
} from './sql.ts'

const ROUND = 200

/** When an event that matches nothing is due again, null after its last attempt; `tries` includes this attempt. */
type EventTry = { tries?: number; dueAt: Date | null }

/**
 * Processes an event of the inbox once: a template's status is updated, a receipt is applied to its message, any other
 * event is only kept. An event that arrives before its message or template is known is parked: a receipt until its last
 * attempt, a template's status for a day.
 */
export async function workPlatformEvent(deps: Deps, eventId: string, given: EventTry): Promise<void> {
  const { db, clock } = deps
  const row = await findPlatformEvent(db, eventId)
  if (row === undefined || row.processed_at !== null) return
  const event = PROTOCOLS.chatapp.inbound.parse(storedEvent(row.body), row.received_at)
  const isLast = given.dueAt === null
  const end = (outcome: string) => updateEvents(db, [endedBy(eventId, outcome)], clock.now())
  if (event.kind === 'template-standing') return end(await workTemplateStanding(deps, row.oa_id, event))
  if (event.kind !== 'receipt' && event.kind !== 'template-status') return end('kept')

  const outcome =
    event.kind === 'receipt'
      ? (await applyReceipts(deps, db, [{ key: eventId, oaId: row.oa_id, receipt: event }])).get(eventId)!
      : await workTemplateStatus(deps, row.oa_id, event, isLast)
  if (outcome !== 'unmatched' || (event.kind === 'receipt' && isLast)) return end(outcome)
  await updateEvents(db, [{ id: eventId, isParked: true, ...given }], clock.now())
}

/** The last step of an event; the body of an event about a person who was erased is emptied. */
export function endedBy(id: ObjectId, outcome: string): EventStep {
  return outcome === 'erased' ? { id, outcome: 'applied', isErased: true } : { id, outcome }
}

/** Makes the parked events of an official account due again, after one of its templates got its number on the platform. */
export async function requeueParkedEvents(
  { db, clock, timings, inboxWake }: Pick<Deps, 'db' | 'clock' | 'timings' | 'inboxWake'>,
  oaId: string,
): Promise<void> {
  const now = clock.now()
  await wakeParkedEvents(db, oaId, { after: new Date(now.getTime() - timings.inboxOpenMs), now })
  inboxWake.wake()
}

/**
 * Retries the events that stayed open after their own attempts: the newest 200 a round. Events older than a day are given up.
 * Stops early when `signal` is aborted.
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
      await workPlatformEvent(deps, eventId, { dueAt: null })
    } catch (error) {
      log.error({ err: error, eventId }, 'an event could not be processed')
    }
  }
}

/**
 * Recorded in the template's row of the day. For a template that is not known yet, its next status request will return its
 * quality.
 */
async function workTemplateStanding(
  { db, clock }: Deps,
  oaId: string,
  { platformTemplateId, quality, dailyQuota }: TemplateStandingEvent,
): Promise<'applied' | 'kept'> {
  const templates = await listByPlatformId(db, oaId, platformTemplateId)
  for (const { shop_id: shopId, id } of templates) {
    await updateStanding(db, shopId, id, { quality, dailyQuota, now: clock.now() })
  }
  return templates.length === 0 ? 'kept' : 'applied'
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
