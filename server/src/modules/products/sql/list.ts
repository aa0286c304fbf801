import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import { pageOfRows } from '../../../db/fragments/far-page-sql.ts'
import { rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { MOST_PAGE_BYTES } from '../../../db/fragments/rows-within-sql.ts'
import { cursorKey, sortKeys } from '../../../db/fragments/sort-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import { countLimit, FEW_MATCHES, type Matches, type TotalMode } from '../../../lib/lists/total.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { searchWords } from '../../../lib/text/search-pattern.ts'
import type { Children } from './columns.ts'
import { conditionsOf, type ProductFilter, stockConditionsOf } from './filter.ts'
import { type PageParts, sliceOf } from './page-parts.ts'
import { listedProduct } from './record-json.ts'
import { searchedPage } from './search.ts'
import { kindOfKey, type ProductOrder, productsInOrder, SORT_KEYS } from './sort.ts'

/**
 * `products` are the page's records as JSON, separated by commas, as many as `fit` into a response; `found` is the number of the
 * page's products, `last` the place of the last one that fits.
 */
export type ProductList = {
  matches: Matches
  products: string
  found: number
  fit: number
  last: Keyset | undefined
}

/** Which page of which products is read, and with what. */
export type ProductQuery = {
  filter: ProductFilter
  order: ProductOrder
  page: Place
  mode: TotalMode
  shown: Children
}

/**
 * Up to this number of matches, the products of a price range are fetched and sorted. Above it, the sort order's index
 * is walked.
 */
const FEW_PRICED = 1000

/**
 * One page of a shop's products with the requested children, and the number that match the filter (E8). One statement.
 * Products are sorted by the key and then by id, both in the same direction, as the indexes are. Without a filter, or
 * with a category alone, the total comes from `product_counts`. Otherwise the matching products are counted; how far a
 * search is counted depends on `mode` (G-65).
 *
 * A search with many matches is found by walking a limited part of the list. If the page is not full by then, because
 * all matches lie further down the list (old codes, for example), a second statement sorts all of them.
 */
export async function listProducts(
  db: Db,
  shopId: ObjectId,
  { filter, order, page, mode, shown }: ProductQuery,
): Promise<ProductList> {
  const parts = pageOf(shopId, filter, order, page, countLimit(mode))
  const list = await pageOfList(db, shopId, order, parts, shown)
  const { n, isCut } = list.matches
  const mayHaveMore = isCut || n > Math.max(FEW_MATCHES, page.offset + list.found)
  if (parts.sorted === undefined || list.found === page.limit || !mayHaveMore) return list
  return pageOfList(db, shopId, order, parts.sorted(), shown)
}

/** The page and the total that `parts` find. */
async function pageOfList(
  db: Db,
  shopId: ObjectId,
  order: ProductOrder,
  { found, total, ids }: PageParts,
  shown: Children,
): Promise<ProductList> {
  const key = sql.raw(SORT_KEYS[order.by])
  const { forward } = sortKeys(key, sql`p.id`, order.direction)
  const { record, bytes } = listedProduct(shown)
  const askedWarehouse =
    shown.warehouseId === undefined
      ? sql``
      : sql`
      cross join (select ${shown.warehouseId}::text as id) as asked_warehouse`
  // Records that do not fit are not written: `case` evaluates only the branch it takes. `offset 0` keeps the estimate from being made
  // anew for each place that names it.
  const { rows } = await sql<ListedRow>`
    ${found}total as materialized (
      ${total}
    )
    select (select n from total) as matches, (select is_cut from total) as is_cut, coalesce(string_agg(record, ','), '') as products,
      count(*) as found, count(record) as fit, (array_agg(key))[count(record)] as last_key, (array_agg(id))[count(record)] as last_id
    from (
      select p.id, ${cursorKey(key, kindOfKey(order.by))} as key, case
          when sum(bytes) over (order by ${forward} rows unbounded preceding) - bytes <= ${sql.lit(MOST_PAGE_BYTES)}
          then ${record}
        end as record
      from (${ids}) page
      join products p on p.shop_id = ${shopId} and p.id = page.id
      join product_stock totals on totals.shop_id = ${shopId} and totals.product_id = page.id${askedWarehouse}
      cross join lateral (select ${bytes} as bytes offset 0) as size
      order by ${forward}
    ) as listed`.execute(db)
  const { matches: n, is_cut: isCut, last_key: lastKey, last_id: lastId, ...page } = rows[0]!
  const last = lastId === null ? undefined : { key: lastKey as Keyset['key'], id: lastId }
  return { matches: { n, isCut }, ...page, last }
}

type ListedRow = Pick<ProductList, 'products' | 'found' | 'fit'> & {
  matches: number
  is_cut: boolean
  /** Null, as `last_id`, if the page has no product. */
  last_key: unknown
  last_id: ObjectId | null
}

/**
 * How the total and the page's ids are found, depending on the filter. Ids come from an index alone if one index has
 * both the filter and the key; the wide rows are then fetched for the page only.
 */
function pageOf(
  shopId: ObjectId,
  filter: ProductFilter,
  order: ProductOrder,
  page: Place,
  most: number | undefined,
): PageParts {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  const slice = sliceOf(page)
  const conditions = conditionsOf(shopId, filter, sql`p.price`)
  const ofStock = stockConditionsOf(filter)
  const walk = (where?: RawBuilder<unknown>, areMany?: RawBuilder<unknown>) => {
    const { rows, order: keys } = productsInOrder(shopId, order, {
      where,
      ofStock,
      areMany,
      after: page.after,
    })
    return pageOfRows(rows, keys, page, sql`(select n from total)`)
  }

  const isPriced = filter.minPrice !== undefined || filter.maxPrice !== undefined
  const words = searchWords(filter.search ?? '')
  if (filter.search !== undefined && words.length > 0) {
    const search = { words, text: filter.search.trim(), most }
    return {
      ...searchedPage(shopId, filter, order, page, { ...search, areSorted: false }),
      sorted: () => searchedPage(shopId, filter, order, page, { ...search, areSorted: true }),
    }
  }
  const onwards = { direction: order.direction, kind: kindOfKey(order.by) }
  if (filter.ids !== undefined) {
    return {
      found: sql`with picked as materialized (
      select p.id, ${key} as key
      from products p
      where ${conditions}
    ), `,
      total: sql`select count(*) as n, false as is_cut from picked`,
      ids: sql`(
        select m.id
        from picked m
        where true${rowsAfter(sql`m.key`, sql`m.id`, page.after, onwards)}
        order by m.key ${direction}, m.id ${direction}
        ${slice}
      )`,
    }
  }
  if (filter.barcode === undefined && !isPriced && ofStock === undefined) {
    const category = filter.categoryId === undefined ? sql`` : sql` and c.category_id = ${filter.categoryId}`
    return {
      found: sql`with `,
      total: sql`select coalesce(sum(c.n), 0)::bigint as n, false as is_cut from product_counts c where c.shop_id = ${shopId}${category}`,
      ids: walk(filter.categoryId === undefined ? undefined : conditions),
    }
  }
  const total = sql`select count(*) as n, false as is_cut from products p where ${conditions}`
  if (ofStock !== undefined && filter.barcode === undefined) {
    // Without other conditions they are a range of an index of product_stock, however many products the shop has.
    const isAlone = filter.categoryId === undefined && !isPriced
    const low = isAlone
      ? sql`product_stock t where t.shop_id = ${shopId} and not t.is_retired and ${ofStock}`
      : sql`products p where ${conditions}`
    const limit = most === undefined ? sql`` : sql` limit ${most}`
    const isCut = most === undefined ? sql`false` : sql`count(*) = ${most}`
    return {
      found: sql`${planned} with `,
      total: sql`select count(*) as n, ${isCut} as is_cut from (select from ${low}${limit}) as found`,
      ids: walk(isAlone && order.by === 'stock_quantity' ? undefined : conditions),
    }
  }
  if (filter.barcode !== undefined || order.by === 'price')
    return { found: sql`with `, total, ids: walk(conditions) }
  // The better plan depends on the number of matches, which the planner cannot know but `total` shows. Only one of the
  // two branches runs. The sum in the second keeps the planner from using the price index there.
  const unindexed = conditionsOf(shopId, filter, sql`(p.price + 0)`)
  return {
    found: sql`with `,
    total,
    ids: sql`(
        select m.id
        from (
          select p.id, ${key} as key
          from products p
          where ${conditions} and (select n from total) <= ${sql.lit(FEW_PRICED)}
          limit ${sql.lit(FEW_PRICED)}
        ) m
        where true${rowsAfter(sql`m.key`, sql`m.id`, page.after, onwards)}
        order by m.key ${direction}, m.id ${direction}
        ${slice}
      ) union all (${walk(unindexed, sql`(select n from total) > ${sql.lit(FEW_PRICED)}`)}
      )`,
  }
}
