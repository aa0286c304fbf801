import { Button, SimpleGrid } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { OverviewDay } from '../../api/rows.ts'
import { Figure } from '../../components/figure.tsx'
import { Loaded, Page, Waiting } from '../../components/page.tsx'
import { formatDate, formatNumber, formatVnd, today } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { shellTexts } from '../../shell/texts.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Attention } from './attention.tsx'
import classes from './overview.module.css'
import { overviewTexts } from './texts.ts'

// The chart library is larger than the rest of the console, so the numbers do not wait for it.
const SalesPlot = lazy(() => import('./plots.tsx').then(({ SalesPlot }) => ({ default: SalesPlot })))
const MessagesPlot = lazy(() => import('./plots.tsx').then(({ MessagesPlot }) => ({ default: MessagesPlot })))

const REFRESH_MS = 30_000
type Name = 'orders' | 'revenue' | 'spend'

export function Overview() {
  const texts = useTexts(overviewTexts)
  const { items } = useTexts(shellTexts)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const overview = useQuery({
    queryKey: ['overview'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/external/overview', { params: { query: { days: 30 } } })),
  })
  return (
    <Page
      title={texts.title}
      subtitle={formatDate(today(), language)}
      actions={
        canWrite && (
          <Button component={Link} to="/pos" leftSection={<IconScan size={16} aria-hidden />}>
            {items.pos}
          </Button>
        )
      }
    >
      <Loaded query={overview}>
        {({ data }) => (
          <>
            <Figures days={data.days} />
            <Suspense fallback={<Waiting />}>
              <div className={classes.board}>
                <SalesPlot days={data.days} />
                <Attention overview={data} />
              </div>
              <MessagesPlot days={data.days} />
            </Suspense>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Today's numbers beside those of yesterday and of 30 days. */
function Figures({ days }: { days: OverviewDay[] }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const now = days.at(-1)!
  const yesterday = days.at(-2)
  const sum = (figure: Name) => days.reduce((total, day) => total + day[figure], 0)
  const hints = (figure: Name, show: (value: number) => string) => [
    ...(yesterday === undefined ? [] : [texts.yesterday(show(yesterday[figure]))]),
    texts.last30(show(sum(figure))),
  ]
  const money = (value: number) => formatVnd(value, language)
  const count = (value: number) => formatNumber(value, language)
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure label={texts.revenue} value={money(now.revenue)} hints={hints('revenue', money)} />
      <Figure label={texts.orders} value={count(now.orders)} hints={hints('orders', count)} />
      <Figure
        label={texts.delivered}
        value={count(now.delivered)}
        hints={[texts.ofAccepted(count(now.accepted)), texts.failedOf(count(now.failed))]}
      />
      <Figure label={texts.spend} value={money(now.spend)} hints={hints('spend', money)} />
    </SimpleGrid>
  )
}
