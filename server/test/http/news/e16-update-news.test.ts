import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { CONTENT, insertProductRow, makeArticle } from '../../support/news.ts'
import { makeShop, type Partner, separateService, service, unusedId } from '../../support/service.ts'
import { keptEventsOf } from '../../support/webhooks.ts'

const running = await service()
const path = (id: string) => `/api/external/news/${id}`
const LINK = 'https://chatapp.example/s/1234567890/home'

async function update(partner: Partner, id: string, body: unknown) {
  const answer = await partner.put(path(id), body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

async function newsEvents(partner: Partner, id: string) {
  const events = await keptEventsOf(running, partner.shopId)
  return events.filter(({ data }) => data.newsId === id).map(({ data }) => data.change)
}

describe('E16 update article', () => {
  it('200 with the whole article, its attached products and an empty meta', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const product = await insertProductRow(running, partner.shopId)
    await partner.post(`${path(article.id)}/items`, { newsIds: [product] })
    const change = {
      title: 'Tết đến rồi',
      content: '<h1>Xin chào</h1><p>Quý khách &amp; bạn bè</p>',
      status: 'inactive',
      slug: 'Tết Đến',
      metaDescription: 'Mô tả',
      images: ['https://img.example/a.jpg', 'https://img.example/b.jpg'],
      cta: [{ name: 'Mua ngay', url: LINK }],
    }
    const answer = await partner.put(path(article.id), change)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: {
        ...change,
        _id: article.id,
        id: article.id,
        __v: 2,
        type: 'news',
        shortContent: 'Xin chào Quý khách & bạn bè',
        slug: 'tet-den',
        shopId: partner.shopId,
        itemIds: [product],
        createdAt: article.createdAt,
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      meta: {},
    })
    expect(answer.body.data.updatedAt >= article.updatedAt).toBe(true)
    const { items, ...read } = (await partner.get(path(article.id))).body.data
    expect(read).toEqual(answer.body.data)
    expect(items).toHaveLength(1)
  })

  it('G-00 only what is sent changes, and __v grows by one at each change', async () => {
    const partner = await makeShop(running)
    const before = await makeArticle(partner, {
      images: ['https://img.example/a.jpg'],
      cta: [{ name: 'Xem', url: LINK }],
      metaDescription: 'Mô tả',
    })
    const one = await update(partner, before.id, { status: 'inactive' })
    expect(one).toEqual({ ...before, status: 'inactive', __v: 1, updatedAt: one.updatedAt })
    const two = await update(partner, before.id, { title: 'Khác' })
    expect(two).toEqual({ ...one, title: 'Khác', __v: 2, updatedAt: two.updatedAt })
  })

  it('200 for an empty body and for no body', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const after = await update(partner, article.id, {})
    expect(after).toEqual({ ...article, __v: 1, updatedAt: after.updatedAt })
    expect((await partner.put(path(article.id))).status).toBe(200)
  })

  it('G-00 200 and nothing changes when the article has the sent values already', async () => {
    const partner = await makeShop(running)
    await makeArticle(partner, { title: 'Tết' })
    const article = await makeArticle(partner, { title: 'Tết', images: ['https://img.example/1.jpg'] })
    const { title, content, status, slug, metaDescription, images, cta } = article
    const same = { title, content, status, slug, metaDescription, images, cta }
    const sent = [...Object.entries(same).map(([name, value]) => ({ [name]: value })), same, { slug: 'Tết' }]
    for (const body of sent) expect([body, await update(partner, article.id, body)]).toEqual([body, article])
    expect(await newsEvents(partner, article.id)).toEqual(['created'])
    const changed = await update(partner, article.id, { ...same, metaDescription: 'Mới' })
    expect(changed).toEqual({ ...article, metaDescription: 'Mới', __v: 1, updatedAt: changed.updatedAt })
    expect(await newsEvents(partner, article.id)).toEqual(['created', 'updated'])
    const stale = await partner.call('PUT', path(article.id), { title }, { 'if-match': '"0"' })
    expect(stale.status).toBe(412)
  })

  it('images and cta replace the whole list, and an empty list empties them', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner, {
      images: ['https://img.example/1.jpg', 'https://img.example/2.jpg'],
      cta: [
        { name: 'a', url: LINK },
        { name: 'b', url: LINK },
      ],
    })
    const replaced = await update(partner, article.id, {
      images: ['https://img.example/3.jpg'],
      cta: [{ name: 'c', url: LINK }],
    })
    expect([replaced.images, replaced.cta]).toEqual([
      ['https://img.example/3.jpg'],
      [{ name: 'c', url: LINK }],
    ])
    const emptied = await update(partner, article.id, { images: [], cta: [] })
    expect([emptied.images, emptied.cta]).toEqual([[], []])
  })

  it('metaDescription may be emptied', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner, { metaDescription: 'Mô tả' })
    expect((await update(partner, article.id, { metaDescription: '' })).metaDescription).toBe('')
  })

  it.each(['product', 5, null, { a: 1 }, ''])(
    'type and shortContent %j are accepted and ignored',
    async (value) => {
      const partner = await makeShop(running)
      const article = await makeArticle(partner)
      const after = await update(partner, article.id, { type: value, shortContent: value })
      expect([after.type, after.shortContent]).toEqual(['news', article.shortContent])
    },
  )

  it('G-08 shopId in the body is overwritten by the shop of the key', async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const article = await makeArticle(partner)
    const after = await update(partner, article.id, { shopId: other.shopId, title: 'Mới' })
    expect(after.shopId).toBe(partner.shopId)
    expect((await other.get(path(article.id))).status).toBe(404)
  })

  it('G-39 content is kept as sent', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const content = '<p onclick="x()">a</p><script>alert(1)</script> <img src=x onerror=y> \u00a0 é'
    const after = await update(partner, article.id, { content })
    expect(after.content).toBe(content)
    expect(after.shortContent).toBe('a é')
  })

  it('G-52 a change of content regenerates shortContent: 200 characters of text, cut at a word', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    expect(article.shortContent).toBe('Giảm giá đến 50% toàn bộ cửa hàng')
    const after = await update(partner, article.id, { content: `<div>${'mười chữ '.repeat(60)}</div>` })
    expect(after.shortContent).toBe('mười chữ '.repeat(22).trimEnd())
    expect((await update(partner, article.id, { title: 'x' })).shortContent).toBe(after.shortContent)
  })

  it.each([
    [{ categoryId: 'a'.repeat(24) }, 'categoryId', '"categoryId" is not allowed'],
    [{ categoryId: null }, 'categoryId', '"categoryId" is not allowed'],
    [{ itemIds: [] }, 'itemIds', '"itemIds" is not allowed'],
    [{ __v: 1 }, '__v', '"__v" is not allowed'],
    [{ title: '' }, 'title', '"title" is not allowed to be empty'],
    [{ title: null }, 'title', '"title" must be a string'],
    [{ title: 5 }, 'title', '"title" must be a string'],
    [{ content: '' }, 'content', '"content" is not allowed to be empty'],
    [{ content: ['x'] }, 'content', '"content" must be a string'],
    [{ status: 'hidden' }, 'status', '"status" must be one of [active, inactive]'],
    [{ status: null }, 'status', '"status" must be one of [active, inactive]'],
    [{ slug: null }, 'slug', '"slug" must be a string'],
    [{ slug: 1e20 }, 'slug', '"slug" must be a string'],
    [{ metaDescription: -1 }, 'metaDescription', '"metaDescription" must be a string'],
    [{ images: 'x' }, 'images', '"images" must be an array'],
    [{ images: [1] }, 'images.0', '"images[0]" must be a string'],
    [{ images: [''] }, 'images.0', '"images[0]" is not allowed to be empty'],
    [{ cta: {} }, 'cta', '"cta" must be an array'],
    [{ cta: ['x'] }, 'cta.0', '"cta[0]" must be of type object'],
    [{ cta: [{ url: LINK }] }, 'cta.0.name', '"cta[0].name" is required'],
    [{ cta: [{ name: 'a' }] }, 'cta.0.url', '"cta[0].url" is required'],
    [{ cta: [{ name: 'a', url: 5 }] }, 'cta.0.url', '"cta[0].url" must be a string'],
    [{ cta: [{ name: 'a', url: LINK, x: 1 }] }, 'cta.0.x', '"cta[0].x" is not allowed'],
  ])('G-03 400 for %j, and nothing changes', async (body, key, message) => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const answer = await partner.put(path(article.id), { title: 'Khác', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', keys: [key], message } },
    })
    expect((await partner.get(path(article.id))).body.data.__v).toBe(0)
  })

  it.each([
    { title: 'x'.repeat(501) },
    { content: 'x'.repeat(200_001) },
    { metaDescription: 'x'.repeat(2001) },
    { images: Array(201).fill('https://img.example/1.jpg') },
    { cta: Array(201).fill({ name: 'a', url: LINK }) },
    { title: 'a\u0000b' },
  ])('400 for what is too long or cannot be stored (case %#)', async (body) => {
    const partner = await makeShop(running)
    expect((await partner.put(path(unusedId()), body)).status).toBe(400)
  })

  it("404 for an article that does not exist and for another shop's, which stays unchanged", async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await makeArticle(other)
    const none = await partner.put(path(unusedId()), { title: 'Khác' })
    expect(none.status).toBe(404)
    expect(none.body).toEqual({ error: 'Resource not found', message: 'The news article does not exist' })
    const theirs = await partner.put(path(foreign.id), { title: 'Khác' })
    expect([theirs.status, theirs.body]).toEqual([none.status, none.body])
    expect((await other.get(path(foreign.id))).body.data).toMatchObject({ title: foreign.title, __v: 0 })
  })

  it('G-05 the 404 text follows Accept-Language, else the shop', async () => {
    const partner = await makeShop(running, { language: 'vi' })
    const answer = await partner.put(path(unusedId()), {})
    expect(answer.body.message).toBe('Không tìm thấy bài viết')
    const en = await partner.call('PUT', path(unusedId()), {}, { 'accept-language': 'en-GB' })
    expect(en.body.message).toBe('The news article does not exist')
  })

  it.each(['x', '1'.repeat(23), 'z'.repeat(24)])('G-04 500 naming id for the article id %s', async (id) => {
    const partner = await makeShop(running)
    const answer = await partner.put(path(id), {})
    expect(answer.status).toBe(500)
    expect(answer.body).toMatchObject({ statusCode: 500, error: 'Internal Server Error' })
    expect(answer.body.message).toContain('"id"')
  })
})

