import {
  Alert,
  Button,
  Checkbox,
  Group,
  type InputWrapperProps,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { isRefusal } from '../../../api/outcome.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Warehouse } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { ask } from '../../../components/dialogs/questions.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { Loaded, ProblemNote } from '../../../components/page.tsx'
import { Money } from '../../../components/values.tsx'
import { formatNumber, formatVnd } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { warehousesQuery } from '../../products/product-queries.ts'
import { leftToPay } from '../order-price.ts'
import { type Order, type Returns, returnsQuery } from '../order-queries.ts'
import { useMethodName } from '../order-values.tsx'
import { isChangedMeanwhile, REFUND_METHODS } from '../payments.ts'
import { orderTexts } from '../texts.ts'
import { ReturnLines } from './return-lines.tsx'
import { chosenOf, type Quantities, sumsOfReturn } from './return-sums.ts'
import { returnTexts } from './texts.ts'

type ReturnBody = {
  lines: { orderItemId: string; quantity: number }[]
  fee: number
  refundAmount: number
  paymentMethod: string
  restock: boolean
  warehouseId?: string
  note: string
}
type FormValues = {
  quantities: Quantities
  fee: number | null
  /** Absent until the person types a sum: it follows the quantities. */
  refundAmount?: number | null
  paymentMethod: string
  restock: boolean
  warehouseId: string
  note: string
}

/** So that fields side by side are level. */
const HINT_LAST: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'error', 'description']

/** Asks which goods of an order the customer brings back. */
export function ReturnDialog({ order, onDone }: { order: Order; onDone: () => void }) {
  // A colleague may have booked a return since the order was read.
  const returns = useQuery({ ...returnsQuery(order), refetchOnMount: 'always' })
  const warehouses = useQuery(warehousesQuery)
  return (
    <Loaded query={returns}>
      {({ lines }) => (
        <Loaded query={warehouses}>
          {(places) => <ReturnForm order={order} lines={lines} warehouses={places} onDone={onDone} />}
        </Loaded>
      )}
    </Loaded>
  )
}

type Form = { order: Order; lines: Returns['lines']; warehouses: Warehouse[]; onDone: () => void }

