import { type PGlite, protocol } from '@electric-sql/pglite'
import type { DeclaredColumn } from './declared-rows.ts'

/** A column as the database describes it. `type` is its type's name, `source` the table's column that it returns unchanged. */
export type DescribedColumn = {
  name: string
  type: string
  source: { name: string; isNullable: boolean; values: string[] | undefined } | undefined
}

const KINDS: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  timestamptz: 'Date',
  bytea: 'Uint8Array',
}
/** Classes that the driver may return for another, equivalent class. */
const SAME: Record<string, string> = { Buffer: 'Uint8Array' }

/**
 * Where a row type does not match the statement: a column that it does not return, another type, a possible null, or a
 * text that the column's check allows and the type does not (or the reverse). Only the type of an expression is known,
 * and nothing about the content of JSON.
 * @param byCondition the columns that the statement's own condition restricts, with the reason
 */
export function rowBreaches(
  declared: DeclaredColumn[],
  described: DescribedColumn[],
  byCondition: Record<string, string> = {},
): string[] {
  return declared.flatMap(({ name, kinds, values, isNullable, isOptional }) => {
    const column = described.find((one) => one.name === name)
    if (column === undefined) return isOptional ? [] : [`${name} is not returned`]
    const { type } = column
    const source = name in byCondition ? undefined : column.source
    const breaches: string[] = []
    if (!isOfKind(type, kinds)) breaches.push(`${name} is ${type}, not ${kinds.join(' | ')}`)
    const mayBeNull = isNullable || kinds.includes('unknown')
    if (source?.isNullable && !mayBeNull) breaches.push(`${name} (${source.name}) may be null`)
    if (values !== undefined && source?.values !== undefined) {
      const more = source.values.filter((value) => !values.includes(value))
      const less = values.filter((value) => !source.values!.includes(value))
      if (more.length > 0) breaches.push(`${name} (${source.name}) may be ${more.join(', ')}`)
      if (less.length > 0) breaches.push(`${name} (${source.name}) is never ${less.join(', ')}`)
    }
    return breaches
  })
}

function isOfKind(type: string, kinds: string[]): boolean {
  if (/^jsonb?$/.test(type)) return true
  const kind = type.startsWith('_') ? `${KINDS[type.slice(1)]}[]` : KINDS[type]
  return kinds.every((one) => one === 'unknown' || (SAME[one] ?? one) === kind)
}

type Sources = Map<string, NonNullable<DescribedColumn['source']>>

/** Returns a function that describes the columns of statements on a database. Its schema is read once. */
export async function describer(pglite: PGlite): Promise<(text: string) => Promise<DescribedColumn[]>> {
  const types = await pglite.query<{ oid: number; name: string }>(
    `select oid::integer as oid, typname as name from pg_type where typnamespace = 'pg_catalog'::regnamespace`,
  )
  const nameOf = new Map(types.rows.map(({ oid, name }) => [oid, name]))
  const sources = await readSources(pglite)
  return async (text) => {
    const { serialize } = protocol
    const fields = await pglite.runExclusive(async () => {
      try {
        await pglite.execProtocol(serialize.parse({ text }))
        const { messages } = await pglite.execProtocol(serialize.describe({ type: 'S' }))
        return messages.flatMap((message) => ('fields' in message ? (message.fields as Field[]) : []))
      } finally {
        await pglite.execProtocol(serialize.sync())
      }
    })
    return fields.map((field) => ({
      name: field.name,
      type: nameOf.get(field.dataTypeID) ?? String(field.dataTypeID),
      source: sources.get(`${field.tableID} ${field.columnID}`),
    }))
  }
}

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number }

async function readSources(pglite: PGlite): Promise<Sources> {
  const { rows } = await pglite.query<{
    key: string
    name: string
    nullable: boolean
    check: string | null
  }>(`
    select a.attrelid::integer || ' ' || a.attnum as key, c.relname || '.' || a.attname as name,
      not a.attnotnull as nullable, string_agg(pg_get_constraintdef(o.oid), ' ') as check
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint o on o.conrelid = c.oid and o.contype = 'c' and o.conkey = array[a.attnum]
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    group by a.attrelid, a.attnum, c.relname, a.attname, a.attnotnull`)
  return new Map(
    rows.map(({ key, name, nullable, check }) => [
      key,
      { name, isNullable: nullable, values: allowedTexts(check ?? '') },
    ]),
  )
}

/** The texts that a check such as `status = any (array['a', 'b'])` allows. */
function allowedTexts(check: string): string[] | undefined {
  const list = /= ANY \(ARRAY\[([^\]]*)\]\)/.exec(check)?.[1]
  return list === undefined ? undefined : [...list.matchAll(/'([^']*)'::text/g)].map((match) => match[1]!)
}
