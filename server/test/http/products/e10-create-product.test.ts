import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { onPostgres } from '../../support/database.ts'
import { insertCategory, newProduct, PRODUCTS, twoByTwo } from '../../support/products.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database

const ID = /^[0-9a-f]{24}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function problem(message: string, ...keys: string[]) {
  return {
    statusCode: 400,
    error: 'Bad Request',
    message: 'Validation failed',
    validation: { body: { source: 'body', keys, message } },
  }
}

describe('E10 create product', () => {
  it('200 with every field of a product for a name and a price alone (G-00, G-01)', async () => {
    const shop = await makeShop(running)
    const { status, body } = await shop.post(PRODUCTS, { name: 'Áo Dài Đỏ', price: 150000 })
    expect(status).toBe(200)
    const { data } = body
    expect(body).toEqual({ success: true, message: 'Product created', data })
    expect(data).toEqual({
      _id: expect.stringMatching(ID),
      id: data._id,
      __v: 0,
      type: 'product',
      name: 'Áo Dài Đỏ',
      description: '',
      images: [],
      price: 150000,
      originPrice: null,
      itemSku: '',
      barcode: '',
      vat: 0,
      status: 'active',
      shopId: shop.shopId,
      categoryId: null,
      slug: 'ao-dai-do',
      aliasName: '',
      stock_quantity: 0,
      totalRating: 0,
      totalReview: 0,
      sortOrder: 0,
      isNullSortOrder: true,
      reservedQuantity: 0,
      totalQuantity: 0,
      virtualSold: 0,
      canBook: false,
      isCustomerInquiry: false,
      platform: 'mini_app',
      search: 'ao dai do',
      subItemsGroupIds: [],
      configs: [],
      hashtags: [],
      collectionIDs: [],
      brandProductIds: [],
      fakeReviewIds: [],
      comboItems: [],
      createdAt: expect.stringMatching(TIME),
      updatedAt: data.createdAt,
      skuDrafts: { variants: [], skus: [] },
      skus: [expect.objectContaining({ name: 'Áo Dài Đỏ' })],
      variants: [],
      itemVariants: [],
    })
  })

  it('200 keeps everything sent, and E9 reads the same product back', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const sent = {
      name: 'Trà sen',
      price: 90000,
      description: '<p onclick="x()">Trà <b>sen</b></p>',
      originPrice: 120000,
      categoryId,
      status: 'inactive',
      vat: 8,
      images: ['https://img.example/1.jpg', 'https://img.example/2.jpg'],
      itemSku: 'TRA-01',
      barcode: '8930000000017',
    }
    const { data } = (await shop.post(PRODUCTS, sent)).body
    expect(data).toMatchObject(sent)
    const { variants, ...record } = data
    expect(variants).toEqual([])
    expect((await shop.get(`${PRODUCTS}/${data._id}`)).body.data).toEqual(record)
  })

  it('200 and the category id is taken in upper case too', async () => {
    const shop = await makeShop(running)
    const categoryId = await insertCategory(running, shop.shopId)
    const body = newProduct({ categoryId: categoryId.toUpperCase() })
    expect((await shop.post(PRODUCTS, body)).body.data.categoryId).toBe(categoryId)
  })

  it('400 when stock_quantity is sent, at product level and inside skus, and nothing is created', async () => {
    const shop = await makeShop(running)
    const atProduct = await shop.post(PRODUCTS, { ...newProduct(), stock_quantity: 5 })
    expect(atProduct.status).toBe(400)
    expect(atProduct.body).toEqual(problem('"stock_quantity" is not allowed', 'stock_quantity'))
    const sku = { name: 'S', price: 1, stock_quantity: 0 }
    const inSku = await shop.post(PRODUCTS, newProduct({ skus: [sku] }))
    expect(inSku.status).toBe(400)
    expect(inSku.body).toEqual(problem('"skus[0].stock_quantity" is not allowed', 'skus.0.stock_quantity'))
    expect((await shop.get(PRODUCTS)).body.data.meta.total).toBe(0)
  })

  it.each([
    [{ price: 1 }, '"name" is required'],
    [{ name: 'x' }, '"price" is required'],
    [{ name: '', price: 1 }, '"name" is not allowed to be empty'],
    [{ name: 5, price: 1 }, '"name" must be a string'],
    [{ name: 'x', price: '1' }, '"price" must be a number'],
    [{ name: 'x', price: null }, '"price" must be a number'],
    [{ name: 'x', price: -1 }, '"price" must be greater than or equal to 0'],
    [{ name: 'x', price: 1.5 }, '"price" must be an integer'],
    [{ name: 'x', price: 1e20 }, '"price" must be a safe number'],
    [{ name: 'x', price: 9_000_000_000_001 }, '"price" must be less than or equal to 9000000000000'],
    [{ name: 'x', price: 1, status: 'gone' }, '"status" must be one of [active, inactive]'],
    [{ name: 'x', price: 1, vat: 101 }, '"vat" must be less than or equal to 100'],
    [{ name: 'x', price: 1, images: 'a' }, '"images" must be an array'],
    [{ name: 'x', price: 1, images: [1] }, '"images[0]" must be a string'],
    [{ name: 'x', price: 1, skus: [{ name: 'S' }] }, '"skus[0].price" is required'],
    [{ name: 'x', price: 1, skus: [{ price: 1 }] }, '"skus[0].name" is required'],
    [{ name: 'x', price: 1, variants: [{ id: 'a', name: 'A' }] }, '"variants[0].options" is required'],
    [
      { name: 'x', price: 1, variants: [{ id: 'a', name: 'A', options: [{ id: '1' }] }] },
      '"variants[0].options[0].value" is required',
    ],
    [{ name: 'x', price: 1, slug: 'x' }, '"slug" is not allowed'],
  ])('400 %j: %s (G-03, G-08)', async (body, message) => {
    const shop = await makeShop(running)
    const answer = await shop.post(PRODUCTS, body)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.message).toBe(message)
  })

  it('200 with a shopId of any kind, which is ignored (G-08)', async () => {
    const shop = await makeShop(running)
    const answer = await shop.post(PRODUCTS, { ...newProduct(), shopId: unusedId() })
    expect(answer.body.data.shopId).toBe(shop.shopId)
    expect((await shop.post(PRODUCTS, { ...newProduct(), shopId: 5 })).status).toBe(200)
  })

  it('400 for a category that is malformed, does not exist or is another shop’s', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    const foreign = await insertCategory(running, other.shopId)
    const answers = []
    for (const categoryId of ['x', unusedId(), foreign]) {
      answers.push(await shop.post(PRODUCTS, newProduct({ categoryId })))
    }
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual(problem('"categoryId" is not a category of this shop', 'categoryId'))
    }
    expect((await shop.get(PRODUCTS)).body.data.meta.total).toBe(0)
  })

  it('200 and names that clash in their slug get -2, -3; another shop’s do not count', async () => {
    const shop = await makeShop(running)
    const other = await makeShop(running)
    await other.post(PRODUCTS, newProduct({ name: 'Đầm xòe' }))
    const slugs = []
    for (const name of ['Đầm xòe', 'dam xoe', 'ĐẦM  XÒE!', '日本', '???']) {
      slugs.push((await shop.post(PRODUCTS, newProduct({ name }))).body.data.slug)
    }
    expect(slugs).toEqual(['dam-xoe', 'dam-xoe-2', 'dam-xoe-3', 'product', 'product-2'])
  })

  it('200 for 20 products of one name made at once, each with a slug of its own', async () => {
    const shop = await makeShop(running)
    const made = await Promise.all(
      Array.from({ length: 20 }, () => shop.post(PRODUCTS, newProduct({ name: 'Nón lá' }))),
    )
    expect(made.map((answer) => answer.status)).toEqual(Array(20).fill(200))
    const slugs = made.map((answer) => answer.body.data.slug).sort()
    expect(slugs).toEqual(['non-la', ...Array.from({ length: 19 }, (_, n) => `non-la-${n + 2}`)].sort())
    const { total } = (await shop.get(PRODUCTS)).body.data.meta
    expect(total).toBe(20)
  })

  it.runIf(onPostgres)('409 for all but one of 10 products of one code made at once', async () => {
    const shop = await makeShop(running)
    const made = await Promise.all(
      Array.from({ length: 10 }, () => shop.post(PRODUCTS, newProduct({ itemSku: 'RACE' }))),
    )
    expect(made.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(409)])
  })
})

