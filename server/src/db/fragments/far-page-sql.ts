import { type RawBuilder, sql } from 'kysely'

/** From this offset on, a page is read from the nearer end of its list. */
const FAR = 1_000

/** Limits that are written into statements (see {@link hinted}). The last is the largest limit of our lists. */
const HINTS = [10, 20, 50, 100]

type Sql = RawBuilder<unknown>

/**
 * Two places in a list that lie around a page: `before` rows come before the first place and `upto` before the second.
 * `from` is the condition for the rows after the first place, `to` the one for the rows before the second. All are
 * expressions.
 */
export type Around = { from: Sql; before: Sql; to: Sql; upto: Sql }

/**
 * Returns one page of `rows` (`select … from … where …`) in an order that has an index. Reading a page walks over all
 * rows before it, so a page in the second half of a long list is read backwards from the end. `total` is an expression
 * for the number of rows. With `around`, the page is read from the nearer of those two places instead of the nearer end.
 * Only one of the two branches runs. The rows may come in either order, so the caller must sort them again.
 */
export function pageOfRows(
  rows: Sql,
  order: { forward: Sql; backward: Sql },
  page: { limit: number; offset: number },
  total: Sql,
  around: Around = { from: sql`true`, before: sql`0`, to: sql`true`, upto: total },
): Sql {
  const { limit, offset } = page
  if (offset < FAR) {
    const slice = offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`
    return hinted(sql`${rows} order by ${order.forward} ${slice}`, limit)
  }
  const { from, before, to, upto } = around
  const isNearEnd = sql`${before} + ${upto} < 2 * ${offset}::bigint`
  const forward = sql`order by ${order.forward} limit ${limit} offset greatest(${offset}::bigint - ${before}, 0)`
  // The last page may hold fewer rows than the limit, and a page after it holds none.
  const backward = sql`order by ${order.backward}
      limit greatest(least(${limit}::bigint, ${total} - ${offset}::bigint), 0)
      offset greatest(${upto} - ${offset}::bigint - ${limit}::bigint, 0)`
  return sql`(${hinted(sql`${rows} and not (${isNearEnd}) and ${from} ${forward}`, limit)})
      union all
      (${hinted(sql`${rows} and ${isNearEnd} and ${to} ${backward}`, limit)})`
}

/**
 * Wraps the rows in a literal limit that removes none of them. A bound limit tells the planner nothing: it expects a
 * tenth of the shop and sorts all of it. With a literal limit it knows that few rows are wanted, and walks the index.
 * There are only a few such limits, so prepared plans are reused; planning costs as much as running.
 */
function hinted(rows: Sql, limit: number): Sql {
  const hint = HINTS.find((most) => limit <= most)!
  return sql`
      select q.*
      from (${rows}
      ) q
      limit ${sql.lit(hint)}`
}
