import { Anchor, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { ListedOrder } from '../../api/rows.ts'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { Money, When } from '../../components/values.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { leftToPay, netOf, owedToCustomer } from '../orders/order-price.ts'
import { PaymentBadge, StatusBadge } from '../orders/order-values.tsx'
import { orderTexts } from '../orders/texts.ts'
import { customerTexts } from './texts.ts'

/** The customer's orders, the newest first. */
export function CustomerOrders({ customerId }: { customerId: string }) {
  const texts = useTexts(customerTexts)
  const [list, setList] = useListState({ page: 1, size: 10 })
  const columns = useColumns()
  const orders = useQuery({
    queryKey: ['orders', 'of', customerId, list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/orders', {
          params: { query: { page: list.page, limit: list.size, total: 'capped', customerId } },
        }),
      ),
  })
  return (
    <List
      query={orders}
      rowsOf={({ data }) => data.orders}
      lengthOf={({ data }) => data.meta}
      columns={columns}
      state={list}
      setState={setList}
      sizes={[10, 20, 50]}
      likely={3}
      empty={{ title: texts.noOrders, hint: texts.noOrdersHint }}
    />
  )
}

function useColumns(): Column<ListedOrder>[] {
  const texts = useTexts(orderTexts)
  const { orderedAt } = useTexts(customerTexts)
  const { status } = useTexts(common)
  return [
    {
      title: texts.code,
      cell: ({ _id, code }) => (
        <Anchor component={Link} to={`/orders/${_id}`} fw={500} size="sm">
          {code}
        </Anchor>
      ),
    },
    { title: orderedAt, inCard: 'line', cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      title: status,
      inCard: 'line',
      cell: (order) => (
        <>
          <StatusBadge status={order.status} /> <PaymentBadge order={order} />
        </>
      ),
    },
    {
      title: texts.amount,
      isNumber: true,
      inCard: 'end',
      cell: (order) => <Money vnd={netOf(order)} />,
    },
    {
      title: texts.owed,
      isNumber: true,
      cell: (order) => {
        const left = order.isPaid ? 0 : leftToPay(order)
        const toPayBack = owedToCustomer(order)
        if (toPayBack > 0)
          return (
            <>
              {texts.toPayBack} <Money vnd={toPayBack} />
            </>
          )
        return left === 0 ? (
          '–'
        ) : (
          <Text span inherit fw={600}>
            <Money vnd={left} />
          </Text>
        )
      },
    },
  ]
}
