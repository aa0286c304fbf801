import { describe, expect, it } from 'vitest'
import { inStoreBarcode } from '../../../src/modules/products/barcodes/rules.ts'
import { findFreeBarcodes } from '../../../src/modules/products/barcodes/sql.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, service } from '../../support/service.ts'

const running = await service()
const FREE = '/api/external/v1/products/free-barcodes'

describe('G-39 GET /api/external/v1/products/free-barcodes', () => {
  it('200 with as many different in-store EAN-13 as were asked for', async () => {
    const shop = await makeShop(running)
    const { status, body } = await shop.get(`${FREE}?count=200`)
    expect(status, JSON.stringify(body)).toBe(200)
    const { barcodes } = body.data
    expect(new Set(barcodes).size).toBe(200)
    for (const barcode of barcodes) expect(barcode).toBe(inStoreBarcode(Number(barcode.slice(3, 12))))
    expect((await shop.get(FREE)).body.data.barcodes).toHaveLength(1)
    expect((await shop.get(`${FREE}?count=201`)).status).toBe(400)
  })

  it('returns none of the drawn codes that a product or SKU of the shop has; another shop may have the same', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const [first, second, third] = [0.1, 0.2, 0.3].map((at) => inStoreBarcode(at * 10 ** 9))
    expect((await shop.post(PRODUCTS, newProduct({ barcode: first }))).status).toBe(200)
    const skus = [{ name: 'M', price: 1, barcode: second }]
    expect((await shop.post(PRODUCTS, newProduct({ skus }))).status).toBe(200)
    const { db } = running.database
    const drawn = [first!, second!, third!]
    expect(await findFreeBarcodes(db, shop.shopId, drawn)).toEqual([third])
    expect(await findFreeBarcodes(db, other.shopId, drawn)).toEqual(drawn)
  })
})