describe('G-30 a product without skus', () => {
  it.each([
    ['no skus', {}],
    ['empty skus', { skus: [] }],
    ['variants only', { variants: twoByTwo().variants }],
  ])('200 and %s gives one SKU with the price, the code and the barcode', async (_, extra) => {
    const shop = await makeShop(running)
    const sent = { name: 'Nến', price: 5, originPrice: 9, itemSku: 'NEN', barcode: '1234', ...extra }
    const { data } = (await shop.post(PRODUCTS, sent)).body
    expect(data.skus).toEqual([
      {
        _id: expect.stringMatching(ID),
        id: data.skus[0]._id,
        name: 'Nến',
        price: 5,
        originPrice: 9,
        stock_quantity: 0,
        itemId: data._id,
        shopId: shop.shopId,
        status: 'active',
        isActive: true,
        sku: 'NEN',
        barcode: '1234',
        variantOptionIDs: [],
        createdAt: data.createdAt,
        updatedAt: data.createdAt,
      },
    ])
    expect(data.skuDrafts.skus).toEqual([])
  })

  it('200 and each SKU has a stock row in the default warehouse', async () => {
    const shop = await makeShop(running)
    await shop.post(PRODUCTS, newProduct())
    await shop.post(PRODUCTS, newProduct(twoByTwo()))
    const { rows } = await sql<{ n: number }>`
      select count(*) as n
      from stock t
      join warehouses w on w.shop_id = t.shop_id and w.id = t.warehouse_id and w.is_default
      where t.shop_id = ${shop.shopId} and t.quantity = 0 and t.reserved = 0`.execute(db)
    expect(rows[0]!.n).toBe(5)
  })
})

