import { Button, SegmentedControl, SimpleGrid } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { OverviewDay } from '../../api/rows.ts'
import { Figure } from '../../components/figure.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Loaded, Page, Waiting } from '../../components/page.tsx'
import { formatDate, formatNumber, formatVnd, today } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { shellTexts } from '../../shell/texts.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './overview.module.css'
import { overviewTexts } from './texts.ts'

// The chart library is larger than the rest of the console, so the numbers do not wait for it.
const SalesPlot = lazy(() => import('./plots.tsx').then(({ SalesPlot }) => ({ default: SalesPlot })))
const MessagesPlot = lazy(() => import('./plots.tsx').then(({ MessagesPlot }) => ({ default: MessagesPlot })))

const REFRESH_MS = 30_000
const PERIODS = [7, 30, 90]
/** Today and the same weekday before it. */
const FEWEST_DAYS = 8
type Name = 'orders' | 'revenue' | 'spend'

export function Overview() {
  const texts = useTexts(overviewTexts)
  const { items } = useTexts(shellTexts)
  const { language } = useLanguage()
  const { canWrite } = useSession()
  const [{ days: asked }, setPeriod] = useListState({ days: 30, page: 1 })
  const period = PERIODS.includes(asked) ? asked : 30
  const overview = useQuery({
    queryKey: ['overview', period],
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
    queryFn: () => {
      const days = Math.max(period, FEWEST_DAYS)
      return dataOf(api.GET('/api/external/overview', { params: { query: { days } } }))
    },
  })
  return (
    <Page
      title={texts.title}
      subtitle={formatDate(today(), language)}
      actions={
        <>
          <SegmentedControl
            aria-label={texts.period}
            value={String(period)}
            onChange={(value) => setPeriod({ days: Number(value) })}
            data={PERIODS.map((days) => ({ value: String(days), label: texts.days(days) }))}
          />
          {canWrite && (
            <Button component={Link} to="/pos" leftSection={<IconScan size={16} aria-hidden />}>
              {items.pos}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={overview}>
        {({ data }) => (
          <>
            {canWrite && <FirstSteps steps={data.firstSteps} />}
            <Figures days={data.days} period={period} />
            <Suspense fallback={<Waiting />}>
              <div className={classes.board}>
                <SalesPlot days={data.days.slice(-period)} />
                <Attention overview={data} />
              </div>
              <MessagesPlot days={data.days.slice(-period)} />
            </Suspense>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Today's numbers beside those of yesterday, of the same weekday before, and of the period; each opens what it counts. */
function Figures({ days, period }: { days: OverviewDay[]; period: number }) {
  const texts = useTexts(overviewTexts)
  const { language } = useLanguage()
  const now = days.at(-1)!
  const yesterday = days.at(-2)!
  const weekBefore = days.at(-FEWEST_DAYS)!
  const sum = (figure: Name) => days.slice(-period).reduce((total, day) => total + day[figure], 0)
  const hints = (figure: Name, show: (value: number) => string) => [
    texts.yesterday(show(yesterday[figure])),
    texts.weekBefore(show(weekBefore[figure])),
    texts.sum(period, show(sum(figure))),
  ]
  const ordersOfToday = `/orders?from=${now.day}&to=${now.day}`
  const money = (value: number) => formatVnd(value, language)
  const count = (value: number) => formatNumber(value, language)
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure
        label={texts.revenue}
        value={money(now.revenue)}
        hints={hints('revenue', money)}
        to={ordersOfToday}
      />
      <Figure
        label={texts.orders}
        value={count(now.orders)}
        hints={hints('orders', count)}
        to={ordersOfToday}
      />
      <Figure
        label={texts.delivered}
        value={count(now.delivered)}
        hints={[texts.ofAccepted(count(now.accepted)), texts.failedOf(count(now.failed))]}
        to={`/messages?from=${now.day}&to=${now.day}`}
      />
      <Figure label={texts.spend} value={money(now.spend)} hints={hints('spend', money)} to="/wallet" />
    </SimpleGrid>
  )
}
