import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { findTakenCode } from '../../../src/modules/products/variants/sql.ts'
import { makeVariants, order, putVariants, readProduct, skuRows } from '../../support/catalogue.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { enter } from '../../support/inventory.ts'
import { newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const idOnly = ({ _id }: { _id: string }) => ({ _id })
const NONE = { variants: [], skus: [] }

/** One group with these colours, and a SKU for each. */
function colours(...names: string[]) {
  return {
    variants: [{ id: 'colour', name: 'Màu', options: names.map((name) => ({ id: name, value: name })) }],
    skus: names.map((name) => ({ name, price: 5000, variantOptionIds: [name] })),
  }
}

async function make(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

describe('G-37 replace variants: what is kept', () => {
  it('200 with the product as E9 shows it, the automatic SKU of G-30 deleted, __v one higher (G-00)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const { status, body } = await putVariants(shop, made._id, twoByTwo())
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toEqual({
      success: true,
      message: 'Variants replaced',
      data: await readProduct(shop, made._id),
    })
    expect(body.data.__v).toBe(1)
    expect(body.data.skus.map((sku: { name: string }) => sku.name)).toEqual([
      'Đỏ S',
      'Đỏ L',
      'Xanh S',
      'Xanh L',
    ])
    expect(body.data.itemVariants.map((group: { name: string }) => group.name)).toEqual(['Màu', 'Cỡ'])
    expect(body.data.skuDrafts).toEqual(made.skuDrafts)
    expect(await skuRows(running, made._id)).toHaveLength(4)
    await checkInvariants(db, shop.shopId)
  })

  it('G-37 images of a SKU are replaced where they are sent, and stay where they are not', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    expect(made.skus[0]).not.toHaveProperty('images')
    const withImages = (images: string[]) => {
      const { variants, skus } = twoByTwo()
      return { variants, skus: skus.map((sku, at) => (at === 0 ? { ...sku, images } : sku)) }
    }
    const imagesAfter = async (body: object) => {
      expect((await putVariants(shop, made._id, body)).status).toBe(200)
      return (await shop.get(`${PRODUCTS}/${made._id}?select=skuImages`)).body.data.skus[0].images
    }
    const images = ['https://img.example/do.jpg']
    expect(await imagesAfter(withImages(images))).toEqual(images)
    expect(await imagesAfter(twoByTwo())).toEqual(images)
    expect(await imagesAfter(withImages([]))).toEqual([])
  })

  it('the same body again changes no id; a missing field is emptied, as the whole is replaced', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const { body: again } = await putVariants(shop, made._id, twoByTwo())
    expect(again.data.skus).toEqual(made.skus)
    expect(again.data.itemVariants).toEqual(made.itemVariants)
    const changed = twoByTwo()
    changed.skus[3] = { name: 'Xanh L', price: 1, variantOptionIds: ['blue', 'l'] }
    const { body } = await putVariants(shop, made._id, changed)
    expect(body.data.skus[3]).toMatchObject({
      _id: made.skus[3]._id,
      price: 1,
      originPrice: null,
      sku: '',
      barcode: '',
    })
  })

  it('groups and options keep their _id when it is sent under a new name, SKUs theirs under new options', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, colours('Đỏ', 'Xanh'))
    const [group] = made.itemVariants
    const [red, blue] = group.itemVariantOptions
    const { body } = await putVariants(shop, made._id, {
      variants: [
        {
          id: group._id,
          name: 'Sắc',
          options: [
            { id: red._id.toUpperCase(), value: 'Đỏ tươi' },
            { id: 'x', value: 'Xanh' },
          ],
        },
      ],
      skus: [
        { _id: made.skus[0]._id, name: 'một', price: 1, variantOptionIds: ['x'] },
        { _id: made.skus[1]._id, name: 'hai', price: 2, variantOptionIds: [red._id.toUpperCase()] },
      ],
    })
    expect(body.data.itemVariants[0]).toMatchObject({ _id: group._id, name: 'Sắc' })
    expect(body.data.itemVariants[0].itemVariantOptions).toMatchObject([
      { _id: red._id, name: 'Đỏ tươi', skuIDs: [made.skus[1]._id] },
      { _id: blue._id, name: 'Xanh', skuIDs: [made.skus[0]._id] },
    ])
  })

  it('the automatic SKU can become a variant by its _id, with its stock', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    await enter(shop, 'receive', [[made.skus[0]._id, 7]])
    const body = colours('Đỏ', 'Xanh')
    Object.assign(body.skus[0]!, { _id: made.skus[0]._id })
    const { data } = (await putVariants(shop, made._id, body)).body
    expect(data.skus).toMatchObject([
      { _id: made.skus[0]._id, name: 'Đỏ', stock_quantity: 7 },
      { name: 'Xanh' },
    ])
    const patched = await shop.patch(`${PRODUCTS}/${made._id}`, {
      shopId: shop.shopId,
      name: 'Mới',
      price: 9,
    })
    expect(patched.status).toBe(200)
    expect((await readProduct(shop, made._id)).skus[0]).toMatchObject({ name: 'Đỏ', price: 5000 })
    await checkInvariants(db, shop.shopId)
  })

  it('a new SKU can be sold at once: it has its stock row in the default warehouse', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const { data } = (await putVariants(shop, made._id, colours('Đỏ'))).body
    expect((await order(shop, data.skus[0]._id)).status).toBe(200)
    expect((await readProduct(shop, made._id)).reservedQuantity).toBe(1)
    await checkInvariants(db, shop.shopId)
  })
})

