import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { MoneyInput } from '../../../components/forms/money-input.tsx'
import { Select } from '../../../components/forms/select/select.tsx'
import { WholeNumberInput } from '../../../components/forms/whole-number-input.tsx'
import { Card } from '../../../components/page.tsx'
import { Sheet } from '../../../components/sheet/sheet.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { warehousesQuery } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { ONLY_SKU } from '../variants/tier-rows.ts'
import { type Made, rowsIn } from '../variants/variant-rows.ts'
import { numbersOf, type Opening } from './opening.ts'

const MOST = { pieces: 1_000_000_000, costs: 1_000_000_000_000 }
type Name = keyof typeof MOST

/** The existing pieces of a new product, per variant if it has some. */
export const OpeningStock = memo(function OpeningStock(props: {
  made: Made
  opening: Opening
  onChange: (change: (before: Opening) => Opening) => void
}) {
  const texts = useTexts(productTexts)
  const { made, opening, onChange } = props
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const first = warehouses.find(({ isDefault }) => isDefault) ?? warehouses[0]
  const rows = rowsIn(made, 0)
  const shown = { pieces: numbersOf(opening.pieces, rows), costs: numbersOf(opening.costs, rows) }
  /** A number that is undefined was emptied. */
  const set = (changes: { name: Name; key: string; number: number | undefined }[]) =>
    onChange((before) => {
      const numbers = { pieces: numbersOf(before.pieces, rows), costs: numbersOf(before.costs, rows) }
      for (const { name, key, number } of changes) {
        if (number === undefined) numbers[name].delete(key)
        else numbers[name].set(key, number)
      }
      return { ...before, pieces: [...numbers.pieces], costs: [...numbers.costs] }
    })
  return (
    <Card title={texts.opening}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.openingHint}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {rows.length === 0 && (
            <>
              <WholeNumberInput
                label={texts.openingPieces}
                max={MOST.pieces}
                value={shown.pieces.get(ONLY_SKU) ?? null}
                onChange={(pieces) => set([{ name: 'pieces', key: ONLY_SKU, number: pieces ?? undefined }])}
              />
              <MoneyInput
                label={texts.openingCost}
                value={shown.costs.get(ONLY_SKU) ?? null}
                onChange={(cost) => set([{ name: 'costs', key: ONLY_SKU, number: cost ?? undefined }])}
              />
            </>
          )}
          {warehouses.length > 1 && (
            <Select
              label={texts.warehouse}
              allowDeselect={false}
              data={warehouses.map(({ _id, name }) => ({ value: _id, label: name }))}
              value={opening.warehouseId ?? first?._id ?? null}
              onChange={(id) => onChange((before) => ({ ...before, warehouseId: id }))}
            />
          )}
        </SimpleGrid>
        {rows.length > 0 && (
          <Sheet
            rows={rows}
            keyOf={({ key }) => key}
            disabled={false}
            texts={{
              hint: texts.openingSheetHint,
              fillDown: texts.fillDown,
              fillDownHint: texts.fillDownHint,
            }}
            before={[{ title: texts.variant, cell: ({ name }) => name }]}
            columns={[
              {
                name: 'pieces',
                title: texts.openingPieces,
                most: MOST.pieces,
                label: ({ name }) => texts.openingOf(name),
                value: ({ key }) => String(shown.pieces.get(key) || ''),
              },
              {
                name: 'costs',
                title: texts.openingCost,
                most: MOST.costs,
                label: ({ name }) => texts.openingCostOf(name),
                value: ({ key }) => String(shown.costs.get(key) ?? ''),
              },
            ]}
            errorAt={() => undefined}
            onChange={(changes) =>
              set(
                changes.map(({ column, key, value }) => ({
                  name: column as Name,
                  key,
                  number: value === '' ? undefined : Number(value),
                })),
              )
            }
          />
        )}
      </Stack>
    </Card>
  )
})
