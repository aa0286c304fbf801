import { type RawBuilder, sql } from 'kysely'
import type { Keyset } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'

type Sql = RawBuilder<unknown>

/** A time as a {@link Keyset} has it. */
export function microseconds(time: Sql): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${time}) * 1000000)::bigint`
}

/**
 * The end of a `where` for the rows after a record, ordered by a key and then by id, both in one direction; empty
 * without a record. It is a range of the index on key and id, so its cost does not depend on how far down the list it
 * begins.
 */
export function rowsAfter(
  key: Sql,
  id: Sql,
  after: Keyset | undefined,
  { direction = 'desc', kind = 'time' }: { direction?: 'asc' | 'desc'; kind?: KeyKind } = {},
): Sql {
  if (after === undefined) return sql``
  const value = {
    time: sql`timestamptz 'epoch' + ${after.key}::bigint * interval '1 microsecond'`,
    number: sql`${after.key}::bigint`,
    text: sql`${after.key}::text`,
  }[kind]
  return sql` and (${key}, ${id}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${value}, ${after.id}::text)`
}

export type KeyKind = 'time' | 'number' | 'text'

/**
 * From rows that were read with a limit of one more than `limit`: the page, whether another page follows, and the
 * {@link Keyset} of the page's last record (its `cursor_key` and id).
 */
export function pageOf<Row extends { id: ObjectId; cursor_key: string | number }>(
  rows: Row[],
  limit: number,
): { page: Row[]; hasMore: boolean; last: Keyset | undefined } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, hasMore: rows.length > limit, last: last && { key: last.cursor_key, id: last.id } }
}