describe('E16 button addresses, G-53 link host', () => {
  it.each([
    'https://evil.example/s/x',
    'http://chatapp.example/s/x',
    'https://chatapp.example/s/',
    'https://chatapp.example@evil.example/s/x',
    'https://chatapp.example.evil.example/s/x',
    'https://chatapp.example:8443/s/x',
    'https://chatapp.example/s/../x',
  ])('400 for %s, saying which form is needed', async (url) => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const right = { name: 'a', url: LINK }
    const first = await partner.put(path(article.id), { cta: [{ name: 'a', url }] })
    expect(first.status).toBe(400)
    expect(first.body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', keys: ['cta.0.url'] } },
    })
    expect(first.body.validation.body.message).toContain(
      '"cta[0].url" must start with https://chatapp.example/s/',
    )
    expect(first.body.validation.body.message).toContain('/s/<app-id>/<path>')
    const second = await partner.put(path(article.id), { cta: [right, { name: 'b', url }] })
    expect(second.body.validation.body.keys).toEqual(['cta.1.url'])
    expect((await partner.get(path(article.id))).body.data).toMatchObject({ cta: [], __v: 0 })
  })

  it('the address is kept as sent, its host in any case', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const cta = [{ name: 'Xem', url: 'https://ChatApp.example/s/1/Trang?x=%20#y' }]
    expect((await update(partner, article.id, { cta })).cta).toEqual(cta)
  })

  it("the host comes from the platform's settings", async () => {
    const elsewhere = await separateService({ platformLinkHost: 'links.example' })
    const partner = await makeShop(elsewhere)
    const article = await makeArticle(partner)
    const good = { cta: [{ name: 'a', url: 'https://links.example/s/1/x' }] }
    expect((await partner.put(path(article.id), good)).status).toBe(200)
    expect((await partner.put(path(article.id), { cta: [{ name: 'a', url: LINK }] })).status).toBe(400)
  })
})

