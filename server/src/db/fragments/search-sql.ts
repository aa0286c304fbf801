import { type RawBuilder, sql } from 'kysely'
import type { SearchPattern } from '../../lib/text/search-pattern.ts'

/**
 * Whether a column of folded text matches all patterns. A pattern without a trigram would read the shop's whole part of
 * the trigram index; appending an empty string makes the planner read the shop's rows instead.
 */
export function matchesAll(column: RawBuilder<unknown>, patterns: SearchPattern[]): RawBuilder<unknown> {
  if (patterns.length === 0) return sql`true`
  return sql.join(
    patterns.map(({ operator, pattern, isIndexable }) => {
      const text = isIndexable ? column : sql`(${column} || '')`
      return sql`${text} ${sql.raw(operator)} ${pattern}`
    }),
    sql` and `,
  )
}
