import { type RawBuilder, sql } from 'kysely'
import { type KeyKind, microseconds } from './keyset-sql.ts'

type Sql = RawBuilder<unknown>
export type Direction = 'asc' | 'desc'

/** A list's order by a key and then by id, both in one direction, as the indexes have it. `backward` is the reverse order. */
export function sortKeys(key: Sql, id: Sql, direction: Direction): { forward: Sql; backward: Sql } {
  const each = (to: Direction) => sql`${key} ${sql.raw(to)}, ${id} ${sql.raw(to)}`
  return { forward: each(direction), backward: each(direction === 'asc' ? 'desc' : 'asc') }
}

/** A sort key in the form that a cursor holds. */
export function cursorKey(key: Sql, kind: KeyKind): Sql {
  return kind === 'time' ? microseconds(key) : key
}
