import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { whoOf } from '../../db/fragments/who-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Who } from '../../lib/who.ts'
import type { TemplateStatus } from './rules.ts'

export type TimelineRow = {
  to_status: TemplateStatus
  from_status: TemplateStatus | null
  source: 'shop' | 'webhook' | 'polling' | 'submission' | 'import'
  reason: string | null
  by: Who | null
  created_at: Date
}

/** A template's changes of status, oldest first (G-16); undefined when the shop has no such template. */
export async function listTimeline(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<TimelineRow[] | undefined> {
  const { rows } = await sql<TimelineRow | { [K in keyof TimelineRow]: null }>`
    select e.to_status, e.from_status, e.source, e.reason, ${whoOf(sql`t.shop_id`, sql`e.by_id`)} as by, e.created_at
    from templates t
    left join lateral (
      select *
      from template_events
      where shop_id = t.shop_id and template_id = t.id
      order by created_at, id
      limit 1000
    ) e on true
    where t.shop_id = ${shopId} and t.id = ${id} and t.deleted_at is null
    order by e.created_at, e.id`.execute(db)
  if (rows.length === 0) return undefined
  return rows.filter((row): row is TimelineRow => row.to_status !== null)
}
