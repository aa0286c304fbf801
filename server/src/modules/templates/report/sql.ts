import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Period } from '../../reports/period.ts'

/** Amounts in đồng; `day` as `2026-11-24`. */
export type TemplateDay = {
  day: string
  accepted: number
  delivered: number
  failed: number
  spend: number
  quality: string | null
  dailyQuota: number | null
}
export type TemplateInPeriod = {
  id: ObjectId
  platform_template_id: string | null
  name: string
  accepted: number
  delivered: number
  failed: number
  spend: number
  days: TemplateDay[]
}

/**
 * The templates with messages in a period, those with the most first, each with its days. One statement that reads
 * counters only: a range of the key of template_days, then the days of the chosen templates.
 */
export async function listTemplateDays(
  db: Db,
  shopId: ObjectId,
  { firstDay, days }: Period,
  limit: number,
): Promise<TemplateInPeriod[]> {
  const { rows } = await sql<TemplateInPeriod>`
    with counted as materialized (
      select day, template_id, accepted, delivered, failed, spend, quality, daily_quota
      from template_days
      where shop_id = ${shopId} and day >= ${firstDay}::date and day < ${firstDay}::date + ${days}::integer
    ), summed as (
      select template_id, sum(accepted)::bigint as accepted, sum(delivered)::bigint as delivered, sum(failed)::bigint as failed,
        sum(spend)::bigint as spend, json_agg(json_build_object('day', day, 'accepted', accepted, 'delivered', delivered,
          'failed', failed, 'spend', spend, 'quality', quality, 'dailyQuota', daily_quota) order by day) as days
      from counted
      group by template_id
    )
    select t.id, t.platform_template_id, t.name, summed.accepted, summed.delivered, summed.failed, summed.spend, summed.days
    from summed
    join templates t on t.shop_id = ${shopId} and t.id = summed.template_id
    order by summed.accepted + summed.failed desc, t.id
    limit ${limit}`.execute(db)
  return rows
}

/** Writes the platform's rating of a template into the row of the day. Undefined fields stay unchanged. */
export async function updateStanding(
  db: Db,
  shopId: ObjectId,
  templateId: ObjectId,
  { quality, dailyQuota, now }: { quality?: string | undefined; dailyQuota?: number | undefined; now: Date },
): Promise<void> {
  await sql`
    insert into template_days as d (shop_id, day, template_id, quality, daily_quota)
    values (${shopId}, shop_day(${now}), ${templateId}, ${quality ?? null}, ${dailyQuota ?? null})
    on conflict (shop_id, day, template_id) do update
      set quality = coalesce(excluded.quality, d.quality), daily_quota = coalesce(excluded.daily_quota, d.daily_quota)
      where (coalesce(excluded.quality, d.quality), coalesce(excluded.daily_quota, d.daily_quota))
        is distinct from (d.quality, d.daily_quota)`.execute(db)
}
