import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'
import { addShopEvents } from '../../webhooks/outbox/sql.ts'

/** The columns that the expression `logged`, which adds to the timeline, must return for {@link statusEvent}. */
export const loggedColumns = sql.raw('template_id, from_status, to_status, reason')

/**
 * The common table expression that records the event of a new status (G-62). It reads `moved`, the template, and
 * `logged`, its line in the timeline.
 */
export function statusEvent(shopId: ObjectId, now: Date): RawBuilder<unknown> {
  const data = sql`jsonb_build_object('templateId', logged.template_id, 'from', logged.from_status,
          'to', logged.to_status, 'reason', logged.reason, 'platformTemplateId', moved.platform_template_id)`
  const from = sql`logged join moved on moved.id = logged.template_id`
  return addShopEvents('status_event', shopId, [{ type: 'template.status_changed', data, from }], now)
}
