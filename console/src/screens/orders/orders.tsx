import { Anchor, Button, Group, ScrollArea, Table, Tabs, Text, TextInput } from '@mantine/core'
import { IconDownload, IconSearch, IconShoppingCart } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useDownload } from '../../components/download.ts'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded, Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { Money, When } from '../../components/values.tsx'
import { endOfDay, formatNumber, startOfDay } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { PaymentBadge, STATUSES, StatusBadge } from './order-values.tsx'
import { orderTexts } from './texts.ts'

const PAGE_SIZE = 20
const ALL = 'all'

type Filter = { search: string; from: string; to: string }

/** The service's filter; days are those of the shop's zone. */
const queryOf = ({ search, from, to }: Filter) => ({
  search: search || undefined,
  startDate: from === '' ? undefined : startOfDay(from),
  endDate: to === '' ? undefined : endOfDay(to),
})

export function Orders() {
  const texts = useTexts(orderTexts)
  const { nothingFound } = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, search: '', status: ALL, from: '', to: '' })
  const status = list.status === ALL ? undefined : list.status
  const orders = useQuery({
    queryKey: ['orders', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/orders', {
          params: { query: { page: list.page, limit: PAGE_SIZE, status, ...queryOf(list) } },
        }),
      ),
  })
  const isFiltered = status !== undefined || list.search !== '' || list.from !== '' || list.to !== ''

  return (
    <Page
      title={texts.title}
      actions={
        <>
          <ExportButton filter={{ status, ...queryOf(list) }} />
          {canWrite && (
            <Button component={Link} to="/pos" leftSection={<IconShoppingCart size={16} aria-hidden />}>
              {texts.sell}
            </Button>
          )}
        </>
      }
    >
      <Card>
        <StatusTabs
          value={list.status}
          counts={orders.data?.data.orderCountByStatus}
          onChange={(value) => setList({ status: value })}
        />
        <Filters list={list} setList={setList} />
        <Loaded query={orders}>
          {({ data }) =>
            data.orders.length === 0 ? (
              <EmptyState title={texts.emptyTitle} hint={isFiltered ? nothingFound : texts.emptyHint} />
            ) : (
              <>
                <OrderTable orders={data.orders} />
                <Pager
                  page={list.page}
                  pageSize={PAGE_SIZE}
                  total={data.meta.total}
                  onPage={(page) => setList({ page })}
                />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

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
  const tabs = [
    { value: ALL, name: all, count: sum },
    ...STATUSES.map((each) => ({ value: each, name: texts.statuses[each], count: counts?.[each] ?? 0 })),
  ]
  return (
    <ScrollArea type="never" mb="sm">
      <Tabs value={props.value} onChange={(value) => props.onChange(value ?? ALL)}>
        <Tabs.List style={{ flexWrap: 'nowrap' }} aria-label={texts.title}>
          {tabs.map(({ value, name, count }) => (
            <Tabs.Tab key={value} value={value} style={{ whiteSpace: 'nowrap' }}>
              {name}{' '}
              <Text span c="dimmed" size="sm">
                {counts === undefined ? '' : formatNumber(count, language)}
              </Text>
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </ScrollArea>
  )
}

function Filters({ list, setList }: { list: Filter; setList: (change: Partial<Filter>) => void }) {
  const texts = useTexts(orderTexts)
  const { from, to } = useTexts(common)
  const search = useSearchText(list.search, (text) => setList({ search: text }))
  return (
    <Group align="flex-end" mb="sm">
      <TextInput
        {...search}
        aria-label={texts.searchHint}
        placeholder={texts.searchHint}
        leftSection={<IconSearch size={16} aria-hidden />}
        flex="1 1 240px"
        maw={360}
      />
      <TextInput
        type="date"
        label={from}
        value={list.from}
        max={list.to || undefined}
        onChange={(event) => setList({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={to}
        value={list.to}
        min={list.from || undefined}
        onChange={(event) => setList({ to: event.currentTarget.value })}
      />
    </Group>
  )
}

type ListedOrder = {
  _id: string
  code: string
  createdAt: string
  userId: { fullName: string; phone: string } | null
  orderItems: { name: string; quantity: number }[]
  price: number
  paymentStatus: string
  status: string
}

function OrderTable({ orders }: { orders: ListedOrder[] }) {
  const texts = useTexts(orderTexts)
  const { createdAt, status } = useTexts(common)
  return (
    <Table.ScrollContainer minWidth={880}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.code}</Table.Th>
            <Table.Th>{createdAt}</Table.Th>
            <Table.Th>{texts.customer}</Table.Th>
            <Table.Th>{texts.items}</Table.Th>
            <Table.Th className="num">{texts.amount}</Table.Th>
            <Table.Th>{texts.payment}</Table.Th>
            <Table.Th>{status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {orders.map((order) => (
            <Table.Tr key={order._id}>
              <Table.Td>
                <Anchor component={Link} to={`/orders/${order._id}`} fw={500} inherit>
                  {order.code}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <When at={order.createdAt} />
              </Table.Td>
              <Table.Td>
                {order.userId === null ? (
                  <Text span inherit c="dimmed">
                    {texts.walkIn}
                  </Text>
                ) : (
                  order.userId.fullName || order.userId.phone
                )}
              </Table.Td>
              <Table.Td maw={260}>
                <Text inherit lineClamp={1}>
                  {order.orderItems.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
                </Text>
              </Table.Td>
              <Table.Td className="num">
                <Money vnd={order.price} />
              </Table.Td>
              <Table.Td>
                <PaymentBadge status={order.paymentStatus} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={order.status} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

type ExportFilter = { status: string | undefined } & ReturnType<typeof queryOf>

function ExportButton({ filter }: { filter: ExportFilter }) {
  const texts = useTexts(orderTexts)
  const exporting = useDownload(() =>
    api.GET('/api/external/v1/orders/export', { params: { query: filter }, parseAs: 'blob' }),
  )
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      {texts.export}
    </Button>
  )
}
