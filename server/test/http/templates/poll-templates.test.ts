import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { pollTemplates } from '../../../src/modules/templates/review/poll-templates.ts'
import { eventually, separateService } from '../../support/service.ts'
import {
  block,
  control,
  createTemplate,
  makeShopWithOa,
  publish,
  revisionsOf,
  TEMPLATES,
  templateBody,
  timeline,
  whenStatus,
} from '../../support/template-shop.ts'

describe('G-16 polling', () => {
  it('finds approval, rejection and a switching off whose events were lost', async () => {
    const quiet = await separateService()
    await control(quiet, '/settings', { suppressEvents: true })
    const partner = await makeShopWithOa(quiet)
    const good = await createTemplate(partner, templateBody(partner.oaId))
    const bad = await createTemplate(
      partner,
      templateBody(partner.oaId, { name: 'Quảng cáo', contentBlocks: [block('Giảm giá 50% hôm nay')] }),
    )
    for (const template of [good, bad]) await publish(partner, template._id)
    await expect
      .poll(async () => (await revisionsOf(quiet, partner.shopId, bad._id))[0]?.submitted_at)
      .toBeTruthy()
    await expect
      .poll(async () => (await revisionsOf(quiet, partner.shopId, good._id))[0]?.submitted_at)
      .toBeTruthy()
    await expect
      .poll(async () => {
        const { templates } = await control(quiet, `/templates?oaId=${partner.oaId}`)
        return templates.map((template: { status: string }) => template.status).sort()
      })
      .toEqual(['ENABLE', 'REJECT'])
    expect((await partner.get(`${TEMPLATES}/${good._id}`)).body.data.status).toBe('PENDING_REVIEW')

    await pollTemplates(quiet.deps)
    const approved = (await partner.get(`${TEMPLATES}/${good._id}`)).body.data
    expect(approved).toMatchObject({ status: 'ENABLE', isSync: true, price: 200 })
    expect((await partner.get(`${TEMPLATES}/${bad._id}`)).body.data.rejectReason).toContain('Advertising')
    expect(await timeline(quiet, partner.shopId, good._id)).toContain('PENDING_REVIEW>ENABLE polling')

    await control(quiet, `/templates/${approved.templateId}/status`, { status: 'DISABLE' })
    await pollTemplates(quiet.deps)
    expect((await partner.get(`${TEMPLATES}/${good._id}`)).body.data.status).toBe('ENABLE')
    await sql`update templates set checked_at = now() - interval '7 hours'`.execute(quiet.deps.db)
    await pollTemplates(quiet.deps)
    expect((await partner.get(`${TEMPLATES}/${good._id}`)).body.data.status).toBe('DISABLE')
  })

  it('queues a submission again whose job was lost', async () => {
    const quiet = await separateService()
    const partner = await makeShopWithOa(quiet)
    await control(quiet, '/faults', { faults: [{ kind: 'outage', endpoint: '/template/create' }] })
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    await publish(partner, draft._id)
    // Lost between two attempts: a running attempt would continue without its job.
    await eventually(async () => {
      const { rows } = await sql`
        delete from pgboss.job where name = 'submit-template' and state = 'retry' returning id`.execute(
        quiet.deps.db,
      )
      return rows.length > 0
    }, 18_000)
    await control(quiet, '/faults', { faults: [] })
    await pollTemplates(quiet.deps)
    expect((await revisionsOf(quiet, partner.shopId, draft._id))[0]?.submitted_at).toBeNull()
    await sql`update template_revisions set created_at = now() - interval '3 hours'`.execute(quiet.deps.db)
    await pollTemplates(quiet.deps)
    await whenStatus(partner, draft._id, 'ENABLE', 18_000)
  })
})