describe('E16 slug rules', () => {
  it('a slug with a value is normalised', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    expect((await update(partner, article.id, { slug: '  Đường   PHỐ_Huế! ' })).slug).toBe('duong-pho-hue')
  })

  it('on a clash -2, -3 is added, and the first free one is taken', async () => {
    const partner = await makeShop(running)
    const articles = []
    for (let i = 0; i < 4; i++) articles.push(await makeArticle(partner, { title: `Bài ${i}` }))
    const slugs = []
    for (const { id } of articles) slugs.push((await update(partner, id, { slug: 'Sale' })).slug)
    expect(slugs).toEqual(['sale', 'sale-2', 'sale-3', 'sale-4'])
    await update(partner, articles[1].id, { slug: 'khac' })
    expect((await update(partner, articles[3].id, { slug: 'sale' })).slug).toBe('sale-2')
  })

  it("an article's own slug does not clash with itself", async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner, { slug: 'sale' })
    expect((await update(partner, article.id, { slug: 'sale' })).slug).toBe('sale')
    const second = await makeArticle(partner, { slug: 'sale' })
    expect(second.slug).toBe('sale-2')
    expect((await update(partner, second.id, { slug: 'sale' })).slug).toBe('sale-2')
  })

  it("another shop's slug does not clash", async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    await makeArticle(other, { slug: 'sale' })
    const article = await makeArticle(partner)
    expect((await update(partner, article.id, { slug: 'sale' })).slug).toBe('sale')
  })

  it.each([{ slug: '' }, {}, { slug: ' !! ' }])(
    '%j keeps the current slug, also with a new title',
    async (body) => {
      const partner = await makeShop(running)
      const article = await makeArticle(partner, { slug: 'hien-tai' })
      expect((await update(partner, article.id, { ...body, title: 'Tên mới' })).slug).toBe('hien-tai')
    },
  )

  it.each([{ slug: '' }, {}, { slug: '★' }])(
    '%j on an article without a slug: made from the title',
    async (body) => {
      const partner = await makeShop(running)
      const [first, second] = [await makeArticle(partner), await makeArticle(partner)]
      await sql`update news set slug = '' where shop_id = ${partner.shopId}`.execute(running.deps.db)
      expect((await update(partner, first.id, body)).slug).toBe('khuyen-mai-tet')
      expect((await update(partner, second.id, body)).slug).toBe('khuyen-mai-tet-2')
    },
  )

  it('an article without a slug takes it from the title sent along', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner, { title: '★★' })
    expect(article.slug).toBe('')
    expect((await makeArticle(partner, { title: '★★' })).slug).toBe('')
    expect((await update(partner, article.id, { content: CONTENT })).slug).toBe('')
    expect((await update(partner, article.id, { title: 'Ngôi sao' })).slug).toBe('ngoi-sao')
  })

  it('20 parallel updates to one slug all succeed, each with a slug of its own', async () => {
    const partner = await makeShop(running)
    const articles = await Promise.all(
      Array.from({ length: 20 }, (_, i) => makeArticle(partner, { title: `Bài ${i}` })),
    )
    const updated = await Promise.all(articles.map(({ id }) => update(partner, id, { slug: 'Giờ vàng' })))
    const expected = ['gio-vang', ...Array.from({ length: 19 }, (_, i) => `gio-vang-${i + 2}`)]
    expect(updated.map(({ slug }) => slug).toSorted()).toEqual(expected.toSorted())
  })

  it('20 parallel creations with one title all succeed, each with a slug of its own', async () => {
    const partner = await makeShop(running)
    const made = await Promise.all(Array.from({ length: 20 }, () => makeArticle(partner)))
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(20)
  })
})
