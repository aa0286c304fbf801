import { PostgresQueryCompiler } from 'kysely'
import { loadModule, parseSync } from 'libpg-query'
import type { Db } from '../../src/db/client.ts'

await loadModule()

/** Wraps the database. `texts` are the statements that ran on it since the list was last emptied. */
export function notingStatements(db: Db): { db: Db; texts: string[] } {
  const texts: string[] = []
  const compiler = new PostgresQueryCompiler()
  const noting = db.withPlugin({
    transformQuery({ node, queryId }) {
      texts.push(compiler.compileQuery(node, queryId).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { db: noting, texts }
}

/** The names of all tables in a statement. */
export function tablesOf(text: string): string[] {
  const named = new Set<string>()
  const ctes = new Set<string>()
  walk(parseSync(text).stmts ?? [])
  return [...named].filter((name) => !ctes.has(name)).sort()

  function walk(node: unknown): void {
    if (typeof node !== 'object' || node === null) return
    for (const [kind, inside] of Object.entries(node)) {
      if (kind === 'RangeVar') named.add(inside.relname)
      if (kind === 'CommonTableExpr') ctes.add(inside.ctename)
      walk(inside)
    }
  }
}