function ReturnForm({ order, lines, warehouses, onDone }: Form) {
  const texts = useTexts(returnTexts)
  const { returnGoods, paymentMethod: methodLabel, keepOpen } = useTexts(orderTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  const methodName = useMethodName()
  const client = useQueryClient()
  const consequenceOf = useConsequence(order, warehouses)
  const money = (vnd: number) => formatVnd(vnd, language)
  const { send, unsure, isUnsure } = useSentOnce<ReturnBody>(`return ${order._id}`)
  const method = order.paymentMethod === 'cod' ? 'cash' : order.paymentMethod || 'cash'
  const sumsOf = ({ quantities, fee, refundAmount }: FormValues) =>
    sumsOfReturn(order, lines, {
      quantities,
      feeVnd: fee ?? 0,
      refundVnd: refundAmount === undefined ? undefined : (refundAmount ?? 0),
    })
  const bodyOf = (values: FormValues): ReturnBody => ({
    lines: chosenOf(lines, values.quantities),
    fee: values.fee ?? 0,
    refundAmount: sumsOf(values).refundVnd,
    paymentMethod: values.paymentMethod,
    restock: values.restock,
    ...(values.restock && warehouses.length > 1 && { warehouseId: values.warehouseId }),
    note: values.note,
  })
  const problemsOf = (values: FormValues): Record<string, string> => {
    const { valueVnd, refundVnd, mostVnd } = sumsOf(values)
    const above = lines.filter(
      ({ orderItemId, quantityLeft }) => (values.quantities[orderItemId] || 0) > quantityLeft,
    )
    return {
      ...Object.fromEntries(
        above.map(({ orderItemId, quantityLeft }) => [
          `quantities.${orderItemId}`,
          texts.aboveLeft(formatNumber(quantityLeft, language)),
        ]),
      ),
      ...((values.fee ?? 0) > valueVnd && { fee: texts.aboveValue }),
      ...(refundVnd > mostVnd && { refundAmount: texts.aboveMost(money(mostVnd)) }),
    }
  }
  const { lines: sent = [], ...sentValues } = unsure ?? {}
  const defaultPlace = warehouses.find(({ isDefault }) => isDefault)?._id ?? ''
  const form = useKeptForm<FormValues>(
    'return',
    {
      quantities: Object.fromEntries(sent.map((line) => [line.orderItemId, line.quantity])),
      fee: null,
      paymentMethod: method,
      note: '',
      restock: true,
      warehouseId: defaultPlace,
      ...sentValues,
    },
    {
      validate: (values) => {
        const body = bodyOf(values)
        // An earlier attempt may have booked it already, so less may be left now.
        if (isUnsure(body)) return {}
        const first = lines.find(({ quantityLeft }) => quantityLeft > 0)?.orderItemId
        return body.lines.length === 0 ? { [`quantities.${first}`]: texts.noneChosen } : problemsOf(values)
      },
    },
  )
  const { values } = form
  const sums = sumsOf(values)
  const mayBeBooked = isUnsure(bodyOf(values))
  const problems = mayBeBooked ? {} : problemsOf(values)
  const saving = useAction({
    form,
    async run({ seen, body }: { seen: Order; body: ReturnBody }) {
      try {
        return await send(body, (headers) =>
          dataOf(
            api.POST('/api/external/v1/orders/{id}/returns', {
              params: { path: { id: seen._id } },
              headers: { ...headers, 'if-match': `"${seen.__v}"` },
              body,
            }),
          ),
        )
      } catch (error) {
        if (isChangedMeanwhile(error)) await client.invalidateQueries({ queryKey: ['orders'] })
        // The next attempt must be the same, although the order may cost less by now.
        if (!isRefusal(error)) form.setFieldValue('refundAmount', body.refundAmount)
        throw error
      }
    },
    stale: [['orders'], ['products'], ['movements'], ['customers'], ['shifts']],
    done: texts.done,
    quiet: true,
    onDone,
  })
  const isValid = sums.pieces > 0 && Object.keys(problems).length === 0
  const consequence = isValid && !mayBeBooked ? consequenceOf(sums, values) : undefined
  const submit = (given: FormValues) => {
    const book = () => saving.mutate({ seen: order, body: bodyOf(given) })
    if (consequence === undefined) return book()
    ask({
      title: texts.question(order.code),
      children: (
        <Text size="sm">
          {consequence} {texts.final}
        </Text>
      ),
      labels: { confirm: returnGoods, cancel: keepOpen },
      onConfirm: book,
    })
  }
  const owed = leftToPay(order)
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        {saving.error !== null &&
          (isChangedMeanwhile(saving.error) ? (
            <Alert color="yellow">{texts.meanwhile}</Alert>
          ) : (
            <ProblemNote error={saving.error} />
          ))}
        {unsure !== undefined && !saving.isPending && <Alert color="yellow">{words.unsure}</Alert>}
        <ReturnLines
          lines={lines}
          fieldOf={(id) => ({
            ...form.getInputProps(`quantities.${id}`),
            value: values.quantities[id] ?? 0,
            onChange: (pieces) => form.setFieldValue(`quantities.${id}`, pieces ?? ''),
            error: problems[`quantities.${id}`] ?? form.errors[`quantities.${id}`],
          })}
          onAll={() =>
            form.setFieldValue(
              'quantities',
              Object.fromEntries(lines.map(({ orderItemId, quantityLeft }) => [orderItemId, quantityLeft])),
            )
          }
        />
        {!mayBeBooked && (
          <Group justify="space-between" fw={600}>
            {texts.value}
            <Money vnd={sums.valueVnd} />
          </Group>
        )}
        {owed > 0 && !mayBeBooked && <Text size="sm">{texts.debtFirst(money(owed))}</Text>}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MoneyInput
            label={texts.fee}
            description={texts.feeHint}
            inputWrapperOrder={HINT_LAST}
            {...form.getInputProps('fee')}
            error={problems.fee ?? form.errors.fee}
          />
          <MoneyInput
            label={texts.refund}
            description={mayBeBooked ? undefined : texts.refundHint(money(sums.mostVnd))}
            inputWrapperOrder={HINT_LAST}
            {...form.getInputProps('refundAmount')}
            value={values.refundAmount === undefined ? sums.refundVnd : values.refundAmount}
            error={problems.refundAmount ?? form.errors.refundAmount}
            onFocus={(event) => event.currentTarget.select()}
          />
        </SimpleGrid>
        <Select
          label={methodLabel}
          allowDeselect={false}
          data={[...new Set([...REFUND_METHODS, method, values.paymentMethod])].map((value) => ({
            value,
            label: methodName(value),
          }))}
          {...form.getInputProps('paymentMethod')}
        />
        <Checkbox
          label={texts.restock}
          description={texts.restockHint}
          {...form.getInputProps('restock', { type: 'checkbox' })}
        />
        {warehouses.length > 1 && values.restock && (
          <Select
            label={texts.warehouse}
            allowDeselect={false}
            data={warehouses.map(({ _id, name }) => ({ value: _id, label: name }))}
            {...form.getInputProps('warehouseId')}
          />
        )}
        <Textarea label={words.note} autosize minRows={2} maxLength={1000} {...form.getInputProps('note')} />
        {consequence !== undefined && <Text size="sm">{consequence}</Text>}
        <Group justify="flex-end">
          <Button type="submit" loading={saving.isPending}>
            {returnGoods}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Says what a return does: to the customer's money, to the order's debt, and to the stock. */
function useConsequence(order: Order, warehouses: Warehouse[]) {
  const texts = useTexts(returnTexts)
  const { getsBack, willOwe } = useTexts(orderTexts)
  const { language } = useLanguage()
  const money = (vnd: number) => formatVnd(vnd, language)
  return (sums: ReturnType<typeof sumsOfReturn>, { restock, warehouseId }: FormValues): string => {
    const pieces = formatNumber(sums.pieces, language)
    const place = warehouses.length > 1 ? warehouses.find(({ _id }) => _id === warehouseId)?.name : undefined
    return [
      sums.refundVnd > 0 ? getsBack(money(sums.refundVnd)) : texts.noRefund,
      sums.owedVnd > 0 ? willOwe(money(sums.owedVnd)) : leftToPay(order) > 0 && texts.owesNothing,
      sums.heldVnd > 0 && texts.keepsHeld(money(sums.heldVnd)),
      restock ? texts.goIn(pieces, place ?? '') : texts.goNowhere(pieces),
    ]
      .filter(Boolean)
      .join(' ')
  }
}
