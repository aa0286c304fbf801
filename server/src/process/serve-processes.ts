import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Config } from '../config.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { createLog, openDatabase } from './build-deps.ts'
import { assertCanListen } from './can-listen.ts'
import { ConfigError } from './config/env-values.ts'
import { operatorTokens, sealingKeysOf } from './config/own-secrets.ts'
import { assertPlatformKnown } from './config/read-config.ts'
import type { Started } from './greet.ts'
import { answerMetrics } from './metrics/metrics-of-all.ts'
import { announceAlone, serve } from './serve.ts'
import { startSimulator } from './simulator-process.ts'
import { stopWithNpm } from './stop-with-npm.ts'

/**
 * Runs `count` processes of the service behind one port until SIGTERM or SIGINT. The first process only migrates, starts
 * the simulator if no platform is configured, starts the others one by one and replaces each one that dies. It passes
 * its signals on to them.
 * @throws ConfigError if several processes could not share what they must.
 */
export async function serveProcesses(config: Config, count: number): Promise<void> {
  if (!cluster.isPrimary) return serve(config, announceToFirst)
  assertCanBeSeveral(config, count)
  await assertCanListen(config)
  assertPlatformKnown(config)
  const startedAt = performance.now()
  const log = createLog(config.logLevel)
  makeFolder(config.dataDir)
  const database = await openDatabase(config, log)
  await database.close()
  // Not before, because openDatabase refuses an unfinished restore, which must find the folder without secrets.
  operatorTokens(config)
  sealingKeysOf(config)
  const hasSimulator = config.platform === undefined && config.simulator.url === undefined
  const simulator = hasSimulator ? await startSimulator(config) : undefined
  const settings = simulator === undefined ? {} : { SIMULATOR_URL: simulator.url }

  let isStopping = false
  let hasFailed = false
  let noteStop = () => {}
  const stopAsked = new Promise<void>((resolve) => {
    noteStop = resolve
  })
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    noteStop()
    for (const worker of workers()) worker.process.kill(signal)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))
  stopWithNpm(() => {
    if (!isStopping) stop('SIGTERM')
  })

  const first = cluster.fork(settings)
  const started = await startOf(first)
  if (started === undefined) {
    await simulator?.stop()
    process.exit(isStopping ? 0 : 1)
  }
  simulator?.sendEventsTo(started.address)
  answerMetrics()
  const forkAnother = () => cluster.fork({ ...settings, DEMO: '0' })
  cluster.on('exit', async (worker, code, signal) => {
    if (isStopping) return
    // A process that somebody stopped has finished its work.
    const level = code === 0 ? 'warn' : 'error'
    log[level](
      { endedPid: worker.process.pid, code, signal },
      'a process of the service ended; another one is started',
    )
    await new Promise((resolve) => setTimeout(resolve, config.timings.afterErrorMs))
    if (!isStopping) forkAnother()
  })
  for (let made = 1; made < count && !isStopping; made++) {
    const other = await startOf(forkAnother())
    // The process has logged why it could not start.
    if (other === undefined && !isStopping) hasFailed = true
    if (hasFailed) stop('SIGTERM')
  }
  const forget = announceAlone(config, {
    ...started,
    simulatorUrl: simulator?.url,
    ms: performance.now() - startedAt,
  })

  let code = hasFailed ? 1 : 0
  while (!isStopping || workers().length > 0) {
    const exit = once(cluster, 'exit') as Promise<[Worker, number | null, string]>
    // All may have ended when the stop is asked for: then no exit follows.
    const ended = await (isStopping ? exit : Promise.race([exit, stopAsked]))
    if (ended === undefined) continue
    const [, codeOfOne, signal] = ended
    // A process that has only begun to start is ended by the signal itself.
    const hasEndedWell = codeOfOne === 0 || signal === 'SIGTERM' || signal === 'SIGINT'
    if (isStopping && !hasEndedWell) code = 1
  }
  await simulator?.stop()
  forget()
  process.exit(code)
}

const workers = () =>
  Object.values(cluster.workers ?? {}).filter(
    (worker): worker is Worker => worker !== undefined && !worker.isDead(),
  )

function assertCanBeSeveral({ databaseUrl, redisUrl }: Config, count: number): void {
  if (databaseUrl === undefined)
    throw new ConfigError(
      `--processes ${count} needs DATABASE_URL: the embedded database is used by one process at a time`,
    )
  if (redisUrl === undefined)
    throw new ConfigError(
      `--processes ${count} needs REDIS_URL: without it each process would count the rate limits separately`,
    )
}

/** What a process reports when it answers; undefined if it ended before that. */
async function startOf(worker: Worker): Promise<Started | undefined> {
  return new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message.started !== undefined) resolve(message.started)
    })
    worker.once('exit', () => resolve(undefined))
  })
}

function announceToFirst(_config: Config, started: Started): () => void {
  process.send!({ started })
  return () => {}
}
