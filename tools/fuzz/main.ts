import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { summaryOf } from './report.ts'
import { runFuzz } from './run.ts'
import { makeDatabase } from './service.ts'

const USAGE = `npm run fuzz -- [--seed <number>] [--requests <number>]

Starts the service and its simulator, makes two shops and sends random requests to every operation of the API document:
valid ones, and ones with mistakes in bodies, queries, paths, headers and credentials. Each answer is checked against the
document, the process against its metrics, log and data. On the embedded database; with FUZZ_DATABASE_URL on PostgreSQL, in a
database that it makes there and drops. Exit code 1 on anything found. The same seed makes the same mistakes; ids differ.
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const seed = wholeNumber('seed', values.seed) ?? randomInt(2 ** 31)
const requests = wholeNumber('requests', values.requests) ?? 10_000
const serverUrl = process.env.FUZZ_DATABASE_URL
const say = (line: string) => process.stdout.write(`${line}\n`)

const dataDir = mkdtempSync(join(tmpdir(), 'shopbell-fuzz-'))
const database = serverUrl === undefined ? undefined : await makeDatabase(serverUrl)
const cleanUp = async () => {
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

let isGood = false
try {
  say(`${requests} requests, seed ${seed}`)
  const report = await runFuzz({ seed, requests, dataDir, databaseUrl: database?.url, say })
  say(summaryOf(report, { isLong: true }))
  isGood = report.isGood()
} finally {
  await cleanUp()
}
process.exit(isGood ? 0 : 1)

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  process.stderr.write(`--${name}=${text} is not usable: a whole number is needed\n`)
  process.exit(1)
}
