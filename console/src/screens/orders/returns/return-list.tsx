import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { When } from '../../../components/values.tsx'
import { formatNumber, formatVnd } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { warehousesQuery } from '../../products/product-queries.ts'
import type { Returns } from '../order-queries.ts'
import { useMethodName } from '../order-values.tsx'
import { returnTexts } from './texts.ts'

/** The returns of an order, oldest first. */
export function ReturnList({ returns: { returns, lines } }: { returns: Returns }) {
  const texts = useTexts(returnTexts)
  const { doneBy } = useTexts(common)
  const { language } = useLanguage()
  const methodName = useMethodName()
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const money = (vnd: number) => formatVnd(vnd, language)
  const names = new Map(lines.map(({ orderItemId, name }) => [orderItemId, name]))
  /** Its name only where the shop has others. */
  const placeOf = (id: string) =>
    (warehouses.length > 1 && warehouses.find(({ _id }) => _id === id)?.name) || ''
  return (
    <Stack gap="sm">
      {returns.map(({ _id, createdAt, by, amount, fee, refundAmount, ...one }) => (
        <Stack gap={2} key={_id}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <Text fw={500}>
              {one.lines
                .map((line) => `${formatNumber(line.quantity, language)} × ${names.get(line.orderItemId)}`)
                .join(', ')}
            </Text>
            <span className="num">{money(amount + fee)}</span>
          </Group>
          <Text size="sm">
            {[
              fee > 0 && texts.feeKept(money(fee)),
              refundAmount > 0 && texts.refundedBy(money(refundAmount), methodName(one.paymentMethod)),
              one.warehouseId === null ? texts.notInStock : texts.inStock(placeOf(one.warehouseId)),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {one.note !== '' && <Text size="sm">{one.note}</Text>}
          <Text size="xs" c="dimmed">
            <When at={createdAt} />
            {by !== null && ` · ${doneBy(by)}`}
          </Text>
        </Stack>
      ))}
    </Stack>
  )
}
