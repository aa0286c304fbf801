import { type RawBuilder, sql } from 'kysely'

/** Columns of a table, and the values that an update gives them. */
export type NewValues = Readonly<Record<string, RawBuilder<unknown> | undefined>>

/** The `set` of an update: columns without a value keep theirs. */
export function setValues(values: NewValues): RawBuilder<unknown> {
  return sql.join(given(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
}

/** Condition: the row `alias` has all these values already, so that setting them is no change (G-00). True if there are none. */
export function hasValues(alias: string, values: NewValues): RawBuilder<boolean> {
  const same = given(values).map(
    ([column, value]) => sql`${sql.ref(`${alias}.${column}`)} is not distinct from ${value}`,
  )
  return sql`(${same.length === 0 ? sql`true` : sql.join(same, sql` and `)})`
}

function given(values: NewValues): [string, RawBuilder<unknown>][] {
  return Object.entries(values).filter(
    (entry): entry is [string, RawBuilder<unknown>] => entry[1] !== undefined,
  )
}
