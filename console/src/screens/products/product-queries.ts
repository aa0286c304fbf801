import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'

const SELECT = 'skus,variants,wholesalePrices,subItemsGroups,skuImages'

/** A product with all of its parts. */
export async function readProduct(id: string) {
  const params = { path: { id }, query: { select: SELECT } }
  return (await dataOf(api.GET('/api/external/v1/products/{id}', { params }))).data
}

export const productQuery = (id: string) =>
  queryOptions({ queryKey: ['products', 'one', id], queryFn: () => readProduct(id) })

export type Product = Awaited<ReturnType<typeof readProduct>>
export type Sku = NonNullable<Product['skus']>[number]

const CATEGORIES_AT_ONCE = 500

/** All categories, a parent before its children. A shop may have a few thousand. */
export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: async () => {
    const read = async (page: number) => {
      const query = { page, limit: CATEGORIES_AT_ONCE }
      return (await dataOf(api.GET('/api/external/v1/categories', { params: { query } }))).data
    }
    const first = await read(1)
    const others = await Promise.all(
      Array.from({ length: Math.max(0, first.meta.totalPages - 1) }, (_, at) => read(at + 2)),
    )
    return [first, ...others].flatMap(({ categories }) => categories)
  },
})

export type Category = Awaited<ReturnType<NonNullable<(typeof categoriesQuery)['queryFn']>>>[number]

/** Categories as options; subcategories are indented. */
export function categoryChoices(categories: { _id: string; name: string; depth: number }[] | undefined) {
  return (categories ?? []).map(({ _id, name, depth }) => ({
    value: _id,
    label: `${'– '.repeat(depth)}${name}`,
  }))
}

export const warehousesQuery = queryOptions({
  queryKey: ['warehouses'],
  queryFn: async () =>
    (await dataOf(api.GET('/api/external/v1/warehouses', { params: { query: { page: 1, limit: 100 } } })))
      .data.warehouses,
})

const IDS_AT_ONCE = 100

/** The average cost of a piece of each SKU, in đồng, by the SKU's id. SKUs without a known cost are left out. */
export const averageCostsQuery = (skuIds: string[]) =>
  queryOptions({
    queryKey: ['products', 'costs', skuIds],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(skuIds.length / IDS_AT_ONCE) }, (_, at) =>
        skuIds.slice(at * IDS_AT_ONCE, (at + 1) * IDS_AT_ONCE).join(','),
      )
      const answers = await Promise.all(
        parts.map((ids) =>
          dataOf(api.GET('/api/external/v1/inventory/costs', { params: { query: { ids } } })),
        ),
      )
      const costs = answers.flatMap(({ data }) => data.costs)
      return Object.fromEntries(costs.map(({ skuId, averageCost }) => [skuId, averageCost]))
    },
  })

/** A product's SKUs with their stock in one warehouse. */
export const warehouseStockQuery = (product: Product, warehouseId: string) =>
  queryOptions({
    queryKey: ['products', 'stock', product._id, warehouseId],
    queryFn: async () => {
      const params = { path: { id: product._id }, query: { warehouseId } }
      return (await dataOf(api.GET('/api/external/v1/products/{id}', { params }))).data.skus ?? null
    },
  })
