import { Alert, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { formatVnd } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Order } from './order-queries.ts'
import { useMethodName } from './order-values.tsx'
import { isChangedMeanwhile, leftToPay, METHODS, recordChange } from './payments.ts'
import { orderTexts } from './texts.ts'

/** Records a payment by the customer, or a refund. */
export function PaymentAction({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="light" onClick={dialog.open}>
        {texts.recordPayment}
      </Button>
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.recordPayment}>
        <PaymentForm order={order} onDone={dialog.close} />
      </FormDialog>
    </>
  )
}

function PaymentForm({ order, onDone }: { order: Order; onDone: () => void }) {
  const texts = useTexts(orderTexts)
  const { save, note } = useTexts(common)
  const { language } = useLanguage()
  const client = useQueryClient()
  const methodName = useMethodName()
  const left = leftToPay(order)
  const isBackOnly = left === 0
  const form = useKeptForm('payment', {
    isBack: isBackOnly,
    vnd: (isBackOnly ? order.paidAmount : left) as number | null,
    paymentMethod: order.paymentMethod || 'cash',
    note: '',
  })
  const { isBack, vnd: typed, paymentMethod } = form.values
  // The method alone may also be corrected.
  const isNothing = (typed ?? 0) === 0 && paymentMethod === order.paymentMethod
  const saving = useAction({
    form,
    run: ({ isBack: back, vnd, ...rest }: typeof form.values) =>
      recordChange(client, order, { ...rest, vnd: (back ? -1 : 1) * (vnd ?? 0) }),
    stale: [['orders']],
    done: texts.paymentSaved,
    quiet: true,
    onDone,
  })
  const methods = [...new Set([...METHODS, paymentMethod])]
  const paid = formatVnd(order.paidAmount, language)
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null &&
          (isChangedMeanwhile(saving.error) ? (
            <Alert color="yellow">{texts.paidMeanwhile}</Alert>
          ) : (
            <ProblemNote error={saving.error} />
          ))}
        {order.paidAmount > 0 && !isBackOnly && (
          <SegmentedControl
            data={[
              { value: 'in', label: texts.paidIn },
              { value: 'back', label: texts.paidBack },
            ]}
            value={isBack ? 'back' : 'in'}
            onChange={(value) =>
              form.setValues({ isBack: value === 'back', vnd: value === 'back' ? order.paidAmount : left })
            }
          />
        )}
        <MoneyInput
          label={isBack ? texts.givenBack : texts.paidNow}
          description={
            isBack ? texts.givenBackHint(paid) : texts.paidNowHint(paid, formatVnd(left, language))
          }
          data-autofocus
          {...form.getInputProps('vnd')}
          error={form.errors.paidAmount}
        />
        <Select
          label={texts.paymentMethod}
          allowDeselect={false}
          data={methods.map((value) => ({ value, label: methodName(value) }))}
          {...form.getInputProps('paymentMethod')}
        />
        <Textarea label={note} autosize minRows={2} {...form.getInputProps('note')} />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending} disabled={isNothing}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