describe('G-31 SKUs against variants', () => {
  it('200 maps the caller’s ids to ours and keeps them in skuDrafts', async () => {
    const shop = await makeShop(running)
    const { data } = (await shop.post(PRODUCTS, newProduct(twoByTwo()))).body
    const [colour, size] = data.variants
    const [red, blue] = colour.itemVariantOptions
    const [small, large] = size.itemVariantOptions
    const byName = Object.fromEntries(data.skus.map((sku: { name: string }) => [sku.name, sku]))
    expect(colour).toEqual({
      _id: expect.stringMatching(ID),
      id: colour._id,
      name: 'Màu',
      itemId: data._id,
      isActive: true,
      position: 0,
      createdAt: data.createdAt,
      updatedAt: data.createdAt,
      itemVariantOptions: [
        {
          _id: expect.stringMatching(ID),
          id: red._id,
          name: 'Đỏ',
          itemVariantId: colour._id,
          isActive: true,
          position: 0,
          skuIDs: [byName['Đỏ S']._id, byName['Đỏ L']._id],
        },
        expect.objectContaining({
          name: 'Xanh',
          position: 1,
          skuIDs: [byName['Xanh S']._id, byName['Xanh L']._id],
        }),
      ],
    })
    expect(byName['Đỏ S'].variantOptionIDs).toEqual([red._id, small._id])
    // Sent with the size first; our SKUs have the order of the groups.
    expect(byName['Xanh L'].variantOptionIDs).toEqual([blue._id, large._id])
    expect(byName['Xanh L']).toMatchObject({ price: 130000, originPrice: 150000, sku: 'XL', barcode: '777' })
    expect(data.itemVariants).toEqual(data.variants)
    expect(data.skuDrafts).toEqual({
      variants: [
        {
          key: 'colour',
          name: 'Màu',
          options: [
            { key: 'red', name: 'Đỏ', itemVariantOptionId: red._id, active: true },
            { key: 'blue', name: 'Xanh', itemVariantOptionId: blue._id, active: true },
          ],
          itemVarientId: colour._id,
        },
        {
          key: 'size',
          name: 'Cỡ',
          options: [
            { key: 's', name: 'S', itemVariantOptionId: small._id, active: true },
            { key: 'l', name: 'L', itemVariantOptionId: large._id, active: true },
          ],
          itemVarientId: size._id,
        },
      ],
      skus: data.skus.map((sku: { _id: string; name: string; price: number }, index: number) => ({
        key: ['red/s', 'red/l', 'blue/s', 'blue/l'][index],
        name: sku.name,
        price: sku.price,
        stock_quantity: 0,
        skuId: sku._id,
        active: true,
      })),
    })
    const { variants, ...record } = data
    expect(variants).toHaveLength(2)
    expect((await shop.get(`${PRODUCTS}/${data._id}`)).body.data).toEqual(record)
  })

  it.each([
    [['grey', 's'], '"skus[0].variantOptionIds[0]" is not an option in variants'],
    [['red', 'blue'], '"skus[0].variantOptionIds[1]" selects a second option of the same variant group'],
    [['red'], '"skus[0].variantOptionIds" must contain one option of each variant group'],
    [['blue', 'l'], '"skus[3].variantOptionIds" duplicates another SKU’s combination'],
  ])('400 for a SKU with the options %j: %s', async (variantOptionIds, message) => {
    const shop = await makeShop(running)
    const { variants, skus } = twoByTwo()
    const answer = await shop.post(
      PRODUCTS,
      newProduct({ variants, skus: [{ ...skus[0]!, variantOptionIds }, ...skus.slice(1)] }),
    )
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.message).toBe(message)
    expect((await shop.get(PRODUCTS)).body.data.meta.total).toBe(0)
  })
})

