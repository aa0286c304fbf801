import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useAction } from '../../components/actions.tsx'
import { useKeptForm } from '../../components/forms/kept-form.ts'
import { MoneyInput } from '../../components/forms/money-input.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { useSentOnce } from '../../components/forms/sent-once.ts'
import { ProblemNote } from '../../components/page.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber, formatVnd } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useMethodName } from '../orders/order-values.tsx'
import { METHODS } from '../orders/payments.ts'
import { debtQuery } from './customer-queries.ts'
import { customerTexts } from './texts.ts'

type Debt = {
  debt: number
  opening: { left: number } | null
  orders: number
  oldest: { _id: string; code: string; left: number }[]
}
type PaymentBody = { amount: number; paymentMethod: string; note: string }
type FormValues = Omit<PaymentBody, 'amount'> & { amount: number | null }

const bodyOf = (values: FormValues): PaymentBody => ({ ...values, amount: values.amount ?? 0 })

/** The form for a customer's payment, which pays the oldest order first. */
export function DebtForm(props: { customerId: string; debt: Debt; onDone: () => void }) {
  const { customerId, debt, onDone } = props
  const texts = useTexts(customerTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const methodName = useMethodName()
  const client = useQueryClient()
  const { send, unsure, isUnsure } = useSentOnce<PaymentBody>(`debt ${customerId}`)
  const form = useKeptForm<FormValues>(
    `debt ${customerId}`,
    unsure ?? { amount: debt.debt, paymentMethod: 'cash', note: '' },
    {
      validate: {
        amount: (vnd, values) => {
          if (!vnd) return words.aboveZero
          return isAboveDebt(values) ? texts.aboveDebt : null
        },
      },
    },
  )
  // An earlier attempt may have recorded the payment already, so the debt may be lower now.
  const isAboveDebt = (values: FormValues) => (values.amount ?? 0) > debt.debt && !isUnsure(bodyOf(values))
  const paying = useAction({
    form,
    async run(values: FormValues) {
      const path = { id: customerId }
      const body = bodyOf(values)
      try {
        return await send(body, (headers) =>
          dataOf(api.POST('/api/external/v1/customers/{id}/payments', { params: { path }, headers, body })),
        )
      } catch (error) {
        // The current debt is shown beside the refusal.
        void client.invalidateQueries(debtQuery(customerId))
        throw error
      }
    },
    stale: [['orders'], ['customers'], ['shifts']],
    done: texts.debtPaid,
    quiet: true,
    onDone,
  })
  const vnd = form.values.amount ?? 0
  return (
    <form onSubmit={form.onSubmit((values) => paying.mutate(values))}>
      <Stack>
        {paying.error !== null && <ProblemNote error={paying.error} />}
        {unsure !== undefined && !paying.isPending && <Alert color="yellow">{words.unsure}</Alert>}
        <MoneyInput
          label={texts.paysNow}
          description={texts.owedNow(formatVnd(debt.debt, language))}
          autoFocus
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          {...form.getInputProps('amount')}
          error={isAboveDebt(form.values) ? texts.aboveDebt : form.errors.amount}
        />
        {!isUnsure(bodyOf(form.values)) && <Spread vnd={vnd} debt={debt} />}
        <Select
          label={texts.method}
          allowDeselect={false}
          data={METHODS.map((value) => ({ value, label: methodName(value) }))}
          {...form.getInputProps('paymentMethod')}
        />
        <Textarea label={words.note} autosize minRows={2} {...form.getInputProps('note')} />
        <Group justify="flex-end">
          <Button type="submit" loading={paying.isPending}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Spread({ vnd, debt }: { vnd: number; debt: Debt }) {
  const texts = useTexts(customerTexts)
  const { language } = useLanguage()
  const { opening, parts, others } = spread(vnd, debt)
  const unlisted = debt.orders - debt.oldest.length
  return (
    <Stack gap={4} component="section" aria-label={texts.spread}>
      {opening > 0 && (
        <Group justify="space-between">
          <Text size="sm">{texts.openingDebt}</Text>
          <Money vnd={opening} />
        </Group>
      )}
      {parts.map(({ _id, code, part, left }) => (
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
      {others > 0 && unlisted > 0 && (
        <Group justify="space-between">
          <Text size="sm">{texts.toOthers(formatNumber(unlisted, language))}</Text>
          <Money vnd={others} />
        </Group>
      )}
    </Stack>
  )
}

/**
 * The parts of a payment that the opening debt and each listed order get, oldest first, as the service divides it, and the part for
 * newer orders.
 */
function spread(vnd: number, { opening, oldest }: Debt) {
  const toOpening = Math.min(vnd, opening?.left ?? 0)
  let rest = vnd - toOpening
  const parts = oldest.flatMap(({ _id, code, left }) => {
    const part = Math.min(rest, left)
    rest -= part
    return part === 0 ? [] : [{ _id, code, part, left: left - part }]
  })
  return { opening: toOpening, parts, others: rest }
}
