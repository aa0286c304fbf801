import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { operatorOriginOf } from '../audit/origin.ts'
import { dropJob, queueOf, retryJob } from './end-failed-job.ts'
import { failedJobsAnswer, jobAnswer, retriedJobAnswer } from './job-schema.ts'
import { listFailedJobs } from './jobs-sql.ts'
import { presentFailedJob } from './present.ts'

const tags = ['Management']
const SHOWN = 100

/** The failed jobs of the background queues (G-61); the caller is known to be the operator. */
export function jobRoutes(app: App, deps: Deps): void {
  const jobOf = (params: unknown) => {
    const { queue, jobId } = params as { queue: string; jobId: string }
    return { queue: queueOf(queue), id: jobId }
  }

  app.get(
    '/api/manage/v1/queues/:queue/failed-jobs',
    {
      schema: {
        tags,
        operationId: 'listFailedJobs',
        summary: 'List the failed jobs of a queue, newest first, at most 100',
        errors: [404],
        response: { 200: failedJobsAnswer },
      },
    },
    async (request) => {
      const { queue } = request.params as { queue: string }
      const { jobs, total } = await listFailedJobs(deps.db, queueOf(queue), SHOWN)
      return { data: jobs.map(presentFailedJob), meta: { total } }
    },
  )

  app.post(
    '/api/manage/v1/queues/:queue/failed-jobs/:jobId/retry',
    {
      schema: {
        tags,
        operationId: 'retryFailedJob',
        summary: 'Run a failed job again, within seconds',
        description:
          'The job gets one more attempt. Repeating the request does nothing while the job waits or runs.',
        errors: ['JOB_NOT_FAILED', 'JOB_NOT_NEEDED', 404],
        response: { 200: retriedJobAnswer },
      },
    },
    async (request) => {
      const job = jobOf(request.params)
      const state = await retryJob(deps, job, operatorOriginOf(request))
      return { data: { ...job, state } }
    },
  )

  app.delete(
    '/api/manage/v1/queues/:queue/failed-jobs/:jobId',
    {
      schema: {
        tags,
        operationId: 'dropFailedJob',
        summary: 'Delete a failed job',
        description:
          'What the job was for is not changed: an unfinished import can still be cancelled by its shop.',
        errors: ['JOB_NOT_FAILED', 404],
        response: { 200: jobAnswer },
      },
    },
    async (request) => {
      const job = jobOf(request.params)
      await dropJob(deps, job, operatorOriginOf(request))
      return { data: job }
    },
  )
}
