import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { refreshTemplate } from '../../../src/modules/templates/review/apply-review.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeShop, type Partner, send, service, unusedId } from '../../support/service.ts'
import {
  approvedTemplate,
  createTemplate,
  makeShopWithOa,
  publish,
  TEMPLATES,
  templateBody,
  whenStatus,
} from '../../support/template-shop.ts'

const running = await service()

/** A template in the old format, as an import stores it. */
async function insertLegacy(partner: Partner, name = 'Mẫu cũ'): Promise<string> {
  const id = unusedId()
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  await sql`
    insert into templates (shop_id, id, oa_id, name, title, tag, template_type, image_type, logo_light, logo_dark,
      paragraphs, tables, params, voucher, is_custom_params, search, status, created_at, updated_at)
    values (${partner.shopId}, ${id}, 'oa', ${name}, 'Ưu đãi cho <ten>', '2', 'voucher', 'logo',
      'https://images.example/l.png', 'https://images.example/d.png',
      ${json([{ value: 'Chào <ten>', key: 'p1' }, { value: '' }, { value: 'Hẹn gặp lại' }])},
      ${json([{ label: 'Mã đơn', key: '<ma>' }])},
      ${json([
        { key: 'ten', label: 'Tên', techSetting: '1', sampleValue: 'Lan' },
        { key: 'ma', label: 'Mã', techSetting: '4' },
      ])},
      ${json({ code: 'TET', title: 'Tết', condition: 'Mọi đơn', expiryDate: '31/12/2030' })},
      true, 'mau cu', 'ENABLE', now(), now())`.execute(running.deps.db)
  return id
}

async function rejectedTemplate(partner: Partner & { oaId: string }) {
  const block = {
    id: '3f0c2a50-6f0e-4c3b-9a53-0a4a1b2c3d4e',
    type: 'paragraph',
    value: 'Khuyến mãi lớn cho <customer_name> hôm nay.',
  }
  const draft = await createTemplate(partner, templateBody(partner.oaId, { contentBlocks: [block] }))
  await publish(partner, draft._id)
  return whenStatus(partner, draft._id, 'REJECTED')
}

describe('G-18 timeline', () => {
  it('200 with every change of status, oldest first', async () => {
    const partner = await makeShopWithOa(running)
    const rejected = await rejectedTemplate(partner)
    const answer = await partner.get(`${TEMPLATES}/${rejected._id}/timeline`)
    expect(answer.status).toBe(200)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const by = { type: 'key', id: expect.stringMatching(/^[0-9a-f]{24}$/), name: expect.any(String) }
    expect(answer.body).toEqual({
      data: [
        { status: 'DRAFT', from: null, source: 'shop', reason: null, by, at },
        { status: 'PENDING_REVIEW', from: 'DRAFT', source: 'shop', reason: null, by, at },
        {
          status: 'REJECTED',
          from: 'PENDING_REVIEW',
          source: 'webhook',
          reason: rejected.rejectReason,
          by: null,
          at,
        },
      ],
    })
  })

  it('names who created, duplicated or submitted it', async () => {
    const partner = await makeShopWithOa(running)
    const { shopId } = partner
    const lan = await makePerson(running.deps, { shopId, role: 'staff' })
    const headers = { cookie: await signIn(running, lan.email), 'x-shop-id': shopId }
    const as = async (path: string, body?: unknown) =>
      (await send(running, 'POST', `${TEMPLATES}${path}`, body, headers)).body.template
    const created = await as('/create', templateBody(partner.oaId))
    await publish(partner, created._id)
    const copy = await as(`/${created._id}/duplicate`)
    await as(`/${copy._id}/publish`)
    const authorsOf = async ({ _id }: { _id: string }) => {
      const { data } = (await partner.get(`${TEMPLATES}/${_id}/timeline`)).body
      return data.slice(0, 2).map(({ by }: { by: unknown }) => by)
    }
    const byLan = { type: 'member', id: lan.id, name: 'Người thử' }
    expect(await authorsOf(created)).toEqual([byLan, expect.objectContaining({ type: 'key' })])
    expect(await authorsOf(copy)).toEqual([byLan, byLan])
  })

  it('200 and empty for a template stored without a history', async () => {
    const partner = await makeShop(running)
    const answer = await partner.get(`${TEMPLATES}/${await insertLegacy(partner)}/timeline`)
    expect(answer.body).toEqual({ data: [] })
  })

  it('404 for an unknown template, 500 for a malformed id', async () => {
    const partner = await makeShop(running)
    expect((await partner.get(`${TEMPLATES}/${unusedId()}/timeline`)).status).toBe(404)
    expect((await partner.get(`${TEMPLATES}/x/timeline`)).status).toBe(500)
  })
})

