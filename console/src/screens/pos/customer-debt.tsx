import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { debtQuery } from '../customers/customer-queries.ts'
import { PayDebt } from '../customers/pay-debt.tsx'
import { customerTexts } from '../customers/texts.ts'

/** What the chosen customer owes from earlier orders, which can be paid here too. Nothing is shown if nothing is owed or the service cannot be asked. */
export function CustomerDebt({ customerId }: { customerId: string }) {
  const texts = useTexts(customerTexts)
  const { language } = useLanguage()
  const { data } = useQuery(debtQuery(customerId))
  return (
    <Group gap="xs">
      {!!data?.debt && (
        <Text size="sm" fw={500}>
          {texts.owes(formatVnd(data.debt, language))}
        </Text>
      )}
      <PayDebt customerId={customerId} size="compact-xs" variant="light" />
    </Group>
  )
}
