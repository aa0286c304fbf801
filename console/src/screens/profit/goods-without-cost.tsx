import { Anchor, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { GoodsWithoutCost as Goods } from '../../api/rows.ts'
import { type Column, DataTable } from '../../components/lists/data-table.tsx'
import { Card, Loaded } from '../../components/page.tsx'
import { Thumbnail } from '../../components/thumbnail.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { profitTexts } from './texts.ts'

/** The products that were sold in the period without a known cost, those with the most lines first. */
export function GoodsWithoutCost({ query }: { query: { from: string; days: number } }) {
  const texts = useTexts(profitTexts)
  const { language } = useLanguage()
  const columns = useColumns()
  const goods = useQuery({
    queryKey: ['profit', 'goods-without-cost', query],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () => dataOf(api.GET('/api/external/v1/reports/profit/without-cost', { params: { query } })),
  })
  const count = (value: number) => formatNumber(value, language)
  return (
    <Card title={texts.goodsWithoutCost}>
      <Loaded query={goods}>
        {({ data }) => (
          <>
            <DataTable columns={columns} rows={data.goods} keyOf={({ _id }) => _id} />
            {data.products > data.goods.length && (
              <Text size="sm" c="dimmed" mt="sm">
                {texts.firstOf(count(data.goods.length), count(data.products))}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function useColumns(): Column<Goods>[] {
  const texts = useTexts(profitTexts)
  const { language } = useLanguage()
  return [
    {
      title: texts.product,
      height: 38,
      cell: ({ _id, name, image }) => (
        <Group gap="sm" wrap="nowrap">
          <Thumbnail address={image ?? undefined} />
          <Anchor
            component={Link}
            to={`/products/${_id}`}
            fw={500}
            inherit
            style={{ overflowWrap: 'anywhere' }}
          >
            {name}
          </Anchor>
        </Group>
      ),
    },
    { title: texts.lines, isNumber: true, cell: ({ lines }) => formatNumber(lines, language) },
    { title: texts.pieces, isNumber: true, cell: ({ quantity }) => formatNumber(quantity, language) },
    { title: texts.amount, isNumber: true, cell: ({ sales }) => <Money vnd={sales} /> },
  ]
}
