/**
 * Records whose JSON the database writes, byte for byte as `JSON.stringify` would write the presented row: lists skip the
 * way from rows to objects, and from objects to text, which took most of their time in the process. Everything here is
 * fixed text of a statement: what a caller sends is bound by the statement itself.
 */

/** How a value is written: the fixed text before and behind an SQL expression, which is never null. */
export type JsonValue = {
  before: string
  sql: string
  behind: string
  /** The condition under which the field is there; undefined: always. */
  isThere?: string
}

/** The most arguments of one `concat`. */
const MOST_ARGUMENTS = 100

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** SQL for a JSON object of these fields, in their order. The first is always there. */
export function jsonObject(fields: Record<string, JsonValue>): string {
  const parts: string[] = []
  let fixed = '{'
  for (const [index, [name, { before, sql, behind, isThere }]] of Object.entries(fields).entries()) {
    const start = `${index === 0 ? '' : ','}"${name}":${before}`
    if (isThere === undefined) {
      parts.push(quoted(fixed + start), sql)
      fixed = behind
    } else {
      const field = `concat(${quoted(start)}, ${sql}, ${quoted(behind)})`
      parts.push(quoted(fixed), `case when ${isThere} then ${field} end`)
      fixed = ''
    }
  }
  parts.push(quoted(`${fixed}}`))
  const calls: string[] = []
  for (let at = 0; at < parts.length; at += MOST_ARGUMENTS) {
    calls.push(`concat(${parts.slice(at, at + MOST_ARGUMENTS).join(', ')})`)
  }
  return calls.join(' || ')
}

/** SQL for a JSON array of what `select` gives, in its order: one column `json` of texts. */
export function jsonArray(select: string): JsonValue {
  return {
    before: '[',
    sql: `coalesce((select string_agg(json, ',') from (${select}) as entries), '')`,
    behind: ']',
  }
}

/** Text without anything to be escaped: an id, a word of ours. */
export const plain = (sql: string): JsonValue => ({ before: '"', sql, behind: '"' })
export const plainOrNull = (sql: string) => bare(`coalesce('"' || ${sql} || '"', 'null')`)
export const text = (sql: string) => bare(`to_json(${sql})`)
export const textOrNull = (sql: string) => bare(`coalesce(to_json(${sql})::text, 'null')`)
/** A whole number. */
export const number = (sql: string) => bare(sql)
export const numberOrNull = (sql: string) => bare(`coalesce((${sql})::text, 'null')`)
export const boolean = (sql: string) => bare(`(${sql})::text`)
/** Hundredths of a percent as a percentage. */
export const percent = (sql: string) => bare(`trim_scale(${sql}::numeric / 100)`)
/** A time as `toISOString` writes it. */
export const instant = (sql: string) =>
  plain(`to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
/** An array of texts. */
export const texts = (sql: string) => bare(`to_json(${sql})`)
/** A value of ours that is the same in every record. */
export const constant = (word: string) => plain(quoted(word))
/** SQL that gives JSON as text, or null. */
export const written = (sql: string) => bare(`coalesce(${sql}, 'null')`)
/** A column of jsonb, which PostgreSQL writes with blanks between its tokens. */
export const compact = (sql: string) => bare(`coalesce(compact_json(${sql}), 'null')`)
/** A field that is missing where it would be null. */
export const unlessNull = (sql: string, value: JsonValue): JsonValue => ({
  ...value,
  isThere: `${sql} is not null`,
})

function bare(sql: string): JsonValue {
  return { before: '', sql, behind: '' }
}
