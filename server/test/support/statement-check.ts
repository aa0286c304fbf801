import type { PGlite } from '@electric-sql/pglite'
import { type KyselyPlugin, PostgresQueryCompiler, sql } from 'kysely'
import { afterAll, expect, inject } from 'vitest'
import type { Db } from '../../src/db/client.ts'
import { ACROSS_SHOPS } from './across-shops.ts'
import { BY_CONDITION } from './by-condition.ts'
import { describer, rowBreaches } from './row-check.ts'
import { unboundTables } from './shop-binding.ts'

type Statement = { text: string; maker: string }
/**
 * `undescribed`: statements whose row types are still to be compared, on `pglite`. `compared`: the makers of those
 * already compared.
 */
type Seen = {
  texts: Set<string>
  breaches: Set<string>
  undescribed: Statement[]
  compared: Set<string>
  pglite?: PGlite
}
const worker = globalThis as typeof globalThis & { shopbellStatements?: Seen }
worker.shopbellStatements ??= { texts: new Set(), breaches: new Set(), undescribed: [], compared: new Set() }
const seen = worker.shopbellStatements

/**
 * Wraps the database to check each statement that our sources run on it. Each reference to a shop's table must be bound
 * to a shop, and on the embedded database the statement's row type must match what it returns. Statements of the tests
 * themselves are not checked. Breaches fail the test file; see {@link failOnBreaches}.
 */
export async function watchStatements(db: Db, pglite: PGlite | undefined): Promise<Db> {
  if (pglite !== undefined && seen.pglite?.closed !== false) seen.pglite = pglite
  const { rows } = await sql<{ name: string }>`
    select c.relname as name
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'shop_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`.execute(
    db,
  )
  const tables = new Set(rows.map(({ name }) => name))
  expect(tables.size).toBeGreaterThan(30)
  const compiler = new PostgresQueryCompiler()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql: text } = compiler.compileQuery(node, queryId)
      // A stack trace costs more than most statements, so it is made only once per text.
      if (!seen.texts.has(text)) {
        seen.texts.add(text)
        look(text, makerOf(new Error().stack ?? ''), tables)
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return db.withPlugin(plugin)
}

function look(text: string, maker: string | undefined, tables: ReadonlySet<string>): void {
  if (maker === undefined) return
  const unbound = unboundTables(text, tables, ACROSS_SHOPS[maker]?.roots)
  if (unbound.length > 0) seen.breaches.add(`${maker}: ${unbound.join(', ')}\n${text}`)
  seen.undescribed.push({ text, maker })
}

/**
 * Compares row types with the database's descriptions of their statements. A function with several statements has
 * several row types, one of which must match. If no database is open any more, this waits for the next file.
 */
async function lookAtRows(): Promise<void> {
  const { pglite, undescribed } = seen
  if (pglite === undefined || pglite.closed || undescribed.length === 0) return
  const declared = inject('declaredRows')
  const describe = await describer(pglite)
  for (const { text, maker } of undescribed.splice(0)) {
    const rows = declared[maker]
    if (rows === undefined) continue
    const described = await describe(text)
    if (described.length === 0) continue
    seen.compared.add(maker)
    const breaches = rows.map((row) => rowBreaches(row, described, BY_CONDITION[maker]))
    if (breaches.every((found) => found.length > 0))
      seen.breaches.add(`${maker}: ${breaches[0]!.join('; ')}\n${text}`)
  }
}

/** Our function that runs a statement, such as `modules/access/keys/sql.ts findKeyByHash`; undefined if a test runs it. */
function makerOf(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    if (/node_modules|statement-check\.ts|node:/.test(line)) continue
    const match = /at (?:async )?(?:(\S+) \()?.*\/server\/(src|test)\/(.+?):\d+/.exec(line)
    if (match === null) continue
    return match[2] === 'src' ? `${match[3]} ${match[1] ?? ''}`.trimEnd() : undefined
  }
  return undefined
}

/** What this worker has recorded so far. */
export function watched(): Readonly<Seen> {
  return seen
}

/**
 * For the set-up of every test file: fails if a statement in this worker so far reached across shops, or returned a row
 * that does not match its type.
 */
export function failOnBreaches(): void {
  afterAll(async () => {
    await lookAtRows()
    const found = [...seen.breaches]
    seen.breaches.clear()
    expect(found, 'statements that are not held to a shop, or whose row type is wrong').toEqual([])
  })
}
