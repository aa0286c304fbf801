import { describe, expect, it } from 'vitest'
import { insertCategory, insertParts, newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'

const running = await service()

describe('E9 read product', () => {
  it('200 with skus, itemVariants and skuDrafts without asking, and nothing more (G-35)', async () => {
    const shop = await makeShop(running)
    const made = (await shop.post(PRODUCTS, newProduct(twoByTwo()))).body.data
    const { status, body } = await shop.get(`${PRODUCTS}/${made._id}`)
    const { variants, ...record } = made
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, data: record })
    expect(body.data.itemVariants).toEqual(variants)
    for (const part of ['variants', 'category', 'wholesalePrices', 'subItemsGroups', 'tags', 'sProductId']) {
      expect(body.data).not.toHaveProperty(part)
    }
  })

  it('200 with the parts of select besides (G-34, G-35)', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const made = (await shop.post(PRODUCTS, newProduct({ categoryId }))).body.data
    const parts = await insertParts(running, shop.shopId, made)
    const path = `${PRODUCTS}/${made._id}?select=category,wholesalePrices,subItemsGroups`
    const { data } = (await shop.get(path)).body
    expect(data).toMatchObject({
      category: { _id: categoryId, shopId: shop.shopId },
      wholesalePrices: parts.wholesalePrices,
      subItemsGroups: parts.subItemsGroups,
      subItemsGroupIds: parts.subItemsGroups.map((group) => group._id),
      skus: made.skus,
      itemVariants: [],
      skuDrafts: made.skuDrafts,
    })
  })

  it('200 with the stock of one warehouse on each SKU when warehouseId asks for it (G-34)', async () => {
    const shop = await makeShop(running)
    const made = (await shop.post(PRODUCTS, newProduct(twoByTwo()))).body.data
    const second = (await shop.post('/api/external/v1/warehouses', { name: 'Kho hai' })).body.data
    const [sku, ...others] = made.skus
    await shop.post('/api/external/v1/inventory/entries', {
      warehouseId: second._id,
      type: 'receive',
      items: [{ skuId: sku._id, quantity: 7 }],
    })
    const path = `${PRODUCTS}/${made._id}`
    const plain = (await shop.get(path)).body.data
    expect(plain.skus[0]).not.toHaveProperty('warehouseStock')
    const { data } = (await shop.get(`${path}?warehouseId=${second._id.toUpperCase()}`)).body
    const stockOf = Object.fromEntries(
      data.skus.map(({ _id, warehouseStock }: { _id: string; warehouseStock: object }) => [
        _id,
        warehouseStock,
      ]),
    )
    const none = { warehouseId: second._id, quantity: 0, reserved: 0, available: 0 }
    expect(stockOf).toEqual({
      [sku._id]: { ...none, quantity: 7, available: 7 },
      ...Object.fromEntries(others.map(({ _id }: { _id: string }) => [_id, none])),
    })
    const foreign = (await (await makeShop(running)).get('/api/external/v1/warehouses')).body.data
      .warehouses[0]
    const elsewhere = (await shop.get(`${path}?warehouseId=${foreign._id}`)).body.data
    expect(elsewhere.skus[0].warehouseStock.quantity).toBe(0)
    expect((await shop.get(`${path}?warehouseId=x`)).status).toBe(500)
  })

  it('200 for the id in upper case', async () => {
    const shop = await makeShop(running)
    const made = (await shop.post(PRODUCTS, newProduct())).body.data
    const answer = await shop.get(`${PRODUCTS}/${made._id.toUpperCase()}`)
    expect(answer.body.data._id).toBe(made._id)
  })

  it('400 for a select with an unknown word', async () => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}/${unusedId()}?select=skus,itemVariants`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation).toEqual({
      query: {
        source: 'query',
        keys: ['select'],
        message:
          '"select" must be a list of [skus, variants, category, wholesalePrices, subItemsGroups, skuImages]',
      },
    })
  })

  it('404 for an unknown id and for another shop’s product, in the same words', async () => {
    const shop = await makeShop(running)
    const foreign = (await (await makeShop(running)).post(PRODUCTS, newProduct())).body.data
    const unknown = await shop.get(`${PRODUCTS}/${unusedId()}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual({ error: 'Resource not found', message: 'The product does not exist' })
    expect((await shop.get(`${PRODUCTS}/${foreign._id}`)).body).toEqual(unknown.body)
  })

  it.each(['x', '123', `${'a'.repeat(23)}g`, 'a'.repeat(25)])('500 for the id %s (G-04)', async (id) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}/${id}`)
    expect(answer.status).toBe(500)
    expect(answer.body).toMatchObject({ statusCode: 500, message: expect.stringContaining('"id"') })
  })
})
