import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useIsAway } from '../../../api/connection.ts'
import { ConfirmButton } from '../../../components/actions.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Money, When } from '../../../components/values.tsx'
import { formatNumber } from '../../../format.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { posTexts } from '../texts.ts'
import type { WaitingSale } from './kept-store.ts'
import { useWaitingSales } from './use-waiting-sales.ts'
import { dropWaiting, sendAgain } from './waiting-sales.ts'

/** Shows whether there is a connection, and how many sales wait for it. */
export function ConnectionLight({ shopId }: { shopId: string }) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const isAway = useIsAway()
  const waiting = useWaitingSales(shopId).filter(({ refusal }) => refusal === undefined)
  return (
    <Group gap="xs" role="status" className="no-print">
      <Badge tone={isAway ? 'bad' : 'good'}>{isAway ? texts.away : texts.connected}</Badge>
      {waiting.length > 0 && (
        <Badge tone="warn">{texts.waiting(formatNumber(waiting.length, language))}</Badge>
      )}
    </Group>
  )
}

/** The waiting sales that the service refused, each with its reason, for a person to decide. */
export function RefusedSales({ shopId }: { shopId: string }) {
  const refused = useWaitingSales(shopId).filter(({ refusal }) => refusal !== undefined)
  return refused.map((sale) => <Refused key={sale.id} sale={sale} />)
}

function Refused({ sale }: { sale: WaitingSale }) {
  const texts = useTexts(posTexts)
  const { receipt } = sale
  return (
    <Alert color="red" role="alert" className="no-print" title={texts.refusedTitle(receipt.code)}>
      <Stack gap="xs">
        <Text size="sm">{sale.refusal}</Text>
        <Text size="sm">
          <When at={receipt.createdAt} /> · <Money vnd={receipt.price} /> ·{' '}
          {receipt.orderItems.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => void sendAgain(sale)}>
            {texts.sendAgain}
          </Button>
          <ConfirmButton
            size="xs"
            question={texts.dropQuestion}
            confirm={texts.drop}
            onConfirm={() => void dropWaiting(sale)}
          >
            {texts.drop}
          </ConfirmButton>
        </Group>
      </Stack>
    </Alert>
  )
}
