import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import { pageOfRows } from '../../../db/fragments/far-page-sql.ts'
import { microseconds, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { matchesAll } from '../../../db/fragments/search-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import { countLimit, FEW_MATCHES, type Matches, type TotalMode } from '../../../lib/lists/total.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { foldWords } from '../../../lib/text/fold.ts'
import { searchPattern } from '../../../lib/text/search-pattern.ts'
import {
  type ChildRows,
  type Children,
  childColumns,
  type ProductRow,
  storedColumns,
  subItemGroupIds,
  totalColumns,
} from './columns.ts'
import { listedProduct } from './record-json.ts'
import { amongFirstProducts, kindOfKey, type ProductOrder, productsInOrder, SORT_KEYS } from './sort.ts'

export type ProductFilter = {
  search: string | undefined
  categoryId: ObjectId | undefined
  /** Whole đồng, both bounds inclusive. */
  minPrice: number | undefined
  maxPrice: number | undefined
  barcode: string | undefined
  /** Upper bound of the available pieces, inclusive. */
  stockAtMost?: number | undefined
  ids?: ObjectId[] | undefined
}
/** `products` are the list's records as JSON; `last` is the place of the page's last record. */
export type ProductList = { matches: Matches; products: string[]; last: Keyset | undefined }

/**
 * Up to this number of matches, the products of a price range are fetched and sorted. Above it, the sort order's index
 * is walked.
 */
const FEW_PRICED = 1000

/**
 * How many products a search with many matches passes in the order of the list before it sorts the matches instead: so
 * many, and so many more for each match up to the page's end. At 1,000,000 products, passing 10,000 takes 30 ms and
 * sorting 100,000 matches 500 ms (2026-11-25, 2 shared cores).
 */
const PASSED_PRODUCTS = 10_000
const PASSED_PER_MATCH = 10

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
  filter: ProductFilter,
  order: ProductOrder,
  page: Place,
  mode: TotalMode,
  shown: Children,
): Promise<ProductList> {
  const parts = pageOf(shopId, filter, order, page, countLimit(mode))
  const list = await pageOfList(db, shopId, order, parts, shown)
  const { n, isCut } = list.matches
  const mayHaveMore = isCut || n > Math.max(FEW_MATCHES, page.offset + list.products.length)
  if (parts.sorted === undefined || list.products.length === page.limit || !mayHaveMore) return list
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
  const direction = sql.raw(order.direction)
  const shownKey = kindOfKey(order.by) === 'time' ? microseconds(key) : key
  const askedWarehouse =
    shown.warehouseId === undefined
      ? sql``
      : sql`
      cross join (select ${shown.warehouseId}::text as id) as asked_warehouse`
  const { rows } = await sql<ListedRow>`
    ${found}total as materialized (
      ${total}
    )
    select total.n as matches, total.is_cut, ${shownKey} as cursor_key, p.id, ${listedProduct(shown)} as record
    from total
    left join (
      (${ids}) page
      join products p on p.shop_id = ${shopId} and p.id = page.id
      join product_stock totals on totals.shop_id = ${shopId} and totals.product_id = page.id${askedWarehouse}
    ) on true
    order by ${key} ${direction}, p.id ${direction}`.execute(db)
  const { matches: n, is_cut: isCut } = rows[0]!
  const listed = rows.filter((row) => row.id !== null)
  const row = listed.at(-1)
  const last = row && { key: row.cursor_key as Keyset['key'], id: row.id! }
  return { matches: { n, isCut }, products: listed.map(({ record }) => record), last }
}

/** The product's columns are null if the page has no product. */
type ListedRow = {
  matches: number
  is_cut: boolean
  cursor_key: unknown
  id: ObjectId | null
  record: string
}

/**
 * `found` starts the statement: `with` and the steps before `total`. `total` selects `n` and `is_cut`, `ids` the page's
 * ids. `sorted` finds the same page by sorting all matches, if `ids` walks only a part of the list.
 */
