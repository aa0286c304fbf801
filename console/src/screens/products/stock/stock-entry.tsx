import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Warehouse } from '../../../api/rows.ts'
import { useAction } from '../../../components/actions.tsx'
import { keptOf, useTyped } from '../../../components/forms/kept-form.ts'
import { FormDialog } from '../../../components/forms/leave-question.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { useSentOnce } from '../../../components/forms/sent-once.ts'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { ProblemNote } from '../../../components/page.tsx'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/language.tsx'
import { STALE } from '../../stock/note-queries.ts'
import type { Product } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { activeSkus } from '../variants/variant-rows.ts'

const TYPES = ['receive', 'issue', 'count', 'transfer'] as const
type EntryType = (typeof TYPES)[number]
type EntryBody = {
  type: EntryType
  warehouseId: string
  toWarehouseId?: string
  items: { skuId: string; quantity: number }[]
  note: string
}

/** An entry as it is kept over a reload; the choices alone, without any input, are not. */
type Typed = {
  type: EntryType
  from: string
  to: string
  quantities: Record<string, number>
  note: string
}

/** Asks for an entry of stock. */
export function StockEntryDialog(props: {
  opened: boolean
  onClose: () => void
  product: Product
  warehouses: Warehouse[]
}) {
  const { opened, onClose, product, warehouses } = props
  const texts = useTexts(productTexts)
  return (
    <FormDialog opened={opened} onClose={onClose} title={texts.enterStock} size="lg">
      <StockEntry product={product} warehouses={warehouses} onDone={onClose} />
    </FormDialog>
  )
}

/** An entry of stock for the SKUs of one product; all of it or nothing is recorded. */
function StockEntry(props: { product: Product; warehouses: Warehouse[]; onDone: () => void }) {
  const texts = useTexts(productTexts)
  const words = useTexts(common)
  const { product, warehouses } = props
  const first = warehouses.find(({ isDefault }) => isDefault) ?? warehouses[0]
  const { send, unsure } = useSentOnce<EntryBody>(`stock ${product._id}`)
  const [begun] = useState(unsure)
  const second = warehouses.find(({ _id }) => _id !== first?._id)?._id ?? ''
  const [kept] = useState(() => keptOf<Typed>('stock'))
  const [type, setType] = useState<EntryType>(kept?.type ?? begun?.type ?? 'receive')
  const [from, setFrom] = useState(kept?.from ?? begun?.warehouseId ?? first?._id ?? '')
  const [to, setTo] = useState(kept?.to ?? begun?.toWarehouseId ?? second)
  const [quantities, setQuantities] = useState<Record<string, number>>(
    kept?.quantities ?? Object.fromEntries(begun?.items.map((item) => [item.skuId, item.quantity]) ?? []),
  )
  const [note, setNote] = useState(kept?.note ?? begun?.note ?? '')
  const isBegun = Object.keys(quantities).length > 0 || note !== ''
  const typed = useTyped<Partial<Typed>>('stock', isBegun ? { type, from, to, quantities, note } : {}, {})
  const skus = activeSkus(product)
  // A count may be 0. All other entries move at least one piece.
  const items = skus.flatMap(({ _id }) => {
    const quantity = quantities[_id]
    return quantity === undefined || (quantity === 0 && type !== 'count') ? [] : [{ skuId: _id, quantity }]
  })
  const saving = useAction({
    form: typed,
    run: () => {
      const toWarehouseId = type === 'transfer' ? { toWarehouseId: to } : {}
      const body = { type, warehouseId: from, ...toWarehouseId, items, note }
      return send(body, (headers) =>
        dataOf(api.POST('/api/external/v1/inventory/entries', { body, headers })),
      )
    },
    stale: STALE,
    done: texts.recorded,
    quiet: true,
    onDone: props.onDone,
  })
  const places = warehouses.map(({ _id, name }) => ({ value: _id, label: name }))

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(undefined)
      }}
    >
      <Stack>
        {saving.error !== null && <ProblemNote error={saving.error} />}
        {unsure !== undefined && !saving.isPending && <Alert color="yellow">{words.unsure}</Alert>}
        <SegmentedControl
          aria-label={texts.type}
          fullWidth
          value={type}
          onChange={(value) => setType(value as EntryType)}
          data={TYPES.map((value) => ({ value, label: texts.entryTypes[value] }))}
        />
        <Text size="sm" c="dimmed">
          {texts.entryHints[type]}
        </Text>
        <Group grow>
          <Select
            label={texts.warehouse}
            data={places}
            value={from}
            allowDeselect={false}
            onChange={(id) => {
              if (id === to) setTo(from)
              setFrom(id ?? from)
            }}
          />
          {type === 'transfer' && (
            <Select
              label={texts.toWarehouse}
              data={places.filter(({ value }) => value !== from)}
              value={to}
              allowDeselect={false}
              onChange={(id) => setTo(id ?? to)}
            />
          )}
        </Group>
        {skus.map(({ _id, name }, at) => (
          <WholeNumberInput
            key={_id}
            label={texts.quantityOf(name || product.name)}
            data-autofocus={at === 0 || undefined}
            value={quantities[_id] ?? null}
            onChange={(pieces) => setQuantities(withQuantity(quantities, _id, pieces))}
          />
        ))}
        <TextInput
          label={words.note}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          {items.length === 0 && (
            <Text size="sm" c="dimmed">
              {texts.entryNeedsQuantity}
            </Text>
          )}
          <Button type="submit" loading={saving.isPending} disabled={items.length === 0}>
            {texts.record}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function withQuantity(before: Record<string, number>, skuId: string, pieces: number | null) {
  if (pieces !== null) return { ...before, [skuId]: pieces }
  return Object.fromEntries(Object.entries(before).filter(([id]) => id !== skuId))
}
