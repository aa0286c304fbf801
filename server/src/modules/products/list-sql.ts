import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { foldWords, likeContains } from '../../lib/fold.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import {
  type ChildRows,
  type Children,
  childColumns,
  type ProductRow,
  storedColumns,
  subItemGroupIds,
} from './rows.ts'
import type { SortField } from './rules.ts'

export type ProductFilter = {
  search: string | undefined
  categoryId: ObjectId | undefined
  /** Whole đồng, both included. */
  minPrice: number | undefined
  maxPrice: number | undefined
  barcode: string | undefined
}
export type ProductOrder = { by: SortField; direction: 'asc' | 'desc' }
/** `limit` is at most 50 (E8). */
export type Page = { limit: number; offset: number }
export type ProductList = { total: number; products: (ProductRow & ChildRows)[] }

/** Each is the second column of an index of its own, `id` the third. */
const SORT_KEYS: Record<SortField, string> = {
  createdAt: 'p.created_at',
  updatedAt: 'p.updated_at',
  name: 'p.search',
  price: 'p.price',
  sortOrder: 'coalesce(p.sort_order, 0)',
  stock_quantity: 'p.stock_quantity',
}

/** The largest limit of E8, written into the statement: see {@link pageOfIds}. */
const MAX_LIMIT = 50

/**
 * One page of a shop's products with the children asked for, and how many fit the filter (E8). One statement.
 * Products are sorted by the key and then by id, both in the same direction, as the indexes are. Without a filter, or with
 * a category alone, the total comes from `product_counts`; else the products that fit are counted.
 */
export async function listProducts(
  db: Db,
  shopId: ObjectId,
  filter: ProductFilter,
  order: ProductOrder,
  page: Page,
  children: Children,
): Promise<ProductList> {
  const key = sql.raw(SORT_KEYS[order.by])
  const direction = sql.raw(order.direction)
  const conditions = fixedConditions(shopId, filter)
  const words = foldWords(filter.search ?? '')
  const isSearch = filter.search !== undefined && words.length > 0
  const found = isSearch ? foundCte(shopId, key, conditions, words, filter.search!.trim()) : sql``
  const total = isSearch ? sql`select count(*) from found` : totalOf(shopId, filter, conditions)
  const ids = isSearch
    ? pageOfIds(sql`select f.id from found f order by f.key ${direction}, f.id ${direction}`, page)
    : pageOfIds(
        sql`select p.id from products p where ${conditions} order by ${key} ${direction}, p.id ${direction}`,
        page,
      )
  const { rows } = await sql<{ total: number } & ProductRow & ChildRows>`
    ${found}
    select t.total, ${storedColumns}, ${subItemGroupIds}${childColumns(children)}
    from (select (${total}) as total) t
    left join (
      ${ids} page
      join products p on p.shop_id = ${shopId} and p.id = page.id
    ) on true
    order by ${key} ${direction}, p.id ${direction}`.execute(db)
  return { total: rows[0]!.total, products: rows.filter((row) => row.id !== null) }
}

/**
 * The ids of a page, read from an index alone; the wide rows are fetched for them only. The outer limit changes
 * nothing in the result: bound limits tell the planner nothing, so that it expects a tenth of the shop and sorts
 * all of it; the written one says that a few rows are wanted, and it walks the index.
 */
function pageOfIds(ids: RawBuilder<unknown>, page: Page): RawBuilder<unknown> {
  return sql`(
        select q.id
        from (
          ${ids}
          limit ${page.limit} offset ${page.offset}
        ) q
        limit ${sql.lit(MAX_LIMIT)}
      )`
}

function fixedConditions(shopId: ObjectId, filter: ProductFilter): RawBuilder<unknown> {
  const conditions = [sql`p.shop_id = ${shopId}`]
  if (filter.categoryId !== undefined) conditions.push(sql`p.category_id = ${filter.categoryId}`)
  if (filter.minPrice !== undefined) conditions.push(sql`p.price >= ${filter.minPrice}`)
  if (filter.maxPrice !== undefined) conditions.push(sql`p.price <= ${filter.maxPrice}`)
  if (filter.barcode !== undefined) {
    conditions.push(sql`p.id = (
      select c.product_id
      from product_codes c
      where c.shop_id = ${shopId} and c.kind = 'barcode' and c.code = ${filter.barcode}
    )`)
  }
  return sql.join(conditions, sql` and `)
}

function totalOf(
  shopId: ObjectId,
  filter: ProductFilter,
  conditions: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isCounted =
    filter.minPrice === undefined && filter.maxPrice === undefined && filter.barcode === undefined
  if (!isCounted) return sql`select count(*) from products p where ${conditions}`
  const category = filter.categoryId === undefined ? sql`` : sql` and n.category_id = ${filter.categoryId}`
  return sql`select coalesce(sum(n.n), 0)::bigint from product_counts n where n.shop_id = ${shopId}${category}`
}

/**
 * The products that a search finds, with their sort key (G-33): all words in the folded name, or a code that begins
 * with the text. Two arms, as an `or` across tables would use no index. Names by `products_search`, codes by
 * `product_codes_by_folded`.
 */
function foundCte(
  shopId: ObjectId,
  key: RawBuilder<unknown>,
  conditions: RawBuilder<unknown>,
  words: string[],
  text: string,
): RawBuilder<unknown> {
  const inName = sql.join(words.map(wordInName), sql` and `)
  // A range of the index's own operators: `like` with a bound pattern would not use it.
  const from = sql`lower(${text}::text collate "C")`
  return sql`with found as materialized (
      select p.id, ${key} as key
      from products p
      where ${conditions} and ${inName}
      union
      select p.id, ${key}
      from product_codes c
      join products p on p.shop_id = c.shop_id and p.id = c.product_id
      where c.shop_id = ${shopId} and lower(c.code) ~>=~ ${from} and lower(c.code) ~<~ (${from} || chr(1114111))
        and ${conditions}
    )`
}

/** Below three letters no trigram exists and the whole index of all shops would be read: the shop's names are. */
function wordInName(word: string): RawBuilder<unknown> {
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
    select ${storedColumns}, ${subItemGroupIds}${childColumns(children)}
    from products p
    where p.shop_id = ${shopId} and p.id = ${id}`.execute(db)
  return rows[0]
}
