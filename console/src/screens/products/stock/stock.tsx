import { Button, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import type { Warehouse } from '../../../api/rows.ts'
import { openedLater } from '../../../components/dialogs/dialog.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { Card, Loaded } from '../../../components/page.tsx'
import { Money } from '../../../components/values.tsx'
import { WhenSeen } from '../../../components/when-seen.tsx'
import { formatNumber } from '../../../format.ts'
import { useSession } from '../../../shell/session.tsx'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import {
  averageCostsQuery,
  type Product,
  type Sku,
  warehouseStockQuery,
  warehousesQuery,
} from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { activeSkus } from '../variants/variant-rows.ts'

const Movements = lazy(async () => ({ default: (await import('./movements.tsx')).Movements }))
const StockEntryDialog = openedLater(async () => (await import('./stock-entry.tsx')).StockEntryDialog)

/** The stock in each warehouse, the reservations, and the movements. */
export function Stock({ product }: { product: Product }) {
  const texts = useTexts(productTexts)
  const { canWrite } = useSession()
  const warehouses = useQuery(warehousesQuery)
  const [isOpen, dialog] = useDisclosure()
  return (
    <>
      <Card
        title={texts.stock}
        term="available"
        actions={
          canWrite && (
            <Button size="xs" variant="light" onClick={dialog.open}>
              {texts.enterStock}
            </Button>
          )
        }
      >
        <Loaded query={warehouses}>
          {(places) => (
            <Stack>
              <StockTable product={product} warehouses={places} />
              <StockEntryDialog
                opened={isOpen}
                onClose={dialog.close}
                product={product}
                warehouses={places}
              />
            </Stack>
          )}
        </Loaded>
      </Card>
      <WhenSeen minHeight={240}>
        <Movements product={product} warehouses={warehouses.data ?? []} />
      </WhenSeen>
    </>
  )
}

function StockTable({ product, warehouses }: { product: Product; warehouses: Warehouse[] }) {
  const texts = useTexts(productTexts)
  const { language } = useLanguage()
  const { isOwner } = useSession()
  const stocks = useQueries({ queries: warehouses.map(({ _id }) => warehouseStockQuery(product, _id)) })
  const costs = useQuery({
    ...averageCostsQuery(activeSkus(product).map(({ _id }) => _id)),
    enabled: isOwner,
  })
  const averageCost: Column<Sku> = {
    title: texts.averageCost,
    isNumber: true,
    cell: ({ _id }) => <Money vnd={costs.data?.[_id]} />,
  }
  const of = (at: number, skuId: string) =>
    stocks[at]?.data?.find(({ _id }) => _id === skuId)?.warehouseStock ?? undefined
  const columns: Column<Sku>[] = [
    { title: texts.variant, cell: ({ name }) => name || product.name },
    ...warehouses.map(({ name }, at) => ({
      title: name,
      isNumber: true,
      cell: (sku: Sku) => show(of(at, sku._id)?.quantity),
    })),
    {
      title: texts.reserved,
      isNumber: true,
      cell: (sku) => show(warehouses.reduce((sum, _, at) => sum + (of(at, sku._id)?.reserved ?? 0), 0)),
    },
    { title: texts.free, isNumber: true, cell: (sku) => show(sku.stock_quantity) },
    ...(isOwner ? [averageCost] : []),
  ]
  return <DataTable columns={columns} rows={activeSkus(product)} keyOf={({ _id }) => _id} />

  function show(count: number | undefined): string {
    return count === undefined ? '–' : formatNumber(count, language)
  }
}
