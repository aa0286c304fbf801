import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeShop, type Partner, service } from '../../support/service.ts'
import { createTemplate, TEMPLATES, templateBody } from '../../support/template-shop.ts'

const running = await service()

async function makeTemplates(partner: Partner, names: string[], overrides: Record<string, unknown> = {}) {
  const made = []
  for (const name of names) {
    made.push(await createTemplate(partner, templateBody('oa-1', { name, ...overrides })))
  }
  return made
}

async function namesOf(partner: Partner, query: string): Promise<string[]> {
  const answer = await partner.get(`${TEMPLATES}${query}`)
  expect(answer.status).toBe(200)
  return answer.body.templates.map((template: { name: string }) => template.name)
}

describe('E3 list templates', () => {
  it('200 with whole records, newest first', async () => {
    const partner = await makeShop(running)
    const made = await makeTemplates(partner, ['Một', 'Hai', 'Ba'])
    const answer = await partner.get(TEMPLATES)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      templates: [...made].reverse(),
      meta: { total: 3, page: 1, size: 20 },
      message: 'Success',
    })
  })

  it('200 with an empty list for a new shop, whatever other shops have', async () => {
    await makeTemplates(await makeShop(running), ['Của người khác'])
    const answer = await (await makeShop(running)).get(TEMPLATES)
    expect(answer.body).toEqual({ templates: [], meta: { total: 0, page: 1, size: 20 }, message: 'Success' })
  })
})

describe('G-17 list query', () => {
  it('pages of `size`; the total holds on a page past the end', async () => {
    const partner = await makeShop(running)
    await makeTemplates(partner, ['1', '2', '3', '4', '5'])
    expect(await namesOf(partner, '?size=2')).toEqual(['5', '4'])
    expect(await namesOf(partner, '?size=2&page=3')).toEqual(['1'])
    const past = await partner.get(`${TEMPLATES}?size=2&page=9`)
    expect(past.body).toEqual({ templates: [], meta: { total: 5, page: 9, size: 2 }, message: 'Success' })
  })

  it('20 by default, 100 at most', async () => {
    const partner = await makeShop(running)
    await makeTemplates(
      partner,
      Array.from({ length: 21 }, (_, index) => `T${index}`),
    )
    expect(await namesOf(partner, '')).toHaveLength(20)
    expect(await namesOf(partner, '?size=100')).toHaveLength(21)
  })

  it.each([
    'size=101',
    'size=0',
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=1e20',
    'status=LIVE',
    'templateType=otp',
  ])('400 for %s', async (query) => {
    const answer = await (await makeShop(running)).get(`${TEMPLATES}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.query).toMatchObject({ source: 'query', keys: [query.split('=')[0]] })
  })

  it('filters by status, oaId and templateType, alone and together, and counts what it filters', async () => {
    const partner = await makeShop(running)
    const [first] = await makeTemplates(partner, ['A', 'B'])
    await makeTemplates(partner, ['C'], { oaId: 'oa-2' })
    const rating = { items: [{ star: 5, title: 'Tốt', question: 'Vì sao?' }] }
    await makeTemplates(partner, ['D'], { oaId: 'oa-2', templateType: 'rating', rating })
    await sql`
      update templates set status = 'ENABLE'
      where shop_id = ${partner.shopId} and id = ${first._id}`.execute(running.deps.db)
    expect(await namesOf(partner, '?status=ENABLE')).toEqual(['A'])
    expect(await namesOf(partner, '?status=DRAFT')).toEqual(['D', 'C', 'B'])
    expect(await namesOf(partner, '?oaId=oa-2')).toEqual(['D', 'C'])
    expect(await namesOf(partner, '?oaId=oa-2&templateType=custom&status=DRAFT')).toEqual(['C'])
    expect(await namesOf(partner, '?templateType=voucher')).toEqual([])
    const counted = await partner.get(`${TEMPLATES}?oaId=oa-2&size=1`)
    expect(counted.body.meta).toEqual({ total: 2, page: 1, size: 1 })
  })

  it('search takes the words of name and title in any order, without accents or case, and literally', async () => {
    const partner = await makeShop(running)
    await makeTemplates(partner, ['Xác nhận đơn hàng', 'Giảm 50% cho bạn'], { title: 'Tin <order_code>' })
    const search = (text: string) => namesOf(partner, `?search=${encodeURIComponent(text)}`)
    expect(await search('DON xac')).toEqual(['Xác nhận đơn hàng'])
    expect(await search('50%')).toEqual(['Giảm 50% cho bạn'])
    expect(await search('%')).toEqual(['Giảm 50% cho bạn'])
    expect(await search('_')).toEqual(['Giảm 50% cho bạn', 'Xác nhận đơn hàng'])
    expect(await search('xac nhan dh')).toEqual([])
    expect(await search(' ')).toHaveLength(2)
  })
})
