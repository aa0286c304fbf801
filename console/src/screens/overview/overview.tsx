import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { OverviewDay } from '../../api/rows.ts'
import { Card, Loaded, Page, Waiting } from '../../components/page.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Attention } from './attention.tsx'
import { overviewTexts } from './texts.ts'

// The plots' library is larger than the rest of the console: the numbers do not wait for it.
const Plots = lazy(() => import('./plots.tsx').then(({ Plots }) => ({ default: Plots })))

const REFRESH_MS = 30_000
const FIGURES = ['orders', 'revenue', 'accepted', 'delivered', 'failed', 'spend'] as const

export function Overview() {
  const texts = useTexts(overviewTexts)
  const overview = useQuery({
    queryKey: ['overview'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/external/overview', { params: { query: { days: 30 } } })),
  })
  return (
    <Page title={texts.title}>
      <Loaded query={overview}>
        {({ data }) => (
          <>
            <Attention overview={data} />
            <Figures days={data.days} />
            <Suspense
              fallback={
                <Card>
                  <Waiting />
                </Card>
              }
            >
              <Plots days={data.days} />
            </Suspense>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Figures({ days }: { days: OverviewDay[] }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const today = days.at(-1)!
  return (
    <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }}>
      {FIGURES.map((figure) => {
        const isMoney = figure === 'revenue' || figure === 'spend'
        const show = (value: number) => (isMoney ? formatVnd(value, language) : formatNumber(value, language))
        const total = days.reduce((sum, day) => sum + day[figure], 0)
        return (
          <Paper withBorder p="md" key={figure}>
            <Text size="sm" c="dimmed">
              {texts[figure]} · {texts.today.toLowerCase()}
            </Text>
            <Text fz={24} fw={650}>
              {show(today[figure])}
            </Text>
            <Text size="xs" c="dimmed">
              {texts.last30(show(total))}
            </Text>
          </Paper>
        )
      })}
    </SimpleGrid>
  )
}
