import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../components/actions.tsx'
import { ask } from '../../components/dialogs/questions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { formatVnd } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { leftToPay, netOf, paidTooMuch } from './order-price.ts'
import type { Order } from './order-queries.ts'
import { useMethodName } from './order-values.tsx'
import { isChangedMeanwhile, METHODS, recordChange } from './payments.ts'
import { orderTexts } from './texts.ts'

/** Records a payment by the customer while something is left to pay, and otherwise a refund. */
export function PaymentAction({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const [isOpen, dialog] = useDisclosure()
  // An open dialog stays what it is when somebody else records the rest.
  const [isRefund, setIsRefund] = useState(false)
  const open = (refund: boolean) => {
    setIsRefund(refund)
    dialog.open()
  }
  return (
    <>
      {leftToPay(order) > 0 ? (
        <Button size="xs" variant="light" onClick={() => open(false)}>
          {texts.recordPayment}
        </Button>
      ) : (
        order.paidAmount > 0 && (
          <Button size="xs" variant="default" onClick={() => open(true)}>
            {texts.paidBack}
          </Button>
        )
      )}
      <FormDialog
        opened={isOpen}
        onClose={dialog.close}
        title={isRefund ? texts.paidBack : texts.recordPayment}
      >
        <PaymentForm order={order} isRefund={isRefund} onDone={dialog.close} />
      </FormDialog>
    </>
  )
}

function PaymentForm(props: { order: Order; isRefund: boolean; onDone: () => void }) {
  const texts = useTexts(orderTexts)
  const { save, note, aboveZero } = useTexts(common)
  const { language } = useLanguage()
  const client = useQueryClient()
  const methodName = useMethodName()
  const { order, isRefund, onDone } = props
  const left = leftToPay(order)
  const refundVnd = paidTooMuch(order) || null
  const method = order.paymentMethod || 'cash'
  const money = (sum: number) => formatVnd(sum, language)
  const paid = money(order.paidAmount)
  const tooMuchOf = (values: { isBack: boolean; vnd: number | null }) => {
    const sum = values.vnd ?? 0
    if (values.isBack) return sum > order.paidAmount ? texts.aboveRefund(paid) : undefined
    return sum > left ? texts.abovePayment(money(left)) : undefined
  }
  const form = useKeptForm(
    isRefund ? 'refund' : 'payment',
    {
      isBack: isRefund,
      vnd: isRefund ? refundVnd : (left as number | null),
      paymentMethod: method,
      note: '',
    },
    {
      validate: {
        vnd: (sum, values) => {
          // The method alone may also be corrected.
          return tooMuchOf(values) ?? (!sum && values.paymentMethod === method ? aboveZero : null)
        },
      },
    },
  )
  const { isBack, vnd: typed, paymentMethod } = form.values
  const vnd = typed ?? 0
  const isRefunded = isBack && vnd > 0
  const tooMuch = tooMuchOf(form.values)
  const isMethod = vnd === 0 && paymentMethod !== method
  const saving = useAction({
    form,
    // The order that the person saw: it may have been read again while a question was open.
    run: ({ seen, values }: { seen: Order; values: typeof form.values }) => {
      const { isBack: back, vnd: sum, ...rest } = values
      return recordChange(client, seen, { ...rest, vnd: (back ? -1 : 1) * (sum ?? 0) })
    },
    stale: [['orders']],
    done: isRefunded ? texts.refundSaved : texts.paymentSaved,
    quiet: true,
    onDone,
  })
  const methods = [...new Set([...METHODS, paymentMethod])]
  const owed = order.status === 'cancelled' ? 0 : netOf(order) - order.paidAmount + vnd
  const consequence = [
    texts.getsBack(money(vnd)),
    owed > 0 && texts.willOwe(money(owed)),
    owed > 0 && order.status === 'completed' && texts.forGoods,
  ]
    .filter(Boolean)
    .join(' ')
  const submit = (values: typeof form.values) => {
    const record = () => saving.mutate({ seen: order, values })
    if (!isRefunded) return record()
    ask({
      title: texts.refundTitle(order.code),
      children: <Text size="sm">{consequence}</Text>,
      labels: { confirm: texts.paidBack, cancel: texts.keepOpen },
      confirmProps: { color: 'red' },
      onConfirm: record,
    })
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {saving.error !== null &&
          (isChangedMeanwhile(saving.error) ? (
            <Alert color="yellow">{texts.paidMeanwhile}</Alert>
          ) : (
            <ProblemNote error={saving.error} />
          ))}
        {order.paidAmount > 0 && !isRefund && (
          <SegmentedControl
            data={[
              { value: 'in', label: texts.paidIn },
              { value: 'back', label: texts.paidBack },
            ]}
            value={isBack ? 'back' : 'in'}
            onChange={(value) =>
              form.setValues({ isBack: value === 'back', vnd: value === 'back' ? refundVnd : left })
            }
          />
        )}
        <MoneyInput
          label={isBack ? texts.givenBack : texts.paidNow}
          description={isBack ? texts.givenBackHint(paid) : texts.paidNowHint(paid, money(left))}
          data-autofocus
          {...form.getInputProps('vnd')}
          error={tooMuch ?? form.errors.paidAmount ?? form.errors.vnd}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Select
          label={texts.paymentMethod}
          allowDeselect={false}
          data={methods.map((value) => ({ value, label: methodName(value) }))}
          {...form.getInputProps('paymentMethod')}
        />
        <Textarea label={note} autosize minRows={2} {...form.getInputProps('note')} />
        {isRefunded && !tooMuch && <Text size="sm">{consequence}</Text>}
        {isMethod && order.paidAmount > 0 && (
          <Text size="sm">{texts.methodMoves(methodName(method), methodName(paymentMethod))}</Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" {...(isBack && !isMethod && { color: 'red' })} loading={saving.isPending}>
            {isBack && !isMethod ? texts.paidBack : save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
