import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** The most bytes of records in a page of a list, besides its last record. */
export const MOST_PAGE_BYTES = 4_000_000

/** The most bytes of records that an export reads at once, besides the last one. */
export const MOST_PIECE_BYTES = 1_000_000

/**
 * The CTEs `numbered`, which numbers the rows of the CTE `ids` in an order, and `within`, which reads what `row` selects for
 * `numbered.id`, one row after another, until together they weigh more than `mostBytes`. `within` has those columns, `place` (from 1)
 * and `bytes`, and a row of nulls at place 0. So the database never makes more than is sent: a page of 100 orders may be 200 MB. The
 * statement must begin `with recursive`. `limit 1` keeps the planner from reading every row of `ids` at each step. `row` must find exactly one row; `weight` is the size in bytes of `found`, which is that row.
 */
export function rowsWithin(order: Sql, row: Sql, weight: Sql, mostBytes: number): Sql {
  return sql`numbered as materialized (
      select ids.id, row_number() over (order by ${order}) as place
      from ids
    ), within as (
      select 0::bigint as place, 0::bigint as bytes, found.*
      from (select null::text as id) as numbered
      left join lateral (${row}) as found on false
      union all
      select numbered.place, within.bytes + ${weight}, found.*
      from within
      cross join lateral (
        select numbered.id, numbered.place
        from numbered
        where numbered.place = within.place + 1
        limit 1
      ) as numbered
      cross join lateral (${row}) as found
      where within.bytes <= ${sql.lit(mostBytes)}
    )`
}
