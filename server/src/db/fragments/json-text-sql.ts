/**
 * Lets the database write records as JSON, byte for byte as `JSON.stringify` would write the presented row. This saves
 * lists the conversion from rows to objects to text, which took most of their time in the process. Everything here is
 * fixed text of a statement; the statement itself binds what a caller sends.
 */

/** How a value is written: an SQL expression, which is never null, and the fixed text before and after it. */
export type JsonValue = {
  before: string
  sql: string
  behind: string
  /** The condition under which the field is present; undefined means always. */
  isThere?: string
}

/** A value for each field of a record, so that the compiler rejects a set of fields that differs from the schema's. */
export type Fields<Of> = Record<keyof Of & string, JsonValue>

/** The most arguments of one `concat` call. */
const MOST_ARGUMENTS = 100

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** SQL for a JSON object of these fields, in their order. The first field must always be present. */
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

/** SQL for a JSON array of the rows of `select`, in its order. `select` has one text column, `json`. */
export function jsonArray(select: string): JsonValue {
  return {
    before: '[',
    sql: `coalesce((select string_agg(json, ',') from (${select}) as entries), '')`,
    behind: ']',
  }
}

/** A string without characters that need escaping: an id or a fixed word of ours. */
export const plain = (sql: string): JsonValue => ({ before: '"', sql, behind: '"' })
export const plainOrNull = (sql: string) => bare(`coalesce('"' || ${sql} || '"', 'null')`)
export const text = (sql: string) => bare(`to_json(${sql})`)
export const textOrNull = (sql: string) => bare(`coalesce(to_json(${sql})::text, 'null')`)
/** A whole number. */
export const number = (sql: string) => bare(sql)
export const numberOrNull = (sql: string) => bare(`coalesce((${sql})::text, 'null')`)
export const boolean = (sql: string) => bare(`(${sql})::text`)
/** A percentage from hundredths of a percent. */
export const percent = (sql: string) => bare(`trim_scale(${sql}::numeric / 100)`)
/** A time in the format of `toISOString`. */
export const instant = (sql: string) =>
  plain(`to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
/** An array of strings. */
export const texts = (sql: string) => bare(`to_json(${sql})`)
/** A fixed string of ours that is the same in every record. */
export const constant = (word: string) => plain(quoted(word))
/** SQL that returns JSON as text, or null. */
export const written = (sql: string) => bare(`coalesce(${sql}, 'null')`)
/** A jsonb column, without the spaces that PostgreSQL writes between tokens. */
export const compact = (sql: string) => bare(`coalesce(compact_json(${sql}), 'null')`)
/** A field that is left out if `sql` is null. */
export const unlessNull = (sql: string, value: JsonValue): JsonValue => ({
  ...value,
  isThere: `${sql} is not null`,
})

function bare(sql: string): JsonValue {
  return { before: '', sql, behind: '' }
}
