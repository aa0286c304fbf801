import { Alert, Anchor, Button, SimpleGrid, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { ProfitReport } from '../../api/rows.ts'
import { Figure } from '../../components/figure.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Card, EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatDay, formatNumber, formatPercent, formatVnd } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { queryOf } from '../overview/period.ts'
import { GoodsWithoutCost } from './goods-without-cost.tsx'
import { PERIODS, type PeriodName, WITHOUT_COST } from './period.ts'
import { profitTexts } from './texts.ts'

/** The profit of sales, for owners. The period is kept in the address. */
export function Profit() {
  const texts = useTexts(profitTexts)
  const { ownersOnly } = useTexts(common)
  const { isOwner } = useSession()
  if (!isOwner) return <EmptyState title={texts.title} hint={ownersOnly} />
  return <Report />
}

function Report() {
  const texts = useTexts(profitTexts)
  const [{ period: asked, goods }, setState] = useListState({ period: '30', goods: '', page: 1 })
  const period: PeriodName = PERIODS.find((one) => one === asked) ?? '30'
  const query = queryOf(period)
  const report = useQuery({
    queryKey: ['profit', query],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/api/external/v1/reports/profit', { params: { query } })),
  })
  return (
    <Page
      title={texts.title}
      actions={
        <Select
          aria-label={texts.period}
          w={160}
          allowDeselect={false}
          value={period}
          onChange={(value) => value !== null && setState({ period: value })}
          data={PERIODS.map((value) => ({ value, label: texts.periods[value] }))}
        />
      }
    >
      <Loaded query={report}>
        {({ data }) => (
          <Stack aria-busy={report.isPlaceholderData}>
            <Figures total={data.total} />
            {data.total.linesWithoutCost > 0 && (
              <WithoutCost
                total={data.total}
                isOpen={goods === WITHOUT_COST}
                onToggle={(isOpen) => setState({ goods: isOpen ? WITHOUT_COST : '' })}
              >
                <GoodsWithoutCost query={query} />
              </WithoutCost>
            )}
            <Card title={texts.byDay}>
              <Days days={data.days.toReversed()} isPartial={data.total.linesWithoutCost > 0} />
            </Card>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

type Total = ProfitReport['total']

function Figures({ total }: { total: Total }) {
  const texts = useTexts(profitTexts)
  const { language } = useLanguage()
  const money = (vnd: number) => formatVnd(vnd, language)
  const { profit, sales, salesWithCost } = total
  const margin = () => {
    if (salesWithCost === 0) return []
    const percent = formatPercent(profit / salesWithCost, language)
    // Where some costs are unknown, it is not a part of the sales that are shown beside it.
    return [sales === salesWithCost ? texts.margin(percent) : texts.marginOf(percent, money(salesWithCost))]
  }
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <Figure label={texts.sales} value={money(total.sales)} hints={[texts.salesHint]} />
      <Figure label={texts.cost} value={money(total.cost)} hints={[texts.costHint]} term="averageCost" />
      <Figure label={texts.profit} value={money(total.profit)} hints={margin()} term="profit" />
      <Figure label={texts.orders} value={formatNumber(total.orders, language)} hints={[texts.ordersHint]} />
    </SimpleGrid>
  )
}

/** Sales that the profit leaves out, because their cost is unknown. `children` lists the goods when it is opened. */
function WithoutCost(props: {
  total: Total
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  children: ReactNode
}) {
  const { total, isOpen, onToggle, children } = props
  const texts = useTexts(profitTexts)
  const { language } = useLanguage()
  const count = (value: number) => formatNumber(value, language)
  return (
    <>
      <Alert color="yellow" title={texts.withoutCost(count(total.linesWithoutCost), count(total.lines))}>
        <Text size="sm">
          {texts.withoutCostHint(formatVnd(total.sales - total.salesWithCost, language))}{' '}
          <Anchor component={Link} to="/goods-received" inherit underline="always">
            {texts.toReceive}
          </Anchor>
        </Text>
        <Button mt="xs" size="xs" variant="default" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          {isOpen ? texts.hideGoods : texts.showGoods}
        </Button>
      </Alert>
      {isOpen && children}
    </>
  )
}

/** `isPartial`: some sales have no known cost. An additional column makes each row add up. */
function Days({ days, isPartial }: { days: ProfitReport['days']; isPartial: boolean }) {
  const texts = useTexts(profitTexts)
  const { language } = useLanguage()
  const withoutCost: Column<ProfitReport['days'][number]> = {
    title: texts.salesWithoutCost,
    isNumber: true,
    cell: ({ sales, salesWithCost }) => (
      <Money vnd={sales === salesWithCost ? null : sales - salesWithCost} />
    ),
  }
  const columns: Column<ProfitReport['days'][number]>[] = [
    { title: texts.day, cell: ({ day }) => formatDay(day, language) },
    { title: texts.orders, isNumber: true, cell: ({ orders }) => formatNumber(orders, language) },
    { title: texts.sales, isNumber: true, cell: ({ sales }) => <Money vnd={sales} /> },
    ...(isPartial ? [withoutCost] : []),
    { title: texts.cost, isNumber: true, cell: ({ cost }) => <Money vnd={cost} /> },
    { title: texts.profit, isNumber: true, cell: ({ profit }) => <Money vnd={profit} /> },
  ]
  return <DataTable columns={columns} rows={days} keyOf={({ day }) => day} />
}
