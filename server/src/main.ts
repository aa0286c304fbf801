import { pino } from 'pino'
import { type Config, operatorToken, secretsKeyOf } from './config.ts'
import { type Database, isDatabaseAway, openPostgres, sqlProblem } from './db/client.ts'
import { openEmbedded } from './db/embedded.ts'
import { lockDataDir } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { makePrivate } from './db/private-files.ts'
import { DatabaseUnreachable } from './db/unreachable.ts'
import type { Clock, Deps, Ids, Log } from './deps.ts'
import { memoryLimiters, sharedLimiters } from './http/limiters.ts'
import { startJobs } from './jobs/queue.ts'
import { createWake } from './jobs/wake.ts'
import { startWorkers } from './jobs/workers.ts'
import { createIds, type ObjectId } from './lib/object-id.ts'
import { createSecretBox } from './lib/secret-box.ts'
import { takeCalls } from './modules/batches/sql.ts'
import { startSender } from './modules/messages/sender.ts'
import { officialAccountTokens } from './modules/shops/tokens.ts'
import { createBreaker } from './platform/breaker.ts'
import { createHttpPlatform } from './platform/http-adapter.ts'
import { createPace } from './platform/pace.ts'
import { createImageStore } from './storage/image-store.ts'

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

/** What a log line tells of an error: not its detail, which names rows' values, nor the objects hung on it. */
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
    platformTimeoutMs?: number
  },
): Promise<RunningDeps> {
  const { database, log, clock } = given
  const { db } = database
  const ids = createIds(clock)
  const secrets = createSecretBox(secretsKeyOf(config))
  const sender =
    config.databaseUrl === undefined ? undefined : await startOwnSender(config.databaseUrl, ids, log)
  const jobs = await startJobs(database, { url: config.databaseUrl, log })
  const { redisUrl, redisPrefix } = config
  const limiters = redisUrl === undefined ? memoryLimiters() : sharedLimiters(redisUrl, redisPrefix, log)
  const breaker = createBreaker(clock)
  const pace = createPace({
    ratePerMinute: config.platformRatePerMinute,
    take: (amount) => takeCalls(db, amount),
  })
  const wire = createHttpPlatform({
    ...given.platformUrls,
    tokens: officialAccountTokens({ db, secrets, clock, oauthUrl: given.platformUrls.oauthUrl, log }),
    ...(given.platformTimeoutMs === undefined ? {} : { timeoutMs: given.platformTimeoutMs }),
    log,
  })
  const deps: Deps = {
    config,
    operatorToken: operatorToken(config),
    database,
    db,
    jobs,
    inboxWake: createWake(),
    // Only what goes out is counted: the breaker stands before the pace.
    platform: breaker.wrap(pace.wrap(wire)),
    breaker,
    pace,
    senderId: sender?.id ?? null,
    limiters,
    secrets,
    images: createImageStore(config),
    webhookCounts: { delivered: 0, retried: 0, failed: 0, disabled: 0 },
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
  databaseUrl: string,
  ids: Ids,
  log: Log,
): Promise<{ id: ObjectId; stop(): Promise<void> }> {
  const id = ids.next()
  const session = openPostgres(databaseUrl, { max: 1, isKeptAlive: true })
  return { id, stop: await startSender(session, { senderId: id, log }) }
}

/** The database of the settings, migrated; the embedded one under the folder's lock and for its owner only. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const database = openPostgres(config.databaseUrl, {
      onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    })
    try {
      await migrate(database)
    } catch (error) {
      await database.close()
      if (isDatabaseAway(error) || sqlProblem(error) !== undefined)
        throw new DatabaseUnreachable(config.databaseUrl, error)
      throw error
    }
    return database
  }
  // Customers' phones are in there: nobody else on this machine reads them, whatever umask the process was given.
  process.umask(0o077)
  const lock = lockDataDir(config.dataDir)
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
