import { Anchor, Button, Tabs, Text } from '@mantine/core'
import { IconShoppingCart } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { ListedOrder } from '../../api/rows.ts'
import { DownloadButton } from '../../components/download-button.tsx'
import { useSelection } from '../../components/lists/bulk/selection.ts'
import { useColumnChoice } from '../../components/lists/columns-menu.tsx'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { directionOf, fieldOf, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card, Page } from '../../components/page.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber, formatPhone } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useOrderActions } from './bulk/order-actions.tsx'
import { Filters } from './filters.tsx'
import { isFiltered, NO_FILTER, queryOf, useApplied } from './order-filter.ts'
import { netOf } from './order-price.ts'
import { OrderSumsLine } from './order-sums-line.tsx'
import { PaymentBadge, STATUSES, StatusBadge } from './order-values.tsx'
import { orderTexts } from './texts.ts'

const ALL = 'all'
const SORTS = ['createdAt', 'price'] as const

export function Orders() {
  const texts = useTexts(orderTexts)
  const columns = useColumns()
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, size: 20, status: ALL, sort: '', ...NO_FILTER })
  const showsSeller = useColumnChoice('orders', columns).shown.some(({ id }) => id === 'seller')
  const sorting = sortingOf(columns, list.sort, setList)
  const applied = useApplied(list)
  const status = list.status === ALL ? undefined : list.status
  const orders = useQuery({
    queryKey: ['orders', list, showsSeller],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/orders', {
          params: {
            query: {
              page: list.page,
              limit: list.size,
              total: 'capped',
              status,
              ...queryOf(list),
              select: showsSeller ? 'soldBy' : undefined,
              sortBy: SORTS.find((one) => one === fieldOf(sorting.order)),
              sortType: directionOf(sorting.order),
            },
          },
        }),
      ),
  })
  const selection = useSelection('orders', JSON.stringify({ ...queryOf(list), status }), codeOf)
  const { actions, dialog, sheets } = useOrderActions(selection)
  const isCut = orders.data?.data.meta.totalPrecision === 'at_least'
  const isNarrowed = status !== undefined || isFiltered(list)
  // All orders of a shop come to a sum that nobody asks for.
  const hasSums = isNarrowed && !isCut

  return (
    <Page
      title={texts.title}
      actions={
        <>
          <DownloadButton
            label={texts.export}
            fetchFile={(labels) =>
              api.GET('/api/external/v1/orders/export', {
                params: { query: { status, ...queryOf(list), labels } },
                parseAs: 'blob',
              })
            }
          />
          {canWrite && (
            <Button component={Link} to="/pos" leftSection={<IconShoppingCart size={16} aria-hidden />}>
              {texts.sell}
            </Button>
          )}
        </>
      }
    >
      <div className={sheets.length > 0 ? 'no-print' : undefined}>
        <Card>
          <StatusTabs
            value={list.status}
            counts={isCut ? undefined : orders.data?.data.orderCountByStatus}
            onChange={(value) => setList({ status: value })}
          />
          <ListFilters name="orders" applied={applied} setList={setList}>
            <Filters list={list} setList={setList} applied={applied} />
          </ListFilters>
          <List
            name="orders"
            query={orders}
            rowsOf={({ data }) => data.orders}
            lengthOf={({ data }) => data.meta}
            columns={columns}
            state={list}
            setState={setList}
            sizes={[20, 50, 100]}
            isFiltered={isNarrowed}
            empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
            bulk={{ selection, actions }}
            sorting={sorting}
            sums={hasSums && <OrderSumsLine filter={{ status, ...queryOf(list) }} />}
          />
        </Card>
      </div>
      {sheets}
      {dialog}
    </Page>
  )
}

const codeOf = ({ code }: ListedOrder) => code

function StatusTabs(props: {
  value: string
  counts: Record<string, number> | undefined
  onChange: (status: string) => void
}) {
  const texts = useTexts(orderTexts)
  const { all } = useTexts(common)
  const { language } = useLanguage()
  const { counts } = props
  const sum = Object.values(counts ?? {}).reduce((total, count) => total + count, 0)
  const tab = (value: string, name: string, count: number) => ({
    value,
    label: (
      <>
        {name}{' '}
        <Text span c="dimmed" size="sm" display="inline-block" miw="3ch" ta="start">
          {counts === undefined ? '' : formatNumber(count, language)}
        </Text>
      </>
    ),
  })
  const tabs = [
    tab(ALL, all, sum),
    ...STATUSES.map((each) => tab(each, texts.statuses[each], counts?.[each] ?? 0)),
  ]
  return (
    <Tabs value={props.value} onChange={(value) => props.onChange(value ?? ALL)} mb="sm">
      <TabList value={props.value} tabs={tabs} aria-label={texts.title} />
    </Tabs>
  )
}

function useColumns(): Column<ListedOrder>[] {
  const texts = useTexts(orderTexts)
  const { createdAt, phone, status } = useTexts(common)
  return [
    {
      title: texts.code,
      cell: (order) => (
        <Anchor component={Link} to={`/orders/${order._id}`} fw={500} inherit>
          {order.code}
        </Anchor>
      ),
    },
    {
      id: 'createdAt',
      title: createdAt,
      inCard: 'together',
      sort: { by: 'createdAt', of: 'time' },
      cell: (order) => <When at={order.createdAt} />,
    },
    {
      id: 'customer',
      title: texts.customer,
      inCard: 'together',
      cell: ({ userId: user }) =>
        user === null ? (
          <Text span inherit c="dimmed">
            {texts.walkIn}
          </Text>
        ) : (
          user.fullName || formatPhone(user.phone)
        ),
    },
    {
      id: 'phone',
      title: phone,
      isHiddenAtFirst: true,
      cell: ({ userId: user }) =>
        user?.phone && (
          <Text span inherit style={{ whiteSpace: 'nowrap' }}>
            {formatPhone(user.phone)}
          </Text>
        ),
    },
    {
      id: 'items',
      title: texts.items,
      inCard: 'line',
      maxWidth: 260,
      cell: ({ orderItems }) => (
        <Text inherit lineClamp={1}>
          {orderItems.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
        </Text>
      ),
    },
    {
      id: 'amount',
      title: texts.amount,
      inCard: 'end',
      isNumber: true,
      sort: { by: 'price', of: 'number' },
      cell: (order) => (
        <>
          <Money vnd={netOf(order)} />
          {order.returnedAmount !== undefined && (
            <Text size="xs" c="dimmed">
              {texts.hasReturns}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'payment',
      title: texts.payment,
      inCard: 'together',
      cell: (order) => <PaymentBadge order={order} />,
    },
    {
      id: 'status',
      title: status,
      inCard: 'together',
      cell: (order) => <StatusBadge status={order.status} />,
    },
    {
      id: 'seller',
      title: texts.soldBy,
      isHiddenAtFirst: true,
      cell: ({ soldBy }) => soldBy?.name,
    },
  ]
}