describe('G-37 replace variants: what leaves', () => {
  it('a missing SKU that nothing refers to is deleted, with its option', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, colours('Đỏ', 'Xanh'))
    const { body } = await putVariants(shop, made._id, colours('Xanh'))
    expect(body.data.skus).toMatchObject([{ _id: made.skus[1]._id }])
    expect(await skuRows(running, made._id)).toHaveLength(1)
    const { rows } = await sql`
      select id from variant_options where shop_id = ${shop.shopId}`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('one with an order is retired: gone from E9 and new orders (E14), shown by the old order with its options', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, colours('Đỏ', 'Xanh'))
    const placed = (await order(shop, made.skus[0]._id)).body.data
    const { body } = await putVariants(shop, made._id, colours('Xanh'))
    expect(body.data.skus.map((sku: { _id: string }) => sku._id)).toEqual([made.skus[1]._id])
    expect(body.data.reservedQuantity).toBe(1)
    const refused = await order(shop, made.skus[0]._id)
    expect([refused.status, refused.body.validation?.body.keys]).toEqual([400, ['orderItems.0.id']])
    const read = (await shop.get(`/api/external/v1/orders/${placed._id}`)).body.data
    expect(read.orderItems[0].sku).toMatchObject({
      _id: made.skus[0]._id,
      name: 'Đỏ',
      item: { name: 'Áo thun' },
    })
    expect(read.orderItems[0].sku.variantOptions).toMatchObject([{ name: 'Đỏ' }])
    await checkInvariants(db, shop.shopId)
  })

  it('one with stock or a movement is retired; sent again it comes back with id and stock, and its option', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, colours('Đỏ', 'Xanh'))
    await enter(shop, 'receive', [[made.skus[0]._id, 3]])
    const without = (await putVariants(shop, made._id, colours('Xanh'))).body.data
    expect(without.skus).toHaveLength(1)
    expect(without.itemVariants[0].itemVariantOptions).toHaveLength(1)
    const { data } = (await putVariants(shop, made._id, colours('Đỏ', 'Xanh'))).body
    expect(data.skus).toMatchObject([{ _id: made.skus[0]._id, stock_quantity: 3 }, { _id: made.skus[1]._id }])
    expect(data.itemVariants).toMatchObject([
      {
        _id: made.itemVariants[0]._id,
        itemVariantOptions: made.itemVariants[0].itemVariantOptions.map(idOnly),
      },
    ])
    await checkInvariants(db, shop.shopId)
  })

  it('the code of a retired SKU is free for another product, and no update takes it back (G-39, E11)', async () => {
    const shop = await makeShop(running)
    const coded = colours('Đỏ', 'Xanh')
    Object.assign(coded.skus[0]!, { sku: 'DO-1', barcode: '893' })
    const made = await make(shop, coded)
    await enter(shop, 'receive', [[made.skus[0]._id, 1]])
    await putVariants(shop, made._id, colours('Xanh'))
    expect((await shop.post(PRODUCTS, newProduct({ itemSku: 'DO-1', barcode: '893' }))).status).toBe(200)
    const update = { shopId: shop.shopId, price: 2 }
    expect((await shop.patch(`${PRODUCTS}/${made._id}`, update)).status).toBe(200)
    const back = await putVariants(shop, made._id, coded)
    expect([back.status, back.body.code]).toEqual([409, 'ITEM_SKU_TAKEN'])
    expect((await readProduct(shop, made._id)).skus).toHaveLength(1)
  })

  it('without groups and SKUs the automatic SKU comes back, the one retired before (G-30)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, { itemSku: 'A1' })
    await enter(shop, 'receive', [[made.skus[0]._id, 4]])
    await putVariants(shop, made._id, colours('Đỏ'))
    await shop.patch(`${PRODUCTS}/${made._id}`, { shopId: shop.shopId, name: 'Áo mới', price: 77 })
    const { data } = (await putVariants(shop, made._id, NONE)).body
    expect(data.itemVariants).toEqual([])
    expect(data.skus).toMatchObject([
      { _id: made.skus[0]._id, name: 'Áo mới', price: 77, sku: 'A1', stock_quantity: 4 },
    ])
    await shop.patch(`${PRODUCTS}/${made._id}`, { shopId: shop.shopId, price: 78 })
    expect((await readProduct(shop, made._id)).skus[0].price).toBe(78)
    expect(await skuRows(running, made._id)).toMatchObject([{ is_default: true }])
  })

  it('or a new one where the product never had it', async () => {
    const shop = await makeShop(running)
    const made = await makeVariants(shop)
    const { data } = (await putVariants(shop, made._id, NONE)).body
    expect(data.skus).toMatchObject([{ name: 'Áo thun', price: 100000, variantOptionIDs: [] }])
    expect((await order(shop, made._id)).status).toBe(200)
  })
})

