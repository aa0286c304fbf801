import { SpanKind } from '@opentelemetry/api'
import { type Kysely, sql } from 'kysely'
import { fromKysely, fromPglite, type JobResult, PgBoss } from 'pg-boss'
import type { WaitLimits } from '../config.ts'
import { type Database, type Db, limitOptions } from '../db/client.ts'
import type { Log } from '../lib/log.ts'
import { forRequest, requestIdNow } from '../lib/request-id.ts'
import { inSpan } from '../lib/spans.ts'
import type { Timings } from '../timings.ts'

/** The queues and the data of their jobs. */
export type JobData = {
  /** `notBefore`: the time until which the platform deferred the revision, if it did. */
  'submit-template': { shopId: string; templateId: string; revisionId: string; notBefore?: string }
  'import-products': { shopId: string; importId: string }
}
export type QueueName = keyof JobData

export type QueueOptions = {
  /** Retries after the first attempt, with growing pauses. */
  retries: number
  firstRetrySeconds: number
  longestRetrySeconds: number
  /** A job that runs longer is given to another worker. */
  expireSeconds: number
  /**
   * A job is also given to another worker if its process sent no heartbeat for this long (at least 10 s); for jobs that
   * may take long.
   */
  heartbeatSeconds?: number
  /**
   * How many jobs are fetched and worked on at a time, if not {@link BATCH}; the next ones wait until all of them have
   * ended.
   */
  batch?: number
}

/** The jobs of a queue: waiting for their first or next attempt, active, and failed after the last attempt. */
export type QueueSize = {
  name: QueueName
  waiting: number
  active: number
  failed: number
  countedAt: Date
}

export type Jobs = {
  /** Adds a job, due immediately or from a time on. With a transaction, the job exists once the transaction commits. */
  send<Q extends QueueName>(db: Db, queue: Q, data: JobData[Q], startAfter?: Date): Promise<void>
  work<Q extends QueueName>(
    queue: Q,
    options: QueueOptions,
    handler: (data: JobData[Q], attempt: { isLast: boolean }) => Promise<void>,
  ): Promise<void>
  /** Takes no further jobs, and waits for those in progress. */
  stopTaking(queue: QueueName): Promise<void>
  /** Deletes the jobs of a shop that no worker has claimed. @returns how many. */
  deleteOf(db: Db, shopId: string): Promise<number>
  /** Every queue with the counts of its jobs. */
  sizes(): Promise<QueueSize[]>
  /** Makes a failed job due for one more attempt, which is its last. Does nothing to a job in another state. */
  retry(db: Db, queue: QueueName, jobId: string): Promise<void>
  stop(): Promise<void>
}

export const QUEUES = ['submit-template', 'import-products'] as const satisfies QueueName[]

/**
 * How many jobs are fetched and worked on at a time: few enough to leave most of the pool's connections for requests.
 */
const BATCH = 8

/** The error itself, or as an error again: pg-boss copies some to plain objects, which the log shows as `[object Object]`. */
function asError(error: Error & { code?: unknown }): Error {
  if (error instanceof Error) return error
  const { message, code, stack } = error as { message: string; code?: unknown; stack?: string }
  return Object.assign(new Error(message || String(code)), { code, stack })
}

/**
 * Background jobs on pg-boss, in the service's own database: over separate connections on PostgreSQL, and over the
 * shared instance on the embedded database. A worker is notified of a job immediately, and also polls every few
 * seconds.
 */
