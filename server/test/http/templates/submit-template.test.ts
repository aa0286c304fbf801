import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { publishTemplate } from '../../../src/modules/templates/review/publish-template.ts'
import { claimDue } from '../../../src/modules/templates/review/sql.ts'
import { submitTemplate } from '../../../src/modules/templates/review/submit-template.ts'
import type { PlatformOutcome, SubmittedTemplate } from '../../../src/platform/types.ts'
import { makeShop, separateService, service, unusedId } from '../../support/service.ts'
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
import { insertEnabledTemplate } from '../../support/templates.ts'

const running = await service()

describe('G-15 an attempt that ends after a newer revision was published', () => {
  async function overtakenBy(outcome: PlatformOutcome<SubmittedTemplate>) {
    const { shopId } = await makeShop(running)
    const { id: templateId } = await insertEnabledTemplate(running, shopId, { status: 'DRAFT' })
    const deps = { ...running.deps, jobs: { ...running.deps.jobs, send: async () => {} } }
    const [first, second] = [unusedId(), unusedId()]
    const publishAs = (revisionId: string) =>
      publishTemplate(deps, shopId, templateId, { revisionId, by: null, language: 'en' })
    const platform: typeof deps.platform = {
      ...deps.platform,
      async createTemplate() {
        await sql`update templates set status = 'REJECTED' where shop_id = ${shopId} and id = ${templateId}`.execute(
          deps.db,
        )
        await publishAs(second)
        return outcome
      },
    }
    await publishAs(first)
    await submitTemplate({ ...deps, platform }, { shopId, templateId, revisionId: first }, { isLast: true })
    const { rows } = await sql`
      select status, platform_template_id from templates where shop_id = ${shopId} and id = ${templateId}`.execute(
      deps.db,
    )
    return { template: rows[0], revisions: await revisionsOf(running, shopId, templateId) }
  }

  it('refused: the newer one stays under review', async () => {
    const { template } = await overtakenBy({
      ...{ kind: 'rejected', code: -1124, class: 'payload', message: 'no', raw: {} },
    })
    expect(template).toEqual({ status: 'PENDING_REVIEW', platform_template_id: null })
  })

  it('taken: its number is the former revision’s, and the newer one is not taken for it', async () => {
    const data = { platformTemplateId: '7771', status: 'PENDING_REVIEW' } as const
    const { template, revisions } = await overtakenBy({ kind: 'ok', data, raw: {} })
    expect(template).toEqual({ status: 'PENDING_REVIEW', platform_template_id: null })
    expect(revisions.map((one) => one.platform_template_id)).toEqual(['7771', null])
  })
})

describe('G-21 a param whose key and places are typed in different forms of Unicode', () => {
  it.each([
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
    ['NFD', 'NFD'],
  ])('its template is approved: key in %s, places in %s', async (keyForm, placeForm) => {
    const shop = await makeShopWithOa(running)
    const key = 'tên_khách'.normalize(keyForm)
    const place = `<${'tên_khách'.normalize(placeForm)}>`
    const body = templateBody(shop.oaId, {
      title: `Chào ${place}`,
      contentBlocks: [block(`Cảm ơn ${place} đã mua hàng tại cửa hàng.`)],
      buttons: [],
      isCustomParams: true,
      params: [{ key, label: 'Tên khách', techSetting: '1', maxLength: 30, sampleValue: 'An' }],
    })
    const { _id } = await createTemplate(shop, body)
    expect((await publish(shop, _id)).status).toBe(200)
    await whenStatus(shop, _id, 'ENABLE')
  })
})

describe('G-69 the submission of a suspended shop', () => {
  it('does not go out, even if its job was lost, and goes out once the shop is resumed', async () => {
    const { shopId } = await makeShop(running)
    const { id: templateId } = await insertEnabledTemplate(running, shopId, { status: 'DRAFT' })
    const revisionId = unusedId()
    const job = { shopId, templateId, revisionId }
    const queued: { job: unknown; startAfter: Date | undefined }[] = []
    let calls = 0
    const deps: typeof running.deps = {
      ...running.deps,
      jobs: {
        ...running.deps.jobs,
        send: async (_db, _queue, data, startAfter) => void queued.push({ job: data, startAfter }),
      },
      platform: {
        ...running.deps.platform,
        async createTemplate() {
          calls += 1
          return { kind: 'ok', data: { platformTemplateId: unusedId(), status: 'PENDING_REVIEW' }, raw: {} }
        },
      },
    }
    const suspend = (at: Date | null) =>
      sql`update shops set suspended_at = ${at}::timestamptz where id = ${shopId}`.execute(deps.db)
    await publishTemplate(deps, shopId, templateId, { revisionId, by: null, language: 'en' })
    await suspend(new Date())
    queued.length = 0
    expect(await submitTemplate(deps, job, { isLast: true })).toBeUndefined()
    expect(calls).toBe(0)
    expect(queued).toEqual([{ job, startAfter: expect.any(Date) }])
    expect(queued[0]!.startAfter!.getTime()).toBeGreaterThan(Date.now())
    const due = {
      checkedBefore: new Date(),
      staleBefore: new Date(Date.now() + 60_000),
      limit: 10_000,
      now: new Date(),
    }
    const claimed = async () => (await claimDue(deps.db, 'under-review', due)).map(({ id }) => id)
    expect(await claimed()).not.toContain(templateId)
    await suspend(null)
    expect(await claimed()).toContain(templateId)
    await submitTemplate(deps, job, { isLast: true })
    expect(calls).toBe(1)
  })
})

