import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownBytes } from '../../../src/http/reads/repeated-reads.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { type Call, raceReads } from '../../support/read-race.ts'
import { makeReadShop, POS, READS, type ReadShop } from '../../support/read-shop.ts'
import { makeShop, type Partner, partnerOf, send, service } from '../../support/service.ts'

let made: ReadShop
let shop: Partner
let elsewhere: Partner

beforeAll(async () => {
  made = await makeReadShop()
  const [one, two] = made.at
  shop = one
  elsewhere = two
})
afterAll(() => made.close())
beforeEach(() => {
  made.statements()
})

/** An address that nobody has requested yet; the parameter is ignored. */
let asked = 0
const fresh = (path: string) => `${path}${path.includes('?') ? '&' : '?'}n=${++asked}`
const LOOK_UP = /^\s*select area, sum\(stamp\)/

const paths: [string, () => string][] = [
  ['E8', () => `${PRODUCTS}?select=skus,variants,category`],
  ['E9', () => `${PRODUCTS}/${made.ids.product}`],
  ['E12', () => READS.orders],
  ['E13', () => `${READS.orders}/${made.ids.order}`],
  ['customers', () => READS.customers],
  ['categories', () => READS.categories],
  ['one category', () => `${READS.categories}/${made.ids.category}`],
  ['warehouses', () => READS.warehouses],
  ['news', () => READS.news],
  ['one article', () => `${READS.news}/${made.ids.article}`],
]

