import { Anchor, Avatar, Badge, Button, Group, Select, Table, TextInput } from '@mantine/core'
import { IconDownload, IconPhoto, IconPlus, IconSearch, IconUpload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { useDownload } from '../../components/download.ts'
import { useListState, useSearchText } from '../../components/list-state.ts'
import { Card, EmptyState, Loaded } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { ProductsFrame } from './frame.tsx'
import { categoriesQuery, categoryChoices } from './product-queries.ts'
import { productTexts } from './texts.ts'

const PAGE_SIZE = 20

export function Products() {
  const texts = useTexts(productTexts)
  const { nothingFound } = useTexts(common)
  const { canWrite } = useSession()
  const [list, setList] = useListState({ page: 1, search: '', category: '' })
  const search = useSearchText(list.search, (text) => setList({ search: text }))
  const categories = useQuery(categoriesQuery)
  const products = useQuery({
    queryKey: ['products', list],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/products', {
          params: {
            query: {
              page: list.page,
              limit: PAGE_SIZE,
              search: list.search || undefined,
              category: list.category || undefined,
              select: 'skus',
              sortBy: 'createdAt',
              sortType: 'desc',
            },
          },
        }),
      ),
  })
  const exporting = useDownload(() =>
    api.GET('/api/external/v1/products/export', {
      params: { query: { search: list.search || undefined, category: list.category || undefined } },
      parseAs: 'blob',
    }),
  )
  const isFiltered = list.search !== '' || list.category !== ''

  return (
    <ProductsFrame
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={exporting.isPending}
            onClick={() => exporting.mutate()}
          >
            {texts.export}
          </Button>
          {canWrite && (
            <>
              <Button
                variant="default"
                component={Link}
                to="/products/import"
                leftSection={<IconUpload size={16} aria-hidden />}
              >
                {texts.import}
              </Button>
              <Button component={Link} to="/products/new" leftSection={<IconPlus size={16} aria-hidden />}>
                {texts.add}
              </Button>
            </>
          )}
        </>
      }
    >
      <Card>
        <Group mb="sm">
          <TextInput
            {...search}
            aria-label={texts.searchHint}
            placeholder={texts.searchHint}
            leftSection={<IconSearch size={16} aria-hidden />}
            flex="1 1 240px"
            maw={360}
          />
          <Select
            aria-label={texts.category}
            placeholder={texts.allCategories}
            clearable
            searchable
            data={categoryChoices(categories.data)}
            value={list.category || null}
            onChange={(category) => setList({ category: category ?? '' })}
          />
        </Group>
        <Loaded query={products}>
          {({ data }) =>
            data.products.length === 0 ? (
              <EmptyState title={texts.emptyTitle} hint={isFiltered ? nothingFound : texts.emptyHint} />
            ) : (
              <>
                <ProductTable products={data.products} />
                <Pager
                  page={list.page}
                  pageSize={PAGE_SIZE}
                  total={data.meta.total}
                  onPage={(page) => setList({ page })}
                />
              </>
            )
          }
        </Loaded>
      </Card>
    </ProductsFrame>
  )
}

type ListedProduct = {
  _id: string
  name: string
  images: string[]
  itemSku: string
  price: number
  stock_quantity: number
  status: 'active' | 'inactive'
  skus?: unknown[]
}

function ProductTable({ products }: { products: ListedProduct[] }) {
  const texts = useTexts(productTexts)
  const { status } = useTexts(common)
  const { language } = useLanguage()
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.product}</Table.Th>
            <Table.Th>{texts.itemSku}</Table.Th>
            <Table.Th className="num">{texts.price}</Table.Th>
            <Table.Th className="num">{texts.variants}</Table.Th>
            <Table.Th className="num">{texts.stock}</Table.Th>
            <Table.Th>{status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {products.map((product) => (
            <Table.Tr key={product._id}>
              <Table.Td>
                <Group gap="sm" wrap="nowrap">
                  <Avatar src={product.images[0] ?? null} alt="" radius="sm">
                    <IconPhoto size={18} aria-hidden />
                  </Avatar>
                  <Anchor component={Link} to={`/products/${product._id}`} fw={500} inherit>
                    {product.name}
                  </Anchor>
                </Group>
              </Table.Td>
              <Table.Td>{product.itemSku}</Table.Td>
              <Table.Td className="num">
                <Money vnd={product.price} />
              </Table.Td>
              <Table.Td className="num">{formatNumber(product.skus?.length ?? 1, language)}</Table.Td>
              <Table.Td className="num">{formatNumber(product.stock_quantity, language)}</Table.Td>
              <Table.Td>
                <Badge variant="dot" tt="none" fw={500} color={product.status === 'active' ? 'teal' : 'gray'}>
                  {texts.statuses[product.status]}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
