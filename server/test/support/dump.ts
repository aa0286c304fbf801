import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { spellingsOf } from '../../src/modules/people/rules.ts'
import type { Service } from './service.ts'

/**
 * The tables of the whole database, including the job queue's, that have rows with the number in any spelling, and how
 * many. Searches every column of every table in the catalogue; bytes are searched as text.
 */
export async function tablesWith({ database }: Service, phone: string): Promise<Record<string, number>> {
  const { db } = database
  const { rows: columns } = await sql<{ place: string; name: string; isBytes: boolean }>`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as place, a.attname as name,
      a.atttypid = 'bytea'::regtype as "isBytes"
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition`.execute(db)
  const found: Record<string, number> = {}
  for (const place of new Set(columns.map((column) => column.place))) {
    const texts = columns
      .filter((column) => column.place === place)
      .map(({ name, isBytes }) =>
        isBytes ? sql`encode(${sql.ref(name)}, 'escape')` : sql`${sql.ref(name)}::text`,
      )
    const { rows } = await sql<{ text: string }>`
      select concat_ws(' | ', ${sql.join(texts)}) as text from ${sql.raw(place)}`.execute(db)
    const n = rows.filter(({ text }) => hasNumber(text, phone)).length
    if (n > 0) found[place.replace('public.', '')] = n
  }
  return found
}

/** Whether pg_dump writes the number in any spelling; undefined on the embedded database, which pg_dump cannot read. */
export async function isDumped({ deps }: Service, phone: string): Promise<boolean | undefined> {
  const url = deps.config.databaseUrl
  if (url === undefined) return undefined
  const { stdout } = await promisify(execFile)('pg_dump', [url], { maxBuffer: 512 * 1024 * 1024 })
  return hasNumber(stdout, phone)
}

/** Stricter than erasing: finds any run of the national digits, also with gaps. */
function hasNumber(text: string, phone: string): boolean {
  const { pattern } = spellingsOf(phone)
  return new RegExp(`(?<![0-9a-f])(?:\\+?84|0)?${pattern}(?![0-9a-f])`).test(text)
}
