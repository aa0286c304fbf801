import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Config } from '../config.ts'
import { resealSecrets } from '../db/reseal.ts'
import { assertSealingKey } from '../db/sealing-key.ts'
import { ensureDemo } from '../demo/demo.ts'
import { ensureDemoOwner } from '../demo/owner.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import { systemClock } from '../lib/time/clock.ts'
import { buildApp } from './app.ts'
import { buildDeps, createLog, openDatabase } from './build-deps.ts'
import { assertCanListen } from './can-listen.ts'
import { operatorTokens, sealingKeysOf } from './config/own-secrets.ts'
import { assertPlatformKnown } from './config/read-config.ts'
import { builtConsole } from './console-build.ts'
import { greet, type Started } from './greet.ts'
import { releaseMemoryOfStart } from './release-memory.ts'
import { startSimulator } from './simulator-process.ts'
import { stopWithNpm } from './stop-with-npm.ts'

/**
 * Makes V8 collect garbage early instead of letting the heap grow. After the whole benchmark on PostgreSQL 168 MB are
 * resident instead of 458 MB, and with the embedded database 332 MB instead of 566 MB, of which about 62 MB are live
 * objects (docs/benchmarks.md).
 */
const SLOW_GROWTH = '--heap-growing-percent=30'
/**
 * Keeps the space of new objects small if nothing else does, at several times the collector's work. Its exact size can only be
 * set when Node starts, as server/bin/start-again.js does.
 */
const SMALL_NEW_SPACE = '--optimize-for-size'

/** The number of event-loop turns after the drain. Node accepts one connection per turn. */
const ACCEPT_TURNS = 64

/**
 * Runs the service until SIGTERM or SIGINT, or until npm ends that started it: database → simulator (when no platform is configured) → jobs → HTTP. On a
 * stop, it immediately reports not ready, serves requests for `DRAIN_SECONDS`, closes the listener, finishes the
 * requests in flight, then ends with code 0. A second signal ends it immediately.
 * @param announce reports the start to whoever started the service; returns a function that undoes this at the end.
 */
export async function serve(config: Config, announce = announceAlone): Promise<void> {
  const startedAt = performance.now()
  const { timings } = config
  await assertCanListen(config)
  assertPlatformKnown(config)
  setFlagsFromString(SLOW_GROWTH)
  const hasBoundedHeap = config.hasBoundedNewSpace && config.databaseUrl !== undefined
  if (!hasBoundedHeap) setFlagsFromString(SMALL_NEW_SPACE)
  const log = createLog(config.logLevel)
  makeFolder(config.dataDir)

  // Both take seconds at the first start, and neither needs the other. The console's build begins first, because
  // opening the database makes new files private.
  const [consoleFolder, database] = await Promise.all([
    config.console && config.role !== 'worker' ? builtConsole(log) : undefined,
    openDatabase(config, log),
  ])
  // Not before, because openDatabase refuses an unfinished restore, which must find the folder without secrets.
  operatorTokens(config)
  const sealingKeys = sealingKeysOf(config)
  const secrets = createSecretBox(sealingKeys)
  await assertSealingKey(database.db, sealingKeys, secrets)
  // With the embedded database, no other process can still need the former key.
  if (database.kind === 'embedded' && sealingKeys.length > 1)
    await resealSecrets(database.db, sealingKeys, secrets)
  const isAlone = config.platform === undefined && config.simulator.url === undefined
  const simulator = isAlone ? await startSimulator(config) : undefined
  const simulatorUrl = simulator?.url ?? config.simulator.url!
  const platformUrls = config.platform ?? {
    businessUrl: simulatorUrl,
    openapiUrl: simulatorUrl,
    oauthUrl: simulatorUrl,
  }
  const deps = await buildDeps(config, { database, log, clock: systemClock, platformUrls })
  const demo = config.demo
    ? await ensureDemo(deps, config.platform === undefined ? simulatorUrl : undefined)
    : undefined
  const demoOwner = demo === undefined ? undefined : await ensureDemoOwner(deps, demo.apiKey)
  const app = await buildApp(deps, consoleFolder)
  const address = await app.listen({ port: config.port, host: config.host })
  simulator?.sendEventsTo(address)
  let forget = () => {}
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
      // On a busy machine so few turns pass in this time that some connections would be reset.
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
    forget()
    clearTimeout(late)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  stopWithNpm(() => {
    if (stopAskedAt === undefined) void stop('npm ended')
  })

  if (hasBoundedHeap) releaseMemoryOfStart()
  // Comes last, because a reader of the announcement may send a signal at once.
  forget = announce(config, {
    address,
    hasConsole: consoleFolder !== undefined,
    demo,
    demoOwner,
    simulatorUrl: simulator?.url,
    ms: performance.now() - startedAt,
  })
}

/**
 * Announces the addresses of the service and its simulator: to people on the terminal, and to the command line in
 * `DATA_DIR/service.json`.
 * @returns a function that removes that file.
 */
export function announceAlone(config: Config, started: Started): () => void {
  // A worker has no management API.
  const isAsked = config.role !== 'worker'
  const file = join(config.dataDir, 'service.json')
  if (isAsked) {
    const { address: url, simulatorUrl } = started
    writeFileSync(file, JSON.stringify({ url, simulatorUrl, pid: process.pid }))
    chmodSync(file, 0o600)
  }
  greet(config, started)
  return () => {
    // If several services share the folder, the file may by now be another one's.
    if (pidIn(file) === process.pid) rmSync(file, { force: true })
  }
}

function pidIn(file: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid
  } catch {
    return undefined
  }
}