export async function startJobs(
  database: Database,
  options: { url: string | undefined; limits?: WaitLimits; timings: Timings; log: Log },
): Promise<Jobs> {
  const { timings, log } = options
  const common = {
    useListenNotify: true,
    schedule: false,
    persistWarnings: false,
    reindex: false,
    superviseIntervalSeconds: timings.jobsSuperviseSeconds,
    maintenanceIntervalSeconds: timings.jobsMaintainSeconds,
    monitorIntervalSeconds: timings.jobsCountSeconds,
  } as const
  const boss =
    database.pglite === undefined
      ? new PgBoss({
          ...common,
          connectionString: options.url!,
          max: 4,
          application_name: 'shopbell-jobs',
          // An option of pg's pool, to which pg-boss passes its settings.
          ...(options.limits === undefined ? {} : { options: limitOptions(options.limits).trim() }),
        })
      : new PgBoss({ ...common, db: fromPglite(database.pglite), backend: 'pglite' })
  // Without a listener, a lost connection would end the process; pg-boss itself continues to poll.
  boss.on('error', (error) => log.warn({ err: asError(error) }, 'the job queue reports an error'))
  await boss.start()
  for (const queue of QUEUES) await boss.createQueue(queue, { notify: true })

  return {
    async send(db, queue, data, startAfter) {
      await boss.send(
        queue,
        { ...data, requestId: requestIdNow() },
        {
          db: fromKysely(db as Kysely<unknown>),
          ...(startAfter === undefined ? {} : { startAfter }),
        },
      )
    },
    async work(queue, options, handler) {
      const { retries, firstRetrySeconds, longestRetrySeconds, expireSeconds, heartbeatSeconds } = options
      await boss.updateQueue(queue, {
        retryLimit: retries,
        retryDelay: firstRetrySeconds,
        retryBackoff: true,
        retryDelayMax: longestRetrySeconds,
        expireInSeconds: expireSeconds,
        ...(heartbeatSeconds === undefined ? {} : { heartbeatSeconds }),
      })
      // If jobs were fetched one at a time, a backlog would be worked off at one job per polling interval:
      // notifications that arrive during a job wake the worker only once.
      await boss.work(
        queue,
        {
          includeMetadata: true,
          pollingIntervalSeconds: timings.jobsPollSeconds,
          notifyPollingIntervalSeconds: timings.jobsPollNoticedSeconds,
          batchSize: options.batch ?? BATCH,
          burstWhenBatchFull: true,
          perJobResults: true,
        },
        (jobs) =>
          Promise.all(
            jobs.map(async (job): Promise<JobResult> => {
              try {
                const data = job.data as JobData[typeof queue] & { requestId?: string | null }
                const attempt = { isLast: job.retryCount >= job.retryLimit }
                await forRequest(data.requestId, () =>
                  inSpan(`job ${queue}`, SpanKind.CONSUMER, { 'shopbell.attempt': job.retryCount + 1 }, () =>
                    handler(data, attempt),
                  ),
                )
                return { id: job.id, status: 'completed' }
              } catch (error) {
                log.info(
                  { err: error, queue, jobId: job.id, attempt: job.retryCount },
                  'a job did not succeed',
                )
                return { id: job.id, status: 'failed', output: { message: String(error) } }
              }
            }),
          ),
      )
    },
    stopTaking: (queue) => boss.offWork(queue),
    async deleteOf(db, shopId) {
      const { numAffectedRows } = await sql`
        delete from pgboss.job
        where data ->> 'shopId' = ${shopId} and state <> 'active'`.execute(db)
      return Number(numAffectedRows)
    },
    async sizes() {
      // pg-boss's own counts may be a minute old, and its first counts stay until it counts again.
      const { rows } = await sql<QueueSize>`
        select q.name, count(*) filter (where j.state in ('created', 'retry')) as waiting,
          count(*) filter (where j.state = 'active') as active,
          count(*) filter (where j.state = 'failed') as failed, now() as "countedAt"
        from unnest(${[...QUEUES]}::text[]) as q (name)
        left join pgboss.job j on j.name = q.name and j.state in ('created', 'retry', 'active', 'failed')
        group by q.name
        order by q.name`.execute(database.db)
      return rows
    },
    async retry(db, queue, jobId) {
      await boss.retry(queue, jobId, { db: fromKysely(db as Kysely<unknown>) })
    },
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  }
}