describe('G-70 a repeated read', () => {
  it.each(paths)('%s: 200 with the same bytes and one look-up, from the third time on', async (_, path) => {
    const url = fresh(path())
    const bodies: string[] = []
    const counts: number[] = []
    for (let n = 0; n < 4; n++) {
      made.statements()
      const answer = await made.apps[0].app.inject({
        url,
        headers: { 'x-api-key': `service-partner ${shop.apiKey}` },
      })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers['content-length']).toBe(`${Buffer.byteLength(answer.body)}`)
      bodies.push(answer.body)
      counts.push(made.statements().length)
    }
    expect(new Set(bodies).size).toBe(1)
    expect(counts).toEqual([1, 2, 1, 1])
    await shop.get(url)
    expect(made.statements()).toEqual([expect.stringMatching(LOOK_UP)])
  })

  it('counts to the rate limit like any other', async () => {
    const left = (headers: Record<string, string>) => Number(/r=(\d+)/.exec(headers.ratelimit!)![1])
    const url = fresh(READS.news)
    const counts: number[] = []
    for (let n = 0; n < 4; n++) counts.push(left((await shop.get(url)).headers))
    expect(counts).toEqual([0, 1, 2, 3].map((n) => counts[0]! - n))
  })

  it('sixteen at once share look-ups', async () => {
    const url = fresh(PRODUCTS)
    for (let n = 0; n < 3; n++) await shop.get(url)
    made.statements()
    const answers = await Promise.all(Array.from({ length: 16 }, () => shop.get(url)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const texts = made.statements()
    expect(texts.every((text) => LOOK_UP.test(text))).toBe(true)
    expect(texts.length).toBeLessThan(16)
  })

  it('G-08 names ignored parameters each time', async () => {
    const url = fresh(PRODUCTS)
    for (let n = 0; n < 3; n++) expect((await shop.get(url)).headers['x-ignored-parameters']).toBe('n')
  })

  it('one that is refused is read each time', async () => {
    const url = fresh(`${PRODUCTS}/${'0'.repeat(24)}`)
    for (let n = 0; n < 3; n++) expect((await shop.get(url)).status).toBe(404)
    expect(made.statements()).toHaveLength(3)
  })

  it('customers with select=debt are read each time, because what they owe depends on orders', async () => {
    const url = fresh('/api/external/v1/customers?select=debt')
    for (let n = 0; n < 3; n++) expect((await shop.get(url)).headers).not.toHaveProperty('etag')
  })

  it('E12 with select=soldBy is read each time, because a seller’s name belongs to no area', async () => {
    const url = fresh(`${READS.orders}?select=soldBy`)
    const nameOfSeller = async () => {
      const { body, headers } = await shop.get(url)
      expect(headers).not.toHaveProperty('etag')
      return body.data.orders[0].soldBy.name
    }
    const names = [await nameOfSeller(), await nameOfSeller(), await nameOfSeller()]
    expect(new Set(names).size).toBe(1)
    await sql`update api_keys set name = 'Quầy 2' where shop_id = ${shop.shopId}`.execute(
      made.apps[0].deps.db,
    )
    expect(await nameOfSeller()).toBe('Quầy 2')
  })

  it('another shop gets its own at the same address', async () => {
    const stranger = await makeShop(made.apps[0])
    const url = fresh(READS.customers)
    for (let n = 0; n < 3; n++) await shop.get(url)
    for (let n = 0; n < 3; n++) expect((await stranger.get(url)).body.data.customers).toEqual([])
  })
})

describe('G-70 ETag and If-None-Match', () => {
  it.each(paths)('%s: 304 without a body while the answer is the same, at any process', async (_, path) => {
    const url = fresh(path())
    const { etag, ...headers } = (await shop.get(url)).headers
    expect(etag).toMatch(/^"(\d+\.)?[\w-]{27}"$/)
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'x-api-key' })
    for (const at of [elsewhere, shop, shop, shop]) {
      const answer = await at.get(url, { 'if-none-match': etag! })
      expect([answer.status, answer.body]).toEqual([304, ''])
      expect(answer.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache', vary: 'x-api-key' })
      expect(answer.headers['content-type']).toBeUndefined()
      expect(answer.headers['content-length']).toBeUndefined()
    }
  })

  it('304 for one of several, a weak one and *, 200 for another', async () => {
    const url = fresh(PRODUCTS)
    const { etag } = (await shop.get(url)).headers
    const statuses = async (held: string) => {
      const answers = [await shop.get(url, { 'if-none-match': held })]
      answers.push(await shop.get(url, { 'if-none-match': held }))
      return answers.map(({ status }) => status)
    }
    expect(await statuses(`"other", W/${etag}`)).toEqual([304, 304])
    expect(await statuses('*')).toEqual([304, 304])
    expect(await statuses('"other"')).toEqual([200, 200])
  })

  it('HEAD has the headers of GET', async () => {
    const url = fresh(PRODUCTS)
    const { etag, 'content-length': length } = (await shop.get(url)).headers
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await shop.call('HEAD', url, undefined, { 'if-none-match': etag! })
      expect([status, headers.etag, headers['content-length']]).toEqual([200, etag, length])
    }
  })

  it('a session’s answer has none, so that no browser keeps it', async () => {
    const running = await service()
    const { email } = await makePerson(running.deps, { shopId: shop.shopId })
    const cookie = await signIn(running, email)
    const url = fresh(PRODUCTS)
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await send(running, 'GET', url, undefined, {
        cookie,
        'x-shop-id': shop.shopId,
      })
      expect(status).toBe(200)
      expect(headers).not.toHaveProperty('etag')
      expect(headers).not.toHaveProperty('cache-control')
    }
  })
})

