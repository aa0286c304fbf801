import { type RawBuilder, sql } from 'kysely'

/** From here on a page is read from the nearer end of its list. */
const FAR = 1_000

/** Written into the statements as {@link hinted} says; the last is the largest limit of our lists. */
const HINTS = [10, 20, 50, 100]

type Sql = RawBuilder<unknown>

/**
 * One page of `rows` (`select … from … where …`) in an order that an index has. Reading a page walks over the rows
 * before it, so a far page is read backwards from the end of the list: `total`, an expression, is the number of rows.
 * Only one of the two branches runs. The rows may come in either order: sort them again.
 */
export function pageOfRows(
  rows: Sql,
  order: { forward: Sql; backward: Sql },
  page: { limit: number; offset: number },
  total: Sql,
): Sql {
  const { limit, offset } = page
  const forward = sql`order by ${order.forward} ${offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`}`
  if (offset < FAR) return hinted(sql`${rows} ${forward}`, limit)
  const isNearEnd = sql`${total} < 2 * ${offset}::bigint`
  // The last page may hold fewer rows than the limit, a page behind it none.
  const backward = sql`order by ${order.backward}
      limit greatest(least(${limit}::bigint, ${total} - ${offset}::bigint), 0)
      offset greatest(${total} - ${offset}::bigint - ${limit}::bigint, 0)`
  return sql`(${hinted(sql`${rows} and not (${isNearEnd}) ${forward}`, limit)})
      union all
      (${hinted(sql`${rows} and ${isNearEnd} ${backward}`, limit)})`
}

/**
 * The rows, with a limit that changes nothing in them: a bound limit tells the planner nothing, so it expects a
 * tenth of the shop and sorts all of it; a written one says that a few rows are wanted, and it walks the index.
 * With one close to the page's it also keeps the prepared plan, where planning would cost as much as running.
 */
function hinted(rows: Sql, limit: number): Sql {
  const hint = HINTS.find((most) => limit <= most)!
  return sql`
      select q.*
      from (${rows}
      ) q
      limit ${sql.lit(hint)}`
}
