import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, service, unusedId } from '../../support/service.ts'
import {
  approvedTemplate,
  createTemplate,
  makeShopWithOa,
  TEMPLATES,
  templateBody,
} from '../../support/template-shop.ts'

const running = await service()

describe('E4 read template', () => {
  it('200 with the record as create gave it; an id in capitals names the same', async () => {
    const partner = await makeShop(running)
    const made = await createTemplate(partner, templateBody('oa-1'))
    const answer = await partner.get(`${TEMPLATES}/${made._id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ data: made })
    expect((await partner.get(`${TEMPLATES}/${made._id.toUpperCase()}`)).body).toEqual({ data: made })
  })

  it('200 with number, preview, origin and fees once it is synchronised, in the list too', async () => {
    const partner = await makeShopWithOa(running)
    const approved = await approvedTemplate(partner)
    expect(approved).toMatchObject({ status: 'ENABLE', isSync: true, price: 200, priceUID: 55 })
    const list = await partner.get(`${TEMPLATES}?status=ENABLE`)
    expect(list.body.templates).toEqual([approved])
  })

  it('the same 404 for an unknown template and another shop’s, 500 for a malformed id', async () => {
    const made = await createTemplate(await makeShop(running), templateBody('oa-1'))
    const other = await makeShop(running)
    const foreign = await other.get(`${TEMPLATES}/${made._id}`)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual({ error: 'Resource not found', message: 'The template does not exist' })
    expect((await other.get(`${TEMPLATES}/${unusedId()}`)).body).toEqual(foreign.body)
    const vietnamese = await other.get(`${TEMPLATES}/${unusedId()}`, { 'accept-language': 'vi' })
    expect(vietnamese.body.message).toBe('Không tìm thấy mẫu tin')
    for (const id of ['x', made._id.slice(1), `${made._id}0`, 'g'.repeat(24)]) {
      const malformed = await other.get(`${TEMPLATES}/${id}`)
      expect(malformed.status).toBe(500)
      expect(malformed.body.message).toContain('"id"')
    }
  })
})

describe('G-19 the older form', () => {
  it('200 with paragraphs and tables in place of contentBlocks; params may hold key and label only', async () => {
    const partner = await makeShop(running)
    const id = unusedId()
    await sql`
      insert into templates (shop_id, id, oa_id, name, title, tag, template_type, image_type, tables, paragraphs,
        params, is_custom_params, search, status, is_sync, platform_template_id, created_at, updated_at)
      values (${partner.shopId}, ${id}, 'oa-1', 'Cũ', 'Cũ', '1', 'custom', 'logo',
        '[{"label": "Mã", "key": "<code>"}]', '[{"value": "Chào"}, {"value": "<code>", "key": "p2"}]',
        '[{"key": "code", "label": "Mã"}]', true, 'cu', 'ENABLE', true, '4711', now(), now())`.execute(
      running.deps.db,
    )
    const { body } = await partner.get(`${TEMPLATES}/${id}`)
    expect(body.data).toMatchObject({
      tables: [{ label: 'Mã', key: '<code>' }],
      paragraphs: [{ value: 'Chào' }, { value: '<code>', key: 'p2' }],
      params: [{ key: 'code', label: 'Mã' }],
      templateId: '4711',
    })
    expect(body.data).not.toHaveProperty('contentBlocks')
    expect((await partner.get(TEMPLATES)).body.templates).toEqual([body.data])
    const made = await createTemplate(partner, templateBody('oa-1'))
    expect(made).not.toHaveProperty('paragraphs')
    expect(made).not.toHaveProperty('tables')
  })
})
