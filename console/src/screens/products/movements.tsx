import { Anchor, Button, Select, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Card, ProblemNote, Waiting } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Product } from './product-queries.ts'
import type { Warehouse } from './stock.tsx'
import { productTexts } from './texts.ts'
import { activeSkus } from './variant-rows.ts'

const PAGE_SIZE = 20

/** The ledger of one SKU's stock, newest first. */
export function Movements({ product, warehouses }: { product: Product; warehouses: Warehouse[] }) {
  const texts = useTexts(productTexts)
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
            {texts.older}
          </Button>
        )}
      </Stack>
    </Card>
  )
}

type Movement = {
  _id: string
  createdAt: string
  type: 'receive' | 'issue' | 'count' | 'transfer' | 'order'
  quantity: number
  warehouseId: string
  orderId: string | null
  note: string
}

function MovementTable({ movements, warehouses }: { movements: Movement[]; warehouses: Warehouse[] }) {
  const texts = useTexts(productTexts)
  const { note } = useTexts(common)
  const { language } = useLanguage()
  if (movements.length === 0) return <Text c="dimmed">{texts.noMovements}</Text>
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.time}</Table.Th>
            <Table.Th>{texts.type}</Table.Th>
            <Table.Th>{texts.warehouse}</Table.Th>
            <Table.Th className="num">{texts.changed}</Table.Th>
            <Table.Th>{note}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {movements.map((movement) => (
            <Table.Tr key={movement._id}>
              <Table.Td>
                <When at={movement.createdAt} />
              </Table.Td>
              <Table.Td>
                {movement.orderId === null ? (
                  texts.movementTypes[movement.type]
                ) : (
                  <Anchor component={Link} to={`/orders/${movement.orderId}`} inherit>
                    {texts.movementTypes[movement.type]}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>{warehouses.find(({ _id }) => _id === movement.warehouseId)?.name}</Table.Td>
              <Table.Td className="num">
                {movement.quantity > 0 && '+'}
                {formatNumber(movement.quantity, language)}
              </Table.Td>
              <Table.Td>{movement.note}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