describe('G-37 replace variants: what is refused', () => {
  const sku = (more: object = {}) => ({ name: 'Đỏ', price: 1, variantOptionIds: ['Đỏ'], ...more })
  const { variants } = colours('Đỏ', 'Xanh')

  it.each([
    ['variants missing', { skus: [] }, 'variants'],
    ['skus missing', { variants: [] }, 'skus'],
    ['stock_quantity (E10)', { variants, skus: [sku({ stock_quantity: 1 })] }, 'skus.0.stock_quantity'],
    [
      'an unknown option (G-31)',
      { variants, skus: [sku({ variantOptionIds: ['?'] })] },
      'skus.0.variantOptionIds.0',
    ],
    ['a combination twice (G-31)', { variants, skus: [sku(), sku()] }, 'skus.1.variantOptionIds'],
    [
      'an option id twice (G-31)',
      { variants: [...variants, { ...variants[0], id: 'b' }], skus: [] },
      'variants.1.options.0.id',
    ],
    ['an _id of no SKU', { variants, skus: [sku({ _id: unusedId() })] }, 'skus.0._id'],
    ['an _id that is no id', { variants, skus: [sku({ _id: 'mine' })] }, 'skus.0._id'],
  ])('400 for %s', async (_, body, key) => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const answer = await putVariants(shop, made._id, body)
    expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, [key]])
    expect((await readProduct(shop, made._id)).__v).toBe(0)
  })

  it('400 for an _id sent twice and for the SKU of another product', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, colours('Đỏ', 'Xanh'))
    const other = await make(shop)
    for (const _id of [made.skus[1]._id, other.skus[0]._id]) {
      const body = colours('Đỏ', 'Xanh')
      Object.assign(body.skus[0]!, { _id })
      Object.assign(body.skus[1]!, { _id: made.skus[1]._id })
      expect((await putVariants(shop, made._id, body)).status).toBe(400)
    }
  })

  it('codes are stored without white space at their ends (G-39)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const skus = [{ name: 'S', price: 1, sku: ' S1 ', barcode: '9 ' }]
    const { body } = await putVariants(shop, made._id, { variants: [], skus })
    expect(body.data.skus).toMatchObject([{ sku: 'S1', barcode: '9' }])
  })

  it('400 for two options of one group that look the same (G-31)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const { variants, skus } = colours('Đỏ', 'Xanh')
    variants[0]!.options[1]!.value = ' Đỏ'.normalize('NFD')
    const { status, body } = await putVariants(shop, made._id, { variants, skus })
    expect([status, body.validation?.body]).toEqual([
      400,
      {
        source: 'body',
        keys: ['variants.0.options.1.value'],
        message: '"variants[0].options[1].value" duplicates another option of this group',
      },
    ])
  })

  it('409 for a code of another product, and nothing is changed (G-39)', async () => {
    const shop = await makeShop(running)
    await make(shop, { barcode: '777' })
    const made = await make(shop)
    const answer = await putVariants(shop, made._id, twoByTwo())
    expect([answer.status, answer.body.code]).toEqual([409, 'BARCODE_TAKEN'])
    expect((await readProduct(shop, made._id)).__v).toBe(0)
    expect(await skuRows(running, made._id)).toHaveLength(1)
  })

  it('409 names the first of several codes that are taken: SKU codes before barcodes, as they were sent (G-39)', async () => {
    const shop = await makeShop(running)
    for (const [itemSku, barcode] of [
      ['A1', '100'],
      ['B1', '200'],
      ['C1', '300'],
    ])
      await make(shop, { itemSku, barcode })
    const made = await make(shop)
    const refusal = async (codes: string[], barcodes: string[]) => {
      const body = colours(...barcodes.map((_, n) => `Màu ${n}`))
      for (const [n, sku] of body.skus.entries()) Object.assign(sku, { sku: codes[n], barcode: barcodes[n] })
      const created = await shop.post(PRODUCTS, newProduct(body))
      const replaced = (await putVariants(shop, made._id, body)).body
      expect(created.body).toEqual(replaced)
      return [replaced.code, replaced.message]
    }
    for (const codes of [
      ['B1', 'C1', 'A1'],
      ['C1', 'A1', 'B1'],
      ['A1', 'B1', 'C1'],
    ]) {
      const named = expect.stringContaining(`"${codes[0]}"`)
      expect(await refusal(codes, ['100', '300', '200'])).toEqual(['ITEM_SKU_TAKEN', named])
    }
    for (const barcodes of [
      ['300', '100'],
      ['100', '300'],
    ]) {
      const named = expect.stringContaining(`"${barcodes[0]}"`)
      expect(await refusal([], barcodes)).toEqual(['BARCODE_TAKEN', named])
    }
    const both = await shop.patch(`${PRODUCTS}/${made._id}`, {
      ...{ shopId: shop.shopId, barcode: '100', itemSku: 'C1' },
    })
    expect([both.status, both.body.code]).toEqual([409, 'ITEM_SKU_TAKEN'])
    // Sorted here, whatever the order in which the database finds them.
    const codes = ['C1', 'B1', 'A1'].map((code) => ({ kind: 'sku' as const, code }))
    const taken = await db.transaction().execute(async (trx) => {
      await sql`select set_config(name, 'off', true) from unnest('{enable_nestloop,enable_hashjoin}'::text[]) name`.execute(
        trx,
      )
      return findTakenCode(trx, shop.shopId, made._id, codes)
    })
    expect(taken).toEqual(codes[0])
  })

  it('404 for an unknown product', async () => {
    const shop = await makeShop(running)
    expect((await putVariants(shop, unusedId(), NONE)).status).toBe(404)
  })
})
