import type { TemplateReport } from '../../../api/rows.ts'

export type ReportedTemplate = TemplateReport['templates'][number]
export type ReportedDay = ReportedTemplate['days'][number]

const DAY_MS = 86_400_000

/** Every day of the period, oldest first. A day without messages has none, and the quality and quota of the day before. */
export function everyDay(
  report: Pick<TemplateReport, 'from' | 'days'>,
  template: ReportedTemplate,
): ReportedDay[] {
  const known = new Map(template.days.map((day) => [day.day, day]))
  const first = Date.parse(report.from)
  let quality: string | null = null
  let dailyQuota: number | null = null
  return Array.from({ length: report.days }, (_, n) => {
    const day = new Date(first + n * DAY_MS).toISOString().slice(0, 10)
    const found = known.get(day) ?? {
      day,
      accepted: 0,
      delivered: 0,
      failed: 0,
      spend: 0,
      quality: null,
      dailyQuota: null,
    }
    quality = found.quality ?? quality
    dailyQuota = found.dailyQuota ?? dailyQuota
    return { ...found, quality, dailyQuota }
  })
}

type Counts = { accepted: number; delivered: number; failed: number }

/** The fraction of the accepted and failed messages that was delivered, 0 to 1; undefined without such messages. */
export function rateOf({ accepted, delivered, failed }: Counts): number | undefined {
  return accepted + failed === 0 ? undefined : delivered / (accepted + failed)
}
