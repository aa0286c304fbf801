import { describe, expect, it } from 'vitest'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, service } from '../../support/service.ts'

const running = await service()

describe('G-39 white space at the ends of codes', () => {
  it('E10 stores them without it, and they clash and are found without it', async () => {
    const shop = await makeShop(running)
    const skus = [{ name: 'S', price: 1, sku: ' S1', barcode: '\t893\n' }]
    const first = await shop.post(PRODUCTS, newProduct({ itemSku: 'P 1 ', barcode: ' ', skus }))
    const { data } = first.body
    expect([data.itemSku, data.barcode, data.skus[0].sku, data.skus[0].barcode]).toEqual([
      'P 1',
      '',
      'S1',
      '893',
    ])
    for (const again of [{ itemSku: ' S1' }, { barcode: '893 ' }]) {
      expect((await shop.post(PRODUCTS, newProduct(again))).status).toBe(409)
    }
    const found = await shop.get(`${PRODUCTS}?barcode=%20893%20`)
    expect(found.body.data.products.map(({ _id }: { _id: string }) => _id)).toEqual([data._id])
    const twice = [1, 2].map((n) => ({ name: `${n}`, price: 1, sku: 'X'.padEnd(n) }))
    const refused = await shop.post(PRODUCTS, newProduct({ skus: twice }))
    expect(refused.body.validation?.body.keys).toEqual(['skus.1.sku'])
  })

  it('E11 stores them without it', async () => {
    const shop = await makeShop(running)
    const { _id } = (await shop.post(PRODUCTS, newProduct())).body.data
    const change = { shopId: shop.shopId, itemSku: ' A ', barcode: '1\n' }
    const { body } = await shop.call('PATCH', `${PRODUCTS}/${_id}`, change)
    expect([body.data.itemSku, body.data.barcode]).toEqual(['A', '1'])
    expect((await shop.get(`${PRODUCTS}?barcode=1`)).body.data.meta.total).toBe(1)
  })
})
