import { Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { MoneyInput } from '../../components/money-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { formatVnd } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Order } from './order-queries.ts'
import { useMethodName } from './order-values.tsx'
import { orderTexts } from './texts.ts'

const METHODS = ['cash', 'transfer', 'card', 'cod']

/** Records what has been paid in all: repeating it adds nothing. */
export function PaymentAction({ order }: { order: Order }) {
  const texts = useTexts(orderTexts)
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="light" onClick={dialog.open}>
        {texts.recordPayment}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={texts.recordPayment}>
        <PaymentForm order={order} onDone={dialog.close} />
      </Modal>
    </>
  )
}

function PaymentForm({ order, onDone }: { order: Order; onDone: () => void }) {
  const texts = useTexts(orderTexts)
  const { save, note } = useTexts(common)
  const { language } = useLanguage()
  const methodName = useMethodName()
  const form = useForm({
    initialValues: {
      paidAmount: order.price as number | null,
      paymentMethod: order.paymentMethod || 'cash',
      note: '',
    },
  })
  const saving = useAction({
    form,
    run: (values: typeof form.values) =>
      dataOf(
        api.PATCH('/api/external/v1/orders/{id}/payment', {
          params: { path: { id: order._id } },
          body: { ...values, paidAmount: values.paidAmount ?? 0 },
        }),
      ),
    stale: [['orders']],
    done: texts.paymentSaved,
    quiet: true,
    onDone,
  })
  const methods = [...new Set([...METHODS, form.values.paymentMethod])]
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))}>
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        <MoneyInput
          label={texts.paidInAll}
          description={texts.paidHint(formatVnd(order.price, language))}
          data-autofocus
          {...form.getInputProps('paidAmount')}
        />
        <Select
          label={texts.paymentMethod}
          allowDeselect={false}
          data={methods.map((value) => ({ value, label: methodName(value) }))}
          {...form.getInputProps('paymentMethod')}
        />
        <Textarea label={note} autosize minRows={2} {...form.getInputProps('note')} />
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
