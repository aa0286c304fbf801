import { Anchor, Button, Group } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import type { ListedProduct } from '../../api/rows.ts'
import { Badge } from '../../components/badge.tsx'
import { DownloadButton } from '../../components/download-button.tsx'
import { Select } from '../../components/forms/select/select.tsx'
import { useCommonApplied } from '../../components/lists/applied.tsx'
import { useSelection } from '../../components/lists/bulk/selection.ts'
import type { Column } from '../../components/lists/data-table.tsx'
import { List } from '../../components/lists/list.tsx'
import { ListFilters } from '../../components/lists/list-filters.tsx'
import { useListState } from '../../components/lists/list-state.ts'
import { SearchField } from '../../components/lists/search-field.tsx'
import { directionOf, fieldOf, NEWEST, sortingOf } from '../../components/lists/sorting/sorting.ts'
import { Card } from '../../components/page.tsx'
import { Thumbnail } from '../../components/thumbnail.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useSession } from '../../shell/session.tsx'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { useProductActions } from './bulk/product-actions.tsx'
import { ProductsFrame } from './frame.tsx'
import { categoriesQuery, categoryChoices } from './product-queries.ts'
import { productTexts } from './texts.ts'

const SORTS = ['createdAt', 'name', 'price', 'stock_quantity'] as const

export function Products() {
  const texts = useTexts(productTexts)
  const { language } = useLanguage()
  const { canWrite, shop } = useSession()
  const lowStockAt = shop!.lowStockAt
  const [list, setList] = useListState({ page: 1, size: 20, search: '', category: '', stock: '', sort: '' })
  const isLow = list.stock === 'low'
  const columns = useColumns()
  const sorting = sortingOf(columns, list.sort, setList, isLow ? 'stock_quantity' : NEWEST)
  const categories = useQuery(categoriesQuery)
  const filter = {
    search: list.search || undefined,
    category: list.category || undefined,
    ...(isLow ? { stockAtMost: lowStockAt, stocked: true } : {}),
  }
  const products = useQuery({
    queryKey: ['products', list, filter.stockAtMost],
    placeholderData: keepPreviousData,
    queryFn: () =>
      dataOf(
        api.GET('/api/external/v1/products', {
          params: {
            query: {
              page: list.page,
              limit: list.size,
              total: 'capped',
              ...filter,
              select: 'skus',
              sortBy: SORTS.find((one) => one === fieldOf(sorting.order)),
              sortType: directionOf(sorting.order),
            },
          },
        }),
      ),
  })
  const categoryOf = (id: string) => categories.data?.find(({ _id }) => _id === id)?.name ?? ''
  const applied = [
    ...useCommonApplied(list),
    ...(list.category === ''
      ? []
      : [{ name: `${texts.category}: ${categoryOf(list.category)}`, without: { category: '' } }]),
    ...(isLow ? [{ name: texts.lowStock(formatNumber(lowStockAt, language)), without: { stock: '' } }] : []),
  ]
  const { page: _page, size: _size, sort: _sort, ...scope } = list
  const selection = useSelection('products', JSON.stringify(scope), nameOf)
  const { actions, dialogs } = useProductActions(selection)

  return (
    <ProductsFrame
      actions={
        <>
          <DownloadButton
            label={texts.export}
            fetchFile={(labels) =>
              api.GET('/api/external/v1/products/export', {
                params: { query: { ...filter, labels } },
                parseAs: 'blob',
              })
            }
          />
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
        <ListFilters name="products" applied={applied} setList={setList}>
          <Group>
            <SearchField
              value={list.search}
              onSearch={(text) => setList({ search: text })}
              hint={texts.searchHint}
              placeholder={texts.searchPlaceholder}
              flex={{ base: '1 0 100%', sm: '1 1 240px' }}
              maw={{ base: 'none', sm: 360 }}
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
        </ListFilters>
        <List
          name="products"
          query={products}
          rowsOf={({ data }) => data.products}
          lengthOf={({ data }) => data.meta}
          columns={columns}
          state={list}
          setState={setList}
          sizes={[20, 50]}
          isFiltered={list.search !== '' || list.category !== '' || isLow}
          empty={{ title: texts.emptyTitle, hint: texts.emptyHint }}
          bulk={{ selection, actions }}
          sorting={sorting}
        />
      </Card>
      {dialogs}
    </ProductsFrame>
  )
}

const nameOf = ({ name }: ListedProduct) => name

function useColumns(): Column<ListedProduct>[] {
  const texts = useTexts(productTexts)
  const { status } = useTexts(common)
  const { language } = useLanguage()
  return [
    {
      title: texts.product,
      height: 38,
      maxWidth: 420,
      sort: { by: 'name', of: 'text' },
      cell: (product) => (
        <Group gap="sm" wrap="nowrap">
          <Thumbnail address={product.images[0]} />
          <Anchor
            component={Link}
            to={`/products/${product._id}`}
            title={product.name}
            fw={500}
            inherit
            lineClamp={2}
            style={{ overflowWrap: 'anywhere' }}
          >
            {product.name}
          </Anchor>
        </Group>
      ),
    },
    { id: 'itemSku', title: texts.itemSku, cell: ({ itemSku }) => itemSku },
    {
      id: 'price',
      title: texts.price,
      inCard: 'end',
      isNumber: true,
      sort: { by: 'price', of: 'number' },
      cell: ({ price }) => <Money vnd={price} />,
    },
    {
      id: 'variants',
      title: texts.variants,
      isNumber: true,
      cell: ({ skus }) => formatNumber(skus?.length ?? 1, language),
    },
    {
      id: 'stock',
      title: texts.stock,
      isNumber: true,
      sort: { by: 'stock_quantity', of: 'number' },
      cell: (product) => formatNumber(product.stock_quantity, language),
    },
    {
      id: 'status',
      title: status,
      inCard: 'line',
      cell: (product) => (
        <Badge tone={product.status === 'active' ? 'good' : 'quiet'}>{texts.statuses[product.status]}</Badge>
      ),
    },
  ]
}
