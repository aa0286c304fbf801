import { type RawBuilder, sql } from 'kysely'
import { type Db, planned } from '../../../db/client.ts'
import { pageOfRows } from '../../../db/far-page-sql.ts'
import { foldWords, likeContains } from '../../../lib/fold.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { FEW_MATCHES, type Matches, matchesLookedFor, type TotalMode } from '../../../lib/total.ts'
import {
  type ChildRows,
  type Children,
  childColumns,
  type ProductRow,
  storedColumns,
  subItemGroupIds,
  totalColumns,
} from './columns.ts'
import { type ProductOrder, productsInOrder, SORT_KEYS } from './order.ts'

export type ProductFilter = {
  search: string | undefined
  categoryId: ObjectId | undefined
  /** Whole đồng, both included. */
  minPrice: number | undefined
  maxPrice: number | undefined
  barcode: string | undefined
}
/** `limit` is at most 50 (E8). */
export type Page = { limit: number; offset: number }
export type ProductList = { matches: Matches; products: (ProductRow & ChildRows)[] }

/** Up to here products of a price range are fetched and sorted one by one; above, an index of the shop is walked for them. */
const FEW_PRICED = 1000

/**
 * One page of a shop's products with the children asked for, and how many fit the filter (E8). One statement.
 * Products are sorted by the key and then by id, both in the same direction, as the indexes are. Without a filter,
 * or with a category alone, the total comes from `product_counts`; else the products that fit are counted, a search's
 * as `mode` says (G-65).
 */
export async function listProducts(
  db: Db,
  shopId: ObjectId,
  filter: ProductFilter,
  order: ProductOrder,
  page: Page,
  mode: TotalMode,
  children: Children,
): Promise<ProductList> {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  const { found, total, ids } = pageOf(shopId, filter, order, page, matchesLookedFor(mode))
  const { rows } = await sql<{ matches: number; is_cut: boolean } & ProductRow & ChildRows>`
    ${found}total as materialized (
      ${total}
    )
    select total.n as matches, total.is_cut, ${storedColumns}, ${totalColumns}, ${subItemGroupIds}${childColumns(children)}
    from total
    left join (
      (${ids}) page
      join products p on p.shop_id = ${shopId} and p.id = page.id
      join product_stock totals on totals.shop_id = ${shopId} and totals.product_id = page.id
    ) on true
    order by ${key} ${direction}, p.id ${direction}`.execute(db)
  const { matches: n, is_cut: isCut } = rows[0]!
  return { matches: { n, isCut }, products: rows.filter((row) => row.id !== null) }
}

/** `found` begins the statement: its `with`, and what comes before `total`, which is `n` and `is_cut`. */
type PageParts = { found: RawBuilder<unknown>; total: RawBuilder<unknown>; ids: RawBuilder<unknown> }

/**
 * How the total and the ids of the page are had, by the kind of filter. Ids come from an index alone where one
 * holds the filter and the key; the wide rows are then fetched for the page only.
 */
