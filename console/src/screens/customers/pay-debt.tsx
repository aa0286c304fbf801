import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { randomId } from '@shopbell/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { FormDialog } from '../../components/forms/leave-question.tsx'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { ProblemNote } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatVnd } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useMethodName } from '../orders/order-values.tsx'
import { METHODS } from '../orders/payments.ts'
import { debtQuery } from './customer-queries.ts'
import { customerTexts } from './texts.ts'

/** Takes what the customer pays for everything that is owed; nothing where nothing is. */
export function PayDebt({ customerId }: { customerId: string }) {
  const texts = useTexts(customerTexts)
  const [isOpen, dialog] = useDisclosure()
  const { data } = useQuery(debtQuery(customerId))
  if (data === undefined || data.debt === 0) return null
  return (
    <>
      <Button onClick={dialog.open}>{texts.payDebt}</Button>
      <FormDialog opened={isOpen} onClose={dialog.close} title={texts.payDebt}>
        {isOpen && <PaymentForm customerId={customerId} debt={data} onDone={dialog.close} />}
      </FormDialog>
    </>
  )
}

type Debt = { debt: number; oldest: { _id: string; code: string; left: number }[] }

function PaymentForm(props: { customerId: string; debt: Debt; onDone: () => void }) {
  const { customerId, debt, onDone } = props
  const texts = useTexts(customerTexts)
  const { save, note } = useTexts(common)
  const { language } = useLanguage()
  const methodName = useMethodName()
  // Whatever the network does, it is one payment: until the form is changed, the same key.
  const [keys] = useState(() => new Map<string, string>())
  const form = useKeptForm(`debt ${customerId}`, {
    vnd: debt.debt as number | null,
    paymentMethod: 'cash',
    note: '',
  })
  const paying = useAction({
    form,
    run({ vnd, ...rest }: typeof form.values) {
      const body = { ...rest, amount: vnd ?? 0 }
      const text = JSON.stringify(body)
      const key = keys.get(text) ?? randomId()
      keys.set(text, key)
      return dataOf(
        api.POST('/api/external/v1/customers/{id}/payments', {
          params: { path: { id: customerId } },
          headers: { 'idempotency-key': key },
          body,
        }),
      )
    },
    stale: [['orders'], ['customers'], ['shifts']],
    done: texts.debtPaid,
    quiet: true,
    onDone,
  })
  const vnd = form.values.vnd ?? 0
  const isTooMuch = vnd > debt.debt
  return (
    <form onSubmit={form.onSubmit((values) => paying.mutate(values))}>
      <Stack>
        {paying.error !== null && <ProblemNote error={paying.error} />}
        <MoneyInput
          label={texts.paysNow}
          description={texts.owedNow(formatVnd(debt.debt, language))}
          data-autofocus
          {...form.getInputProps('vnd')}
          error={isTooMuch ? texts.aboveDebt : form.errors.amount}
        />
        <Stack gap={4} component="section" aria-label={texts.spread}>
          {spread(vnd, debt).map(({ _id, code, part, left }) => (
            <Group key={_id} justify="space-between">
              <Text size="sm">
                {code}
                <Text span size="xs" c="dimmed" ml={6}>
                  {left === 0 ? texts.paidUp : texts.stillOwed(formatVnd(left, language))}
                </Text>
              </Text>
              <Money vnd={part} />
            </Group>
          ))}
        </Stack>
        <Select
          label={texts.method}
          allowDeselect={false}
          data={METHODS.map((value) => ({ value, label: methodName(value) }))}
          {...form.getInputProps('paymentMethod')}
        />
        <Textarea label={note} autosize minRows={2} {...form.getInputProps('note')} />
        <Group justify="flex-end">
          <Button type="submit" loading={paying.isPending} disabled={vnd === 0 || isTooMuch}>
            {save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What each order gets of a payment, as the service spreads it: the oldest first. */
function spread(vnd: number, { oldest }: Debt) {
  let rest = vnd
  return oldest.flatMap(({ _id, code, left }) => {
    const part = Math.min(rest, left)
    rest -= part
    return part === 0 ? [] : [{ _id, code, part, left: left - part }]
  })
}
