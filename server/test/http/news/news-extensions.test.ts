import { describe, expect, it } from 'vitest'
import { CONTENT, insertProductRow, makeArticle } from '../../support/news.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'

const running = await service()
const NEWS = '/api/external/news'
const path = (id: string) => `${NEWS}/${id}`
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('G-50 create article', () => {
  it('201 with defaults for omitted fields', async () => {
    const partner = await makeShop(running)
    const made = await partner.post(NEWS, { title: 'Khuyến mãi Tết', content: CONTENT })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      success: true,
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: made.body.data._id,
        __v: 0,
        type: 'news',
        title: 'Khuyến mãi Tết',
        content: CONTENT,
        shortContent: 'Giảm giá đến 50% toàn bộ cửa hàng',
        slug: 'khuyen-mai-tet',
        metaDescription: '',
        status: 'active',
        shopId: partner.shopId,
        images: [],
        cta: [],
        itemIds: [],
        createdAt: expect.stringMatching(TIMESTAMP),
        updatedAt: made.body.data.createdAt,
      },
    })
  })

  it('201 with everything sent; type, shortContent and shopId are ignored', async () => {
    const partner = await makeShop(running)
    const fields = {
      title: 'Bài',
      content: CONTENT,
      status: 'inactive',
      slug: 'Đường dẫn',
      metaDescription: 'Mô tả',
      images: ['https://img.example/1.jpg'],
      cta: [{ name: 'Xem', url: 'https://chatapp.example/s/1/a' }],
    }
    const article = await makeArticle(partner, { ...fields, type: 1, shortContent: 'x', shopId: unusedId() })
    expect(article).toMatchObject({ ...fields, slug: 'duong-dan', type: 'news', shopId: partner.shopId })
    expect(article.shortContent).not.toBe('x')
  })

  it.each([
    [{ content: 'x' }, 'title', '"title" is required'],
    [{ title: 'x' }, 'content', '"content" is required'],
    [{ title: '', content: 'x' }, 'title', '"title" is not allowed to be empty'],
    [{ title: 'x', content: 'x', categoryId: 'a' }, 'categoryId', '"categoryId" is not allowed'],
    [{ title: 'x', content: 'x', status: 'draft' }, 'status', '"status" must be one of [active, inactive]'],
    [undefined, 'title', '"title" is required'],
  ])('G-03 400 for %j', async (body, key, message) => {
    const partner = await makeShop(running)
    const answer = await partner.post(NEWS, body)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body).toEqual({ source: 'body', keys: [key], message })
  })

  it('400 for a button that leads elsewhere (G-53)', async () => {
    const partner = await makeShop(running)
    const cta = [{ name: 'a', url: 'https://evil.example/s/1' }]
    const answer = await partner.post(NEWS, { title: 'x', content: 'x', cta })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toEqual(['cta.0.url'])
  })
})

