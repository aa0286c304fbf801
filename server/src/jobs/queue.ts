import type { Kysely } from 'kysely'
import { fromKysely, fromPglite, type JobResult, PgBoss } from 'pg-boss'
import type { Database, Db } from '../db/client.ts'
import type { Log } from '../deps.ts'

/** The queues and what a job of each carries. */
export type JobData = {
  'submit-template': { shopId: string; templateId: string; revisionId: string }
  'platform-event': { eventId: string }
}
export type QueueName = keyof JobData

export type QueueOptions = {
  /** Attempts after the first, with growing pauses. */
  retries: number
  firstRetrySeconds: number
  longestRetrySeconds: number
  /** A job that runs longer is given to another worker. */
  expireSeconds: number
}

export type Jobs = {
  /** Adds a job; with a transaction, it is there exactly when the transaction is. */
  send<Q extends QueueName>(db: Db, queue: Q, data: JobData[Q]): Promise<void>
  /** The same for several jobs, in one statement. */
  sendAll<Q extends QueueName>(db: Db, queue: Q, data: JobData[Q][]): Promise<void>
  work<Q extends QueueName>(
    queue: Q,
    options: QueueOptions,
    handler: (data: JobData[Q], attempt: { isLast: boolean }) => Promise<void>,
  ): Promise<void>
  stop(): Promise<void>
}

/** Jobs taken and worked at a time: beside the requests, they leave most of the pool's connections free. */
const BATCH = 8

/**
 * Background work on pg-boss, in the service's own database: its own connections on PostgreSQL, the shared
 * instance on the embedded one. A worker hears of a job at once and looks every few seconds besides.
 */
export async function startJobs(
  database: Database,
  options: { url: string | undefined; log: Log },
): Promise<Jobs> {
  const { log } = options
  const common = { useListenNotify: true, schedule: false, persistWarnings: false, reindex: false } as const
  const boss =
    database.pglite === undefined
      ? new PgBoss({ ...common, connectionString: options.url!, max: 4, application_name: 'shopbell-jobs' })
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

  for (const queue of ['submit-template', 'platform-event'] as const) await create(queue)

  return {
    async send(db, queue, data) {
      await boss.send(queue, data, { db: fromKysely(db as Kysely<unknown>) })
    },
    async sendAll(db, queue, data) {
      const jobs = data.map((one) => ({ data: one }))
      await boss.insert(queue, jobs, { db: fromKysely(db as Kysely<unknown>) })
    },
    async work(queue, { retries, firstRetrySeconds, longestRetrySeconds, expireSeconds }, handler) {
      await boss.updateQueue(queue, {
        retryLimit: retries,
        retryDelay: firstRetrySeconds,
        retryBackoff: true,
        retryDelayMax: longestRetrySeconds,
        expireInSeconds: expireSeconds,
      })
      // Fetched one at a time, a backlog would go out at one job a polling interval: notices of jobs that came
      // while one was worked on wake the worker only once.
      await boss.work(
        queue,
        {
          includeMetadata: true,
          pollingIntervalSeconds: 2,
          notifyPollingIntervalSeconds: 5,
          batchSize: BATCH,
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
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  }
}
