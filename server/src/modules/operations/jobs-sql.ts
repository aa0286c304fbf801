import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { QueueName } from '../../jobs/queue.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { isToSubmit } from '../templates/review/submission-sql.ts'

/** A job that failed in its last attempt. */
export type FailedJob = {
  id: string
  queue: QueueName
  shop_id: ObjectId | null
  shop_name: string | null
  attempts: number
  failed_at: Date
  /** The text of the thrown error; null if the job's process died without one. */
  error: string | null
  /** Whether its import or submission is still open, so that another attempt would do something. */
  is_needed: boolean
}

/** Condition on a job `j` and its shop `s`: the job's import or submission has not ended. */
const isNeeded = sql`case j.name
      when 'import-products' then exists (
        select from product_imports i
        where i.shop_id = s.id and i.id = j.data ->> 'importId' and i.finished_at is null
      )
      else exists (
        select from template_revisions r
        join templates t on t.shop_id = r.shop_id and t.id = r.template_id
        where r.shop_id = s.id and r.id = j.data ->> 'revisionId' and r.template_id = j.data ->> 'templateId'
          and ${isToSubmit(sql`(j.data ->> 'notBefore')::timestamptz`)}
      )
    end`

/**
 * The newest `limit` failed jobs of a queue, of all shops, and their total. Few jobs fail, and they are deleted after
 * days.
 */
export async function listFailedJobs(
  db: Db,
  queue: QueueName,
  limit: number,
): Promise<{ jobs: FailedJob[]; total: number }> {
  const { rows } = await sql<FailedJob & { total: number }>`
    select j.id::text as id, j.name as queue, s.id as shop_id, s.name as shop_name, j.retry_count + 1 as attempts,
      j.completed_on as failed_at, coalesce(j.output ->> 'message', j.output -> 'value' ->> 'message') as error,
      ${isNeeded} as is_needed, count(*) over () as total
    from pgboss.job j
    left join shops s on s.id = j.data ->> 'shopId'
    where j.name = ${queue} and j.state = 'failed'
    order by j.completed_on desc, j.id
    limit ${limit}`.execute(db)
  return { jobs: rows, total: rows[0]?.total ?? 0 }
}

export type LockedJob = { shop_id: ObjectId | null; state: string; is_needed: boolean }

/** A job by its id, in any state, locked until the transaction ends. */
export async function lockJob(trx: Trx, queue: QueueName, jobId: string): Promise<LockedJob | undefined> {
  const { rows } = await sql<LockedJob>`
    select s.id as shop_id, j.state::text as state, ${isNeeded} as is_needed
    from pgboss.job j
    left join shops s on s.id = j.data ->> 'shopId'
    where j.name = ${queue} and j.id = ${jobId}::uuid
    for update of j`.execute(trx)
  return rows[0]
}

/** Deletes a job that {@link lockJob} has locked. */
export async function deleteJob(trx: Trx, queue: QueueName, jobId: string): Promise<void> {
  await sql`
    delete from pgboss.job
    where name = ${queue} and id = ${jobId}::uuid`.execute(trx)
}