describe('G-18 duplicate', () => {
  it('201 with a new DRAFT of an ENABLE template’s content, under the next number', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    const duplicate = (id: string) => partner.post(`${TEMPLATES}/${id}/duplicate`)
    const answer = await duplicate(approved._id)
    expect(answer.status).toBe(201)
    const { template } = answer.body
    const { name, title, contentBlocks, params, oaId, logoDark } = approved
    expect(template).toMatchObject({ title, contentBlocks, params, oaId, logoDark })
    expect(template).toMatchObject({ name: `${name} (2)`, status: 'DRAFT', isSync: false, __v: 0 })
    expect(template._id).not.toBe(approved._id)
    expect(template).not.toHaveProperty('templateId')
    expect(template).not.toHaveProperty('price')
    expect((await duplicate(approved._id)).body.template.name).toBe(`${name} (3)`)
    expect((await duplicate(template._id)).body.template.name).toBe(`${name} (4)`)
    const { data } = (await partner.get(`${TEMPLATES}/${template._id}/timeline`)).body
    expect(data).toMatchObject([{ status: 'DRAFT', from: null, source: 'shop' }])
    expect((await publish(partner, template._id)).status).toBe(200)
    expect((await partner.get(`${TEMPLATES}/${approved._id}`)).body.data).toEqual(approved)
  })

  it('a name of 500 characters is cut for its number', async () => {
    const partner = await makeShopWithOa(running)
    const long = await createTemplate(partner, templateBody(partner.oaId, { name: 'ế'.repeat(500) }))
    const answer = await partner.post(`${TEMPLATES}/${long._id}/duplicate`)
    expect(answer.body.template.name).toBe(`${'ế'.repeat(496)} (2)`)
  })

  it('G-19 one of the old form becomes blocks that can be edited', async () => {
    const partner = await makeShop(running)
    const answer = await partner.post(`${TEMPLATES}/${await insertLegacy(partner)}/duplicate`)
    expect(answer.status).toBe(201)
    const { template } = answer.body
    expect(template).not.toHaveProperty('paragraphs')
    expect(template.contentBlocks).toEqual([
      { id: expect.any(String), type: 'paragraph', value: 'Chào <ten>' },
      { id: expect.any(String), type: 'paragraph', value: 'Hẹn gặp lại' },
      { id: expect.any(String), type: 'table', rows: [{ label: 'Mã đơn', key: '<ma>', rowType: 0 }] },
      { id: expect.any(String), type: 'voucher', voucher: template.voucher },
    ])
    const { _id, id, __v, createdAt, updatedAt, status, isSync, shopId, ...body } = template
    expect((await partner.patch(`${TEMPLATES}/${_id}`, body)).status).toBe(200)
    const lint = await partner.post(`${TEMPLATES}/lint`, body)
    expect(lint.body.data.errors).toMatchObject([{ path: 'oaId' }])
  })

  it('G-10 made once under one key', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const key = { 'idempotency-key': unusedId() }
    const path = `${TEMPLATES}/${draft._id}/duplicate`
    const first = await partner.post(path, undefined, key)
    const again = await partner.post(path, undefined, key)
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
  })

  it('404 for an unknown template', async () => {
    const partner = await makeShop(running)
    expect((await partner.post(`${TEMPLATES}/${unusedId()}/duplicate`)).status).toBe(404)
  })
})

