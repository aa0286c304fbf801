import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startRun } from './run.ts'
import { sendAll } from './senders.ts'
import { judge } from './verdict.ts'

// npm run chaos: sends while everything breaks, then looks whether a message was lost, doubled or charged twice.
// Loopback only; bounded by the number of sends. CHAOS_SENDS (10000), CHAOS_SEED, CHAOS_DATABASE_URL (else the
// embedded database), CHAOS_FAULTS (0.05), CHAOS_KILL_EVERY_MS (6000).

const sends = Number(process.env.CHAOS_SENDS ?? 10_000)
const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31))
const faults = Number(process.env.CHAOS_FAULTS ?? 0.05)
const killEveryMs = Number(process.env.CHAOS_KILL_EVERY_MS ?? 6_000)

const say = (line: string) => process.stdout.write(`${line}\n`)

const folder = mkdtempSync(join(tmpdir(), 'shopbell-chaos-'))
const run = await startRun({ folder, seed, databaseUrl: process.env.CHAOS_DATABASE_URL })
let exitCode = 1
try {
  say(
    `${sends} sends, ${faults * 100} % faults, a kill every ${killEveryMs} ms, ${run.databaseName}, seed ${seed}`,
  )
  const shops = await run.prepareShops(4)
  await run.setFaults(faults)
  const over = new AbortController()
  const trouble = run.makeTrouble(killEveryMs, over.signal)
  const startedAt = performance.now()
  const answers = await sendAll(run, shops, sends)
  over.abort()
  const { kills, terminations } = await trouble
  await run.setFaults(0)
  const seconds = (performance.now() - startedAt) / 1000
  say(
    `${answers.size} sends answered in ${seconds.toFixed(0)} s, ${kills} kills, ${terminations} ended database connections`,
  )
  await run.waitUntilNothingIsUnderWay()
  const onPlatform = await run.messagesOnPlatform()
  await run.stop()
  const problems = await judge(run, answers, onPlatform, say)
  for (const problem of problems.slice(0, 50)) say(`PROBLEM ${problem}`)
  say(
    problems.length === 0
      ? 'nothing lost, nothing doubled, the money adds up'
      : `${problems.length} problems, seed ${seed}`,
  )
  exitCode = problems.length === 0 ? 0 : 1
} finally {
  await run.remove()
  await pause(100)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(exitCode)
