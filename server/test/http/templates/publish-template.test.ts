import { describe, expect, it } from 'vitest'
import { makeShop, separateService, service, unusedId } from '../../support/service.ts'
import {
  approvedTemplate,
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

const running = await service()

describe('G-15 publish', () => {
  it('200 in PENDING_REVIEW, then ENABLE with number, preview and fees', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const published = await publish(partner, draft._id)
    expect(published.status).toBe(200)
    expect(published.body.template).toMatchObject({
      _id: draft._id,
      status: 'PENDING_REVIEW',
      isSync: false,
      __v: 1,
    })
    const approved = await whenStatus(partner, draft._id, 'ENABLE')
    expect(approved).toMatchObject({
      isSync: true,
      templateId: expect.stringMatching(/^\d+$/),
      previewUrl: expect.stringContaining('/preview/'),
      platform: 'chatapp',
      price: 200,
      priceUID: 55,
    })
    expect(await timeline(running, partner.shopId, draft._id)).toEqual([
      '>DRAFT shop',
      'DRAFT>PENDING_REVIEW shop',
      // By polling, if that asked before the event came. platform-hook tests that the event does it too.
      expect.stringMatching(/^PENDING_REVIEW>ENABLE (webhook|polling)$/),
    ])
  })

  it('what was submitted is kept as a revision, word for word', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    const [revision] = await revisionsOf(running, partner.shopId, approved._id)
    expect(revision).toMatchObject({ number: 1, platform_template_id: approved.templateId })
    expect(revision?.submitted_at).toBeInstanceOf(Date)
    expect(revision?.document).toEqual(
      expect.objectContaining({
        title: approved.title,
        contentBlocks: approved.contentBlocks,
        params: approved.params,
      }),
    )
  })

  it('REJECTED with the platform’s reason, then fixed, published again and ENABLE under the same number', async () => {
    const partner = await makeShopWithOa(running)
    const advertising = { contentBlocks: [block('Khuyến mãi lớn cho <customer_name> hôm nay.')] }
    const draft = await createTemplate(partner, templateBody(partner.oaId, advertising))
    await publish(partner, draft._id)
    const rejected = await whenStatus(partner, draft._id, 'REJECTED')
    expect(rejected.rejectReason).toContain('Advertising')
    expect(rejected.isSync).toBe(false)
    expect(rejected.templateId).toBeUndefined()

    const fixed = await partner.patch(`${TEMPLATES}/${draft._id}`, templateBody(partner.oaId))
    expect(fixed.status).toBe(200)
    expect(fixed.body.template).toMatchObject({ status: 'REJECTED', rejectReason: rejected.rejectReason })
    const again = await publish(partner, draft._id)
    expect(again.body.template.status).toBe('PENDING_REVIEW')
    expect(again.body.template.rejectReason).toBeUndefined()
    await whenStatus(partner, draft._id, 'ENABLE')

    const revisions = await revisionsOf(running, partner.shopId, draft._id)
    expect(revisions.map((revision) => revision.number)).toEqual([1, 2])
    expect(revisions[0]?.platform_template_id).toBe(revisions[1]?.platform_template_id)
    expect(await timeline(running, partner.shopId, draft._id)).toEqual([
      '>DRAFT shop',
      'DRAFT>PENDING_REVIEW shop',
      'PENDING_REVIEW>REJECTED webhook',
      'REJECTED>PENDING_REVIEW shop',
      'PENDING_REVIEW>ENABLE webhook',
    ])
  })

  it('400 with every problem at once, and nothing has changed', async () => {
    const partner = await makeShop(running)
    const draft = await createTemplate(
      partner,
      templateBody('an-oa-of-nobody', {
        templateType: 'voucher',
        logoLight: undefined,
        logoDark: '',
        voucher: { code: '<order_code>', title: 'Tết', condition: 'Mọi đơn', expiryDate: '31/12/2030' },
        buttons: [
          { label: 'Gọi cửa hàng', type: '2' },
          { label: 'Trang OA', type: '3', value: '' },
        ],
        params: [
          { key: 'customer_name', label: 'Tên' },
          { key: 'order_code', label: 'Mã', techSetting: '4' },
        ],
      }),
    )
    const answer = await publish(partner, draft._id)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: {
        body: {
          source: 'body',
          keys: ['oaId', 'logoLight', 'logoDark', 'contentBlocks', 'buttons.0.value', 'params.0.techSetting'],
        },
      },
    })
    expect(answer.body.validation.body.message).toContain('"params[0].techSetting" is required')
    const read = await partner.get(`${TEMPLATES}/${draft._id}`)
    expect(read.body.data).toMatchObject({ status: 'DRAFT', __v: 0 })
    expect(await revisionsOf(running, partner.shopId, draft._id)).toEqual([])
  })

  it('400 without an image when imageType is image; with one it goes through', async () => {
    const partner = await makeShopWithOa(running)
    const images = { imageType: 'image', images: [], logoLight: undefined, logoDark: undefined }
    const draft = await createTemplate(partner, templateBody(partner.oaId, images))
    const refused = await publish(partner, draft._id)
    expect(refused.body.validation.body.keys).toEqual(['images'])
    const withImage = templateBody(partner.oaId, { ...images, images: ['https://images.example/a.png'] })
    await partner.patch(`${TEMPLATES}/${draft._id}`, withImage)
    expect((await publish(partner, draft._id)).status).toBe(200)
  })

  it('400 when the voucher block differs from the top-level voucher; equal content in any order passes', async () => {
    const partner = await makeShopWithOa(running)
    const voucher = { code: '<order_code>', title: 'Tết', condition: 'Mọi đơn', expiryDate: '31/12/2030' }
    const { code, ...rest } = voucher
    const withBlock = (shown: object) => ({
      tag: '3',
      templateType: 'voucher',
      voucher,
      contentBlocks: [block('Xin chào <customer_name>.'), { ...block(), type: 'voucher', voucher: shown }],
    })
    const other = withBlock({ ...voucher, title: 'Khác' })
    const draft = await createTemplate(partner, templateBody(partner.oaId, other))
    expect((await publish(partner, draft._id)).body.validation.body.keys).toEqual(['contentBlocks'])
    await partner.patch(`${TEMPLATES}/${draft._id}`, templateBody(partner.oaId, withBlock({ ...rest, code })))
    expect((await publish(partner, draft._id)).status).toBe(200)
  })

  it('409 TEMPLATE_NOT_PUBLISHABLE once it is under review; of two at once one wins', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const answers = await Promise.all([publish(partner, draft._id), publish(partner, draft._id)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      statusCode: 409,
      error: 'Conflict',
      code: 'TEMPLATE_NOT_PUBLISHABLE',
    })
    expect(await revisionsOf(running, partner.shopId, draft._id)).toHaveLength(1)
    await whenStatus(partner, draft._id, 'ENABLE')
    expect((await publish(partner, draft._id)).body.code).toBe('TEMPLATE_NOT_PUBLISHABLE')
    const { templates } = await control(running, `/templates?oaId=${partner.oaId}`)
    expect(templates).toHaveLength(1)
  })

  it('404 for an unknown template and another shop’s, which stays unchanged; 500 for a malformed id', async () => {
    const owner = await makeShopWithOa(running)
    const draft = await createTemplate(owner, templateBody(owner.oaId))
    const other = await makeShopWithOa(running)
    const foreign = await publish(other, draft._id)
    const none = await publish(other, unusedId())
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(none.body)
    expect((await owner.get(`${TEMPLATES}/${draft._id}`)).body.data.status).toBe('DRAFT')
    expect((await publish(other, 'x')).status).toBe(500)
  })
})

describe('G-15 the platform’s stricter limits', () => {
  it('are 400 with PLATFORM_STRICT, and nothing without', async () => {
    const strict = await separateService({ platformStrict: true })
    const partner = await makeShopWithOa(strict)
    const short = templateBody(partner.oaId, { name: 'Ngắn' })
    const draft = await createTemplate(partner, short)
    const refused = await publish(partner, draft._id)
    expect(refused.status).toBe(400)
    expect(refused.body.validation.body.keys).toEqual(['name', 'note'])
    const lenient = await makeShopWithOa(running)
    const accepted = await createTemplate(lenient, { ...short, oaId: lenient.oaId })
    expect((await publish(lenient, accepted._id)).status).toBe(200)
  })
})
