import { Button } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { Overview as OverviewData } from '../../api/rows.ts'
import { Select } from '../../components/forms/select/select.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Loaded, Page } from '../../components/page.tsx'
import { formatDate, today } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { shellTexts } from '../../shell/texts.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './overview.module.css'
import { PERIODS, type PeriodName, periodOf, queryOf } from './period.ts'
import { MessagesPlot, SalesPlot } from './plots.tsx'
import { LowStock, Sellers, TopGoods } from './ranks.tsx'
import { overviewTexts } from './texts.ts'

const REFRESH_MS = 30_000

/** The day at a glance: sales, waiting tasks, low stock. The period is kept in the address. */
export function Overview() {
  const texts = useTexts(overviewTexts)
  const { items } = useTexts(shellTexts)
  const { language } = useLanguage()
  const { canWrite, user } = useSession()
  const [{ period: asked }, setPeriod] = useListState({ period: 'today', page: 1 })
  const chosen: PeriodName = PERIODS.find((one) => one === asked) ?? 'today'
  const query = queryOf(chosen)
  const overview = useQuery({
    queryKey: ['overview', query],
    refetchInterval: REFRESH_MS,
    // Always stale, so that changes on other screens count even if they did not invalidate this query.
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/api/external/overview', { params: { query } })),
  })
  // Until its first sale or message a new shop has only zeros. Its steps stand for them, where they can be done.
  const isNew = ({ firstSteps }: OverviewData) => canWrite && !firstSteps.sale && !firstSteps.message
  return (
    <Page
      title={texts.title}
      subtitle={texts.greeting(user.name, formatDate(today(), language))}
      actions={
        <>
          {(overview.data === undefined || !isNew(overview.data.data)) && (
            <Select
              aria-label={texts.period}
              w={140}
              allowDeselect={false}
              value={chosen}
              onChange={(value) => value !== null && setPeriod({ period: value })}
              data={PERIODS.map((value) => ({ value, label: texts.periods[value] }))}
            />
          )}
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
          <div className={classes.home} aria-busy={overview.isPlaceholderData}>
            {canWrite && <FirstSteps steps={data.firstSteps} />}
            {isNew(data) ? <Attention overview={data} /> : <Numbers overview={data} />}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** What was sold and sent, in the words of its own period, and what is to be done. */
function Numbers({ overview }: { overview: OverviewData }) {
  const period = periodOf(overview.days)
  return (
    <>
      <Figures overview={overview} period={period} />
      <div className={classes.board}>
        <SalesPlot overview={overview} period={period} />
        <Attention overview={overview} />
      </div>
      <div className={classes.ranks}>
        <TopGoods overview={overview} />
        <LowStock overview={overview} />
        <Sellers overview={overview} />
      </div>
      {overview.days.length > 1 && <MessagesPlot overview={overview} />}
    </>
  )
}
