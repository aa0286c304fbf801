import { describe, expect, it } from 'vitest'
import { exported, importFile } from '../../support/imports.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.database

async function productsOf(partner: Partner) {
  return (await partner.get(`${PRODUCTS}?limit=50&sortType=asc&select=skus,variants`)).body.data.products
}

describe('G-37 what a line of an import finds', () => {
  it('a product is found by its code, by a SKU’s code, by _id and by slug; columns left out keep their values', async () => {
    const partner = await makeShop(running)
    const a = await partner.post(
      PRODUCTS,
      newProduct({ name: 'A', itemSku: 'A1', description: 'x', barcode: '1' }),
    )
    const b = await partner.post(PRODUCTS, newProduct({ name: 'B', ...twoByTwo() }))
    const c = await partner.post(PRODUCTS, newProduct({ name: 'C' }))
    const d = await partner.post(PRODUCTS, newProduct({ name: 'D' }))
    const file = `productId,slug,itemSku,price,skuCode,skuPrice
,,A1,111,,
,,,,XL,222
${c.body.data._id},,,333,,
,d,,444,,`
    expect(await importFile(partner, file)).toMatchObject({
      status: 'done',
      updated: 4,
      created: 0,
      failed: 0,
    })
    const [after, variants, byId, bySlug] = await productsOf(partner)
    expect(after).toMatchObject({ price: 111, description: 'x', barcode: '1', slug: 'a', __v: 1 })
    expect(after.skus[0]).toMatchObject({ price: 111, sku: 'A1', _id: a.body.data.skus[0]._id })
    expect(variants.price).toBe(100000)
    expect(variants.skus.map((sku: { price: number }) => sku.price)).toEqual([100000, 110000, 120000, 222])
    expect(variants.skus.map((sku: { _id: string }) => sku._id)).toEqual(
      b.body.data.skus.map((sku: { _id: string }) => sku._id),
    )
    expect([byId.price, bySlug.price]).toEqual([333, 444])
    expect(d.body.data._id).toBe(bySlug._id)
    await checkInvariants(db, partner.shopId)
  })

  it('a code with white space at its ends finds its product, and a new one is stored without (G-39)', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'A', itemSku: 'A1' }))
    const csv = 'itemSku,name,price,barcode\n A1 ,A,222,\nB1 ,B,333, 893 '
    expect(await importFile(partner, csv)).toMatchObject({ updated: 1, created: 1, failed: 0 })
    const found = await productsOf(partner)
    expect(
      found.map(({ itemSku, barcode }: Record<string, string>) => [itemSku, barcode]).toSorted(),
    ).toEqual([
      ['A1', ''],
      ['B1', '893'],
    ])
  })

  it('a code in other letters finds its product and stays as it is stored, unless the line has the id', async () => {
    const partner = await makeShop(running)
    const simple = await partner.post(PRODUCTS, newProduct({ name: 'A', itemSku: 'sk1' }))
    await partner.post(PRODUCTS, newProduct({ name: 'B', ...twoByTwo() }))
    const codes = async () =>
      (await productsOf(partner)).map(({ itemSku, skus }: { itemSku: string; skus: { sku: string }[] }) => [
        itemSku,
        ...skus.map(({ sku }) => sku),
      ])
    const before = await codes()
    expect(await importFile(partner, 'itemSku,price\nSK1,222')).toMatchObject({ updated: 1, failed: 0 })
    expect(await importFile(partner, 'skuCode,skuPrice\nxl,333')).toMatchObject({ updated: 1, failed: 0 })
    expect(await codes()).toEqual(before)
    await importFile(partner, `productId,itemSku\n${simple.body.data._id},SK1`)
    expect((await codes())[0]).toEqual(['SK1', 'SK1'])
  })

  it('a new SKU is added to the existing ones, in a group of the product', async () => {
    const partner = await makeShop(running)
    await partner.post(PRODUCTS, newProduct({ name: 'B', ...twoByTwo() }))
    const file = `slug,skuName,skuPrice,option1Name,option1Value,option2Name,option2Value
b,Tím S,1,Màu,Tím,Cỡ,S`
    expect(await importFile(partner, file)).toMatchObject({ status: 'done', updated: 1 })
    const [product] = await productsOf(partner)
    expect(product.skus.map((sku: { name: string }) => sku.name)).toEqual([
      'Đỏ S',
      'Đỏ L',
      'Xanh S',
      'Xanh L',
      'Tím S',
    ])
    expect(product.__v).toBe(1)
    await checkInvariants(db, partner.shopId)
    const wrong = `slug,skuName,skuPrice,option1Name,option1Value\nb,Vàng,1,Màu,Vàng`
    expect((await importFile(partner, wrong)).errors).toEqual([
      {
        line: 2,
        column: 'option1Value',
        message: '"option1Value" must contain one option of each variant group',
      },
    ])
  })

  it('an id of another shop means nothing: a new product is made, the other shop’s stays', async () => {
    const [own, other] = [await makeShop(running), await makeShop(running)]
    await other.post(PRODUCTS, newProduct({ ...twoByTwo() }))
    const file = await exported(other)
    expect(await importFile(own, file.replaceAll('Áo thun', 'Áo len'))).toMatchObject({
      created: 1,
      updated: 0,
    })
    expect(await exported(other)).toBe(file)
  })
})
