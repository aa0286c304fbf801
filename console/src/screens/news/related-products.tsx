import { ActionIcon, Group, Paper, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Select } from '../../components/forms/select/select.tsx'
import { Money } from '../../components/values.tsx'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CHOOSE_MARKED } from '../../theme/pickers.ts'
import type { RelatedProduct } from './article-values.ts'
import { newsTexts } from './texts.ts'

const OFFERED = 10
const SEARCH_AFTER_MS = 250

/** The products in the article, and a search box to add more. */
export function RelatedProducts(props: {
  products: RelatedProduct[]
  onChange: (products: RelatedProduct[]) => void
}) {
  const { products, onChange } = props
  const texts = useTexts(newsTexts)
  const { canWrite } = useSession()
  return (
    <Stack gap="xs">
      {canWrite && <ProductSearch known={products} onPick={(product) => onChange([...products, product])} />}
      {products.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noProducts}
        </Text>
      )}
      {products.map((product) => (
        <Paper key={product._id} withBorder p="xs">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {product.name}
            </Text>
            <Group wrap="nowrap" gap="xs">
              <Text size="sm" component="div">
                <Money vnd={product.price} />
              </Text>
              {canWrite && (
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size="lg"
                  aria-label={texts.takeOff(product.name)}
                  onClick={() => onChange(products.filter(({ _id }) => _id !== product._id))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </Group>
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

function ProductSearch(props: { known: RelatedProduct[]; onPick: (product: RelatedProduct) => void }) {
  const texts = useTexts(newsTexts)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, SEARCH_AFTER_MS)
  const found = useQuery({
    queryKey: ['products', 'related', search],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/products', {
          params: {
            query: {
              page: 1,
              limit: OFFERED,
              total: 'none',
              search: search || undefined,
              sortBy: 'createdAt',
              sortType: 'desc',
            },
          },
        }),
      ),
  })
  const offered = (found.data?.data.products ?? [])
    .filter(({ _id }) => !props.known.some((known) => known._id === _id))
    .map(({ _id, name, images, price }) => ({ _id, name, images, price }))
  return (
    <Select
      aria-label={texts.findProduct}
      placeholder={texts.findProduct}
      leftSection={<IconSearch size={16} />}
      searchable
      wrapperProps={CHOOSE_MARKED}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      // The service has already searched, ignoring accents, so all its results are offered.
      filter={({ options }) => options}
      data={offered.map(({ _id, name }) => ({ value: _id, label: name }))}
      nothingFoundMessage={texts.nothing}
      onChange={(id) => {
        const product = offered.find(({ _id }) => _id === id)
        if (product !== undefined) props.onPick(product)
        setText('')
      }}
    />
  )
}
