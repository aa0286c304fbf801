import { type RawBuilder, sql } from 'kysely'
import type { Place } from '../../../lib/lists/place.ts'

/**
 * `found` starts the statement: `with` and the steps before `total`. `total` selects `n` and `is_cut`, `ids` the page's
 * ids. `sorted` finds the same page by sorting all matches, if `ids` walks only a part of the list.
 */
export type PageParts = {
  found: RawBuilder<unknown>
  total: RawBuilder<unknown>
  ids: RawBuilder<unknown>
  sorted?: () => PageParts
}

/** `limit` and, beyond the first page, `offset`. */
export function sliceOf({ limit, offset }: Place): RawBuilder<unknown> {
  return offset === 0 ? sql`limit ${limit}` : sql`limit ${limit} offset ${offset}`
}
