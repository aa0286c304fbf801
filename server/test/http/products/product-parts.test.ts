import { describe, expect, it } from 'vitest'
import { makeVariants, POS, putVariants, readProduct } from '../../support/catalogue.ts'
import { enter } from '../../support/inventory.ts'
import { insertParts, newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()

function putTiers(shop: Partner, productId: string, wholesalePrices: unknown) {
  return shop.put(`${PRODUCTS}/${productId}/wholesale-prices`, { wholesalePrices })
}

function putGroups(shop: Partner, productId: string, subItemsGroups: unknown) {
  return shop.put(`${PRODUCTS}/${productId}/sub-items-groups`, { subItemsGroups })
}

function keys(answer: { status: number; body: { validation?: { body: { keys: string[] } } } }) {
  return [answer.status, answer.body.validation?.body.keys]
}

describe('G-37 replace wholesale prices', () => {
  it('200 with all tiers in the place of those before; a tier keeps the _id that is sent (G-34)', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const { wholesalePrices } = await insertParts(running, shop.shopId, made)
    const [first, second] = wholesalePrices
    const other = made.skus[1]._id
    const { status, body } = await putTiers(shop, made._id, [
      { skuId: other, minQuantity: 5, price: 9 },
      { _id: second!._id, skuId: second!.skuId, minQuantity: first!.minQuantity, price: 8 },
      { skuId: other, minQuantity: 6, price: 7 },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ success: true, message: 'Wholesale prices replaced', warnings: [] })
    expect(body.data.wholesalePrices).toEqual([
      { _id: second!._id, skuId: second!.skuId, minQuantity: 10, price: 8 },
      { _id: expect.any(String), skuId: other, minQuantity: 5, price: 9 },
      { _id: expect.any(String), skuId: other, minQuantity: 6, price: 7 },
    ])
    expect(body.data.__v).toBe(1)
    const read = await shop.get(`${PRODUCTS}/${made._id}?select=wholesalePrices`)
    expect(read.body.data).toEqual(body.data)
    expect((await putTiers(shop, made._id, [])).body.data.wholesalePrices).toEqual([])
  })

  it('a price above that of the tier before is stored and reported in warnings', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const [a, b] = made.skus
    const { status, body } = await putTiers(shop, made._id, [
      { skuId: a._id, minQuantity: 2, price: 5 },
      { skuId: b._id, minQuantity: 2, price: 6 },
      { skuId: a._id, minQuantity: 3, price: 5 },
      { skuId: a._id, minQuantity: 4, price: 7 },
    ])
    expect([status, body.warnings]).toEqual([
      200,
      ['"wholesalePrices[3].price" is higher than the price of this SKU’s previous tier'],
    ])
  })

  it('400 where minQuantity does not rise, for a foreign or retired SKU and for a foreign _id; nothing changes', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const other = await makeVariants(shop, { skus: undefined })
    const skuId = made.skus[0]._id
    const tier = (more: object) => ({ skuId, minQuantity: 2, price: 5, ...more })
    await enter(shop, 'receive', [[made.skus[3]._id, 1]])
    const { variants, skus } = twoByTwo()
    await putVariants(shop, made._id, { variants, skus: skus.slice(0, 3) })
    const before = await readProduct(shop, made._id)
    for (const [sent, key] of [
      [[tier({}), tier({})], 'wholesalePrices.1.minQuantity'],
      [[tier({}), tier({ minQuantity: 1 })], 'wholesalePrices.1.minQuantity'],
      [[tier({ minQuantity: 0 })], 'wholesalePrices.0.minQuantity'],
      [[tier({ skuId: other.skus[0]._id })], 'wholesalePrices.0.skuId'],
      [[tier({ skuId: made.skus[3]._id })], 'wholesalePrices.0.skuId'],
      [[tier({ skuId: 'x' })], 'wholesalePrices.0.skuId'],
      [[tier({ _id: unusedId() })], 'wholesalePrices.0._id'],
      [undefined, 'wholesalePrices'],
    ] as const) {
      expect(keys(await putTiers(shop, made._id, sent))).toEqual([400, [key]])
    }
    expect(await readProduct(shop, made._id)).toEqual(before)
    expect((await putTiers(shop, unusedId(), [])).status).toBe(404)
  })

  it('of several replacements at once one is left, whole', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const skuId = made.skus[0]._id
    const sent = Array.from({ length: 8 }, (_, n) => [
      { skuId, minQuantity: 2, price: 100 - n },
      { skuId, minQuantity: 3 + n, price: 50 - n },
    ])
    const answers = await Promise.all(sent.map((tiers) => putTiers(shop, made._id, tiers)))
    expect(answers.map((answer) => answer.status)).toEqual(sent.map(() => 200))
    const { data } = (await shop.get(`${PRODUCTS}/${made._id}?select=wholesalePrices`)).body
    const left = data.wholesalePrices.map(({ _id, ...tier }: { _id: string }) => tier)
    expect(sent).toContainEqual(left)
  })

  it('an order line without price takes the SKU’s, whatever the tiers say (E14, G-41)', async () => {
    const shop = await makeShop(running)
    const made = (await shop.post(PRODUCTS, newProduct({ price: 1000 }))).body.data
    const skuId = made.skus[0]._id
    await putTiers(shop, made._id, [{ skuId, minQuantity: 2, price: 600 }])
    const { body } = await shop.post(POS, { orderItems: [{ id: skuId, quantity: 10 }] })
    expect(body.data.price).toBe(10_000)
  })
})

