import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { queryOf } from './order-filter.ts'
import { orderTexts } from './texts.ts'

/** What the orders of a filter come to, and what is still owed for them (G-122). Nothing until it is known, or for too many orders. */
export function OrderSumsLine({
  filter,
}: {
  filter: ReturnType<typeof queryOf> & { status?: string | undefined }
}) {
  const texts = useTexts(orderTexts)
  const { language } = useLanguage()
  const sums = useQuery({
    queryKey: ['orders', 'sums', filter],
    queryFn: () => dataOf(api.GET('/api/external/v1/orders/sums', { params: { query: filter } })),
  })
  const { amount = null, owed = null } = sums.data?.data ?? {}
  if (amount === null || owed === null) return null
  return (
    <Text size="sm" c="dimmed">
      {texts.sums(formatVnd(amount, language), owed === 0 ? '' : formatVnd(owed, language))}
    </Text>
  )
}
