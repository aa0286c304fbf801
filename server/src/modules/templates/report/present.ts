import type { Period } from '../../reports/period.ts'
import type { TemplateInPeriod } from './sql.ts'

export function presentTemplateReport(rows: TemplateInPeriod[], { firstDay, days }: Period) {
  return { from: firstDay, days, templates: rows.map(presentTemplate) }
}

function presentTemplate(row: TemplateInPeriod) {
  const { id, platform_template_id: templateId, name, accepted, delivered, failed, spend } = row
  return {
    _id: id,
    templateId,
    name,
    total: { accepted, delivered, failed, spend },
    quality: row.days.findLast(({ quality }) => quality !== null)?.quality ?? null,
    dailyQuota: row.days.findLast(({ dailyQuota }) => dailyQuota !== null)?.dailyQuota ?? null,
    days: row.days.map(({ day, quality, dailyQuota, ...counts }) => ({
      day,
      accepted: counts.accepted,
      delivered: counts.delivered,
      failed: counts.failed,
      spend: counts.spend,
      quality,
      dailyQuota,
    })),
  }
}
