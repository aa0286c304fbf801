import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { updateProduct } from '../../../src/modules/products/sql/write.ts'
import { insertCategory, newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { keptEventsOf } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database

const unchanged = {
  name: undefined,
  search: undefined,
  aliasName: undefined,
  description: undefined,
  price: undefined,
  originPrice: undefined,
  vatBasisPoints: undefined,
  categoryId: undefined,
  status: undefined,
  images: undefined,
  itemSku: undefined,
  barcode: undefined,
  isEmpty: false,
}

async function make(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

function update(shop: Partner, id: string, patch: Record<string, unknown>) {
  return shop.patch(`${PRODUCTS}/${id}`, { shopId: shop.shopId, ...patch })
}

async function codesOf(shop: Partner, productId: string): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select kind || ':' || code as code
    from product_codes
    where shop_id = ${shop.shopId} and product_id = ${productId}
    order by 1`.execute(db)
  return rows.map((row) => row.code)
}

describe('E11 update product', () => {
  it('200 changes every field that may be sent; __v goes up by one (G-00)', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const made = await make(shop)
    const patch = {
      name: 'Áo len',
      slug: 'Áo Len Ấm!',
      aliasName: 'len-2',
      description: '<i>ấm</i>',
      price: 7,
      originPrice: 8,
      vat: 10,
      categoryId,
      status: 'inactive',
      images: ['https://img.example/a.jpg'],
      itemSku: 'LEN',
      barcode: '55',
    }
    const { status, body } = await update(shop, made._id, patch)
    const { skus, variants, itemVariants, ...before } = made
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'Product updated',
      data: {
        ...before,
        ...patch,
        __v: 1,
        slug: 'ao-len-am',
        search: 'ao len',
        updatedAt: expect.any(String),
        tags: [],
        customPriceId: null,
        updatedBy: expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    })
    expect(Date.parse(body.data.updatedAt)).toBeGreaterThanOrEqual(Date.parse(made.updatedAt))
    const { tags, customPriceId, updatedBy, ...stored } = body.data
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).body.data).toMatchObject(stored)
    expect((await update(shop, made._id, { price: 9 })).body.data.__v).toBe(2)
  })

  it('200 keeps what is not sent, and an empty update counts as an update', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const made = await make(shop, {
      categoryId,
      description: 'd',
      originPrice: 5,
      vat: 8,
      status: 'inactive',
      images: ['https://a.example/'],
      itemSku: 'K',
      barcode: '1',
    })
    const { body } = await update(shop, made._id, {})
    const { skus, variants, itemVariants, __v, updatedAt, ...kept } = made
    expect(body.data).toMatchObject({ ...kept, __v: 1 })
    expect(await codesOf(shop, made._id)).toEqual(['barcode:1', 'sku:K'])
  })

  it('G-00 200 and nothing changes when the product has the sent values already', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    await make(shop, { name: 'Áo' })
    const made = await make(shop, { name: 'Áo', itemSku: 'K', barcode: '1', vat: 8, categoryId })
    const fields = [
      'description',
      'images',
      'itemSku',
      'barcode',
      'categoryId',
      'vat',
      'aliasName',
      'status',
      'price',
    ]
    const own = Object.fromEntries(['name', 'originPrice', ...fields].map((name) => [name, made[name]]))
    const before = await update(shop, made._id, { ...own, price: 7, originPrice: null })
    const same = { ...own, price: 7, originPrice: null }
    const sent = [
      ...Object.entries(same).map(([name, value]) => ({ [name]: value })),
      { ...same, slug: '' },
      { slug: 'Áo' },
    ]
    for (const patch of sent) {
      const { status, body, headers } = await update(shop, made._id, patch)
      expect([patch, status, body, headers.etag]).toEqual([patch, 200, before.body, before.headers.etag])
    }
    const known = { 'if-match': before.headers.etag! }
    const body = { shopId: shop.shopId, price: 7 }
    const repeated = await shop.call('PATCH', `${PRODUCTS}/${made._id}`, body, known)
    expect(repeated.status).toBe(200)
    const events = (await keptEventsOf(running, shop.shopId)).filter(
      ({ data }) => data.productId === made._id,
    )
    expect(events.map(({ type }) => type)).toEqual(['product.created', 'product.updated'])
    const changed = await update(shop, made._id, { ...same, price: 8 })
    expect(changed.body.data).toEqual({
      ...before.body.data,
      price: 8,
      __v: 2,
      updatedAt: changed.body.data.updatedAt,
    })
    expect(await codesOf(shop, made._id)).toEqual(['barcode:1', 'sku:K'])
  })

  it.each([{}, { slug: '' }, { slug: '!!!' }])(
    'G-64 G-00 200 and a change for %j: an empty slug counts as not sent',
    async (patch) => {
      const shop = await makeShop(running)
      const made = await make(shop, { name: 'Áo' })
      expect((await update(shop, made._id, patch)).body.data).toMatchObject({ slug: 'ao', __v: 1 })
    },
  )

  it('200 empties texts and images when they are sent empty', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, {
      description: 'd',
      images: ['https://a.example/'],
      itemSku: 'E',
      barcode: '2',
    })
    const empty = { description: '', aliasName: '', images: [], itemSku: '', barcode: '' }
    expect((await update(shop, made._id, empty)).body.data).toMatchObject(empty)
    expect(await codesOf(shop, made._id)).toEqual([])
  })

  it('200 takes the product out of its category and its compare-at price away when they are sent as null', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const { _id } = await make(shop, { categoryId, originPrice: 200_000 })
    const { status, body } = await update(shop, _id, { categoryId: null, originPrice: null })
    expect([status, body.data]).toMatchObject([200, { categoryId: null, originPrice: null, __v: 1 }])
    const { data } = (await shop.get(`${PRODUCTS}/${_id}`)).body
    expect(data).toMatchObject({ categoryId: null, originPrice: null, skus: [{ originPrice: null }] })
    expect((await shop.get(`${PRODUCTS}?category=${categoryId}`)).body.data.meta.total).toBe(0)
    const [{ kind, changes }] = (await shop.get(`${PRODUCTS}/${_id}/history`)).body.data
    expect([kind, changes]).toEqual([
      'updated',
      { categoryId: [categoryId, null], originPrice: [200_000, null] },
    ])
    expect((await shop.call('DELETE', `/api/external/v1/categories/${categoryId}`)).status).toBe(200)
  })

  it.each([
    [{}, '"shopId" is required'],
    [{ shopId: 5 }, '"shopId" must be a string'],
    [{ shopId: '' }, '"shopId" is not allowed to be empty'],
    [{ name: '' }, '"name" is not allowed to be empty'],
    [{ name: null }, '"name" must be a string'],
    [{ price: -1 }, '"price" must be greater than or equal to 0'],
    [{ price: 1e20 }, '"price" must be a safe number'],
    [{ price: 1.5 }, '"price" must be an integer'],
    [{ price: null }, '"price" must be a number'],
    [{ originPrice: '' }, '"originPrice" must be a number'],
    [{ originPrice: -1 }, '"originPrice" must be greater than or equal to 0'],
    [{ categoryId: '' }, '"categoryId" is not allowed to be empty'],
    [{ categoryId: 5 }, '"categoryId" must be a string'],
    [{ vat: -1 }, '"vat" must be greater than or equal to 0'],
    [{ status: 'x' }, '"status" must be one of [active, inactive]'],
    [{ images: [''] }, '"images[0]" is not allowed to be empty'],
    [{ skus: [] }, '"skus" is not allowed'],
    [{ variants: [] }, '"variants" is not allowed'],
    [{ stock_quantity: 1 }, '"stock_quantity" is not allowed'],
  ])('400 for %j: %s (G-03, G-08)', async (patch, message) => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const isAboutShop = message.startsWith('"shopId"')
    const answer = await shop.patch(
      `${PRODUCTS}/${made._id}`,
      isAboutShop ? patch : { shopId: shop.shopId, ...patch },
    )
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.message).toBe(message)
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).body.data.__v).toBe(0)
  })

  it('400 for a category that is malformed, unknown or another shop’s, and nothing changes', async () => {
    const shop = await makeShop(running)
    const foreign = await insertCategory(running, (await makeShop(running)).shopId)
    const made = await make(shop)
    for (const categoryId of ['x', unusedId(), foreign]) {
      const answer = await update(shop, made._id, { categoryId, price: 1 })
      expect(answer.status).toBe(400)
      expect(answer.body.validation.body).toMatchObject({
        keys: ['categoryId'],
        message: '"categoryId" is not a category of this shop',
      })
    }
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).body.data).toMatchObject({ price: 100000, __v: 0 })
  })

  it('404 for an unknown id and for another shop’s product, which stays as it is', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await make(other)
    const unknown = await update(shop, unusedId(), { price: 1 })
    expect(unknown.status).toBe(404)
    const answer = await update(shop, foreign._id, { price: 1 })
    expect([answer.status, answer.body]).toEqual([404, unknown.body])
    expect((await other.get(`${PRODUCTS}/${foreign._id}`)).body.data).toMatchObject({ price: 100000, __v: 0 })
  })

  it('500 for a malformed id (G-04)', async () => {
    const shop = await makeShop(running)
    expect((await update(shop, 'x', { price: 1 })).status).toBe(500)
  })

  it('200 for updates at once: none is lost, each goes up by one', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const patches = [
      { price: 1 },
      { vat: 2 },
      { aliasName: 'a' },
      { description: 'd' },
      { name: 'Mũ' },
      { originPrice: 6 },
    ]
    const answers = await Promise.all(patches.map((patch) => update(shop, made._id, patch)))
    expect(answers.map((answer) => answer.status)).toEqual(patches.map(() => 200))
    const { data } = (await shop.get(`${PRODUCTS}/${made._id}`)).body
    expect(data).toMatchObject({ ...Object.assign({}, ...patches), slug: 'mu', __v: patches.length })
  })
})

describe('E11 an update against a product that has changed since it was read', () => {
  it('writes nothing, so that no slug is made from a name that is gone', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, { name: 'Áo', itemSku: 'V1' })
    await update(shop, made._id, { name: 'Mũ' })
    const slug = { base: 'ao', isNew: true }
    const changes = { slug, itemSku: 'V2', updatedBy: unusedId(), now: running.deps.clock.now() }
    const none = { taken: undefined, row: undefined }
    expect(await updateProduct(db, shop.shopId, made._id, 0, { ...unchanged, ...changes })).toEqual(none)
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).body.data).toMatchObject({ slug: 'mu', __v: 1 })
    expect(await codesOf(shop, made._id)).toEqual(['sku:V1'])
  })
})

describe('G-09 shopId in E11', () => {
  it('400 SHOP_MISMATCH for another shop’s id and for any other text', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const made = await make(shop)
    for (const shopId of [other.shopId, unusedId(), 'mine']) {
      const answer = await shop.patch(`${PRODUCTS}/${made._id}`, { shopId, price: 1 })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        statusCode: 400,
        error: 'Bad Request',
        message: 'shopId does not match the API key’s shop',
        code: 'SHOP_MISMATCH',
      })
    }
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).body.data.__v).toBe(0)
  })
})

describe('G-39 codes follow an update', () => {
  it('409 for a code of another product, naming it, and nothing changes; its old code is free', async () => {
    const shop = await makeShop(running)
    const first = await make(shop, { itemSku: 'A', barcode: '1' })
    const second = await make(shop, { itemSku: 'B', barcode: '2' })
    for (const [patch, code] of [
      [{ itemSku: 'A' }, 'ITEM_SKU_TAKEN'],
      [{ barcode: '1' }, 'BARCODE_TAKEN'],
    ] as const) {
      const answer = await update(shop, second._id, { ...patch, price: 1 })
      expect([answer.status, answer.body.code]).toEqual([409, code])
    }
    expect((await shop.get(`${PRODUCTS}/${second._id}`)).body.data).toMatchObject({ price: 100000, __v: 0 })
    expect((await update(shop, first._id, { itemSku: 'C', barcode: '3' })).status).toBe(200)
    expect((await update(shop, second._id, { itemSku: 'A', barcode: '1' })).status).toBe(200)
    expect(await codesOf(shop, first._id)).toEqual(['barcode:3', 'sku:C'])
    expect(await codesOf(shop, second._id)).toEqual(['barcode:1', 'sku:A'])
  })

  it('200 and the codes of the product’s SKUs stay, also one it shared with them', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, { ...twoByTwo(), itemSku: 'XL', barcode: '1' })
    await update(shop, made._id, { itemSku: 'NEW', barcode: '777' })
    expect(await codesOf(shop, made._id)).toEqual(['barcode:777', 'sku:NEW', 'sku:XL'])
  })
})

describe('G-30 the SKU of a product without SKUs', () => {
  it('200 follows name, prices and codes of the product', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    await update(shop, made._id, { name: 'Mũ', price: 3, originPrice: 4, itemSku: 'M', barcode: '9' })
    const { data } = (await shop.get(`${PRODUCTS}/${made._id}`)).body
    expect(data.skus).toMatchObject([
      { _id: made.skus[0]._id, name: 'Mũ', price: 3, originPrice: 4, sku: 'M', barcode: '9' },
    ])
    expect(data.skuDrafts).toEqual(made.skuDrafts)
  })

  it('200 and SKUs that were sent keep theirs', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, { skus: [{ name: 'S', price: 1, sku: 'S1' }] })
    await update(shop, made._id, { name: 'Mũ', price: 3, itemSku: 'M' })
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).body.data.skus).toEqual(made.skus)
    expect(await codesOf(shop, made._id)).toEqual(['sku:M', 'sku:S1'])
  })
})
