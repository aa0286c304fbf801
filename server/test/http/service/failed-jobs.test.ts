import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { eventually, makeShop, manage, send, separateService, unusedId } from '../../support/service.ts'
import {
  control,
  createTemplate,
  makeShopWithOa,
  publish,
  templateBody,
} from '../../support/template-shop.ts'

const running = await separateService()
const { db } = running.deps
const QUEUE = '/queues/submit-template/failed-jobs'
const NO_JOB = '0d5f6a3e-8f1b-4b8e-9a55-2f8b54c5a111'

/**
 * Changes the state of a shop's job as pg-boss does.
 * @returns the job's id, when there is such a job.
 */
async function jobIn(shopId: string, from: string, to: string, error?: string): Promise<string | undefined> {
  const output = error === undefined ? null : JSON.stringify({ message: error })
  const { rows } = await sql<{ id: string }>`
    update pgboss.job
    set state = ${to}::pgboss.job_state, retry_count = retry_limit, completed_on = now(), output = ${output}::jsonb
    where data ->> 'shopId' = ${shopId} and state = ${from}::pgboss.job_state
    returning id::text`.execute(db)
  return rows[0]?.id
}

/** A shop whose template was published while the platform failed, and whose job has used up its attempts. */
async function makeStuck(error: string) {
  const shop = await makeShopWithOa(running)
  await control(running, '/faults', { faults: [{ kind: 'outage', endpoint: '/template/create' }] })
  const template = await createTemplate(shop, templateBody(shop.oaId))
  expect((await publish(shop, template._id)).status).toBe(200)
  const id = await eventually(() => jobIn(shop.shopId, 'retry', 'failed', error), 20_000)
  await control(running, '/faults', { faults: [] })
  const status = async () =>
    (await shop.get(`/api/external/notify-template/${template._id}`)).body.data.status as string
  return { shop, id, status }
}

const failedOf = async (shopId: string) =>
  (await manage(running, 'GET', QUEUE)).body.data.filter((job: { shopId: string }) => job.shopId === shopId)
const auditOf = async (jobId: string) =>
  (await manage(running, 'GET', '/audit?limit=100')).body.data
    .filter(({ target }: { target: { jobId?: string } }) => target.jobId === jobId)
    .map(({ action, target, detail }: { action: string; target: unknown; detail: unknown }) => ({
      action,
      target,
      detail,
    }))

describe('G-61 failed jobs of a queue', () => {
  it('200 with shop, attempts and a short error without phone or address; run again, the submission ends, once', async () => {
    const { shop, id, status } = await makeStuck(
      'Error: POST https://platform.example/template?token=abc for 0901234567\n  at x',
    )
    const [job] = await failedOf(shop.shopId)
    expect(job).toEqual({
      id,
      queue: 'submit-template',
      shopId: shop.shopId,
      shopName: expect.any(String),
      attempts: expect.any(Number),
      failedAt: expect.any(String),
      error: 'Error: POST https://platform.example for …',
      isNeeded: true,
    })
    expect(job.attempts).toBeGreaterThan(1)
    const { body } = await manage(running, 'GET', '/queues')
    const { failed } = body.data.find(({ name }: { name: string }) => name === 'submit-template')
    expect((await manage(running, 'GET', QUEUE)).body.meta.total).toBe(failed)

    const asked = await Promise.all([1, 2, 3].map(() => manage(running, 'POST', `${QUEUE}/${id}/retry`)))
    for (const one of asked) {
      expect([one.status, one.body.data]).toEqual([
        200,
        { id, queue: 'submit-template', state: expect.stringMatching(/^(waiting|active)$/) },
      ])
    }
    await eventually(async () => (await status()) === 'ENABLE', 20_000)
    expect(await failedOf(shop.shopId)).toEqual([])
    const note = { target: { jobId: id, shopId: shop.shopId }, detail: { queue: 'submit-template' } }
    expect(await auditOf(id)).toEqual([{ action: 'job.retry', ...note }])

    const again = () => manage(running, 'POST', `${QUEUE}/${id}/retry`)
    const done = await eventually(async () => {
      const answer = await again()
      return answer.status !== 200 && answer
    }, 20_000)
    expect([done.status, done.body.code]).toEqual([409, 'JOB_NOT_FAILED'])
    expect((await manage(running, 'DELETE', `${QUEUE}/${id}`)).body.code).toBe('JOB_NOT_FAILED')
    await jobIn(shop.shopId, 'completed', 'failed')
    expect(await failedOf(shop.shopId)).toMatchObject([{ id, error: null, isNeeded: false }])
    const needless = await again()
    expect([needless.status, needless.body.code]).toEqual([409, 'JOB_NOT_NEEDED'])
    expect((await manage(running, 'DELETE', `${QUEUE}/${id}`)).status).toBe(200)
    expect((await manage(running, 'DELETE', `${QUEUE}/${id}`)).status).toBe(404)
    expect(await failedOf(shop.shopId)).toEqual([])
    expect(await auditOf(id)).toEqual([
      { action: 'job.drop', ...note },
      { action: 'job.retry', ...note },
    ])
  })

  it('200 for an import that its process left unfinished, which ends once its job is run again', async () => {
    const shop = await makeShop(running)
    const csv = { 'content-type': 'text/csv' }
    const started = await shop.post(
      '/api/external/v1/products/import',
      'name,price,itemSku\nTrà sen,1000,\n',
      csv,
    )
    const importId = started.body.data._id
    const read = async () =>
      (await shop.get(`/api/external/v1/products/imports/${importId}`)).body.data.status
    await eventually(async () => (await read()) === 'done', 20_000)
    await sql`update product_imports set finished_at = null, status = 'writing' where id = ${importId}`.execute(
      db,
    )
    const id = await jobIn(shop.shopId, 'completed', 'failed', 'job timed out')
    const jobs = '/queues/import-products/failed-jobs'
    const listed = (await manage(running, 'GET', jobs)).body.data
    expect(listed).toMatchObject([{ id, shopId: shop.shopId, error: 'job timed out', isNeeded: true }])
    expect((await manage(running, 'POST', `${jobs}/${id}/retry`)).status).toBe(200)
    // Its file was deleted when the import ended.
    await eventually(async () => (await read()) === 'failed', 20_000)
    expect((await manage(running, 'GET', jobs)).body.data).toEqual([])
  })

  it('404 for an unknown queue or job, 401 without the operator’s token', async () => {
    for (const name of ['deliver-webhook', 'nothing', '__proto__']) {
      expect((await manage(running, 'GET', `/queues/${name}/failed-jobs`)).status).toBe(404)
    }
    for (const id of [NO_JOB, unusedId(), 'x'.repeat(36), '%00']) {
      expect((await manage(running, 'POST', `${QUEUE}/${id}/retry`)).status).toBe(404)
      expect((await manage(running, 'DELETE', `${QUEUE}/${id}`)).status).toBe(404)
    }
    const { apiKey } = await makeShop(running)
    for (const headers of [undefined, { 'x-api-key': `service-partner ${apiKey}` }]) {
      for (const [method, path] of [
        ['GET', ''],
        ['POST', `/${NO_JOB}/retry`],
        ['DELETE', `/${NO_JOB}`],
      ] as const) {
        const answer = await send(running, method, `/api/manage/v1${QUEUE}${path}`, undefined, headers)
        expect(answer.status).toBe(401)
      }
    }
  })
})
