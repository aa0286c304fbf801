import { describe, expect, it } from 'vitest'
import { createProduct, namesOfProducts, twoByTwo } from '../support/products.ts'
import { makeShop, service } from '../support/service.ts'

const running = await service()

describe('G-33 search', () => {
  it('200 for any words of the name in any order, without accents, case or whole words', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Áo dài lụa đỏ' })
    await createProduct(shop, { name: 'Áo thun' })
    await createProduct(await makeShop(running), { name: 'Áo dài' })
    for (const search of [
      'ao dai',
      'ĐỎ áo',
      'lua do dai ao',
      'LỤA',
      'Lụa'.normalize('NFD'),
      ' dài ',
      'lu do',
    ]) {
      expect(await namesOfProducts(shop, { search })).toEqual(['Áo dài lụa đỏ'])
    }
    expect(await namesOfProducts(shop, { search: 'o' })).toEqual(['Áo dài lụa đỏ', 'Áo thun'])
    expect(await namesOfProducts(shop, { search: 'áo vàng' })).toEqual([])
    expect(await namesOfProducts(shop, { search: ' ' })).toHaveLength(2)
    expect(await namesOfProducts(shop, { search: '' })).toHaveLength(2)
  })

  it('200 takes %, _ and \\ as they are', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { name: 'Giảm 100% giá', itemSku: 'A_1' })
    await createProduct(shop, { name: 'Giảm 1000 giá', itemSku: 'AB1' })
    expect(await namesOfProducts(shop, { search: '100%' })).toEqual(['Giảm 100% giá'])
    expect(await namesOfProducts(shop, { search: '%' })).toEqual(['Giảm 100% giá'])
    expect(await namesOfProducts(shop, { search: 'gi%m' })).toEqual([])
    expect(await namesOfProducts(shop, { search: 'a_' })).toEqual(['Giảm 100% giá'])
    expect(await namesOfProducts(shop, { search: '\\' })).toEqual([])
  })

  it('200 for the beginning of a code or barcode of a product or a SKU, in any case; each product once', async () => {
    const shop = await makeShop(running)
    await createProduct(shop, { ...twoByTwo(), name: 'Xl áo', itemSku: 'Ao-99', barcode: '8930001' })
    await createProduct(shop, { name: 'Mũ', itemSku: 'MU-1' })
    for (const search of ['ao-9', 'AO-99', ' Ao-', '8930', '8930001', '77', 'xl', 'XL']) {
      expect(await namesOfProducts(shop, { search })).toEqual(['Xl áo'])
    }
    expect(await namesOfProducts(shop, { search: 'o-99' })).toEqual([])
    expect(await namesOfProducts(shop, { search: '930001' })).toEqual([])
  })
})
