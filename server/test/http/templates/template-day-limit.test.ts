import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { pollTemplates } from '../../../src/modules/templates/review/poll-templates.ts'
import { submitTemplate } from '../../../src/modules/templates/review/submit-template.ts'
import { eventually, type Partner, separateService } from '../../support/service.ts'
import {
  control,
  createTemplate,
  makeShopWithOa,
  publish,
  TEMPLATES,
  templateBody,
  whenStatus,
} from '../../support/template-shop.ts'

const running = await separateService()
const { db } = running.deps

/** A template that the platform does not accept today because of its daily limit. */
async function putOff(overrides: Record<string, unknown> = {}) {
  await control(running, '/settings', { templateCreatesPerDay: 0 })
  const partner = await makeShopWithOa(running)
  const template = await createTemplate(partner, templateBody(partner.oaId, overrides))
  expect((await publish(partner, template._id)).status).toBe(200)
  await whenPutOff(partner, template._id)
  await control(running, '/settings', { templateCreatesPerDay: 100 })
  const { rows } = await sql<{ id: string; not_before: Date }>`
    select id, not_before from template_revisions
    where shop_id = ${partner.shopId} and template_id = ${template._id}`.execute(db)
  const [revision] = rows
  const first = { shopId: partner.shopId, templateId: template._id, revisionId: revision!.id }
  return { partner, template, first, next: { ...first, notBefore: revision!.not_before.toISOString() } }
}

async function timelineOf(partner: Partner, id: string) {
  return (await partner.get(`${TEMPLATES}/${id}/timeline`)).body.data
}

function whenPutOff(partner: Partner, id: string) {
  return eventually(async () => {
    const last = (await timelineOf(partner, id)).at(-1)
    return last.source === 'submission' && last
  })
}

const waitingJobs = async (templateId: string) => {
  const { rows } = await sql<{ start_after: Date }>`
    select start_after from pgboss.job
    where name = 'submit-template' and state = 'created' and data->>'templateId' = ${templateId}`.execute(db)
  return rows
}

const onPlatform = async (oaId: string) =>
  (await control(running, `/templates?oaId=${oaId}`)).templates.length as number

describe('G-15 more templates than the platform takes in a day', () => {
  it('it waits for the platform’s next day, the timeline says so, and it goes out by itself', async () => {
    const { partner, template } = await putOff()
    expect((await timelineOf(partner, template._id)).at(-1)).toMatchObject({
      status: 'PENDING_REVIEW',
      from: 'PENDING_REVIEW',
      reason: expect.stringMatching(/^The platform accepts no more templates .* after midnight\.$/),
    })
    const [job, ...others] = await waitingJobs(template._id)
    expect(others).toEqual([])
    // 00:05 in Vietnam.
    expect(job!.start_after.toISOString()).toMatch(/T17:05:00\.000Z$/)
    expect(job!.start_after.getTime()).toBeGreaterThan(Date.now())

    await sql`update pgboss.job set start_after = now() where state = 'created'`.execute(db)
    await whenStatus(partner, template._id, 'ENABLE')
    expect(await onPlatform(partner.oaId)).toBe(1)
  })

  it('an edit waits as well', async () => {
    const partner = await makeShopWithOa(running)
    const link = { id: '3f0c2a50-6f0e-4c3b-9a53-00000000000a', type: 'paragraph' }
    const bad = [{ ...link, value: 'Xem tại https://hoamai.example nhé <customer_name>' }]
    const template = await createTemplate(partner, templateBody(partner.oaId, { contentBlocks: bad }))
    await publish(partner, template._id)
    await whenStatus(partner, template._id, 'REJECTED')
    await partner.patch(`${TEMPLATES}/${template._id}`, templateBody(partner.oaId))
    await control(running, '/settings', { templateEditsPerDay: 0 })
    await publish(partner, template._id)
    await whenPutOff(partner, template._id)
    await control(running, '/settings', { templateEditsPerDay: 100 })
    await sql`update pgboss.job set start_after = now() where state = 'created'`.execute(db)
    await whenStatus(partner, template._id, 'ENABLE')
    expect(await onPlatform(partner.oaId)).toBe(1)
  })

  it('a job left over from the day before finds nothing to do, also beside the next one', async () => {
    const { partner, template, first, next } = await putOff()
    await submitTemplate(running.deps, first, { isLast: false })
    expect(await onPlatform(partner.oaId)).toBe(0)
    await Promise.all([first, next].map((job) => submitTemplate(running.deps, job, { isLast: false })))
    expect(await onPlatform(partner.oaId)).toBe(1)
    await whenStatus(partner, template._id, 'ENABLE')
    await submitTemplate(running.deps, next, { isLast: true })
    expect(await onPlatform(partner.oaId)).toBe(1)
  })

  it('polling leaves it alone until its time is long past; then a lost job is queued again', async () => {
    const { partner, template } = await putOff()
    await sql`delete from pgboss.job where name = 'submit-template' and state = 'created'`.execute(db)
    await sql`update template_revisions set created_at = now() - interval '20 hours'`.execute(db)
    await pollTemplates(running.deps)
    const { rows } = await sql`select checked_at from templates where id = ${template._id}`.execute(db)
    expect(rows).toEqual([{ checked_at: null }])
    await sql`update template_revisions set not_before = not_before - interval '2 days'
      where submitted_at is null`.execute(db)
    await pollTemplates(running.deps)
    await whenStatus(partner, template._id, 'ENABLE')
    expect(await onPlatform(partner.oaId)).toBe(1)
  })

  it('REJECTED with the reason when three days have brought nothing; publishing again works', async () => {
    const { partner, template, next } = await putOff()
    await sql`update template_revisions set created_at = now() - interval '3 days'
      where id = ${next.revisionId}`.execute(db)
    await control(running, '/settings', { templateCreatesPerDay: 0 })
    await submitTemplate(running.deps, next, { isLast: true })
    const { data } = (await partner.get(`${TEMPLATES}/${template._id}`)).body
    expect(data).toMatchObject({
      status: 'REJECTED',
      rejectReason: expect.stringContaining('does not accept templates from this official account right now'),
    })
    await control(running, '/settings', { templateCreatesPerDay: 100 })
    await publish(partner, template._id)
    await whenStatus(partner, template._id, 'ENABLE')
  })
})
