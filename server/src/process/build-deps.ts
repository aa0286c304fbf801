import { pino } from 'pino'
import type { Config, WaitLimits } from '../config.ts'
import { type Database, type Db, isDatabaseAway, openPostgres, sqlProblem } from '../db/client.ts'
import { createDatabaseClock, type DatabaseClock } from '../db/database-clock.ts'
import { lockDataDir } from '../db/embedded/lock.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { checkPooler } from '../db/pooler.ts'
import { createReplica, type Replica } from '../db/replica.ts'
import { keyInUse } from '../db/sealing-key.ts'
import { DatabaseUnreachable } from '../db/unreachable.ts'
import type { Deps } from '../deps.ts'
import { memoryLimiters, sharedLimiters } from '../http/limits/limiters.ts'
import { startLoop } from '../jobs/loop.ts'
import { startJobs } from '../jobs/queue.ts'
import { createWake } from '../jobs/wake.ts'
import type { Log } from '../lib/log.ts'
import type { Ids } from '../lib/object-id.ts'
import { createIds, type ObjectId } from '../lib/object-id.ts'
import { type PasswordHashing, scryptHashing } from '../lib/password-hashing.ts'
import { requestIdNow } from '../lib/request-id.ts'
import { createSecretBox } from '../lib/secrets/secret-box.ts'
import type { Clock } from '../lib/time/clock.ts'
import { takeCalls } from '../modules/messages/batches/sql.ts'
import { type Sender, startSender } from '../modules/messages/senders/sender.ts'
import { officialAccountTokens } from '../modules/official-accounts/tokens/stored-tokens.ts'
import { startCircuitWatch } from '../modules/operations/retry-circuits.ts'
import { createBreaker } from '../platform/breaker.ts'
import { createCallWatch } from '../platform/call-watch.ts'
import { createHttpPlatform } from '../platform/chatapp/http-adapter.ts'
import { createConsent } from '../platform/chatapp/tokens/consent.ts'
import { createPace } from '../platform/pace.ts'
import { openImageStore } from '../storage/open-image-store.ts'
import { operatorTokens, sealingKeysOf, simulatorSecretOf } from './config/own-secrets.ts'
import { startTracing } from './tracing.ts'
import { assertNoUnfinishedRestore } from './unfinished-restore.ts'
import { startWorkers } from './workers.ts'

/** The time-outs of slow work: for a lock, and for an idle transaction. */
const SLOW_LOCK_MS = 30_000
const SLOW_SILENCE_MS = 60_000

const ESMS_URL = 'https://rest.esms.vn'

export type PlatformUrls = { businessUrl: string; openapiUrl: string; oauthUrl: string }

export type RunningDeps = Deps & { stop(): Promise<void> }

/** Secrets, customers' phone numbers and message values must never be logged. */
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
  return pino({
    level,
    redact: REDACT,
    serializers: { err: describeError },
    mixin: () => {
      const requestId = requestIdNow()
      return requestId === null ? {} : { requestId }
    },
  })
}

/** The parts of an error that are logged: not its detail, which contains values of rows, nor objects attached to it. */
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

/** Builds and starts everything that a process works with: it migrates the database and starts the job queue. */
export async function buildDeps(
  config: Config,
  given: {
    database: Database
    log: Log
    clock: Clock
    platformUrls: PlatformUrls
    passwords?: PasswordHashing
  },
): Promise<RunningDeps> {
  const { database, log } = given
  const { timings } = config
  const stopTracing = config.tracesUrl === undefined ? undefined : await startTracing(config.tracesUrl)
  const clock = createDatabaseClock(given.clock)
  const { db } = database
  const ids = createIds(clock)
  const sealingKeys = sealingKeysOf(config)
  const secrets = createSecretBox(sealingKeys, await keyInUse(db, sealingKeys))
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
  const replica = replicaOf(config, log)
  const breaker = createBreaker(clock, timings)
  const pace = createPace({
    ratePerMinute: config.platformRatePerMinute,
    keptMs: timings.paceKeptMs,
    take: (amount) => takeCalls(db, amount),
  })
  const { oauthUrl } = given.platformUrls
  const tokens = officialAccountTokens({ db, secrets, clock, timings, oauthUrl, log })
  const wire = createHttpPlatform({
    ...given.platformUrls,
    tokens,
    timeoutMs: timings.platformTimeoutMs,
    now: () => clock.now(),
    log,
  })
  const callWatch = createCallWatch()
  const deps: Deps = {
    config,
    operatorTokens: operatorTokens(config),
    database,
    db,
    replica,
    healthDb: sender?.db ?? db,
    jobs,
    inboxWake: createWake(),
    deliveryWake: createWake(),
    // The breaker is the outermost layer, so only calls that are really sent are counted.
    platform: breaker.wrap(pace.wrap(callWatch.wrap(wire))),
    esmsUrl: config.esmsUrl ?? (config.platform === undefined ? given.platformUrls.businessUrl : ESMS_URL),
    tokens,
    consent: createConsent({ ...given.platformUrls, timeoutMs: timings.platformTimeoutMs }),
    breaker,
    callWatch,
    pace,
    stopping: { isAsked: false },
    simulatorSecret: config.platform === undefined ? simulatorSecretOf(config) : undefined,
    senderId: sender?.id ?? null,
    limiters,
    secrets,
    passwords: given.passwords ?? scryptHashing,
    images: openImageStore(config),
    mailCounts: { sent: 0, failed: 0 },
    webhookCounts: { delivered: 0, retried: 0, failed: 0, disabled: 0 },
    timings,
    clock,
    ids,
    log,
  }
  // The embedded database has only one process, which learns of the operator's request directly.
  const stopWatch = config.databaseUrl === undefined ? async () => {} : startCircuitWatch(deps)
  // In each role, since a process that only answers requests sends single messages, too.
  const stopPaying = startPayingDebts(deps)
  const stopWorkers = config.role === 'web' ? async () => {} : await startWorkers(deps)
  return {
    ...deps,
    async stop() {
      await stopWatch()
      await stopWorkers()
      await stopPaying()
      await jobs.stop()
      limiters.close()
      await replica?.close()
      await sender?.stop()
      await stopTracing?.()
    },
  }
}

