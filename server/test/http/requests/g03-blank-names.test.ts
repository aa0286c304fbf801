import { describe, expect, it } from 'vitest'
import { importFile } from '../../support/imports.ts'
import { createProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, manage, service } from '../../support/service.ts'
import { insertShopRecords } from '../../support/shop-records.ts'

const running = await service()

/** Space, tab, no-break and ideographic space, zero-width, soft hyphen, Hangul filler, braille blank. */
const BLANKS = [
  '',
  ' ',
  '\t\n',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\u200b \ufeff',
  '\u2060\u00ad',
  '\u3164',
  '\u2800',
]

const shop = await makeShop(running)
const ids = await insertShopRecords(running, shop.shopId)
const shopPath = `/shops/${shop.shopId}`

const sku = (name: string) => ({ name, price: 1 })
const variant = (name: string, value = 'S') => ({ id: 'g', name, options: [{ id: 'o', value }] })
const template = (more: object) => ({
  oaId: ids.officialAccount,
  name: 'Mẫu',
  title: 'Mẫu',
  tag: '1',
  templateType: 'custom',
  imageType: 'logo',
  contentBlocks: [],
  buttons: [],
  params: [],
  isCustomParams: true,
  ...more,
})
const product = (more: object) => ({ name: 'x', price: 1, ...more })
const link = 'https://chatapp.example/s/1/a'
const accounts = `${shopPath}/official-accounts`

type Case = ['POST' | 'PATCH' | 'PUT', string, (name: string) => object, string]
const CASES: Case[] = [
  ['POST', PRODUCTS, (name) => product({ name }), 'name'],
  ['PATCH', `${PRODUCTS}/${ids.product}`, (name) => ({ shopId: shop.shopId, name }), 'name'],
  ['POST', PRODUCTS, (name) => product({ skus: [sku(name)] }), 'skus[0].name'],
  ['POST', PRODUCTS, (name) => product({ variants: [variant(name)] }), 'variants[0].name'],
  ['POST', PRODUCTS, (name) => product({ variants: [variant('x', name)] }), 'variants[0].options[0].value'],
  [
    'PUT',
    `${PRODUCTS}/${ids.product}/variants`,
    (name) => ({ variants: [], skus: [sku(name)] }),
    'skus[0].name',
  ],
  [
    'PUT',
    `${PRODUCTS}/${ids.product}/sub-items-groups`,
    (name) => ({ subItemsGroups: [{ name, subItems: [{ name: 'x' }] }] }),
    'subItemsGroups[0].name',
  ],
  ['POST', '/api/external/v1/categories', (name) => ({ name }), 'name'],
  ['PATCH', `/api/external/v1/categories/${ids.category}`, (name) => ({ name }), 'name'],
  ['POST', '/api/external/v1/customers', (fullName) => ({ fullName }), 'fullName'],
  ['PATCH', `/api/external/v1/customers/${ids.customer}`, (fullName) => ({ fullName }), 'fullName'],
  ['POST', '/api/external/v1/warehouses', (name) => ({ name }), 'name'],
  ['PATCH', `/api/external/v1/warehouses/${ids.warehouse}`, (name) => ({ name }), 'name'],
  ['POST', '/api/external/news', (title) => ({ title, content: '<p>x</p>' }), 'title'],
  ['PUT', `/api/external/news/${ids.article}`, (title) => ({ title }), 'title'],
  ['PUT', `/api/external/news/${ids.article}`, (name) => ({ cta: [{ name, url: link }] }), 'cta[0].name'],
  ['POST', '/api/external/notify-template/create', (name) => template({ name }), 'name'],
  ['POST', '/api/external/notify-template/create', (title) => template({ title }), 'title'],
  ['PATCH', `/api/external/notify-template/${ids.template}`, (name) => template({ name }), 'name'],
]
const MANAGED: Case[] = [
  ['POST', '/shops', (name) => ({ name }), 'name'],
  ['PATCH', shopPath, (name) => ({ name }), 'name'],
  ['POST', `${shopPath}/keys`, (name) => ({ name }), 'name'],
  ['POST', accounts, (name) => ({ oaId: 'oa-9', name }), 'name'],
]

describe('G-03 a name of blanks only is an empty one', () => {
  it.each(CASES)('400 %s %s: %o', async (method, path, bodyOf, field) => {
    for (const blank of BLANKS) {
      const { status, body } = await shop.call(method, path, bodyOf(blank))
      expect([blank, status]).toEqual([blank, 400])
      expect(body.validation.body.message).toBe(`"${field}" is not allowed to be empty`)
    }
  })

  it.each(MANAGED)('400 %s %s of the management API', async (method, path, bodyOf, field) => {
    for (const blank of BLANKS) {
      const { status, body } = await manage(running, method, path, bodyOf(blank))
      expect([blank, status]).toEqual([blank, 400])
      expect(body.validation.body.message).toBe(`"${field}" is not allowed to be empty`)
    }
  })

  it('files: a line with a blank name is refused by its column', async () => {
    const other = await makeShop(running)
    const refused = await importFile(other, 'name,price\n\u200b,1000\n', 'mode=each-row')
    expect(refused.errors).toEqual([
      { line: 2, column: 'name', message: '"name" is not allowed to be empty' },
    ])
  })

  it('200 of names that show something: an emoji with its joiners, a lone mark, a dot', async () => {
    for (const name of ['👩‍👩‍👧', '\u0301', '.', ' a ']) {
      expect((await createProduct(shop, { name })).name).toBe(name)
    }
  })
})
