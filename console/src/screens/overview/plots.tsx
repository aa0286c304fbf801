import type { OverviewDay } from '../../api/rows.ts'
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { SimpleGrid } from '@mantine/core'
import { Card } from '../../components/page.tsx'
import { formatDay, formatNumber, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { overviewTexts } from './texts.ts'

const HEIGHT = 240

export function Plots({ days }: { days: OverviewDay[] }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const data = days.map((day) => ({
    ...day,
    day: formatDay(day.day, language),
    underWay: day.accepted - day.delivered,
  }))
  const compact = new Intl.NumberFormat(language, { notation: 'compact' })
  const axis = { interval: 'preserveStartEnd' as const, minTickGap: 16 }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card title={texts.salesPlot}>
        <BarChart
          h={HEIGHT}
          data={data}
          dataKey="day"
          series={[{ name: 'revenue', label: texts.revenue, color: 'cyan.7' }]}
          valueFormatter={(value) => formatVnd(value, language)}
          yAxisProps={{ tickFormatter: (value: number) => compact.format(value), width: 56 }}
          xAxisProps={axis}
        />
      </Card>
      <Card title={texts.messagesPlot}>
        <BarChart
          h={HEIGHT}
          data={data}
          dataKey="day"
          type="stacked"
          series={[
            { name: 'delivered', label: texts.delivered, color: 'teal.7' },
            { name: 'underWay', label: texts.underWay, color: 'cyan.6' },
            { name: 'failed', label: texts.failed, color: 'red.7' },
          ]}
          withLegend
          valueFormatter={(value) => formatNumber(value, language)}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          xAxisProps={axis}
        />
      </Card>
    </SimpleGrid>
  )
}