describe('G-39 codes and HTML', () => {
  it.each([
    ['itemSku', { itemSku: 'A1' }, { itemSku: 'A1' }, 'ITEM_SKU_TAKEN', 'A1'],
    [
      'a SKU’s code',
      { itemSku: 'A1' },
      { skus: [{ name: 'S', price: 1, sku: 'A1' }] },
      'ITEM_SKU_TAKEN',
      'A1',
    ],
    ['barcode', { barcode: '99' }, { barcode: '99' }, 'BARCODE_TAKEN', '99'],
    [
      'a SKU’s barcode',
      { skus: [{ name: 'S', price: 1, barcode: '99' }] },
      { barcode: '99' },
      'BARCODE_TAKEN',
      '99',
    ],
  ])(
    '409 when %s belongs to another product of the shop; in another shop it is free',
    async (_, first, second, code, named) => {
      const shop = await makeShop(running)
      const other = await makeShop(running)
      expect((await shop.post(PRODUCTS, newProduct(first))).status).toBe(200)
      const refused = await shop.post(PRODUCTS, newProduct(second))
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({ statusCode: 409, error: 'Conflict', code })
      expect(refused.body.message).toContain(`"${named}"`)
      expect((await other.post(PRODUCTS, newProduct(second))).status).toBe(200)
      expect((await shop.get(PRODUCTS)).body.data.meta.total).toBe(1)
    },
  )

  it('200 when codes are empty, and when a product and its SKU share them', async () => {
    const shop = await makeShop(running)
    expect((await shop.post(PRODUCTS, newProduct({ itemSku: '', barcode: '' }))).status).toBe(200)
    expect((await shop.post(PRODUCTS, newProduct({ itemSku: '', barcode: '' }))).status).toBe(200)
    const skus = [
      { name: 'S', price: 1, sku: 'P1', barcode: '1' },
      { name: 'M', price: 1, sku: '', barcode: '' },
      { name: 'L', price: 1, sku: '', barcode: '' },
    ]
    expect((await shop.post(PRODUCTS, newProduct({ itemSku: 'P1', barcode: '1', skus }))).status).toBe(200)
  })

  it.each([
    ['sku', '"skus[1].sku" duplicates another SKU’s code'],
    ['barcode', '"skus[1].barcode" duplicates another SKU’s barcode'],
  ])('400 when two SKUs of one body have the same %s', async (field, message) => {
    const shop = await makeShop(running)
    const skus = ['S', 'M'].map((name) => ({ name, price: 1, [field]: 'same' }))
    const answer = await shop.post(PRODUCTS, newProduct({ skus }))
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.message).toBe(message)
  })
})