/** Deducts this process's single sends from the platform's allowance that all processes share. */
function startPayingDebts({ pace, timings, log }: Deps): () => Promise<void> {
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'sends were not deducted from the allowance; the next round continues')
  return startLoop({ everyMs: timings.payDebtEveryMs, failed }, pace.payDebt)
}

/** Opens the standby of DATABASE_READ_URL, with as many connections as requests have to the database. */
function replicaOf({ databaseReadUrl, database, timings }: Config, log: Log): Replica | undefined {
  if (databaseReadUrl === undefined) return undefined
  const { connections, limits } = database
  const onError = (error: Error) => log.warn({ err: error }, 'an idle connection to the replica broke')
  const standby = openPostgres(databaseReadUrl, { max: connections, limits, onError })
  return createReplica(standby, timings, limits.statementMs, (error) =>
    log.warn({ err: error }, 'the replica is away: the database answers'),
  )
}

/** Registers this process among the others on the server, over a connection whose loss the server soon notices. */
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

/**
 * Opens a process's pools on PostgreSQL: one for requests and short work, through a pooler if there is one, and a fifth
 * of the connections for slow work, which has its own limits.
 */
export function openPools(url: string, settings: Config['database'], log: Log, poolUrl?: string): Database {
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke')
  const forSlow = Math.max(2, Math.floor(settings.connections / 5))
  const database = openPostgres(poolUrl ?? url, {
    max: settings.connections - forSlow,
    isPooled: poolUrl !== undefined,
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

/** The time-outs of imports, exports and the job queue. */
function slowLimits({ slowStatementMs }: Config['database']): WaitLimits {
  return { lockMs: SLOW_LOCK_MS, statementMs: slowStatementMs, idleInTransactionMs: SLOW_SILENCE_MS }
}

/**
 * Opens and migrates the configured database. The embedded database is opened under the folder's lock, and only its
 * owner can read it.
 */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    assertNoUnfinishedRestore(config.dataDir)
    // Without limits, because a migration may take long, and waits for another process's migration.
    const unlimited = openPostgres(config.databaseUrl, { max: 1 })
    try {
      await migrate(unlimited, log)
    } catch (error) {
      if (isDatabaseAway(error) || sqlProblem(error) !== undefined)
        throw new DatabaseUnreachable(config.databaseUrl, error)
      throw error
    } finally {
      await unlimited.close()
    }
    const { databaseUrl, databasePoolUrl } = config
    const database = openPools(databaseUrl, config.database, log, databasePoolUrl)
    if (databasePoolUrl !== undefined) {
      await checkPooler(database.db, databasePoolUrl, config.database.limits).catch(async (error) => {
        await database.close()
        throw error
      })
    }
    return database
  }
  // The files contain customers' phone numbers: no other user of this machine may read them, whatever the umask is.
  process.umask(0o077)
  const lock = lockDataDir(config.dataDir)
  // Checked after the lock is taken, because a running restore holds it.
  assertNoUnfinishedRestore(config.dataDir)
  // Loaded only here, so a process on PostgreSQL saves the time and memory.
  const { openEmbedded } = await import('../db/embedded/embedded.ts')
  const { makePrivate } = await import('../db/embedded/private-files.ts')
  const database = await openEmbedded(`${config.dataDir}/pg`, (error) => {
    log.fatal({ err: error }, 'the embedded database ended: the process ends, start it again')
    process.exit(1)
  })
  makePrivate(config.dataDir, ['images'])
  await migrate(database, log)
  return {
    ...database,
    async close() {
      await database.close()
      lock.release()
    },
  }
}