describe('G-70 after a change', () => {
  const changes: [string, () => string, () => Promise<{ status: number }>][] = [
    [
      'E8: a price',
      () => PRODUCTS,
      () => shop.patch(`${PRODUCTS}/${made.ids.product}`, { shopId: shop.shopId, price: 7 }),
    ],
    ['E8: a new product', () => PRODUCTS, () => shop.post(PRODUCTS, newProduct({ name: 'Nón' }))],
    ['E8: stock that a sale takes', () => PRODUCTS, sell],
    ['E9: stock that came in', () => `${PRODUCTS}/${made.ids.product}`, receive],
    ['E12: a sale', () => READS.orders, sell],
    ['E12: a customer’s name', () => READS.orders, () => rename('Trần Bình')],
    [
      'E13: a status',
      () => `${READS.orders}/${made.ids.order}`,
      () => shop.patch(`${READS.orders}/${made.ids.order}/status`, { status: 'confirmed' }),
    ],
    [
      'E13: a payment',
      () => `${READS.orders}/${made.ids.order}`,
      () => shop.patch(`${READS.orders}/${made.ids.order}/payment`, { paidAmount: 1 }),
    ],
    [
      'E13: a product’s name',
      () => `${READS.orders}/${made.ids.order}`,
      () => shop.patch(`${PRODUCTS}/${made.ids.product}`, { shopId: shop.shopId, name: 'Áo mới' }),
    ],
    ['customers: a new one', () => READS.customers, () => shop.post(READS.customers, { fullName: 'Lê Chi' })],
    ['categories: a new one', () => READS.categories, () => shop.post(READS.categories, { name: 'Quần' })],
    ['warehouses: a new one', () => READS.warehouses, () => shop.post(READS.warehouses, { name: 'Kho hai' })],
    [
      'news: a title',
      () => READS.news,
      () => shop.put(`${READS.news}/${made.ids.article}`, { title: 'Tin mới' }),
    ],
    [
      'news: what is attached',
      () => `${READS.news}/${made.ids.article}`,
      () => shop.call('DELETE', `${READS.news}/${made.ids.article}/items`, { newsIds: [made.ids.product] }),
    ],
  ]

  function sell() {
    return shop.post(POS, { orderItems: [{ id: made.ids.sku, quantity: 1 }] })
  }

  function receive() {
    const items = [{ skuId: made.ids.sku, quantity: 5 }]
    return shop.post('/api/external/v1/inventory/entries', {
      warehouseId: made.ids.warehouse,
      type: 'receive',
      items,
    })
  }

  function rename(fullName: string) {
    return shop.patch(`${READS.customers}/${made.ids.customer}`, { fullName })
  }

  it.each(changes)(
    '%s shows at once, at the process of the change and at another',
    async (_, path, change) => {
      const url = fresh(path())
      const before = new Set<string>()
      for (const at of [shop, elsewhere]) {
        for (let n = 0; n < 3; n++) before.add((await at.get(url)).headers.etag!)
      }
      expect(before.size).toBe(1)
      expect((await change()).status).toBeLessThan(300)
      const [etag] = before
      const after = await Promise.all([shop, elsewhere].map((at) => at.get(url, { 'if-none-match': etag! })))
      expect(after.map(({ status }) => status)).toEqual([200, 200])
      expect(after[0]!.body).toEqual(after[1]!.body)
    },
  )

  it('of another area a read stays known: a sale leaves the news and the customers', async () => {
    for (const path of [READS.news, READS.customers, READS.categories]) {
      const url = fresh(path)
      for (let n = 0; n < 3; n++) await shop.get(url)
      await sell()
      made.statements()
      await shop.get(url)
      expect(made.statements()).toEqual([expect.stringMatching(LOOK_UP)])
    }
  })

  it('no read is older than what was committed before it began, with two apps at once', async () => {
    const running = await service()
    const { shopId, apiKey } = await makeShop(running)
    const calls = made.apps.map((app): Call => {
      const partner = partnerOf(app, shopId, apiKey)
      return (method, path, body) => partner.call(method, path, body)
    }) as [Call, Call]
    const products: string[] = []
    for (let n = 0; n < 3; n++) {
      const answer = await partnerOf(running, shopId, apiKey).post(PRODUCTS, newProduct({ price: 0 }))
      products.push(answer.body.data.id)
    }
    const { stale, reads } = await raceReads(calls, shopId, products, 10)
    expect(stale).toEqual([])
    expect(reads).toBeGreaterThan(60)
  })
})

it('G-70 a kept response holds no more memory than its bytes', () => {
  const kept = ownBytes('{"name":"Áo"}')
  expect([kept.toString(), kept.buffer.byteLength]).toEqual(['{"name":"Áo"}', 14])
})