describe('G-18 delete', () => {
  it('200 for a DRAFT, which is then nowhere', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const path = `${TEMPLATES}/${draft._id}`
    const answer = await partner.call('DELETE', path)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true })
    expect((await partner.get(TEMPLATES)).body).toMatchObject({ templates: [], meta: { total: 0 } })
    const calls = [
      partner.get(path),
      partner.get(`${path}/timeline`),
      partner.get(`${path}/preview`),
      partner.patch(path, templateBody(partner.oaId)),
      partner.post(`${path}/publish`),
      partner.post(`${path}/duplicate`),
      partner.call('DELETE', path),
      partner.post('/api/external/notify-message/send', {
        templateId: draft._id,
        receiverPhone: '0912345678',
        params: {},
      }),
    ]
    for (const call of calls) expect((await call).status).toBe(404)
  })

  it('200 for a REJECTED one, and a later decision of the platform does not bring it back', async () => {
    const partner = await makeShopWithOa(running)
    const rejected = await rejectedTemplate(partner)
    expect((await partner.call('DELETE', `${TEMPLATES}/${rejected._id}`)).status).toBe(200)
    const told = { status: 'ENABLE', deleted: false } as const
    const asked = { source: 'webhook', told, isLast: true } as const
    expect(await refreshTemplate(running.deps, partner.shopId, rejected._id, asked)).toBe('not-there')
    expect((await partner.get(`${TEMPLATES}/${rejected._id}`)).status).toBe(404)
  })

  it('200 for one that messages name: the history stays', async () => {
    const partner = await makeShopWithOa(running)
    const rejected = await rejectedTemplate(partner)
    const messageId = unusedId()
    await sql`
      insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, params, is_sample,
        state, fee, session_id, created_at, updated_at)
      values (${partner.shopId}, ${messageId}, ${rejected._id}, '1', ${partner.oaId}, 'phone', '84912345678', '{}',
        true, 'RECEIVED', 0, 's1', now(), now())`.execute(running.deps.db)
    expect((await partner.call('DELETE', `${TEMPLATES}/${rejected._id}`)).status).toBe(200)
    const history = await partner.get('/api/external/notify-message/history')
    expect(history.body.histories).toMatchObject([{ _id: messageId }])
  })

  it('409 TEMPLATE_NOT_DELETABLE in any other status', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    const answer = await partner.call('DELETE', `${TEMPLATES}/${approved._id}`)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'TEMPLATE_NOT_DELETABLE',
      message: expect.stringContaining('ENABLE'),
    })
    expect((await partner.get(`${TEMPLATES}/${approved._id}`)).status).toBe(200)
  })

  it('of a deletion and a publication at once exactly one wins', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const [deleted, published] = await Promise.all([
      partner.call('DELETE', `${TEMPLATES}/${draft._id}`),
      publish(partner, draft._id),
    ])
    expect([deleted.status, published.status]).toSatisfy(
      ([one, other]) => (one === 200 && other === 404) || (one === 409 && other === 200),
    )
  })
})

describe('G-18 preview', () => {
  it('200 with a page that runs no script and shows sample values', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const answer = await partner.get(`${TEMPLATES}/${draft._id}/preview`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'/,
    )
    expect(answer.body).toContain('Đơn hàng DH1024 đã được xác nhận')
    expect(answer.body).toContain('Cảm ơn Nguyễn Văn An đã đặt hàng.')
    expect(answer.body).not.toContain('<script')
  })

  it('theme=dark shows the dark logo; another theme is 400', async () => {
    const partner = await makeShopWithOa(running)
    const draft = await createTemplate(partner, templateBody(partner.oaId))
    const dark = await partner.get(`${TEMPLATES}/${draft._id}/preview?theme=dark`)
    expect(dark.body).toContain('logo-dark.png')
    expect(dark.body).not.toContain('logo-light.png')
    expect((await partner.get(`${TEMPLATES}/${draft._id}/preview?theme=blue`)).status).toBe(400)
  })

  it('G-19 a template of the old form is shown too', async () => {
    const partner = await makeShop(running)
    const { body } = await partner.get(`${TEMPLATES}/${await insertLegacy(partner)}/preview`)
    expect(body).toContain('Ưu đãi cho Lan')
    expect(body).toContain('<p>Hẹn gặp lại</p>')
    expect(body).toMatch(/Mã đơn<\/th><td>Mã</)
    expect(body).toContain('TET')
  })
})