describe('G-37 replace sub-items groups', () => {
  it('200 with the groups in the order sent; a group and an item keep the _id that is sent (G-34)', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const { subItemsGroups } = await insertParts(running, shop.shopId, made)
    const [topping] = subItemsGroups
    const { status, body } = await putGroups(shop, made._id, [
      { name: 'Đường', subItems: [{ name: 'Ít' }, { name: 'Vừa', price: 100 }] },
      {
        _id: topping!._id,
        name: 'Thêm',
        isRequired: true,
        maxSelect: 3,
        subItems: [
          { name: 'Pudding', price: 7000 },
          { _id: topping!.subItems[0]!._id, name: 'Trân châu đen' },
        ],
      },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    const _id = expect.any(String)
    expect(body.data.subItemsGroups).toEqual([
      {
        _id,
        name: 'Đường',
        isRequired: false,
        maxSelect: 1,
        subItems: [
          { _id, name: 'Ít', price: 0 },
          { _id, name: 'Vừa', price: 100 },
        ],
      },
      {
        _id: topping!._id,
        name: 'Thêm',
        isRequired: true,
        maxSelect: 3,
        subItems: [
          { _id, name: 'Pudding', price: 7000 },
          { _id: topping!.subItems[0]!._id, name: 'Trân châu đen', price: 0 },
        ],
      },
    ])
    expect(body.data.subItemsGroupIds).toEqual(
      body.data.subItemsGroups.map((group: { _id: string }) => group._id),
    )
    expect((await putGroups(shop, made._id, [])).body.data).toMatchObject({ subItemsGroups: [], __v: 2 })
  })

  it('400 for a group without items, a foreign _id and one sent twice; 404 for an unknown product', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const { subItemsGroups } = await insertParts(running, shop.shopId, made)
    const { _id } = subItemsGroups[0]!
    const group = (more: object) => ({ name: 'Đá', subItems: [{ name: 'Ít' }], ...more })
    for (const [sent, key] of [
      [[group({ subItems: [] })], 'subItemsGroups.0.subItems'],
      [[group({ _id: unusedId() })], 'subItemsGroups.0._id'],
      [[group({ _id }), group({ _id })], 'subItemsGroups.1._id'],
      [[group({ subItems: [{ _id, name: 'Ít' }] })], 'subItemsGroups.0.subItems.0._id'],
      [[group({ maxSelect: 0 })], 'subItemsGroups.0.maxSelect'],
    ] as const) {
      expect(keys(await putGroups(shop, made._id, sent))).toEqual([400, [key]])
    }
    expect((await putGroups(shop, unusedId(), [])).status).toBe(404)
  })
})
