import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { ConfirmButton } from '../../../components/actions.tsx'
import { Money, When } from '../../../components/values.tsx'
import { catalogue } from '../../../texts/catalogue.ts'
import { useTexts } from '../../../texts/language.tsx'
import type { WaitingSale } from './kept-store.ts'
import { useWaitingSales } from './use-waiting-sales.ts'
import { dropWaiting, sendAgain } from './waiting-sales.ts'

const refusedTexts = catalogue(
  {
    refusedTitle: (code: string) => `Phiếu tạm ${code} chưa ghi được`,
    sendAgain: 'Gửi lại',
    drop: 'Bỏ phiếu',
    dropQuestion: 'Đơn này không được ghi vào sổ. Hàng và tiền đã trao phải xử lý bằng tay.',
  },
  {
    refusedTitle: (code: string) => `Slip ${code} could not be recorded`,
    sendAgain: 'Send again',
    drop: 'Discard slip',
    dropQuestion: 'This sale will not be recorded. Correct the stock and the cash by hand.',
  },
)

/** The waiting sales that the service refused, each with its reason, for a person to decide. */
export function RefusedSales({ shopId }: { shopId: string }) {
  const refused = useWaitingSales(shopId).filter(({ refusal }) => refusal !== undefined)
  return refused.map((sale) => <Refused key={sale.id} sale={sale} />)
}

function Refused({ sale }: { sale: WaitingSale }) {
  const texts = useTexts(refusedTexts)
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
