import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber, formatPhone } from '../../format.ts'
import { WhatsThis } from '../../help/whats-this.tsx'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { leftToPay, netOf, owedToCustomer, vatOf } from './order-price.ts'
import {
  type Order,
  orderQuery,
  type Returns,
  returnsQuery,
  sellerOf,
  timelineQuery,
} from './order-queries.ts'
import { sumsOf } from './order-sums.ts'
import { PaymentBadge, StatusBadge, useMethodName } from './order-values.tsx'
import { PaymentAction } from './payment-action.tsx'
import { methodsOf } from './payments.ts'
import { Receipt } from './receipt/receipt.tsx'
import { ReceiptPreview } from './receipt/receipt-preview.tsx'
import { ReturnAction } from './returns/return-action.tsx'
import { ReturnedGoods } from './returns/returned-goods.tsx'
import { StatusActions } from './status-actions.tsx'
import { orderTexts } from './texts.ts'
import { Timeline } from './timeline.tsx'

export function OrderDetail() {
  const texts = useTexts(orderTexts)
  const { doneBy } = useTexts(common)
  const { canWrite } = useSession()
  const { orderId } = useParams({ strict: false }) as { orderId: string }
  const order = useQuery(orderQuery(orderId))
  const steps = useQuery(timelineQuery(orderId))
  const by = sellerOf(steps.data)
  const cashier = by ? doneBy(by) : undefined
  return (
    <Page
      title={order.data === undefined ? texts.title : texts.order(order.data.code)}
      code={order.data?.code}
      subtitle={order.data !== undefined && <State order={order.data} cashier={cashier} />}
      actions={
        order.data !== undefined && (
          <>
            <PrintButton order={order.data} cashier={cashier} />
            {canWrite && <StatusActions order={order.data} />}
            {canWrite && <ReturnAction order={order.data} />}
          </>
        )
      }
    >
      <Loaded query={order}>
        {(found) => (
          <>
            <div className="no-print">
              <Details order={found} />
            </div>
            <Receipt order={found} cashier={cashier} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Details({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const { canWrite } = useSession()
  return (
    <Stack gap="md">
      <Grid>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <Card title={texts.lines}>
              <LineTable order={order} />
            </Card>
            <ReturnedGoods order={order} />
            <Card title={texts.timeline}>
              <Timeline orderId={order._id} />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Card title={texts.payment} actions={canWrite && <PaymentAction order={order} />}>
              <Amounts order={order} />
            </Card>
            <Card title={texts.customer}>
              <Customer order={order} />
            </Card>
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  )
}

type Sold = { order: Order; cashier: string | undefined }

function PrintButton({ order, cashier }: Sold) {
  const texts = useTexts(orderTexts)
  const [isOpen, preview] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={preview.open}>
        {texts.print}
      </Button>
      <ReceiptPreview order={order} cashier={cashier} opened={isOpen} onClose={preview.close} />
    </>
  )
}

function State({ order, cashier }: Sold) {
  const { soldBy } = useTexts(orderTexts)
  return (
    <Group gap="xs" mt={4} className="no-print">
      <StatusBadge status={order.status} />
      <PaymentBadge order={order} />
      <When at={order.createdAt} />
      {cashier !== undefined && (
        <Text inherit>
          {soldBy}: {cashier}
        </Text>
      )}
    </Group>
  )
}

function LineTable({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const { language } = useLanguage()
  const { data: returns } = useQuery(returnsQuery(order))
  const columns: Column<Order['orderItems'][number]>[] = [
    {
      title: texts.product,
      cell: ({ name, sku }) => (
        <>
          <Text inherit>{name}</Text>
          <Text size="xs" c="dimmed">
            {sku.sku || sku.barcode}
          </Text>
        </>
      ),
    },
    { title: texts.price, isNumber: true, cell: ({ price }) => <Money vnd={price} /> },
    {
      title: texts.quantity,
      isNumber: true,
      cell: ({ _id, quantity }) => (
        <>
          {formatNumber(quantity, language)}
          <CameBack line={returns?.lines.find(({ orderItemId }) => orderItemId === _id)} />
        </>
      ),
    },
    {
      title: texts.discount,
      isNumber: true,
      cell: ({ discount }) => (discount === 0 ? '–' : <Money vnd={discount} />),
    },
    {
      title: texts.lineAmount,
      isNumber: true,
      cell: ({ quantity, price, discount }) => <Money vnd={quantity * price - discount} />,
    },
  ]
  return <DataTable columns={columns} rows={order.orderItems} keyOf={({ _id }) => _id} />
}

/** How many pieces of a line the customer brought back. */
function CameBack({ line }: { line: Returns['lines'][number] | undefined }) {
  const { cameBack } = useTexts(orderTexts)
  const { language } = useLanguage()
  const pieces = line === undefined ? 0 : line.quantity - line.quantityLeft
  if (pieces === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {cameBack(formatNumber(pieces, language))}
    </Text>
  )
}

function Amounts({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const methodName = useMethodName()
  const owed = leftToPay(order)
  const toPayBack = owedToCustomer(order)
  const paidBy = methodsOf(order.gatewayPayments)
  // The order names one method, its payments may have several.
  const methods = paidBy.length > 1 ? paidBy : [order.paymentMethod]
  return (
    <Stack gap={6}>
      {sumsOf(order).map(({ label, vnd }) => (
        <Row key={label} label={texts[label]}>
          <Money vnd={vnd} />
        </Row>
      ))}
      <Row label={texts.total} isStrong>
        <Money vnd={order.price} />
      </Row>
      {vatOf(order) !== 0 && (
        <Row label={texts.vatIncluded} mark={<WhatsThis term="vat" of={texts.vat} />}>
          <Money vnd={vatOf(order)} />
        </Row>
      )}
      {order.returnedAmount !== undefined && (
        <>
          <Row label={texts.returnedGoods}>
            <Money vnd={-order.returnedAmount} />
          </Row>
          <Row label={texts.netTotal} isStrong>
            <Money vnd={netOf(order)} />
          </Row>
        </>
      )}
      <Row label={texts.paid}>
        <Money vnd={order.paidAmount} />
      </Row>
      {owed > 0 && (
        <Row label={texts.owed} isStrong>
          <Money vnd={owed} />
        </Row>
      )}
      {toPayBack > 0 && (
        <Row label={texts.toPayBack} isStrong>
          <Money vnd={toPayBack} />
        </Row>
      )}
      <Row label={texts.paymentMethod}>{methods.map(methodName).join(', ')}</Row>
    </Stack>
  )
}

function Row(props: { label: string; mark?: ReactNode; children: ReactNode; isStrong?: boolean }) {
  return (
    <Group justify="space-between" fw={props.isStrong ? 600 : undefined}>
      <Group gap={6} wrap="nowrap">
        {props.label}
        {props.mark}
      </Group>
      <span>{props.children}</span>
    </Group>
  )
}

function Customer({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const { user, userAddress: address } = order
  return (
    <Stack gap={4}>
      {user === null ? (
        <Text c="dimmed">{texts.walkIn}</Text>
      ) : (
        <>
          <Anchor component={Link} to={`/customers/${user._id}`} fw={500}>
            {user.fullName}
          </Anchor>
          <Text>{formatPhone(user.phone)}</Text>
          {user.email !== '' && <Text>{user.email}</Text>}
        </>
      )}
      {address !== null && (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            {texts.address}
          </Text>
          <Text>{[address.name, formatPhone(address.phone)].filter(Boolean).join(' · ')}</Text>
          <Text>
            {[address.addressDetail, address.ward, address.district, address.city].filter(Boolean).join(', ')}
          </Text>
        </>
      )}
      {order.note !== '' && (
        <>
          <Text size="sm" c="dimmed" mt="xs">
            {texts.toCustomer}
          </Text>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{order.note}</Text>
        </>
      )}
    </Stack>
  )
}
