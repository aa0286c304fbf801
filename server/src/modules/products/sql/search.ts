import { type RawBuilder, sql } from 'kysely'
import { planned } from '../../../db/client.ts'
import { rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import { matchesAll } from '../../../db/fragments/search-sql.ts'
import type { Place } from '../../../lib/lists/place.ts'
import { FEW_MATCHES } from '../../../lib/lists/total.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { searchPattern } from '../../../lib/text/search-pattern.ts'
import { conditionsOf, isFiltered, type ProductFilter } from './filter.ts'
import { type PageParts, sliceOf } from './page-parts.ts'
import { amongFirstProducts, kindOfKey, type ProductOrder, SORT_KEYS } from './sort.ts'

/**
 * How many products a search with many matches passes in the order of the list before it sorts the matches instead: so
 * many, and so many more for each match up to the page's end. At 1,000,000 products, passing 10,000 takes 30 ms and
 * sorting 100,000 matches 500 ms (2026-11-25, 2 shared cores).
 */
const PASSED_PRODUCTS = 10_000
const PASSED_PER_MATCH = 10

/**
 * The page and the total of a search (G-33): products with all words in the folded name, or with a code that begins
 * with the text. Names are found with `products_search`, or with `products_by_name` where a word is common;
 * codes with `product_codes_by_fold`. At most `most` of each are looked for. Few matches are then sorted; for many, the
 * page is found by walking a part of the index of the order. Only one of the two branches runs. With `areSorted`, all
 * matches are found and sorted, however many.
 */
export function searchedPage(
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
