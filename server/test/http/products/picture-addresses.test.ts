import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { importFile, importLines } from '../../support/imports.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'
import { CREATE, createTemplate, makeShopWithOa, templateBody } from '../../support/template-shop.ts'

const running = await service()
const CATEGORIES = '/api/external/v1/categories'
const NEWS = '/api/external/news'

const GOOD = [
  'https://cdn.example/a.png',
  'http://cdn.example/ảnh 1.jpg?x=1#y',
  'HTTPS://cdn.example:8443/a',
  '/images/0123456789abcdef01234567/a.png',
]
const BAD = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'a.png',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  'https://',
  'https:///a',
]

const says = (field: string) => `"${field}" must be a valid uri with a scheme matching the http|https pattern`

describe('E10, E11, E16 addresses of pictures', () => {
  async function writers(shop: Partner) {
    const product = (await shop.post(PRODUCTS, newProduct())).body.data
    const article = (await shop.post(NEWS, { title: 'Tin', content: 'a' })).body.data
    return [
      (images: string[]) => shop.post(PRODUCTS, newProduct({ images })),
      (images: string[]) => shop.patch(`${PRODUCTS}/${product._id}`, { shopId: shop.shopId, images }),
      (images: string[]) => shop.post(NEWS, { title: 'Tin', content: 'a', images }),
      (images: string[]) => shop.put(`${NEWS}/${article._id}`, { images }),
    ]
  }

  it('http, https and paths of ours are taken as they are', async () => {
    for (const write of await writers(await makeShop(running))) {
      const { status, body } = await write(GOOD)
      expect([200, 201], JSON.stringify(body)).toContain(status)
      expect(body.data.images).toEqual(GOOD)
    }
  })

  it('400 naming the image for anything else', async () => {
    const shop = await makeShop(running)
    for (const write of await writers(shop)) {
      for (const bad of BAD) {
        const { status, body } = await write([GOOD[0]!, bad])
        expect([bad, status, body.validation?.body]).toEqual([
          bad,
          400,
          { source: 'body', keys: ['images.1'], message: says('images[1]') },
        ])
      }
    }
  })

  it('the same for a category’s image, which may be empty', async () => {
    const shop = await makeShop(running)
    for (const image of [...GOOD, '']) {
      expect([image, (await shop.post(CATEGORIES, { name: 'Áo', image })).status]).toEqual([image, 201])
    }
    for (const image of BAD) {
      const { status, body } = await shop.post(CATEGORIES, { name: 'Áo', image })
      expect([image, status, body.validation?.body.message]).toEqual([image, 400, says('image')])
    }
  })

  it('an import names the line of a product with another address', async () => {
    const shop = await makeShop(running)
    const ended = await importFile(
      shop,
      'name,price,images\nÁo,1,https://cdn.example/a.png\nMũ,1,javascript:alert(1)\n',
      'mode=each-row',
    )
    expect(ended).toMatchObject({ created: 1, failed: 1, errors: [{ line: 3, column: 'images' }] })
  })
})

describe('E10, E11, G-37 how long the addresses of pictures are together', () => {
  const addresses = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => `https://cdn.example/${n}/`.padEnd(length, 'a'))
  const [most, tooLong] = [addresses(200, 100), [...addresses(199, 100), ...addresses(1, 101)]]
  const [mostOfSku, tooLongOfSku] = [addresses(20, 250), [...addresses(19, 250), ...addresses(1, 251)]]

  it('200 for 20,000 characters of a product and 5,000 of a SKU; 400 naming the images for one more', async () => {
    const shop = await makeShop(running)
    const product = (await shop.post(PRODUCTS, newProduct())).body.data
    const path = `${PRODUCTS}/${product._id}`
    const variants = (images: string[]) => {
      const skus = [
        { name: 'A', price: 1 },
        { name: 'B', price: 1, images },
      ]
      return shop.put(`${path}/variants`, { variants: [], skus })
    }
    const product20k = (images: string[]) => [
      shop.post(PRODUCTS, newProduct({ images })),
      shop.patch(path, { shopId: shop.shopId, images }),
    ]
    for (const answer of [...product20k(most), variants(mostOfSku)]) expect((await answer).status).toBe(200)
    for (const answer of product20k(tooLong)) {
      expect(await answer).toMatchObject({
        status: 400,
        body: { validation: { body: { keys: ['images'] } } },
      })
    }
    expect((await variants(tooLongOfSku)).body.validation.body).toEqual({
      source: 'body',
      keys: ['skus.1.images'],
      message: '"skus[1].images" must contain at most 5000 characters together',
    })
  })

  it('an import names the line of a product with longer ones; a product stored with more keeps them', async () => {
    const shop = await makeShop(running)
    const { _id } = (await shop.post(PRODUCTS, newProduct())).body.data
    const fresh = [{ name: 'Mũ', price: 1, images: tooLong }]
    expect(await importLines(shop, fresh, 'mode=each-row')).toMatchObject({
      failed: 1,
      errors: [{ line: 1, column: 'images' }],
    })
    await sql`update products set images = ${JSON.stringify(tooLong)}::jsonb where id = ${_id}`.execute(
      running.deps.db,
    )
    const again = [{ productId: _id, name: 'Áo', price: 2, images: tooLong }]
    expect(await importLines(shop, again, 'mode=each-row')).toMatchObject({ updated: 1, failed: 0 })
    const renamed = await shop.patch(`${PRODUCTS}/${_id}`, { shopId: shop.shopId, name: 'Áo dài' })
    expect([renamed.status, renamed.body.data.images]).toEqual([200, tooLong])
  })
})

describe('G-12 the address of a button of type 7', () => {
  const withButton = (oaId: string, value: string) =>
    templateBody(oaId, { buttons: [{ label: 'Xem đơn hàng', type: '7', value }] })

  it.each([
    'https://shop.example/orders/<order_code>',
    'http://shop.example',
    '<order_code>',
    'https://<order_code>/x',
    '',
  ])('200 for %j', async (value) => {
    const shop = await makeShopWithOa(running)
    const template = await createTemplate(shop, withButton(shop.oaId, value))
    expect(template.buttons[0].value).toBe(value)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'shop.example', ' javascript:alert("<order_code>")'])(
    '400 naming it for %j',
    async (value) => {
      const shop = await makeShopWithOa(running)
      const { status, body } = await shop.post(CREATE, withButton(shop.oaId, value))
      expect([status, body.validation?.body]).toEqual([
        400,
        { source: 'body', keys: ['buttons.0.value'], message: '"buttons[0].value" must be a valid uri' },
      ])
    },
  )
})
