import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import type { Movement, Warehouse } from '../../../api/rows.ts'
import { Select } from '../../../components/forms/select/select.tsx'
import { type Column, DataTable } from '../../../components/lists/data-table.tsx'
import { Card, ProblemNote, Waiting } from '../../../components/page.tsx'
import { When } from '../../../components/values.tsx'
import { formatNumber } from '../../../format.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import type { Product } from '../product-queries.ts'
import { productTexts } from '../texts.ts'
import { activeSkus } from '../variants/variant-rows.ts'

const PAGE_SIZE = 20

/** The ledger of one SKU's stock, newest first. */
export function Movements({ product, warehouses }: { product: Product; warehouses: Warehouse[] }) {
  const texts = useTexts(productTexts)
  const { older } = useTexts(common)
  const skus = activeSkus(product)
  const [chosen, setChosen] = useState<string>()
  const skuId = skus.find(({ _id }) => _id === chosen)?._id ?? skus[0]?._id
  const movements = useInfiniteQuery({
    queryKey: ['movements', skuId],
    enabled: skuId !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) =>
      dataOf(
        api.GET('/api/external/v1/inventory/movements', {
          params: { query: { skuId, before, limit: PAGE_SIZE } },
        }),
      ),
    getNextPageParam: ({ data }) => data.meta.nextBefore ?? undefined,
  })
  return (
    <Card title={texts.movements}>
      <Stack>
        {skus.length > 1 && (
          <Select
            label={texts.variant}
            maw={320}
            allowDeselect={false}
            data={skus.map(({ _id, name }) => ({ value: _id, label: name || product.name }))}
            value={skuId ?? null}
            onChange={(id) => setChosen(id ?? undefined)}
          />
        )}
        {movements.error !== null && (
          <ProblemNote error={movements.error} onRetry={() => movements.refetch()} />
        )}
        {movements.isLoading && <Waiting />}
        {movements.data !== undefined && (
          <MovementTable
            movements={movements.data.pages.flatMap(({ data }) => data.movements)}
            warehouses={warehouses}
          />
        )}
        {movements.hasNextPage && (
          <Button
            variant="subtle"
            loading={movements.isFetchingNextPage}
            onClick={() => movements.fetchNextPage()}
          >
            {older}
          </Button>
        )}
      </Stack>
    </Card>
  )
}

function MovementTable({ movements, warehouses }: { movements: Movement[]; warehouses: Warehouse[] }) {
  const texts = useTexts(productTexts)
  const words = useTexts(common)
  const { language } = useLanguage()
  if (movements.length === 0) return <Text c="dimmed">{texts.noMovements}</Text>
  const columns: Column<Movement>[] = [
    { title: texts.time, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      title: texts.type,
      cell: ({ orderId, type }) =>
        orderId === null ? (
          texts.movementTypes[type]
        ) : (
          <Anchor component={Link} to={`/orders/${orderId}`} inherit>
            {texts.movementTypes[type]}
          </Anchor>
        ),
    },
    {
      title: texts.warehouse,
      cell: ({ warehouseId }) => warehouses.find(({ _id }) => _id === warehouseId)?.name,
    },
    {
      title: texts.changed,
      isNumber: true,
      cell: ({ quantity }) => `${quantity > 0 ? '+' : ''}${formatNumber(quantity, language)}`,
    },
    { title: words.note, cell: ({ note }) => note },
  ]
  return <DataTable columns={columns} rows={movements} keyOf={({ _id }) => _id} />
}
