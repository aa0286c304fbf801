import { describe, expect, it } from 'vitest'
import { endOrder, order, putVariants, skuRows } from '../../support/catalogue.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { enter } from '../../support/inventory.ts'
import { makeArticle } from '../../support/news.ts'
import { insertCategory, newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const NEWS = '/api/external/news'

async function make(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

function retire(shop: Partner, id: string) {
  return shop.call('DELETE', `${PRODUCTS}/${id}`)
}

async function totalOf(shop: Partner, query = '') {
  const { meta, products } = (await shop.get(`${PRODUCTS}?limit=50${query}`)).body.data
  expect(products.length).toBe(meta.total)
  return meta.total
}

describe('G-37 retire a product', () => {
  it('200; it is gone from E8 with its counters, its search and its codes, from E9 and from every change', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const made = await make(shop, { itemSku: 'SKU-9', barcode: '8931', categoryId })
    await make(shop, { categoryId, name: 'Nón' })
    const gone = await retire(shop, made._id)
    expect([gone.status, gone.body]).toEqual([200, { success: true, message: 'Product retired' }])
    const sorts = ['createdAt', 'updatedAt', 'name', 'price', 'sortOrder', 'stock_quantity']
    for (const query of [
      '',
      `&category=${categoryId}`,
      ...sorts.map((by) => `&sortBy=${by}`),
      ...sorts.map((by) => `&sortBy=${by}&minPrice=1`),
      ...sorts.map((by) => `&sortBy=${by}&category=${categoryId}&maxPrice=900000`),
    ]) {
      expect(await totalOf(shop, query), query).toBe(1)
    }
    for (const query of ['&search=ao', '&search=SKU-9', '&barcode=8931']) {
      expect(await totalOf(shop, query), query).toBe(0)
    }
    const path = `${PRODUCTS}/${made._id}`
    const answers = await Promise.all([
      shop.get(path),
      retire(shop, made._id),
      shop.patch(path, { shopId: shop.shopId, price: 1 }),
      putVariants(shop, made._id, { variants: [], skus: [] }),
      shop.put(`${path}/wholesale-prices`, { wholesalePrices: [] }),
      shop.put(`${path}/sub-items-groups`, { subItemsGroups: [] }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 404))
    await checkInvariants(db, shop.shopId)
  })

  it('its slug and its codes are free again (G-39, E10)', async () => {
    const shop = await makeShop(running)
    const body = { itemSku: 'A', barcode: 'B' }
    const made = await make(shop, body)
    await retire(shop, made._id)
    const again = await make(shop, body)
    expect(again).toMatchObject({ slug: made.slug, itemSku: 'A', barcode: 'B' })
    await retire(shop, again._id)
    expect((await make(shop, body)).slug).toBe(made.slug)
  })

  it('409 PRODUCT_IN_ORDERS naming the order while one is open, also with a SKU that is retired already', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const placed = (await order(shop, made.skus[0]._id)).body.data
    const sized = {
      variants: [{ id: 'size', name: 'Cỡ', options: [{ id: 's', value: 'S' }] }],
      skus: [{ name: 'S', price: 1, variantOptionIds: ['s'] }],
    }
    expect((await putVariants(shop, made._id, sized)).status).toBe(200)
    const refused = await retire(shop, made._id)
    expect([refused.status, refused.body.code]).toEqual([409, 'PRODUCT_IN_ORDERS'])
    expect(refused.body.message).toContain(placed.code)
    expect((await shop.get(`${PRODUCTS}/${made._id}`)).status).toBe(200)
    await endOrder(running, shop, placed._id)
    expect((await retire(shop, made._id)).status).toBe(200)
    await checkInvariants(db, shop.shopId)
  })

  it('an old order still shows it (E13); a new one cannot take it, by its own id or its SKU’s (E14)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, { name: 'Nón lá', images: ['https://img.example/n.jpg'] })
    await enter(shop, 'receive', [[made.skus[0]._id, 5]])
    const placed = (await order(shop, made._id)).body.data
    await endOrder(running, shop, placed._id)
    await retire(shop, made._id)
    for (const id of [made._id, made.skus[0]._id]) {
      const refused = await order(shop, id)
      expect([refused.status, refused.body.validation?.body.keys]).toEqual([400, ['orderItems.0.id']])
    }
    const { sku, name } = (await shop.get(`/api/external/v1/orders/${placed._id}`)).body.data.orderItems[0]
    expect([name, sku.item]).toMatchObject(['Nón lá', { _id: made._id, name: 'Nón lá', images: made.images }])
    expect(await skuRows(running, made._id)).toMatchObject([{ is_active: false }])
    await checkInvariants(db, shop.shopId)
  })

  it('it disappears from the items of an article and cannot be attached any more (G-51, E15, E16)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const other = await make(shop, { name: 'Nón' })
    const { _id } = await makeArticle(shop, { title: 'Tin' })
    await shop.post(`${NEWS}/${_id}/items`, { newsIds: [made._id, other._id] })
    await retire(shop, made._id)
    const read = (await shop.get(`${NEWS}/${_id}`)).body.data
    expect([read.itemIds, read.items.map((item: { _id: string }) => item._id)]).toEqual([
      [other._id],
      [other._id],
    ])
    expect((await shop.get(NEWS)).body.data.news[0].items).toHaveLength(1)
    const updated = await shop.put(`${NEWS}/${_id}`, { title: 'Tin mới' })
    expect(updated.body.data.itemIds).toEqual([other._id])
    expect((await shop.post(`${NEWS}/${_id}/items`, { newsIds: [made._id] })).status).toBe(200)
    expect((await shop.get(`${NEWS}/${_id}`)).body.data.__v).toBe(updated.body.data.__v)
  })

  it('at the same moment as an order: it is refused, or the order is (E14)', async () => {
    for (let round = 0; round < 6; round += 1) {
      const shop = await makeShop(running)
      const made = await make(shop)
      const [placed, gone] = await Promise.all([order(shop, made._id), retire(shop, made._id)])
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([placed.status, gone.status])
      await checkInvariants(db, shop.shopId)
    }
  })

  it('404 for an unknown product', async () => {
    expect((await retire(await makeShop(running), unusedId())).status).toBe(404)
  })
})
