import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insertProductRow, makeArticle } from '../../support/news.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
/** That many products, made at once. */
async function insertProductRows(partner: Partner, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, unusedId)
  await sql`
    insert into products (shop_id, id, name, slug, price, status, images, search, sku_drafts, created_at, updated_at)
    select ${partner.shopId}, id, 'Hoa', id, 1, 'active', '[]', 'hoa', '{"variants": [], "skus": []}', now(), now()
    from unnest(${ids}::text[]) as id`.execute(running.deps.db)
  await sql`
    insert into product_stock (shop_id, product_id)
    select ${partner.shopId}, unnest(${ids}::text[])`.execute(running.deps.db)
  return ids
}
const path = (id: string) => `/api/external/news/${id}/items`

async function itemIds(partner: Partner, newsId: string): Promise<string[]> {
  return (await partner.get(`/api/external/news/${newsId}`)).body.data.itemIds
}

describe('E15 attach related products', () => {
  it('200 with success alone, and the products appear in the order sent', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const products = await Promise.all([1, 2, 3].map(() => insertProductRow(running, partner.shopId)))
    const sent = products.toSorted().toReversed()
    const answer = await partner.post(path(article.id), { newsIds: sent })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true })
    expect(await itemIds(partner, article.id)).toEqual(sent)
  })

  it('200 and no second link when a product is attached twice, in one call or in two', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const first = await insertProductRow(running, partner.shopId)
    const second = await insertProductRow(running, partner.shopId)
    await partner.post(path(article.id), { newsIds: [first, first] })
    const again = await partner.post(path(article.id), { newsIds: [second, first] })
    expect(again.body).toEqual({ success: true })
    expect(await itemIds(partner, article.id)).toEqual([first, second])
  })

  it('200 and one link each under 20 parallel calls', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const products = await Promise.all([1, 2, 3].map(() => insertProductRow(running, partner.shopId)))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        partner.post(path(article.id), { newsIds: i % 2 === 0 ? products : products.toReversed() }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
    expect((await itemIds(partner, article.id)).toSorted()).toEqual(products.toSorted())
  })

  it('409 TOO_MANY_NEWS_ITEMS and nothing attached beyond 1,000 products; one that is attached already still has room', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const products = await insertProductRows(partner, 1_002)
    expect((await partner.post(path(article.id), { newsIds: products.slice(0, 999) })).status).toBe(200)
    const beyond = await partner.post(path(article.id), { newsIds: products.slice(999, 1_001) })
    expect([beyond.status, beyond.body.code]).toEqual([409, 'TOO_MANY_NEWS_ITEMS'])
    expect(await itemIds(partner, article.id)).toEqual(products.slice(0, 999))
    expect((await partner.post(path(article.id), { newsIds: [products[1_000]] })).status).toBe(200)
    expect((await partner.post(path(article.id), { newsIds: products.slice(0, 9) })).status).toBe(200)
    expect((await partner.post(path(article.id), { newsIds: [products[999]] })).status).toBe(409)
  })

  it('200 and no effect for ids of no product and of another shop, and for an empty list', async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const article = await makeArticle(partner)
    const foreign = await insertProductRow(running, other.shopId)
    const own = await insertProductRow(running, partner.shopId)
    for (const newsIds of [[], [unusedId()], [foreign]]) {
      expect((await partner.post(path(article.id), { newsIds })).body).toEqual({ success: true })
    }
    expect(await itemIds(partner, article.id)).toEqual([])
    await partner.post(path(article.id), { newsIds: [foreign, own, unusedId()] })
    expect(await itemIds(partner, article.id)).toEqual([own])
  })

  it('G-00 __v grows by one when a link was added, and only then', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const products = [
      await insertProductRow(running, partner.shopId),
      await insertProductRow(running, partner.shopId),
    ]
    const version = async () => (await partner.get(`/api/external/news/${article.id}`)).body.data.__v
    await partner.post(path(article.id), { newsIds: products })
    expect(await version()).toBe(1)
    await partner.post(path(article.id), { newsIds: products })
    await partner.post(path(article.id), { newsIds: [unusedId()] })
    expect(await version()).toBe(1)
  })

  it('takes ids in upper case, and 1000 of them', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const product = await insertProductRow(running, partner.shopId)
    const newsIds = [product.toUpperCase(), ...Array.from({ length: 999 }, unusedId)]
    expect((await partner.post(path(article.id.toUpperCase()), { newsIds })).status).toBe(200)
    expect(await itemIds(partner, article.id)).toEqual([product])
  })

  it('G-08 shopId in the body is accepted and ignored', async () => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const answer = await partner.post(path(article.id), { newsIds: [], shopId: 7 })
    expect(answer.status).toBe(200)
  })

  it.each([
    [{}, 'newsIds', '"newsIds" is required'],
    [undefined, 'newsIds', '"newsIds" is required'],
    [{ newsIds: null }, 'newsIds', '"newsIds" must be an array'],
    [{ newsIds: 'x' }, 'newsIds', '"newsIds" must be an array'],
    [{ newsIds: { 0: 'x' } }, 'newsIds', '"newsIds" must be an array'],
    [{ newsIds: [5] }, 'newsIds.0', '"newsIds[0]" must be a string'],
    [{ newsIds: [null] }, 'newsIds.0', '"newsIds[0]" must be a string'],
    [{ newsIds: ['a'.repeat(24), -1e20] }, 'newsIds.1', '"newsIds[1]" must be a string'],
    [{ newsIds: [], items: [] }, 'items', '"items" is not allowed'],
  ])('G-03 400 for the body %j', async (body, key, message) => {
    const partner = await makeShop(running)
    const article = await makeArticle(partner)
    const answer = await partner.post(path(article.id), body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', keys: [key], message } },
    })
  })

  it('400 for more than 1000 ids', async () => {
    const partner = await makeShop(running)
    const answer = await partner.post(path(unusedId()), { newsIds: Array.from({ length: 1001 }, unusedId) })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toEqual(['newsIds'])
  })

  it.each(['', 'x', 'a'.repeat(23), `${'a'.repeat(23)}g`])(
    'G-04 500 naming newsIds for the id %j, and nothing is attached',
    async (id) => {
      const partner = await makeShop(running)
      const article = await makeArticle(partner)
      const product = await insertProductRow(running, partner.shopId)
      const answer = await partner.post(path(article.id), { newsIds: [product, id] })
      expect(answer.status).toBe(500)
      expect(answer.body).toMatchObject({ statusCode: 500, error: 'Internal Server Error' })
      expect(answer.body.message).toContain('"newsIds"')
      expect(await itemIds(partner, article.id)).toEqual([])
    },
  )

  it('G-04 500 naming id for a malformed article id', async () => {
    const partner = await makeShop(running)
    const answer = await partner.post(path('news-1'), { newsIds: [] })
    expect(answer.status).toBe(500)
    expect(answer.body.message).toContain('"id"')
  })

  it("404 for an article that does not exist and for another shop's, which stays unchanged", async () => {
    const partner = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await makeArticle(other)
    const newsIds = [await insertProductRow(running, partner.shopId)]
    const none = await partner.post(path(unusedId()), { newsIds })
    expect(none.status).toBe(404)
    expect(none.body).toEqual({ error: 'Resource not found', message: 'The news article does not exist' })
    const theirs = await partner.post(path(foreign.id), { newsIds })
    expect([theirs.status, theirs.body]).toEqual([none.status, none.body])
    expect(await itemIds(other, foreign.id)).toEqual([])
  })

  it('G-05 the 404 text follows Accept-Language', async () => {
    const partner = await makeShop(running)
    const vi = await partner.post(path(unusedId()), { newsIds: [] }, { 'accept-language': 'vi-VN,vi;q=0.9' })
    expect(vi.body).toEqual({ error: 'Resource not found', message: 'Không tìm thấy bài viết' })
  })
})
