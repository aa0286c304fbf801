import { type RawBuilder, sql } from 'kysely'
import type { Copied } from '../../lib/lists/copied.ts'

/**
 * The end of `select … from … where …` that finds the records of a copy by their `id`: a further condition and, for the next
 * ones after an id, their order and number. The number is written, not bound, so that the planner walks the index.
 */
export function copiedRows(id: RawBuilder<unknown>, copied: Copied): RawBuilder<unknown> {
  if ('ids' in copied) return sql`and ${id} = any(${copied.ids}::text[])`
  const after = copied.after === undefined ? sql`` : sql`and ${id} > ${copied.after}`
  return sql`${after}
      order by ${id}
      limit ${sql.lit(copied.limit)}`
}
