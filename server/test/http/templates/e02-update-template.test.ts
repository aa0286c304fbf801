import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, service, unusedId } from '../../support/service.ts'
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

describe('E2 update template', () => {
  it('200 with everything overwritten, fields left out removed, and G-00 __v one more', async () => {
    const partner = await makeShop(running)
    const made = await createTemplate(
      partner,
      templateBody('oa-1', {
        description: 'Mô tả',
        note: 'Ghi chú',
        images: ['https://images.example/a.png'],
      }),
    )
    const body = templateBody('oa-1', { name: 'Tên mới', tag: '2', status: 'ENABLE', shopId: 'x' })
    const { status, body: answer } = await partner.patch(`${TEMPLATES}/${made._id}`, body)
    expect(status).toBe(200)
    const { description, note, images, ...kept } = made
    expect(answer.template).toEqual({
      ...kept,
      name: 'Tên mới',
      tag: '2',
      __v: 1,
      updatedAt: expect.any(String),
    })
    expect(Date.parse(answer.template.updatedAt)).toBeGreaterThanOrEqual(Date.parse(made.updatedAt))
    const read = await partner.get(`${TEMPLATES}/${made._id}`)
    expect(read.body.data).toEqual(answer.template)
  })

  it('200 in REJECTED, whose status and reason stay', async () => {
    const partner = await makeShopWithOa(running)
    const made = await createTemplate(partner, templateBody(partner.oaId))
    await sql`
      update templates
      set status = 'REJECTED', reject_reason = 'Sai loại tham số'
      where shop_id = ${partner.shopId} and id = ${made._id}`.execute(running.deps.db)
    const { status, body } = await partner.patch(`${TEMPLATES}/${made._id}`, templateBody(partner.oaId))
    expect(status).toBe(200)
    expect(body.template).toMatchObject({ status: 'REJECTED', rejectReason: 'Sai loại tham số', __v: 1 })
  })

  it('the search finds the new words and not the old ones', async () => {
    const partner = await makeShop(running)
    const made = await createTemplate(partner, templateBody('oa-1', { name: 'Giao hàng' }))
    await partner.patch(`${TEMPLATES}/${made._id}`, templateBody('oa-1', { name: 'Thanh toán' }))
    const total = async (words: string) =>
      (await partner.get(`${TEMPLATES}?search=${encodeURIComponent(words)}`)).body.meta.total
    expect(await total('thanh toan')).toBe(1)
    expect(await total('giao hang')).toBe(0)
  })

  it('400 for what create refuses too, and nothing changes', async () => {
    const partner = await makeShop(running)
    const made = await createTemplate(partner, templateBody('oa-1'))
    for (const [overrides, key] of [
      [{ name: undefined }, 'name'],
      [{ title: '<ten>' }, 'title'],
      [{ templateType: 'rating' }, 'rating'],
      [{ extra: 1 }, 'extra'],
    ] as const) {
      const answer = await partner.patch(`${TEMPLATES}/${made._id}`, templateBody('oa-1', overrides))
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body.keys).toEqual([key])
    }
    expect((await partner.get(`${TEMPLATES}/${made._id}`)).body.data).toEqual(made)
  })

  it('404 for an unknown template and another shop’s, which stays unchanged; 500 for a malformed id', async () => {
    const owner = await makeShop(running)
    const made = await createTemplate(owner, templateBody('oa-1'))
    const other = await makeShop(running)
    const body = templateBody('oa-1', { name: 'Của người khác' })
    const foreign = await other.patch(`${TEMPLATES}/${made._id}`, body)
    const none = await other.patch(`${TEMPLATES}/${unusedId()}`, body)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(none.body)
    expect((await owner.get(`${TEMPLATES}/${made._id}`)).body.data).toEqual(made)
    const malformed = await other.patch(`${TEMPLATES}/x`, body)
    expect(malformed.status).toBe(500)
    expect(malformed.body.message).toContain('"id"')
  })

  it('a rejected template moved to another account is a new one for the platform', async () => {
    const partner = await makeShopWithOa(running)
    const made = await createTemplate(partner, templateBody(partner.oaId))
    await sql`
      update templates
      set status = 'REJECTED', platform_template_id = '123', price_phone = 200, preview_url = 'https://x.example'
      where shop_id = ${partner.shopId} and id = ${made._id}`.execute(running.deps.db)
    await partner.patch(`${TEMPLATES}/${made._id}`, templateBody(partner.oaId))
    const kept = () =>
      sql<{ platform_template_id: string | null; price_phone: number | null }>`
        select platform_template_id, price_phone from templates
        where shop_id = ${partner.shopId} and id = ${made._id}`.execute(running.deps.db)
    expect((await kept()).rows[0]).toEqual({ platform_template_id: '123', price_phone: 200 })
    await partner.patch(`${TEMPLATES}/${made._id}`, templateBody('another-oa'))
    expect((await kept()).rows[0]).toEqual({ platform_template_id: null, price_phone: null })
  })
})

describe('G-14 update in a forbidden status', () => {
  it.each(['PENDING_REVIEW', 'ENABLE', 'DISABLE'])('409 TEMPLATE_NOT_EDITABLE in %s', async (status) => {
    const partner = await makeShop(running)
    const made = await createTemplate(partner, templateBody('oa-1'))
    await sql`
      update templates set status = ${status}
      where shop_id = ${partner.shopId} and id = ${made._id}`.execute(running.deps.db)
    const answer = await partner.patch(`${TEMPLATES}/${made._id}`, templateBody('oa-1', { name: 'Khác' }))
    expect(answer.status).toBe(409)
    expect(answer.body).toEqual({
      statusCode: 409,
      error: 'Conflict',
      message: expect.stringContaining(status),
      code: 'TEMPLATE_NOT_EDITABLE',
    })
    expect((await partner.get(`${TEMPLATES}/${made._id}`)).body.data).toEqual({ ...made, status })
  })

  it('409 for a template that the platform has really approved', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    const answer = await partner.patch(`${TEMPLATES}/${approved._id}`, templateBody(partner.oaId))
    expect(answer.body.code).toBe('TEMPLATE_NOT_EDITABLE')
  })

  it('an update and a publish at once: the record shows what is under review', async () => {
    const partner = await makeShopWithOa(running)
    const made = await createTemplate(partner, templateBody(partner.oaId))
    await Promise.all([
      partner.patch(`${TEMPLATES}/${made._id}`, templateBody(partner.oaId, { name: 'Tên thứ hai' })),
      publish(partner, made._id),
    ])
    const approved = await whenStatus(partner, made._id, 'ENABLE')
    const { rows } = await sql<{ name: string }>`
      select document ->> 'name' as name from template_revisions
      where shop_id = ${partner.shopId} and template_id = ${made._id}`.execute(running.deps.db)
    expect(rows).toEqual([{ name: approved.name }])
  })
})
