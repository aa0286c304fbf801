import type { Overview } from '../../api/rows.ts'
import { Card } from '../../components/page.tsx'
import { BarPlot } from '../../components/plots/bar-plot.tsx'
import { Legend } from '../../components/plots/legend.tsx'
import { formatDay, formatNumber, formatShort, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { daysOf, messagesIn, soldIn, soldInHour } from './addresses.ts'
import { dayBefore, type ShownPeriod } from './period.ts'
import { overviewTexts } from './texts.ts'

/** The hours that are shown even if nothing was sold in them. */
const OPENS = 8
const CLOSES = 20

/** A day's sales by hour beside those of the day before, or a longer period's by day. Each bar opens its orders. */
export function SalesPlot({ overview, period }: { overview: Overview; period: ShownPeriod }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const short = (value: number) => formatShort(value, language)
  const sold = (orders: number, revenue: number) =>
    texts.sold(formatNumber(orders, language), formatVnd(revenue, language))
  if (overview.days.length > 1) {
    return (
      <Card title={texts.byDay}>
        <BarPlot
          label={texts.byDay}
          formatAxis={short}
          bars={overview.days.map(({ day, orders, revenue }) => ({
            key: formatDay(day, language),
            name: `${formatDay(day, language)}: ${sold(orders, revenue)}`,
            value: revenue,
            to: soldIn({ from: day, to: day }),
          }))}
        />
      </Card>
    )
  }
  const { from } = daysOf(overview)
  const day = period === 'today' ? texts.periods.today : texts.periods.yesterday
  const nameOf = (hour: number, on: string, what: string) =>
    `${texts.hour(hour)} ${on.toLocaleLowerCase(language)}: ${what}`
  const busy = overview.hours.filter(({ orders, ordersBefore }) => orders + ordersBefore > 0)
  const first = Math.min(OPENS, busy[0]?.hour ?? OPENS)
  const last = Math.max(CLOSES, busy.at(-1)?.hour ?? CLOSES)
  return (
    <Card title={texts.byHour} actions={<Legend value={day} before={texts.dayBefore(period)} />}>
      <BarPlot
        label={texts.byHour}
        formatAxis={short}
        bars={overview.hours.slice(first, last + 1).map((row) => ({
          key: texts.hour(row.hour),
          name: nameOf(row.hour, day, sold(row.orders, row.revenue)),
          value: row.revenue,
          to: soldInHour(from, row.hour),
          before: {
            name: nameOf(row.hour, texts.dayBefore(period), sold(row.ordersBefore, row.revenueBefore)),
            value: row.revenueBefore,
            to: soldInHour(dayBefore(from, 1), row.hour),
          },
        }))}
      />
    </Card>
  )
}

/** Messages by day. Each bar opens the messages of its day. */
export function MessagesPlot({ overview }: { overview: Overview }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const short = (value: number) => formatShort(value, language)
  const count = (value: number) => formatNumber(value, language)
  return (
    <Card title={texts.messagesByDay}>
      <BarPlot
        label={texts.messagesByDay}
        formatAxis={short}
        bars={overview.days.map(({ day, accepted, delivered, failed, spend }) => ({
          key: formatDay(day, language),
          name: texts.messagesOf(formatDay(day, language), {
            sent: count(accepted),
            delivered: count(delivered),
            failed: count(failed),
            cost: formatVnd(spend, language),
          }),
          value: accepted,
          to: messagesIn({ from: day, to: day }, { status: 'RECEIVED' }),
        }))}
      />
    </Card>
  )
}
