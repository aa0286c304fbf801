import { type RawBuilder, sql } from 'kysely'
import type { Copied } from '../../lib/lists/copied.ts'

/**
 * The end of a `select … from … where …` that finds the records of a copy by their `id`: a further condition and, to
 * read on after an id, the order and the limit. The limit is a literal, not bound, so the planner walks the index.
 */
export function copiedRows(id: RawBuilder<unknown>, copied: Copied): RawBuilder<unknown> {
  if ('ids' in copied) return sql`and ${id} = any(${copied.ids}::text[])`
  const after = copied.after === undefined ? sql`` : sql`and ${id} > ${copied.after}`
  return sql`${after}
      order by ${id}
      limit ${sql.lit(copied.limit)}`
}

/** The order in which the records of a copy are read: as their ids are listed, else that of the ids. */
export function copiedOrder(id: RawBuilder<unknown>, copied: Copied): RawBuilder<unknown> {
  return 'ids' in copied ? sql`array_position(${copied.ids}::text[], ${id}::text)` : id
}
