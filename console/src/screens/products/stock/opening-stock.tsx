import { NumberInput, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { Select } from '../../../components/forms/select/select.tsx'
import { Card } from '../../../components/page.tsx'
import { Sheet } from '../../../components/sheet/sheet.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { warehousesQuery } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { ONLY_SKU } from '../variants/tier-rows.ts'
import { type Made, rowsIn } from '../variants/variant-rows.ts'
import { type Opening, piecesOf } from './opening.ts'

const MOST = 1_000_000_000

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
  const pieces = piecesOf(opening, rows)
  const set = (changes: [string, number][]) =>
    onChange((before) => ({ ...before, pieces: [...new Map([...piecesOf(before, rows), ...changes])] }))
  return (
    <Card title={texts.opening}>
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.openingHint}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {rows.length === 0 && (
            <NumberInput
              label={texts.openingPieces}
              min={0}
              max={MOST}
              allowDecimal={false}
              value={pieces.get(ONLY_SKU) ?? ''}
              onChange={(typed) => set([[ONLY_SKU, typeof typed === 'number' ? typed : 0]])}
            />
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
                // Digits in groups, as for money.
                kind: 'money',
                label: ({ name }) => texts.openingOf(name),
                value: ({ key }) => String(pieces.get(key) || ''),
              },
            ]}
            errorAt={() => undefined}
            onChange={(changes) => set(changes.map(({ key, value }) => [key, Math.min(Number(value), MOST)]))}
          />
        )}
      </Stack>
    </Card>
  )
})
