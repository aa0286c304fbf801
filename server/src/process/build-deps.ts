import { pino } from 'pino'
import type { Config, WaitLimits } from '../config.ts'
import { type Database, type Db, isDatabaseAway, openPostgres, sqlProblem } from '../db/client.ts'
import { createDatabaseClock, type DatabaseClock } from '../db/database-clock.ts'
import { lockDataDir } from '../db/lock.ts'
import { migrate } from '../db/migrate.ts'
import { DatabaseUnreachable } from '../db/unreachable.ts'
import type { Deps } from '../deps.ts'
import { memoryLimiters, sharedLimiters } from '../http/limiters.ts'
import { startJobs } from '../jobs/queue.ts'
import { createWake } from '../jobs/wake.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Ids } from '../lib/object-id.ts'
import { createIds, type ObjectId } from '../lib/object-id.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { takeCalls } from '../modules/messages/batches/sql.ts'
import { type Sender, startSender } from '../modules/messages/senders/sender.ts'
import { officialAccountTokens } from '../modules/official-accounts/tokens.ts'
import { createBreaker } from '../platform/breaker.ts'
import { createHttpPlatform } from '../platform/http-adapter.ts'
import { createPace } from '../platform/pace.ts'
import { openImageStore } from '../storage/open-image-store.ts'
import { operatorToken, secretsKeyOf, simulatorSecretOf } from './read-config.ts'
import { startWorkers } from './workers.ts'

/** Slow work may wait so long for a lock, and be silent for so long in a transaction. */
const SLOW_LOCK_MS = 30_000
const SLOW_SILENCE_MS = 60_000

export type PlatformUrls = { businessUrl: string; openapiUrl: string; oauthUrl: string }

export type RunningDeps = Deps & { stop(): Promise<void> }

/** Secrets, customers' numbers and message values never reach a log line. */
const REDACT = [
  'req.headers["x-api-key"]',
  'req.headers.authorization',
  '*.phone',
  '*.receiverPhone',
  '*.params',
  '*.templateData',
  '*.accessToken',
  '*.refreshToken',
  '*.secretKey',
]

export function createLog(level: string): Log {
  return pino({ level, redact: REDACT, serializers: { err: describeError } })
}

/** What a log line holds of an error: not its detail, which names rows' values, nor the objects hung on it. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/** Everything a process works with, started: the database is migrated and the job queue runs. */
export async function buildDeps(
  config: Config,
  given: {
    database: Database
    log: Log
    clock: Clock
    platformUrls: PlatformUrls
  },
): Promise<RunningDeps> {
  const { database, log } = given
  const { timings } = config
  const clock = createDatabaseClock(given.clock)
  const { db } = database
  const ids = createIds(clock)
  const secrets = createSecretBox(secretsKeyOf(config))
  const sender = config.databaseUrl === undefined ? undefined : await startOwnSender(config, ids, clock, log)
  const jobs = await startJobs(database, {
    url: config.databaseUrl,
    limits: slowLimits(config.database),
    timings,
    log,
  })
  const { redisUrl, redisPrefix } = config
  const limiters =
    redisUrl === undefined ? memoryLimiters() : sharedLimiters(redisUrl, redisPrefix, log, sender?.processes)
  const breaker = createBreaker(clock, timings)
  const pace = createPace({
    ratePerMinute: config.platformRatePerMinute,
    keptMs: timings.paceKeptMs,
    take: (amount) => takeCalls(db, amount),
  })
  const wire = createHttpPlatform({
    ...given.platformUrls,
    tokens: officialAccountTokens({
      db,
      secrets,
      clock,
      timings,
      oauthUrl: given.platformUrls.oauthUrl,
      log,
    }),
    timeoutMs: timings.platformTimeoutMs,
    now: () => clock.now(),
    log,
  })
  const deps: Deps = {
    config,
    operatorToken: operatorToken(config),
    database,
    db,
    healthDb: sender?.db ?? db,
    jobs,
    inboxWake: createWake(),
    // Only what goes out is counted: the breaker stands before the pace.
    platform: breaker.wrap(pace.wrap(wire)),
    breaker,
    pace,
    stopping: { isAsked: false },
    simulatorSecret: config.platform === undefined ? simulatorSecretOf(config) : undefined,
    senderId: sender?.id ?? null,
    limiters,
    secrets,
    images: openImageStore(config),
    webhookCounts: { delivered: 0, retried: 0, failed: 0, disabled: 0 },
    timings,
    clock,
    ids,
    log,
  }
  const stopWorkers = await startWorkers(deps)
  return {
    ...deps,
    async stop() {
      await stopWorkers()
      await jobs.stop()
      limiters.close()
      await sender?.stop()
    },
  }
}

/** Makes this process known to the others on the server, over a connection whose end the server notices soon. */
async function startOwnSender(
  { databaseUrl, database: { limits }, timings }: Config,
  ids: Ids,
  clock: DatabaseClock,
  log: Log,
): Promise<Sender & { id: ObjectId; db: Db }> {
  const id = ids.next()
  const session = openPostgres(databaseUrl!, { max: 1, isKeptAlive: true, limits })
  return { id, db: session.db, ...(await startSender(session, { senderId: id, timings, clock, log })) }
}

/** A process's pools on PostgreSQL: one for requests and short work, and a fifth of the connections for slow work. */
export function openPools(url: string, settings: Config['database'], log: Log): Database {
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke')
  const forSlow = Math.max(2, Math.floor(settings.connections / 5))
  const database = openPostgres(url, {
    max: settings.connections - forSlow,
    limits: settings.limits,
    onError,
  })
  const slow = openPostgres(url, { max: forSlow, limits: slowLimits(settings), onError })
  return {
    ...database,
    slow: slow.db,
    async close() {
      await Promise.all([database.close(), slow.close()])
    },
  }
}

/** What an import, an export or the job queue may take. */
function slowLimits({ slowStatementMs }: Config['database']): WaitLimits {
  return { lockMs: SLOW_LOCK_MS, statementMs: slowStatementMs, idleInTransactionMs: SLOW_SILENCE_MS }
}

/** The database of the settings, migrated; the embedded one under the folder's lock and for its owner only. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    // A migration may take long, and waits for that of another process.
    const unlimited = openPostgres(config.databaseUrl, { max: 1 })
    try {
      await migrate(unlimited)
    } catch (error) {
      if (isDatabaseAway(error) || sqlProblem(error) !== undefined)
        throw new DatabaseUnreachable(config.databaseUrl, error)
      throw error
    } finally {
      await unlimited.close()
    }
    return openPools(config.databaseUrl, config.database, log)
  }
  // Customers' phones are in there: nobody else on this machine reads them, whatever umask the process was given.
  process.umask(0o077)
  const lock = lockDataDir(config.dataDir)
  // Loaded where it is used: a process on PostgreSQL saves its time and memory.
  const { openEmbedded } = await import('../db/embedded.ts')
  const { makePrivate } = await import('../db/private-files.ts')
  const database = await openEmbedded(`${config.dataDir}/pg`)
  makePrivate(config.dataDir, ['images'])
  await migrate(database)
  return {
    ...database,
    async close() {
      await database.close()
      lock.release()
    },
  }
}
