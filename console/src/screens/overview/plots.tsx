import type { OverviewDay } from '../../api/rows.ts'
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Card } from '../../components/page.tsx'
import { formatDay, formatNumber, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { overviewTexts } from './texts.ts'

const HEIGHT = 240

/** What the plots of the same days share. */
function usePlot(days: OverviewDay[]) {
  const { language } = useLanguage()
  return {
    h: HEIGHT,
    dataKey: 'day',
    data: days.map((day) => ({
      ...day,
      day: formatDay(day.day, language),
      underWay: day.accepted - day.delivered,
    })),
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
    xAxisProps: { interval: 'preserveStartEnd' as const, minTickGap: 16 },
  }
}

export function SalesPlot({ days }: { days: OverviewDay[] }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const plot = usePlot(days)
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  return (
    <Card title={texts.salesPlot(days.length)}>
      <BarChart
        {...plot}
        series={[{ name: 'revenue', label: texts.plotted, color: 'var(--plot-1)' }]}
        valueFormatter={(value) => formatVnd(value, language)}
        yAxisProps={{ tickFormatter: (value: number) => compact.format(value), width: 56 }}
        barProps={{ radius: [4, 4, 0, 0] }}
      />
    </Card>
  )
}

export function MessagesPlot({ days }: { days: OverviewDay[] }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const plot = usePlot(days)
  return (
    <Card title={texts.messagesPlot(days.length)}>
      <BarChart
        {...plot}
        type="stacked"
        series={[
          { name: 'delivered', label: texts.delivered, color: 'var(--plot-2)' },
          { name: 'underWay', label: texts.underWay, color: 'var(--plot-1)' },
          { name: 'failed', label: texts.failed, color: 'var(--plot-3)' },
        ]}
        withLegend
        valueFormatter={(value) => formatNumber(value, language)}
        yAxisProps={{ allowDecimals: false, width: 40 }}
      />
    </Card>
  )
}
