import type { Kysely } from 'kysely'
import { fromKysely, fromPglite, PgBoss } from 'pg-boss'
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
  work<Q extends QueueName>(
    queue: Q,
    options: QueueOptions,
    handler: (data: JobData[Q], attempt: { isLast: boolean }) => Promise<void>,
  ): Promise<void>
  stop(): Promise<void>
}

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
    async work(queue, { retries, firstRetrySeconds, longestRetrySeconds, expireSeconds }, handler) {
      await boss.updateQueue(queue, {
        retryLimit: retries,
        retryDelay: firstRetrySeconds,
        retryBackoff: true,
        retryDelayMax: longestRetrySeconds,
        expireInSeconds: expireSeconds,
      })
      await boss.work(
        queue,
        { includeMetadata: true, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 },
        async (jobs) => {
          for (const job of jobs) {
            await handler(job.data as JobData[typeof queue], { isLast: job.retryCount >= job.retryLimit })
          }
        },
      )
    },
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  }
}
