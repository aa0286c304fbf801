import type { Kysely } from 'kysely'
import { fromKysely, fromPglite, type JobResult, PgBoss } from 'pg-boss'
import type { WaitLimits } from '../config.ts'
import { type Database, type Db, limitOptions } from '../db/client.ts'
import type { Log } from '../lib/log.ts'
import type { Timings } from '../timings.ts'

/** The queues and what a job of each carries. */
export type JobData = {
  /** `notBefore`: the instant until which the platform has put the revision off, if it has. */
  'submit-template': { shopId: string; templateId: string; revisionId: string; notBefore?: string }
  'import-products': { shopId: string; importId: string }
  /** To endpoints that work, and to those whose last delivery failed. */
  'deliver-webhook': WebhookDelivery
  'retry-webhook': WebhookDelivery
}
type WebhookDelivery = { shopId: string; endpointId: string; eventId: string }
export type QueueName = keyof JobData

export type QueueOptions = {
  /** Attempts after the first, with growing pauses. */
  retries: number
  firstRetrySeconds: number
  longestRetrySeconds: number
  /** A job that runs longer is given to another worker. */
  expireSeconds: number
  /** So is one whose process has not been heard of for so long, at least 10: for jobs that may take long. */
  heartbeatSeconds?: number
  /** Jobs taken and worked at a time, where not {@link BATCH}: the next wait for the last of them. */
  batch?: number
}

/** A job taken by {@link Jobs.take}: this try of it. */
export type TakenJob<Q extends QueueName> = {
  queue: Q
  id: string
  retryCount: number
  data: JobData[Q]
}

/** The jobs of a queue: for their first or next try, under way, and given up after the last try. */
export type QueueSize = {
  name: QueueName
  waiting: number
  active: number
  failed: number
  countedAt: Date
}

export type Jobs = {
  /** Adds a job, to be done at once or after an instant; with a transaction, it is there exactly when the transaction is. */
  send<Q extends QueueName>(db: Db, queue: Q, data: JobData[Q], startAfter?: Date): Promise<void>
  /** The same for several jobs, in one statement. */
  sendAll<Q extends QueueName>(db: Db, queue: Q, data: JobData[Q][]): Promise<void>
  work<Q extends QueueName>(
    queue: Q,
    options: QueueOptions,
    handler: (data: JobData[Q], attempt: { isLast: boolean }) => Promise<void>,
  ): Promise<void>
  /** Takes no further job of a worked queue, and waits for those under way. */
  stopTaking(queue: QueueName): Promise<void>
  /**
   * Up to `limit` jobs of a queue without a worker, each to be ended by `complete`: for work that is not done in
   * batches, where one slow job would hold up the others. One that is not ended in its time is given out again.
   */
  take<Q extends TakenQueue>(queue: Q, limit: number): Promise<TakenJob<Q>[]>
  complete(db: Db, job: TakenJob<QueueName>): Promise<void>
  /** Every queue as it was counted last, about 20 s ago at most unless the queue's own counting backs off. */
  sizes(): Promise<QueueSize[]>
  stop(): Promise<void>
}

const WORKED = ['submit-template', 'import-products'] as const
/** The queues that {@link Jobs.take} takes from. */
const TAKEN = ['deliver-webhook', 'retry-webhook'] as const
export type TakenQueue = (typeof TAKEN)[number]

/** Jobs taken and worked at a time: beside the requests, they leave most of the pool's connections free. */
const BATCH = 8

/**
 * Background work on pg-boss, in the service's own database: its own connections on PostgreSQL, the shared
 * instance on the embedded one. A worker hears of a job at once and looks every few seconds besides.
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
          // Of pg's pool, which it hands its settings to.
          ...(options.limits === undefined ? {} : { options: limitOptions(options.limits).trim() }),
        })
      : new PgBoss({ ...common, db: fromPglite(database.pglite), backend: 'pglite' })
  // Without a listener a lost connection would end the process; pg-boss itself goes on polling.
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue reports an error'))
  await boss.start()
  const created = new Set<string>()

  async function create(queue: QueueName): Promise<void> {
    if (created.has(queue)) return
    await boss.createQueue(queue, { notify: true })
    created.add(queue)
  }

  for (const queue of WORKED) await create(queue)
  for (const queue of TAKEN) {
    await boss.createQueue(queue)
    await boss.updateQueue(queue, {
      expireInSeconds: timings.webhookExpireSeconds,
      retryLimit: 1_000,
      deleteAfterSeconds: timings.webhookKeptSeconds,
    })
  }

  return {
    async send(db, queue, data, startAfter) {
      await boss.send(queue, data, {
        db: fromKysely(db as Kysely<unknown>),
        ...(startAfter === undefined ? {} : { startAfter }),
      })
    },
    async sendAll(db, queue, data) {
      const jobs = data.map((one) => ({ data: one }))
      await boss.insert(queue, jobs, { db: fromKysely(db as Kysely<unknown>) })
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
      // Fetched one at a time, a backlog would go out at one job a polling interval: notices of jobs that came
      // while one was worked on wake the worker only once.
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
                await handler(job.data as JobData[typeof queue], { isLast: job.retryCount >= job.retryLimit })
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
    async take(queue, limit) {
      const found = await boss.fetch<JobData[typeof queue]>(queue, {
        batchSize: limit,
        includeMetadata: true,
      })
      return found.map(({ id, retryCount, data }) => ({ queue, id, retryCount, data }))
    },
    async complete(db, { queue, id, retryCount }) {
      await boss.complete(queue, { id, retryCount }, undefined, { db: fromKysely(db as Kysely<unknown>) })
    },
    sizes: () =>
      Promise.all(
        [...WORKED, ...TAKEN].map(async (name) => {
          const [counted] = await boss.getQueueStats(name)
          const { queuedCount: waiting, activeCount: active, failedCount: failed, capturedOn } = counted!
          return { name, waiting, active, failed, countedAt: new Date(capturedOn) }
        }),
      ),
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  }
}