describe('G-15 submission in the background', () => {
  it('a platform that fails gets each template exactly once, also when its answers are lost', async () => {
    const faulty = await separateService()
    const partner = await makeShopWithOa(faulty)
    await control(faulty, '/faults', {
      faults: [
        { kind: '5xx', endpoint: '/template/create', times: 1 },
        { kind: '5xx', endpoint: '/template/create', times: 1, applied: true },
      ],
    })
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    await publish(partner, draft._id)
    const approved = await whenStatus(partner, draft._id, 'ENABLE', 18_000)
    const { templates } = await control(faulty, `/templates?oaId=${partner.oaId}`)
    expect(templates.map((template: { template_id: string }) => template.template_id)).toEqual([
      approved.templateId,
    ])
    const [revision] = await revisionsOf(faulty, partner.shopId, draft._id)
    expect(revision?.platform_template_id).toBe(approved.templateId)
  }, 40_000)

  it('an edit whose answer is lost is not made twice', async () => {
    const faulty = await separateService()
    const partner = await makeShopWithOa(faulty)
    const link = { contentBlocks: [block('Xem tại https://hoamai.example nhé <customer_name>')] }
    const draft = await createTemplate(partner, templateBody(partner.oaId, link))
    await publish(partner, draft._id)
    await whenStatus(partner, draft._id, 'REJECTED')
    await partner.patch(`${TEMPLATES}/${draft._id}`, templateBody(partner.oaId))
    const fault = { kind: 'reset', endpoint: '/template/edit', times: 1, applied: true }
    await control(faulty, '/faults', { faults: [fault] })
    await publish(partner, draft._id)
    await whenStatus(partner, draft._id, 'ENABLE', 18_000)
    const { templates } = await control(faulty, `/templates?oaId=${partner.oaId}`)
    expect(templates).toHaveLength(1)
  })

  it('REJECTED with the platform’s error in the shop’s language when it refuses', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    // A draft from before this text was checked.
    await sql`
      update templates
      set title = 'Đơn của <nobody>'
      where shop_id = ${partner.shopId} and id = ${draft._id}`.execute(running.deps.db)
    expect((await publish(partner, draft._id)).status).toBe(200)
    const rejected = await whenStatus(partner, draft._id, 'REJECTED')
    expect(rejected.rejectReason).toMatch(/^-201: The request contains a value .*nobody.* is not declared/)
    expect(await timeline(running, partner.shopId, draft._id)).toContain('PENDING_REVIEW>REJECTED submission')
  })

  it('REJECTED with a readable reason when the last attempt reaches nothing; publishing again works', async () => {
    const faulty = await separateService()
    const partner = await makeShopWithOa(faulty)
    await control(faulty, '/faults', { faults: [{ kind: 'outage', endpoint: '*' }] })
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    await publish(partner, draft._id)
    const [revision] = await revisionsOf(faulty, partner.shopId, draft._id)
    const job = { shopId: partner.shopId, templateId: draft._id, revisionId: revision!.id }
    await expect(submitTemplate(faulty.deps, job, { isLast: false })).rejects.toThrow('not submitted yet')
    expect((await partner.get(`${TEMPLATES}/${draft._id}`)).body.data.status).toBe('PENDING_REVIEW')
    await submitTemplate(faulty.deps, job, { isLast: true })
    const rejected = (await partner.get(`${TEMPLATES}/${draft._id}`)).body.data
    expect(rejected).toMatchObject({
      status: 'REJECTED',
      rejectReason: expect.stringContaining('could not be reached'),
    })
    await control(faulty, '/faults', { faults: [] })
    await publish(partner, draft._id)
    await whenStatus(partner, draft._id, 'ENABLE', 18_000)
  })
})
