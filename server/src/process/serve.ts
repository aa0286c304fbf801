import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config.ts'
import { assertSealingKey } from '../db/sealing-key.ts'
import { ensureDemo, KEY_FILE } from '../demo/demo.ts'
import { ensureDemoOwner, PASSWORD_FILE } from '../demo/owner.ts'
import { systemClock } from '../lib/clock.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { buildApp } from './app.ts'
import { buildDeps, createLog, openDatabase } from './build-deps.ts'
import { builtConsole } from './console-build.ts'
import { assertPlatformKnown, operatorToken, secretsKeyOf } from './read-config.ts'
import { startSimulator } from './simulator-process.ts'

/**
 * V8 collects early instead of letting the heap grow: after the whole benchmark on PostgreSQL 168 MB are resident instead of
 * 458, beside the embedded database 332 instead of 566, where some 62 MB are alive (docs/benchmarks.md).
 */
const SMALL_HEAP = ['--max-semi-space-size=4', '--optimize-for-size', '--heap-growing-percent=30']

/** Turns of the event loop after the drain: Node accepts one connection in each. */
const ACCEPT_TURNS = 64

/**
 * Runs the service until SIGTERM or SIGINT: database → simulator (when no platform is configured) → jobs →
 * HTTP. A stop is no longer ready at once, serves what still arrives for `DRAIN_SECONDS`, closes the listener, answers what
 * is in flight, then ends with code 0. A second signal ends it at once.
 */
export async function serve(config: Config): Promise<void> {
  const startedAt = performance.now()
  const { timings } = config
  assertPlatformKnown(config)
  for (const flag of SMALL_HEAP) setFlagsFromString(flag)
  const log = createLog(config.logLevel)
  mkdirSync(config.dataDir, { recursive: true })
  operatorToken(config)

  // Both take seconds at the first start and neither needs the other. The console's build begins first: the database
  // makes new files private.
  const [consoleFolder, database] = await Promise.all([
    config.console ? builtConsole(log) : undefined,
    openDatabase(config, log),
  ])
  const sealingKey = secretsKeyOf(config)
  await assertSealingKey(database.db, sealingKey, createSecretBox(sealingKey))
  const simulator = config.platform === undefined ? await startSimulator(config) : undefined
  const platformUrls = config.platform ?? {
    businessUrl: simulator!.url,
    openapiUrl: simulator!.url,
    oauthUrl: simulator!.url,
  }
  const deps = await buildDeps(config, { database, log, clock: systemClock, platformUrls })
  const demo = config.demo ? await ensureDemo(deps, simulator?.url) : undefined
  const demoOwner = demo === undefined ? undefined : await ensureDemoOwner(deps, demo.apiKey)
  const app = await buildApp(deps, consoleFolder)
  const address = await app.listen({ port: config.port, host: config.host })
  simulator?.sendEventsTo(address)
  const pidFile = join(config.dataDir, 'service.json')
  writeFileSync(pidFile, JSON.stringify({ url: address, pid: process.pid }))
  chmodSync(pidFile, 0o600)

  let stopAskedAt: number | undefined
  async function stop(signal: string): Promise<void> {
    if (stopAskedAt !== undefined) {
      if (performance.now() - stopAskedAt > timings.stopSameSignalMs) process.exit(1)
      return
    }
    stopAskedAt = performance.now()
    deps.stopping.isAsked = true
    log.info({ signal, drainSeconds: config.drainSeconds }, 'stopping')
    if (config.drainSeconds > 0) {
      await pause(config.drainSeconds * 1000 + timings.stopAcceptMs)
      // On a busy machine so few turns pass meanwhile that connections would be left to be reset.
      for (let turn = 0; turn < ACCEPT_TURNS; turn++) await nextTurn()
    }
    const late = setTimeout(() => {
      log.error('requests in flight did not end in time')
      process.exit(1)
    }, timings.stopWithinMs)
    await app.close()
    await deps.stop()
    await simulator?.stop()
    await database.close()
    rmSync(pidFile, { force: true })
    clearTimeout(late)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

  greet({
    config,
    address,
    hasConsole: consoleFolder !== undefined,
    demo,
    demoOwner,
    simulatorUrl: simulator?.url,
    ms: performance.now() - startedAt,
  })
}

/** What a person needs now. Secrets are printed by the start that made them only: what is printed ends up in logs. */
function greet(started: {
  config: Config
  address: string
  hasConsole: boolean
  demo: { apiKey: string; isNew: boolean } | undefined
  demoOwner: { email: string; password: string | undefined } | undefined
  simulatorUrl: string | undefined
  ms: number
}): void {
  const { config, address, demo, demoOwner, simulatorUrl } = started
  const inFolder = (name: string) => join(config.dataDir, name)
  const lines = [`Shopbell is ready at ${address} (${(started.ms / 1000).toFixed(1)} s)`]
  if (config.databaseUrl === undefined) {
    lines.push(
      `  database       embedded in ${config.dataDir}: safe against a killed process, not against power loss`,
    )
  } else {
    lines.push('  database       PostgreSQL')
  }
  if (started.hasConsole) {
    const password = demoOwner?.password ?? `its first password is in ${inFolder(PASSWORD_FILE)}`
    const signIn = demoOwner === undefined ? '' : ` (sign in: ${demoOwner.email} / ${password})`
    lines.push(`  console        ${address}/${signIn}`)
  }
  if (demo !== undefined) {
    const key = demo.isNew ? demo.apiKey : `$(cat '${inFolder(KEY_FILE)}')`
    lines.push(`  demo API key   ${demo.isNew ? demo.apiKey : `in ${inFolder(KEY_FILE)}`}`)
    lines.push(
      `  try            curl -H "x-api-key: service-partner ${key}" '${address}/api/external/v1/products?limit=2&select=skus'`,
    )
  }
  lines.push(`  API document   ${address}/docs`)
  if (simulatorUrl !== undefined)
    lines.push(`  simulator      ${simulatorUrl}/ (the customers' phones and the review desk)`)
  if (config.operatorToken === undefined)
    lines.push(`  operator token in ${join(config.dataDir, 'operator-token')}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
