import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconPrinter } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef } from 'react'
import { useAction } from '../../../components/actions.tsx'
import { Money } from '../../../components/values.tsx'
import { useSession } from '../../../shell/session.tsx'
import { catalogue } from '../../../texts/catalogue.ts'
import { useTexts } from '../../../texts/language.tsx'
import { leftToPay } from '../../orders/order-price.ts'
import { orderQuery, type ReceiptOrder } from '../../orders/order-queries.ts'
import { recordChange } from '../../orders/payments.ts'
import { ReceiptPreview } from '../../orders/receipt/receipt-preview.tsx'
import { TransferCode } from '../../orders/receipt/transfer-code.tsx'
import { useWaitingSales } from '../outage/use-waiting-sales.ts'
import classes from '../pos.module.css'
import type { Cash } from '../sale.ts'
import { posTexts } from '../texts.ts'

const lastSaleTexts = catalogue(
  {
    transferArrived: 'Đã nhận chuyển khoản',
    paidNow: 'Đã ghi thanh toán',
    cancelledSince: 'Đơn đã hủy nên không ghi thanh toán được. Trả lại khách số tiền đã chuyển.',
    print: 'In hóa đơn',
    preview: 'Xem bản in',
    openOrder: 'Xem đơn',
    willBeSent: 'Đơn nằm trong máy này và tự gửi khi có kết nối lại.',
    autoPrint: 'Tự in sau khi bán',
  },
  {
    transferArrived: 'Transfer received',
    paidNow: 'Payment recorded',
    cancelledSince:
      'The order is cancelled, so no payment can be recorded. Pay the transfer back to the customer.',
    print: 'Print receipt',
    preview: 'Preview',
    openOrder: 'Open order',
    willBeSent: 'The sale is kept on this device and sent once the connection is back.',
    autoPrint: 'Print after each sale',
  },
)

/** `isWaiting`: the sale is kept in this browser until the service is available. */
export type Sold = {
  order: ReceiptOrder
  cash: Cash | undefined
  isCompleted: boolean
  /** Whether the second payment was recorded, if there is one. */
  isPaid: boolean
  isWaiting: boolean
}

/** The order whose receipt was printed automatically last: a scan hides the sale's box, and an emptied cart shows it again. */
let lastPrinted: string | undefined

/**
 * The last sale and the change to give back, scrolled into view. Its receipt is printed automatically if the counter's setting says so,
 * once for each sale: the order is the `key`.
 */
export function LastSale(props: {
  shopId: string
  sold: Sold
  /** Changes what is shown as sold last, which may be another sale by then. */
  setSold: Dispatch<SetStateAction<Sold | undefined>>
}) {
  const texts = useTexts(posTexts)
  const own = useTexts(lastSaleTexts)
  const { shopId, sold, setSold } = props
  const { user, shop } = useSession()
  const [isPreview, preview] = useDisclosure()
  const [printsItself, setPrintsItself] = useLocalStorage({
    key: 'shopbell.print-receipts',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { order, cash } = sold
  const owed = leftToPay(order)
  const client = useQueryClient()
  const isStillWaiting = useWaitingSales(shopId).some(({ key }) => key === order._id)
  const paying = useAction({
    // Of what is owed now: a colleague may have taken a part of it meanwhile, or cancelled the order.
    async run(): Promise<Pick<ReceiptOrder, 'paidAmount' | 'status'>> {
      const now = await client.fetchQuery({ ...orderQuery(order._id), staleTime: 0 })
      const { status, paidAmount } = now
      if (status === 'cancelled') return { paidAmount, status }
      const vnd = Math.min(owed, leftToPay(now))
      // Nothing more would only move what the colleague took to another method.
      if (vnd > 0) await recordChange(client, now, { vnd, paymentMethod: 'transfer' })
      return { paidAmount: order.price }
    },
    stale: [['orders']],
    onDone(change) {
      if (change.status !== 'cancelled') notifications.show({ message: own.paidNow, color: 'teal' })
      setSold((last) =>
        last?.order._id === order._id ? { ...last, order: { ...last.order, ...change }, isPaid: true } : last,
      )
    },
  })
  const printIfWanted = useEffectEvent(() => {
    if (!printsItself || lastPrinted === order._id) return
    lastPrinted = order._id
    window.print()
  })
  useEffect(() => printIfWanted(), [])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const show = () => box.current?.scrollIntoView({ block: 'nearest' })
    // After the scan field has the focus again, which may scroll to that field.
    const frame = requestAnimationFrame(show)
    window.addEventListener('afterprint', show)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('afterprint', show)
    }
  }, [])
  return (
    <Alert
      ref={box}
      className={classes.sold}
      color="teal"
      icon={<IconCheck aria-hidden />}
      title={texts.sold(order.code)}
      role="status"
    >
      <Stack gap="xs">
        {cash !== undefined && (cash.change > 0 || owed === 0) && (
          <Text size="xl" fw={700}>
            {texts.change} <Money vnd={cash.change} />
          </Text>
        )}
        {owed > 0 && (
          <Text fw={600}>
            {texts.owed} <Money vnd={owed} />
          </Text>
        )}
        {owed > 0 && !sold.isWaiting && shop?.profile.bank != null && (
          <>
            <TransferCode vnd={owed} reference={order.code} />
            <Button size="xs" loading={paying.isPending} onClick={() => paying.mutate(undefined)}>
              {own.transferArrived}
            </Button>
          </>
        )}
        {order.status === 'cancelled' && <Text fw={600}>{own.cancelledSince}</Text>}
        {!sold.isPaid && <Text size="sm">{texts.restNotPaid}</Text>}
        {isStillWaiting && <Text size="sm">{own.willBeSent}</Text>}
        {!sold.isCompleted && <Text size="sm">{texts.notCompleted}</Text>}
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPrinter size={16} aria-hidden />}
            onClick={() => window.print()}
          >
            {own.print}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={preview.open}>
            {own.preview}
          </Button>
          {!sold.isWaiting && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              component={Link}
              to="/orders/$orderId"
              params={{ orderId: order._id } as never}
            >
              {own.openOrder}
            </Button>
          )}
        </Group>
        <Switch
          size="xs"
          label={own.autoPrint}
          checked={printsItself}
          onChange={(event) => setPrintsItself(event.currentTarget.checked)}
        />
      </Stack>
      <ReceiptPreview
        order={order}
        cash={cash}
        cashier={user.name || user.email}
        opened={isPreview}
        onClose={preview.close}
      />
    </Alert>
  )
}
