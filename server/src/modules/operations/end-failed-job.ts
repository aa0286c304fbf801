import type { Trx } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import { QUEUES, type QueueName } from '../../jobs/queue.ts'
import type { OperatorAction, OperatorOrigin } from '../audit/rules.ts'
import { insertOperatorAuditEntry } from '../audit/sql.ts'
import { deleteJob, type LockedJob, lockJob } from './jobs-sql.ts'

type Needs = Pick<Deps, 'db' | 'jobs' | 'ids' | 'clock'>
export type JobId = { queue: QueueName; id: string }

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** The states of pg-boss in which a job waits or runs. */
const UNDER_WAY: Record<string, 'waiting' | 'active'> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'active',
}

/** The queue that a path names. @throws NotFound if there is no job queue of that name. */
export function queueOf(name: string): QueueName {
  const queue = QUEUES.find((one) => one === name)
  if (queue === undefined) throw new NotFound('queue')
  return queue
}

/**
 * Makes a failed job due again, for one more attempt (G-61). A job that already waits or runs stays unchanged, so that
 * a repeated request does nothing twice. @returns its state.
 * @throws NotFound; Refused JOB_NOT_FAILED for one that is done, JOB_NOT_NEEDED if its import or submission has ended.
 */
export async function retryJob(
  deps: Needs,
  job: JobId,
  origin: OperatorOrigin,
): Promise<'waiting' | 'active'> {
  return deps.db.transaction().execute(async (trx) => {
    const found = await lockedJob(trx, job)
    const underWay = UNDER_WAY[found.state]
    if (underWay !== undefined) return underWay
    if (found.state !== 'failed') throw new Refused('JOB_NOT_FAILED')
    if (!found.is_needed) throw new Refused('JOB_NOT_NEEDED')
    await deps.jobs.retry(trx, job.queue, job.id)
    await note(deps, trx, 'job.retry', job, found, origin)
    return 'waiting'
  })
}

/**
 * Deletes a failed job (G-61). Its import or submission stays unchanged.
 * @throws NotFound; Refused JOB_NOT_FAILED for one in another state.
 */
export async function dropJob(deps: Needs, job: JobId, origin: OperatorOrigin): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const found = await lockedJob(trx, job)
    if (found.state !== 'failed') throw new Refused('JOB_NOT_FAILED')
    await deleteJob(trx, job.queue, job.id)
    await note(deps, trx, 'job.drop', job, found, origin)
  })
}

/** Job ids are UUIDs of pg-boss; an id in another form is treated as unknown. */
async function lockedJob(trx: Trx, { queue, id }: JobId): Promise<LockedJob> {
  const found = UUID.test(id) ? await lockJob(trx, queue, id) : undefined
  if (found === undefined) throw new NotFound('job')
  return found
}

async function note(
  { ids, clock }: Needs,
  trx: Trx,
  action: OperatorAction,
  { queue, id }: JobId,
  { shop_id: shopId }: LockedJob,
  origin: OperatorOrigin,
): Promise<void> {
  const target = { jobId: id, ...(shopId === null ? {} : { shopId }) }
  await insertOperatorAuditEntry(trx, {
    id: ids.next(),
    origin,
    action,
    target,
    detail: { queue },
    now: clock.now(),
  })
}
