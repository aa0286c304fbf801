import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { ask } from '../../components/dialogs/questions.tsx'
import { keptOf, useTyped } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { formatVnd } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { leftToPay } from './order-price.ts'
import type { Order } from './order-queries.ts'
import { isCancellable, type Status, statusesAfter, useMethodName } from './order-values.tsx'
import { OtherStatuses } from './other-statuses.tsx'
import { REFUND_METHODS, recordChange } from './payments.ts'
import { orderTexts } from './texts.ts'

/** A button for the next status, and a menu for later ones. Cancelling asks for the reason. */
export function StatusActions({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const [isCancelling, cancelling] = useDisclosure()
  const client = useQueryClient()
  const { language } = useLanguage()
  const move = (body: { status: Status; reasonCancel?: string }) =>
    dataOf(api.PATCH('/api/external/v1/orders/{id}/status', { params: { path: { id: order._id } }, body }))
  const stale = [['orders'], ['products']]
  const moving = useAction({ run: (status: Status) => move({ status }), stale, done: texts.moved })
  const cancellation = useAction({
    async run({ reasonCancel, refundBy }: Cancellation) {
      const { data } = await move({ status: 'cancelled', reasonCancel })
      if (refundBy === undefined) return
      const refund = { vnd: -data.paidAmount, paymentMethod: refundBy }
      // The order is already cancelled, so this says what is left to do instead of reporting a failure.
      await recordChange(client, data, refund).catch(() =>
        notifications.show({
          color: 'red',
          autoClose: false,
          message: texts.notRefunded(formatVnd(data.paidAmount, language)),
        }),
      )
    },
    stale,
    done: texts.cancelled,
    onDone: cancelling.close,
  })
  const moveTo = (status: Status) => {
    const left = leftToPay(order)
    if (status !== 'completed' || left === 0 || order.isPaid) return moving.mutate(status)
    ask({
      title: texts.owedTitle(order.code),
      children: <Text size="sm">{texts.owedQuestion(formatVnd(left, language))}</Text>,
      labels: { confirm: texts.moveTo.completed, cancel: texts.keepOpen },
      onConfirm: () => moving.mutate(status),
    })
  }
  const [next, ...others] = statusesAfter(order.status)
  return (
    <Group gap="xs">
      {isCancellable(order.status) && (
        <Button variant="light" color="red" onClick={cancelling.open}>
          {texts.cancel}
        </Button>
      )}
      {next !== undefined && (
        <Button.Group>
          <Button loading={moving.isPending} onClick={() => moveTo(next)}>
            {texts.moveTo[next]}
          </Button>
          {others.length > 0 && <OtherStatuses statuses={others} onChoose={moveTo} />}
        </Button.Group>
      )}
      <FormDialog opened={isCancelling} onClose={cancelling.close} title={texts.cancelTitle(order.code)}>
        <CancelForm
          order={order}
          isBusy={cancellation.isPending}
          onKeep={cancelling.close}
          onCancel={cancellation.mutate}
        />
      </FormDialog>
    </Group>
  )
}

/** `refundBy`: the method by which the payment is returned now; undefined if nothing was paid, or it is returned later. */
type Cancellation = { reasonCancel: string; refundBy: string | undefined }
const LATER = 'later'

function CancelForm(props: {
  order: Order
  isBusy: boolean
  onKeep: () => void
  onCancel: (given: Cancellation) => void
}) {
  const texts = useTexts(orderTexts)
  const { language } = useLanguage()
  const methodName = useMethodName()
  const { paidAmount, paymentMethod } = props.order
  const [refundBy, setRefundBy] = useState(REFUND_METHODS.includes(paymentMethod) ? paymentMethod : 'cash')
  const [reason, setReason] = useState(() => keptOf<string>('cancel') ?? '')
  useTyped('cancel', reason, '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const isLater = paidAmount === 0 || refundBy === LATER
        props.onCancel({ reasonCancel: reason, refundBy: isLater ? undefined : refundBy })
      }}
    >
      <Stack>
        <Text size="sm">{texts.cancelHint}</Text>
        <Textarea
          label={texts.reason}
          data-autofocus
          autosize
          minRows={2}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {paidAmount > 0 && (
          <Select
            label={texts.refund(formatVnd(paidAmount, language))}
            allowDeselect={false}
            data={[
              ...REFUND_METHODS.map((value) => ({ value, label: methodName(value) })),
              { value: LATER, label: texts.refundLater },
            ]}
            value={refundBy}
            onChange={(value) => setRefundBy(value ?? LATER)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onKeep}>
            {texts.keep}
          </Button>
          <Button type="submit" color="red" loading={props.isBusy}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