function pageOf(
  shopId: ObjectId,
  filter: ProductFilter,
  order: ProductOrder,
  page: Page,
  most: number | undefined,
): PageParts {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  const slice = page.offset === 0 ? sql`limit ${page.limit}` : sql`limit ${page.limit} offset ${page.offset}`
  const conditions = conditionsOf(shopId, filter, sql`p.price`)
  const walk = (where?: RawBuilder<unknown>, areMany?: RawBuilder<unknown>) => {
    const { rows, order: keys } = productsInOrder(shopId, order, where, areMany)
    return pageOfRows(rows, keys, page, sql`(select n from total)`)
  }

  const words = foldWords(filter.search ?? '')
  const isPriced = filter.minPrice !== undefined || filter.maxPrice !== undefined
  if (filter.search !== undefined && words.length > 0) {
    return searchedPage(shopId, filter, order, slice, { words, text: filter.search.trim(), most })
  }
  if (filter.barcode === undefined && !isPriced) {
    const category = filter.categoryId === undefined ? sql`` : sql` and c.category_id = ${filter.categoryId}`
    return {
      found: sql`with `,
      total: sql`select coalesce(sum(c.n), 0)::bigint as n, false as is_cut from product_counts c where c.shop_id = ${shopId}${category}`,
      ids: walk(filter.categoryId === undefined ? undefined : conditions),
    }
  }
  const total = sql`select count(*) as n, false as is_cut from products p where ${conditions}`
  if (filter.barcode !== undefined || order.by === 'price')
    return { found: sql`with `, total, ids: walk(conditions) }
  // Which is the better way depends on how many fit, which the planner cannot know and the total tells. Of the two
  // arms one is not run. The sum in the second keeps it off the prices' index.
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
 * The page and the total of a search (G-33): products with all words in the folded name, or with a code that begins with
 * the text. Names by `products_search`, or by `products_by_name` where a word is common or short; codes by
 * `product_codes_by_fold`. At most `most` of each are looked for. Few matches are then sorted; of many the page is found by
 * walking the order's index: of the two arms one is not run.
 */
function searchedPage(
  shopId: ObjectId,
  filter: ProductFilter,
  order: ProductOrder,
  slice: RawBuilder<unknown>,
  { words, text, most }: { words: string[]; text: string; most: number | undefined },
): PageParts {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  const conditions = conditionsOf(shopId, filter, sql`p.price`)
  const inName = sql.join(words.map(wordInName), sql` and `)
  const limit = most === undefined ? sql`` : sql`limit ${most}`
  const isCut =
    most === undefined
      ? sql`false`
      : sql`greatest((select count(*) from named), (select count(*) from coded)) = ${most}`
  const isFew = sql`(select n <= ${sql.lit(FEW_MATCHES)} and not is_cut from total)`
  // `offset 0` keeps the planner from reading all the shop's products, or all its codes, for a join.
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
  const walked = productsInOrder(shopId, order, fits, sql`not ${isFew}`)
  return {
    found: sql`${planned}
    with named as materialized (
      select p.id
      from products p
      where ${conditions} and ${inName}
      ${limit}
    ), coded as materialized (
      select c.product_id as id
      ${codesFrom(shopId, text, coded)}
      ${limit}
    ), matches as materialized (
      select id from named union select id from coded
    ), `,
    total: sql`select count(*) as n, ${isCut} as is_cut from matches`,
    ids: sql`(
        select f.id
        from (select id from matches where ${isFew}) m
        cross join lateral (
          select p.id, ${key} as key
          from products p
          where p.shop_id = ${shopId} and p.id = m.id
          offset 0
        ) f
        order by f.key ${direction}, f.id ${direction}
        ${slice}
      ) union all (${walked.rows}
        order by ${walked.order.forward}
        ${slice}
      )`,
  }
}

/** Whether a product with a code may not be shown for another reason than the search: a retired one has no codes. */
function isFiltered({ categoryId, minPrice, maxPrice, barcode }: ProductFilter): boolean {
  return [categoryId, minPrice, maxPrice, barcode].some((bound) => bound !== undefined)
}

/** The codes `c` of the shop that begin with a text, by `product_codes_by_fold`; `joined` stands beside them. */
export function codesFrom(
  shopId: ObjectId,
  text: string,
  joined: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`from product_codes c
      ${joined}
      where c.shop_id = ${shopId} and ${beginsWith(text)}`
}

/** Whether a code `c` begins with a text: a range of the index's own operators, as `like` with a bound pattern uses none. */
function beginsWith(text: string): RawBuilder<unknown> {
  const from = sql`fold_code(${text})`
  return sql`c.folded ~>=~ ${from} and c.folded ~<~ (${from} || chr(1114111))`
}

/** Below three letters no trigram exists: the shop's names are read. */
export function wordInName(word: string): RawBuilder<unknown> {
  return word.length < 3 ? sql`strpos(p.search, ${word}) > 0` : sql`p.search like ${likeContains(word)}`
}

/** A product with the children asked for (E9), or undefined. One statement. */
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
