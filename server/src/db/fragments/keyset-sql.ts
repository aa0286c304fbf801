import { type RawBuilder, sql } from 'kysely'
import type { Keyset } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'

type Sql = RawBuilder<unknown>

/** What a {@link Keyset} has for a time. */
export function microseconds(time: Sql): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${time}) * 1000000)::bigint`
}

/**
 * The end of a `where` whose rows come behind a record in the order of a key and then of ids, both in one direction; empty
 * without a record. A range of the index that has the key and the id, however far behind.
 */
export function behind(
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
 * The page of the rows of a statement that reads one more, whether another follows, and its last record's {@link Keyset}:
 * its `cursor_key` and id.
 */
export function pageOf<Row extends { id: ObjectId; cursor_key: string | number }>(
  rows: Row[],
  limit: number,
): { page: Row[]; hasMore: boolean; last: Keyset | undefined } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, hasMore: rows.length > limit, last: last && { key: last.cursor_key, id: last.id } }
}
