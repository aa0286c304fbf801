import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../../components/lists/data-table.tsx'
import { Card } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useMethodName } from '../orders/order-values.tsx'
import { shiftPaymentsQuery } from './shift-queries.ts'
import { shiftTexts } from './texts.ts'

/** The payments and refunds of a shift, newest first, each with its order: where a difference is looked for. */
export function ShiftPayments({ shiftId }: { shiftId: string }) {
  const texts = useTexts(shiftTexts)
  const { language } = useLanguage()
  const methodName = useMethodName()
  const { payments = [], total = 0 } = useQuery(shiftPaymentsQuery(shiftId)).data ?? {}
  if (payments.length === 0) return null
  return (
    <Card title={texts.payments}>
      <DataTable
        columns={[
          {
            title: texts.order,
            cell: ({ orderId, code }) =>
              orderId === null ? (
                texts.ofOpeningDebt
              ) : (
                <Anchor component={Link} to={`/orders/${orderId}`} size="sm">
                  {code}
                </Anchor>
              ),
          },
          { title: texts.at, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: texts.customer, cell: ({ customer }) => customer?.fullName ?? '' },
          { title: texts.method, cell: ({ paymentMethod }) => methodName(paymentMethod) },
          { title: texts.amount, isNumber: true, cell: ({ amount }) => <Money vnd={amount} /> },
        ]}
        rows={payments}
        keyOf={({ _id }) => _id}
      />
      {payments.length < total && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.newestPayments(formatNumber(payments.length, language))}
        </Text>
      )}
    </Card>
  )
}
