import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Facts } from '../../db/facts.ts'
import { CliError } from '../cli/cli.ts'
import { runTool } from './archive.ts'

const install = 'the client programs of PostgreSQL, of the server’s version or newer (postgresql-client)'

/** The address without its password, which anyone on the machine could see among the arguments. */
function connection(databaseUrl: string): { url: string; env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { url: url.href, env: password === '' ? {} : { PGPASSWORD: password } }
}

/** Dumps the database as of an exported snapshot. */
export async function dump(databaseUrl: string, snapshot: string, file: string): Promise<void> {
  const { url, env } = connection(databaseUrl)
  // Not compressed here, because the backup is compressed as a whole.
  const how = ['-Fc', '-Z0', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`]
  await runTool('pg_dump', [...how, '-f', file, '-d', url], { env, install })
}

/** Restores a dump in one transaction, so completely or not at all. */
export async function restoreDump(databaseUrl: string, file: string): Promise<void> {
  const { url, env } = connection(databaseUrl)
  const how = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  await runTool('pg_restore', [...how, '-d', url, file], { env, install })
}

/** Counts the rows of each table in a dump, from its text. */
export async function countDumped(file: string): Promise<Map<string, number>> {
  const child = spawn('pg_restore', ['--data-only', '-f', '-', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const counts = new Map<string, number>()
  let table: string | undefined
  for await (const line of linesOf(child.stdout)) {
    if (table === undefined) {
      table = /^COPY (\S+) .*FROM stdin;$/.exec(line)?.[1]
      if (table !== undefined) counts.set(table, counts.get(table) ?? 0)
    } else if (line === '\\.') table = undefined
    else counts.set(table, counts.get(table)! + 1)
  }
  const [code] = await ended
  if (code !== 0) throw new CliError(`the dump cannot be read (pg_restore ended with ${code})`)
  return counts
}

/** Lines end with a line feed alone. `readline` also ends them at U+2028 and U+2029, which a text may contain. */
async function* linesOf(text: Readable): AsyncGenerator<string, void> {
  let rest = ''
  for await (const piece of text.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

/**
 * The tables whose number of rows in the dump differs from the snapshot's. A partition counts as part of its table: the
 * one whose name its own name begins with, or the job queue's.
 */
export function missingInDump(facts: Facts, counts: Map<string, number>): string[] {
  const named = Object.keys(facts.tables)
  const tableOf = (name: string) => {
    if (named.includes(name)) return name
    const tables = named.filter((table) => name.startsWith(`${table}_`))
    return tables.toSorted((a, b) => b.length - a.length)[0] ?? 'pgboss.job'
  }
  const totals = new Map<string, number>()
  for (const [name, n] of counts) totals.set(tableOf(name), (totals.get(tableOf(name)) ?? 0) + n)
  const total = (name: string) => totals.get(name) ?? 0
  return Object.entries(facts.tables)
    .filter(([name, { rows }]) => total(name) !== rows)
    .map(([name, { rows }]) => `${name} has ${total(name)} rows instead of ${rows}`)
}
