import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { dataOf } from '../../../api/problem.ts'
import { fold } from '../../../texts/fold.ts'
import { useTexts } from '../../../texts/language.tsx'
import { CHOOSE_MARKED } from '../../../theme/pickers.ts'
import { categoriesQuery } from '../../products/product-queries.ts'
import { audienceTexts } from './audience-texts.ts'

const OFFERED = 20
const MOST = 50
const SEARCH_AFTER_MS = 250

type Goods = { productIds: string[]; categoryIds: string[] }

/** Chooses products, which the service searches while the person types, and categories. */
export function GoodsSelect({
  productIds,
  categoryIds,
  onChange,
}: Goods & { onChange: (goods: Goods) => void }) {
  const texts = useTexts(audienceTexts)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, SEARCH_AFTER_MS)
  const categories = useQuery(categoriesQuery)
  const found = useQuery({
    queryKey: ['products', 'goods', search],
    placeholderData: keepPreviousData,
    queryFn: () => readProducts({ page: 1, limit: OFFERED, total: 'none', search: search || undefined }),
  })
  // The names of the chosen goods, including goods that the current search does not find.
  const chosen = useQuery({
    queryKey: ['products', 'names', productIds],
    placeholderData: keepPreviousData,
    enabled: productIds.length > 0,
    queryFn: () => readProducts({ page: 1, limit: MOST, total: 'none', ids: productIds.join(',') }),
  })
  const names = new Map([...(chosen.data ?? []), ...(found.data ?? [])].map(({ _id, name }) => [_id, name]))
  const products = [...new Set([...(found.data ?? []).map(({ _id }) => _id), ...productIds])]
  const wanted = fold(text)
  const isOffered = ({ _id, name }: { _id: string; name: string }) =>
    categoryIds.includes(_id) || fold(name).includes(wanted)
  const offered = (categories.data ?? []).filter(isOffered)
  return (
    <MultiSelect
      label={texts.goods}
      placeholder={productIds.length + categoryIds.length === 0 ? texts.anyGoods : undefined}
      searchable
      clearable
      hidePickedOptions
      wrapperProps={CHOOSE_MARKED}
      maxValues={MOST}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={texts.noGoods}
      filter={({ options }) => options}
      data={[
        {
          group: texts.categories,
          items: offered
            .slice(0, OFFERED + categoryIds.length)
            .map(({ _id, name }) => ({ value: `c ${_id}`, label: name })),
        },
        {
          group: texts.products,
          items: products.map((id) => ({
            value: `p ${id}`,
            label: names.get(id) ?? (chosen.isSuccess ? texts.goneGoods : '…'),
          })),
        },
      ].filter(({ items }) => items.length > 0)}
      value={[...categoryIds.map((id) => `c ${id}`), ...productIds.map((id) => `p ${id}`)]}
      onChange={(values) => {
        const idsOf = (kind: string) =>
          values.filter((value) => value.startsWith(kind)).map((value) => value.slice(kind.length))
        onChange({ productIds: idsOf('p '), categoryIds: idsOf('c ') })
      }}
    />
  )
}

async function readProducts(query: {
  page: number
  limit: number
  total: 'none'
  search?: string | undefined
  ids?: string
}) {
  return (await dataOf(api.GET('/api/external/v1/products', { params: { query } }))).data.products
}
