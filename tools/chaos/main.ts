import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPostgres, type OwnPostgres, startOwnPostgres } from '../shared/postgres.ts'
import { LONG, SHORT, scaled } from './plan.ts'
import { runChaos } from './run.ts'
import type { Verdict } from './verdict.ts'

const USAGE = `npm run chaos -- [--long] [--seed <number>] [--sends <number>] [--database embedded|postgresql]

Sends while everything breaks, then looks whether a message was lost, doubled or charged twice. On both databases
one after the other unless --database names one; on PostgreSQL it starts a server of its own. Loopback only.
The seed fixes the plan: who is sent what, which faults, kills and restarts come when. Exit code 1 on anything
that is not explained.
`

const say = (line: string) => process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    sends: { type: 'string' },
    database: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const seed = wholeNumber('seed', values.seed) ?? randomInt(2 ** 31)
const base = values.long ? LONG : SHORT
const form = scaled(base, wholeNumber('sends', values.sends) ?? base.sends)
const databases = values.database === undefined ? ['embedded', 'postgresql'] : [values.database]
if (databases.some((name) => name !== 'embedded' && name !== 'postgresql')) fail(USAGE)

const bin = findPostgres()
if (databases.includes('postgresql') && bin === undefined) {
  fail('No PostgreSQL server binaries are on this machine. --database embedded leaves PostgreSQL out.\n')
}

let cleanUp = async () => {}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

let isGood = true
for (const database of databases) {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-chaos-'))
  let own: OwnPostgres | undefined
  cleanUp = async () => {
    await own?.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    if (database === 'postgresql') own = await startOwnPostgres(bin!)
    say(`\n== ${own === undefined ? 'embedded database' : `PostgreSQL ${own.version}`}`)
    say(`${form.sends} sends, ${form.faults * 100} % faults of the platform, seed ${seed}`)
    const verdict = await runChaos({ form, seed, folder, databaseUrl: own?.url, ...(own && { own }), say })
    report(verdict)
    isGood &&= verdict.problems.length === 0
  } finally {
    await cleanUp()
  }
}
process.exit(isGood ? 0 : 1)

function report(verdict: Verdict): void {
  const { problems, differences, pending, resent, doubled, billedVnd, capturedVnd } = verdict
  const counts = (of: Record<string, number>) =>
    Object.entries(of)
      .map(([name, n]) => `${n} × ${name}`)
      .join(', ')
  say(`answers: ${counts(verdict.answers)}`)
  say(`messages: ${counts(verdict.states)}`)
  say(`the platform bills ${billedVnd} đồng, captured are ${capturedVnd}: ${differences.length} differ`)
  for (const line of differences) say(`  ${line}`)
  say(`handed over once more by policy: ${resent}, of which arrived twice: ${doubled.length}`)
  for (const line of doubled) say(`  ${line}`)
  say(`still pending, visibly: ${pending.length}`)
  for (const line of pending) say(`  ${line}`)
  for (const problem of problems.slice(0, 100)) say(`PROBLEM ${problem}`)
  say(
    problems.length === 0
      ? `nothing lost, nothing doubled, the money adds up; seed ${seed}`
      : `${problems.length} problems; seed ${seed}`,
  )
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) fail(`--${name}=${text} is not usable: a whole number is needed\n`)
  return Number(text)
}

function fail(text: string): never {
  process.stderr.write(text)
  process.exit(1)
}