type PageParts = {
  found: RawBuilder<unknown>
  total: RawBuilder<unknown>
  ids: RawBuilder<unknown>
  sorted?: () => PageParts
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
  const walk = (where?: RawBuilder<unknown>, areMany?: RawBuilder<unknown>) => {
    const { rows, order: keys } = productsInOrder(shopId, order, where, areMany, page.after)
    return pageOfRows(rows, keys, page, sql`(select n from total)`)
  }

  const isPriced = filter.minPrice !== undefined || filter.maxPrice !== undefined
  const isLow = filter.stockAtMost !== undefined
  const words = foldWords(filter.search ?? '')
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
  if (filter.barcode === undefined && !isPriced && !isLow) {
    const category = filter.categoryId === undefined ? sql`` : sql` and c.category_id = ${filter.categoryId}`
    return {
      found: sql`with `,
      total: sql`select coalesce(sum(c.n), 0)::bigint as n, false as is_cut from product_counts c where c.shop_id = ${shopId}${category}`,
      ids: walk(filter.categoryId === undefined ? undefined : conditions),
    }
  }
  const total = sql`select count(*) as n, false as is_cut from products p where ${conditions}`
  if (isLow && filter.barcode === undefined) {
    const low = most === undefined ? conditions : sql`${conditions} limit ${most}`
    const isCut = most === undefined ? sql`false` : sql`count(*) = ${most}`
    return {
      found: sql`${planned} with `,
      total: sql`select count(*) as n, ${isCut} as is_cut from (select from products p where ${low}) as found`,
      ids: walk(conditions),
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

/** The conditions on a product `p`, without the search. */
export function conditionsOf(
  shopId: ObjectId,
  filter: ProductFilter,
  price: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [sql`p.shop_id = ${shopId} and p.deleted_at is null`]
  if (filter.categoryId !== undefined) conditions.push(sql`p.category_id = ${filter.categoryId}`)
  if (filter.minPrice !== undefined) conditions.push(sql`${price} >= ${filter.minPrice}::bigint`)
  if (filter.maxPrice !== undefined) conditions.push(sql`${price} <= ${filter.maxPrice}::bigint`)
  if (filter.stockAtMost !== undefined) {
    conditions.push(sql`p.id in (
      select t.product_id
      from product_stock t
      where t.shop_id = ${shopId} and not t.is_retired and t.stock_quantity <= ${filter.stockAtMost}::bigint
    )`)
  }
  if (filter.ids !== undefined) conditions.push(sql`p.id = any(${filter.ids}::text[])`)
  if (filter.barcode !== undefined) {
    conditions.push(sql`p.id = (
      select c.product_id
      from product_codes c
      where c.shop_id = ${shopId} and c.kind = 'barcode' and c.folded = fold_code(${filter.barcode})
      order by c.code = ${filter.barcode} desc, c.is_duplicate
      limit 1
    )`)
  }
  return sql.join(conditions, sql` and `)
}

/**
 * The page and the total of a search (G-33): products with all words in the folded name, or with a code that begins
 * with the text. Names are found with `products_search`, or with `products_by_name` where a word is common or short;
 * codes with `product_codes_by_fold`. At most `most` of each are looked for. Few matches are then sorted; for many, the
 * page is found by walking a part of the index of the order. Only one of the two branches runs. With `areSorted`, all
 * matches are found and sorted, however many.
 */
function searchedPage(
  shopId: ObjectId,
  filter: ProductFilter,
  order: ProductOrder,
  page: Place,
  {
    words,
    text,
    most,
    areSorted,
  }: { words: string[]; text: string; most: number | undefined; areSorted: boolean },
): PageParts {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  const slice = sliceOf(page)
  const conditions = conditionsOf(shopId, filter, sql`p.price`)
  const inName = matchesAll(sql`p.search`, words.map(searchPattern))
  const limit = most === undefined || areSorted ? sql`` : sql`limit ${most}`
  const isCut = most === undefined ? sql`false` : sql`count(*) >= ${most}`
  const isFew = areSorted ? sql`true` : areFewer(shopId, page)
  // `offset 0` keeps the planner from joining by reading all products or all codes of the shop.
  const coded = isFiltered(filter)
    ? sql`cross join lateral (
        select from products p
        where ${conditions} and p.id = c.product_id
        offset 0
      ) p`
    : sql``
  const fits = sql`${conditions} and (${inName} or exists (
          select
          from (select c.folded from product_codes c where c.shop_id = ${shopId} and c.product_id = p.id offset 0) c
          where ${beginsWith(text)}
        ))`
  const passed = PASSED_PRODUCTS + PASSED_PER_MATCH * (page.offset + page.limit)
  const walk = sql` union all (${amongFirstProducts(shopId, order, fits, sql`not ${isFew}`, page.after, passed)}
        ${slice}
      )`
  return {
    found: sql`${planned}
    with named as materialized (
      select p.id, ${order.by === 'stock_quantity' ? sql`null::bigint` : key} as key
      from products p
      where ${conditions} and ${inName}
      ${limit}
    ), coded as materialized (
      select c.product_id as id
      ${codesFrom(shopId, text, coded)}${most === undefined || areSorted ? sql`` : sql` and ${isFirstCode(shopId, text)}`}
      ${limit}
    ), matches as materialized (
      select id, max(key) as key
      from (select id, key from named union all select id, null from coded) found
      group by id
    ), `,
    total: sql`select count(*) as n, ${isCut} as is_cut from matches`,
    ids: sql`(
        select f.id
        from (
          select id, coalesce(m.key, (select ${key} from products p where p.shop_id = ${shopId} and p.id = m.id)) as key
          from matches m
          where ${isFew}
        ) f
        where true${rowsAfter(sql`f.key`, sql`f.id`, page.after, { direction: order.direction, kind: kindOfKey(order.by) })}
        order by f.key ${direction}, f.id ${direction}
        ${slice}
      )${areSorted ? sql`` : walk}`,
  }
}

/**
 * Whether sorting the matches of a search costs less than walking the shop's products to the page. On average, the walk
 * passes the same fraction of the products as the page's end is of the matches. With 200,000 products and 6,060
 * matches, fetching and sorting a match cost about three times as much as passing a product (2026-11-22, 2 shared
 * cores).
 */
function areFewer(shopId: ObjectId, { limit, offset }: Place): RawBuilder<unknown> {
  return sql`(
      select not is_cut and (
        n <= ${sql.lit(FEW_MATCHES)}
        or 3 * n::float8 * n <= ${offset + limit}::float8 * (
          select coalesce(sum(c.n), 0) from product_counts c where c.shop_id = ${shopId}
        )
      )
      from total
    )`
}

function sliceOf({ limit, offset }: Place): RawBuilder<unknown> {
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`
}

/** Whether the filter has conditions besides the search. Retired products need none: they have no codes. */
function isFiltered({ categoryId, minPrice, maxPrice, barcode, stockAtMost, ids }: ProductFilter): boolean {
  return [categoryId, minPrice, maxPrice, barcode, stockAtMost, ids].some((bound) => bound !== undefined)
}

/** The codes `c` of the shop that begin with a text, from `product_codes_by_fold`; `joined` is joined to them. */
export function codesFrom(
  shopId: ObjectId,
  text: string,
  joined: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`from product_codes c
      ${joined}
      where c.shop_id = ${shopId} and ${beginsWith(text)}`
}

/**
 * Condition: a code `c` begins with a text. It uses the operators of the index for a range, because `like` with a bound
 * pattern uses no index. `folded` is the code in folded form.
 */
function beginsWith(text: string, folded = sql`c.folded`): RawBuilder<unknown> {
  const from = sql`fold_code(${text})`
  return sql`${folded} ~>=~ ${from} and ${folded} ~<~ (${from} || chr(1114111))`
}

/** Condition: `c` is the first code of its product that begins with the text. Uses `product_codes_by_product`. */
function isFirstCode(shopId: ObjectId, text: string): RawBuilder<unknown> {
  return sql`not exists (
        select
        from (
          select e.folded, e.kind, e.code
          from product_codes e
          where e.shop_id = ${shopId} and e.product_id = c.product_id
          offset 0
        ) e
        where ${beginsWith(text, sql`e.folded`)} and (e.kind, e.code) < (c.kind, c.code)
      )`
}

/** A product with the requested children (E9), or undefined. One statement. */
export async function findProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  children: Children,
): Promise<(ProductRow & ChildRows) | undefined> {
  const { rows } = await sql<ProductRow & ChildRows>`
    select ${storedColumns}, ${totalColumns}, ${subItemGroupIds}${childColumns(children)}
    from products p
    join product_stock totals on totals.shop_id = p.shop_id and totals.product_id = p.id
    where p.shop_id = ${shopId} and p.id = ${id} and p.deleted_at is null`.execute(db)
  return rows[0]
}
