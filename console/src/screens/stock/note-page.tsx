import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded, Page } from '../../components/page.tsx'
import { Money, When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { warehousesQuery } from '../products/product-queries.ts'
import { Difference } from './difference.tsx'
import { type EntryDetail, entryQuery } from './note-queries.ts'
import { stockTexts } from './texts.ts'

/** A booked note, which can never change. */
export function NotePage() {
  const texts = useTexts(stockTexts)
  const { noteId } = useParams({ strict: false }) as { noteId: string }
  const entry = useQuery(entryQuery(noteId))
  const { data } = entry
  return (
    <Page
      title={data === undefined ? texts.kinds.receive.one : texts.kinds[data.type].one}
      subtitle={data !== undefined && <Summary entry={data} />}
    >
      <Loaded query={entry}>
        {(found) => (
          <Card title={texts.lines}>
            <Stack>
              <Movements entry={found} />
              {found.totalCost !== null && (
                <Group justify="flex-end" gap="xs">
                  <Text>{texts.totalCost}</Text>
                  <Text fw={600}>
                    <Money vnd={found.totalCost} />
                  </Text>
                </Group>
              )}
            </Stack>
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ entry }: { entry: EntryDetail }) {
  const texts = useTexts(stockTexts)
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const nameOf = (id: string | null) => warehouses.find(({ _id }) => _id === id)?.name
  const from = nameOf(entry.warehouseId)
  const to = nameOf(entry.toWarehouseId)
  const parts = [
    entry.supplier,
    to === undefined ? from : `${from} → ${to}`,
    `${texts.recordedBy}: ${entry.recordedBy?.name ?? texts.nobody}`,
    entry.note,
  ]
  return (
    <Group gap="xs" mt={4}>
      <When at={entry.createdAt} />
      <span>{parts.filter(Boolean).join(' · ')}</span>
    </Group>
  )
}

type Movement = EntryDetail['movements'][number]

function Movements({ entry }: { entry: EntryDetail }) {
  const texts = useTexts(stockTexts)
  const { language } = useLanguage()
  const count = (value: number | null) => (value === null ? '–' : formatNumber(value, language))
  // Each transferred line has two movements; only the incoming one is shown.
  const rows =
    entry.type === 'transfer' ? entry.movements.filter(({ quantity }) => quantity > 0) : entry.movements
  const product: Column<Movement> = {
    title: texts.product,
    cell: ({ name, code }) => (
      <>
        <Anchor
          component={Link}
          to="/products"
          // In an address written by hand, the router would read a code such as 12E4 as a number.
          search={{ search: code || name } as never}
          size="sm"
          fw={500}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {code}
        </Text>
      </>
    ),
  }
  const quantity: Column<Movement> = {
    title: texts.quantity,
    isNumber: true,
    cell: (movement) => count(Math.abs(movement.quantity)),
  }
  const columns: Record<EntryDetail['type'], Column<Movement>[]> = {
    receive: [
      product,
      quantity,
      { title: texts.unitCost, isNumber: true, cell: ({ unitCost }) => <Money vnd={unitCost} /> },
      {
        title: texts.amount,
        isNumber: true,
        cell: (movement) => (
          <Money vnd={movement.unitCost === null ? null : movement.unitCost * movement.quantity} />
        ),
      },
    ],
    count: [
      product,
      { title: texts.counted, isNumber: true, cell: ({ counted }) => count(counted) },
      {
        title: texts.difference,
        isNumber: true,
        cell: (movement) => <Difference pieces={movement.quantity} />,
      },
    ],
    transfer: [product, quantity],
    issue: [product, quantity],
  }
  return <DataTable columns={columns[entry.type]} rows={rows} keyOf={({ _id }) => _id} />
}