describe('G-50 list articles', () => {
  it('200 newest first, 10 a page, with meta; a page past the end keeps the total', async () => {
    const partner = await makeShop(running)
    const made: string[] = []
    for (let i = 0; i < 12; i++) made.unshift((await makeArticle(partner, { title: `Bài ${i}` })).id)
    const ids = async (query: string) => {
      const { body } = await partner.get(`${NEWS}${query}`)
      return { ids: body.data.news.map((article: { id: string }) => article.id), meta: body.data.meta }
    }
    expect(await ids('')).toEqual({
      ids: made.slice(0, 10),
      meta: { page: 1, limit: 10, total: 12, totalPages: 2 },
    })
    expect(await ids('?page=2')).toMatchObject({ ids: made.slice(10) })
    expect(await ids('?page=3&limit=5')).toEqual({
      ids: made.slice(10),
      meta: { page: 3, limit: 5, total: 12, totalPages: 3 },
    })
    expect(await ids('?page=99&limit=50')).toEqual({
      ids: [],
      meta: { page: 99, limit: 50, total: 12, totalPages: 1 },
    })
  })

  it('200 with nothing for a shop without articles', async () => {
    const partner = await makeShop(running)
    const answer = await partner.get(NEWS)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: { news: [], meta: { page: 1, limit: 10, total: 0, totalPages: 0 } },
    })
  })

  it('G-51 items are the attached products that exist, in the order attached', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    await makeArticle(partner, { title: 'Bài khác' })
    const [a, b] = [
      await insertProductRow(running, partner.shopId, {
        name: 'Hoa lan',
        slug: 'hoa-lan',
        price: 9_000_000_000,
      }),
      await insertProductRow(running, partner.shopId, {
        name: 'Hoa cúc',
        originPrice: 70_000,
        status: 'inactive',
      }),
    ]
    await partner.post(`${path(article.id)}/items`, { newsIds: [b, unusedId(), a] })
    const listed = (await partner.get(NEWS)).body.data.news
    expect(listed[1].itemIds).toEqual([b, a])
    expect(listed[1].items).toEqual([
      {
        _id: b,
        id: b,
        name: 'Hoa cúc',
        slug: `p-${b}`,
        images: ['https://img.example/1.jpg'],
        price: 50_000,
        originPrice: 70_000,
        status: 'inactive',
      },
      {
        _id: a,
        id: a,
        name: 'Hoa lan',
        slug: 'hoa-lan',
        images: ['https://img.example/1.jpg'],
        price: 9_000_000_000,
        originPrice: null,
        status: 'active',
      },
    ])
    expect([listed[0].itemIds, listed[0].items]).toEqual([[], []])
    const read = await partner.get(path(article.id))
    expect(read.body).toEqual({ success: true, data: listed[1] })
  })

  it('search finds folded words of the title in any order; LIKE characters are letters to it', async () => {
    const partner = await makeShop(running)
    const sale = await makeArticle(partner, { title: 'Đại hạ giá 50% mùa Đông' })
    await makeArticle(partner, { title: 'Tin mùa xuân' })
    const found = async (search: string) => {
      const { body } = await partner.get(`${NEWS}?search=${encodeURIComponent(search)}`)
      expect(body.data.meta.total).toBe(body.data.news.length)
      return body.data.news.map((article: { title: string }) => article.title)
    }
    expect(await found('MUA dai')).toEqual([sale.title])
    expect(await found('đông'.normalize('NFD'))).toEqual([sale.title])
    expect(await found('50%')).toEqual([sale.title])
    expect(await found('5_%')).toEqual([])
    expect(await found('%')).toEqual([sale.title])
    expect(await found('mùa')).toHaveLength(2)
    expect(await found('  ')).toHaveLength(2)
    await partner.put(path(sale.id), { title: 'Hết rồi' })
    expect(await found('đông')).toEqual([])
    expect(await found('het')).toEqual(['Hết rồi'])
  })

  it('status filters the page and its total', async () => {
    const partner = await makeShop(running)
    const hidden = await makeArticle(partner, { status: 'inactive' })
    await makeArticle(partner)
    const { data } = (await partner.get(`${NEWS}?status=inactive`)).body
    expect(data.news.map((article: { id: string }) => article.id)).toEqual([hidden.id])
    expect(data.meta.total).toBe(1)
  })

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=1e20',
    'limit=0',
    'limit=51',
    'status=draft',
    'search=%00',
  ])('G-08 400 for %s', async (query) => {
    const partner = await makeShop(running)
    const answer = await partner.get(`${NEWS}?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.query).toMatchObject({ source: 'query', keys: [query.split('=')[0]] })
  })

  it("G-08 unknown query parameters are ignored, and other shops' articles never appear", async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    await makeArticle(other)
    const { status, body } = await partner.get(`${NEWS}?shopId=${other.shopId}&x=1`)
    expect([status, body.data.news, body.data.meta.total]).toEqual([200, [], 0])
  })
})

describe('G-50 read and delete article', () => {
  it('200 once, then the article and its links are gone and its slug is free', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const product = await insertProductRow(running, partner.shopId)
    await partner.post(`${path(article.id)}/items`, { newsIds: [product] })
    const answer = await partner.call('DELETE', path(article.id))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true })
    for (const method of ['GET', 'DELETE'] as const) {
      const gone = await partner.call(method, path(article.id))
      expect(gone.status).toBe(404)
      expect(gone.body).toEqual({ error: 'Resource not found', message: 'The news article does not exist' })
    }
    expect((await makeArticle(partner)).slug).toBe(article.slug)
  })

  it("404 for an unknown article and for another shop's, which stays", async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await makeArticle(other)
    for (const method of ['GET', 'DELETE'] as const) {
      const none = await partner.call(method, path(unusedId()))
      const theirs = await partner.call(method, path(foreign.id))
      expect(none.status).toBe(404)
      expect([theirs.status, theirs.body]).toEqual([none.status, none.body])
    }
    expect((await other.get(path(foreign.id))).status).toBe(200)
  })

  it('G-04 500 for a malformed id; G-05 the 404 is in Vietnamese on request', async () => {
    const partner = await makeShop(running)
    expect((await partner.get(path('x'))).status).toBe(500)
    expect((await partner.call('DELETE', path('x'))).status).toBe(500)
    const vi = await partner.get(path(unusedId()), { 'accept-language': 'fr, vi;q=0.8, en;q=0.5' })
    expect(vi.body.message).toBe('Không tìm thấy bài viết')
  })
})

describe('G-50 detach products', () => {
  it('200; what is not attached has no effect, and __v grows only with a link removed', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const [a, b] = [
      await insertProductRow(running, partner.shopId),
      await insertProductRow(running, partner.shopId),
    ]
    await partner.post(`${path(article.id)}/items`, { newsIds: [a, b] })
    const detach = (newsIds: string[]) => partner.call('DELETE', `${path(article.id)}/items`, { newsIds })
    const answer = await detach([a, unusedId()])
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true })
    expect((await partner.get(path(article.id))).body.data).toMatchObject({ itemIds: [b], __v: 2 })
    expect((await detach([a])).status).toBe(200)
    expect((await detach([])).status).toBe(200)
    expect((await partner.get(path(article.id))).body.data).toMatchObject({ itemIds: [b], __v: 2 })
  })

  it("404 for an unknown article and for another shop's, whose links stay", async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await makeArticle(other)
    const product = await insertProductRow(running, other.shopId)
    await other.post(`${path(foreign.id)}/items`, { newsIds: [product] })
    const none = await partner.call('DELETE', `${path(unusedId())}/items`, { newsIds: [product] })
    const theirs = await partner.call('DELETE', `${path(foreign.id)}/items`, { newsIds: [product] })
    expect(none.status).toBe(404)
    expect([theirs.status, theirs.body]).toEqual([none.status, none.body])
    expect((await other.get(path(foreign.id))).body.data.itemIds).toEqual([product])
  })

  it('400 without newsIds, 500 for a malformed id in it', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const missing = await partner.call('DELETE', `${path(article.id)}/items`)
    expect(missing.body.validation.body.message).toBe('"newsIds" is required')
    const malformed = await partner.call('DELETE', `${path(article.id)}/items`, { newsIds: ['x'] })
    expect(malformed.status).toBe(500)
    expect(malformed.body.message).toContain('"newsIds"')
  })
})
