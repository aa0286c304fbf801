import { describe, expect, it } from 'vitest'
import { onPostgres } from '../../support/database.ts'
import { makePerson, signIn } from '../../support/members.ts'
import { makeArticle } from '../../support/news.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { READS } from '../../support/read-shop.ts'
import {
  type Answer,
  makeShop,
  OPERATOR_TOKEN,
  type Partner,
  send,
  service,
  unusedId,
} from '../../support/service.ts'
import { createTemplate, TEMPLATES, templateBody } from '../../support/template-shop.ts'

const running = await service()

type Kind = {
  method: 'PATCH' | 'PUT'
  path: string
  /** A body that changes the record, differently for each number. */
  change: (n: number) => object
  /** The address of the record alone. */
  read?: string
}

const product = async (shop: Partner) => (await shop.post(PRODUCTS, newProduct())).body.data
const sku = { name: 'Một', price: 1_000 }

const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` }

/** Each kind of record that people change, created in the shop. */
const KINDS: Record<string, (shop: Partner) => Promise<Kind>> = {
  'E11 a product': async (shop) => {
    const path = `${PRODUCTS}/${(await product(shop)).id}`
    return { method: 'PATCH', path, read: path, change: (n) => ({ shopId: shop.shopId, price: n }) }
  },
  'G-37 variants': async (shop) => {
    const path = `${PRODUCTS}/${(await product(shop)).id}`
    const change = (n: number) => ({ variants: [], skus: [{ ...sku, price: n }] })
    return { method: 'PUT', path: `${path}/variants`, read: path, change }
  },
  'G-37 wholesale prices': async (shop) => {
    const { id, skus } = await product(shop)
    const change = (n: number) => ({ wholesalePrices: [{ skuId: skus[0].id, minQuantity: 5, price: n }] })
    return { method: 'PUT', path: `${PRODUCTS}/${id}/wholesale-prices`, read: `${PRODUCTS}/${id}`, change }
  },
  'G-37 sub-items': async (shop) => {
    const path = `${PRODUCTS}/${(await product(shop)).id}`
    const change = (n: number) => ({
      subItemsGroups: [{ name: 'Thêm', subItems: [{ name: 'Đá', price: n }] }],
    })
    return { method: 'PUT', path: `${path}/sub-items-groups`, read: path, change }
  },
  'G-46 a customer': async (shop) => {
    const { id } = (await shop.post(READS.customers, { fullName: 'Nguyễn An' })).body.data
    return { method: 'PATCH', path: `${READS.customers}/${id}`, change: (n) => ({ note: `${n}` }) }
  },
  'E16 an article': async (shop) => {
    const path = `${READS.news}/${(await makeArticle(shop)).id}`
    return { method: 'PUT', path, read: path, change: (n) => ({ metaDescription: `${n}` }) }
  },
  'E2 a template': async (shop) => {
    const path = `${TEMPLATES}/${(await createTemplate(shop, templateBody('oa-1')))._id}`
    return { method: 'PATCH', path, read: path, change: (n) => templateBody('oa-1', { note: `${n}` }) }
  },
  'G-37 a category': async (shop) => {
    const { id } = (await shop.post(READS.categories, { name: 'Áo' })).body.data
    const path = `${READS.categories}/${id}`
    return { method: 'PATCH', path, read: path, change: (n) => ({ sortOrder: n }) }
  },
  'G-38 a warehouse': async (shop) => {
    const { id } = (await shop.post(READS.warehouses, { name: 'Kho' })).body.data
    return { method: 'PATCH', path: `${READS.warehouses}/${id}`, change: (n) => ({ address: `${n}` }) }
  },
  'G-40 an order’s payment': async (shop) => {
    const orderItems = [{ id: (await product(shop)).skus[0].id, quantity: 1 }]
    const { id } = (await shop.post('/api/external/order/pos/create', { orderItems, isPaid: false })).body
      .data
    const read = `${READS.orders}/${id}`
    return { method: 'PATCH', path: `${read}/payment`, read, change: (n) => ({ paidAmount: n }) }
  },
  'G-18 an unfinished template': async (shop) => {
    const path = `${TEMPLATES}/unfinished`
    const read = `${path}/${(await shop.post(path, { name: '', content: '0' })).body.data.id}`
    return { method: 'PUT', path: read, read, change: (n) => ({ name: `${n}`, content: `${n}` }) }
  },
  'G-50 a draft of news': async (shop) => {
    const path = '/api/external/v1/news-drafts'
    const read = `${path}/${(await shop.post(path, {})).body.data.id}`
    return { method: 'PUT', path: read, read, change: (n) => ({ title: `${n}` }) }
  },
  'G-119 an audience': async (shop) => {
    const path = '/api/external/v1/audiences'
    const body = { name: 'Khách', conditions: [{ kind: 'debt', atLeast: 1 }] }
    const read = `${path}/${(await shop.post(path, body)).body.data.id}`
    return { method: 'PATCH', path: read, read, change: (n) => ({ name: `Khách ${n}` }) }
  },
  'G-61 a shop': async (shop) => {
    const path = `/api/manage/v1/shops/${shop.shopId}`
    return { method: 'PATCH', path, read: path, change: (n) => ({ name: `Tiệm ${n}` }) }
  },
  'G-61 a member’s role': async (shop) => {
    const { id } = await makePerson(running.deps, { shopId: shop.shopId })
    const path = `/api/manage/v1/shops/${shop.shopId}/members/${id}`
    await makePerson(running.deps, { shopId: shop.shopId })
    return { method: 'PATCH', path, change: (n) => ({ role: n % 2 === 0 ? 'staff' : 'viewer' }) }
  },
  'G-61 an official account': async (shop) => {
    const accounts = `/api/manage/v1/shops/${shop.shopId}/official-accounts`
    const { _id } = (await send(running, 'POST', accounts, { oaId: unusedId(), name: 'OA' }, OPERATOR)).body
      .data
    return { method: 'PATCH', path: `${accounts}/${_id}`, change: (n) => ({ price: n }) }
  },
  'G-90 an SMS sender': async (shop) => {
    const path = `/api/manage/v1/shops/${shop.shopId}/sms`
    const keys = { apiKey: 'khoa', secretKey: 'bi-mat' }
    return { method: 'PUT', path, read: path, change: (n) => ({ brandname: 'TIEM', price: n, ...keys }) }
  },
  'G-60 a key’s share of the limit': async (shop) => {
    const keys = `/api/manage/v1/shops/${shop.shopId}/keys`
    const made = await send(running, 'POST', keys, { name: 'Máy' }, OPERATOR)
    const read = `${keys}/${made.body.data.key._id}`
    return { method: 'PATCH', path: read, read, change: (n) => ({ maxPerMinute: n }) }
  },
  'G-91 a template’s text for SMS': async (shop) => {
    const read = `${TEMPLATES}/${(await createTemplate(shop, templateBody('oa-1')))._id}/sms-text`
    // Its removal is a change too, and none that can be mistaken for the beginning.
    return { method: 'PUT', path: read, read, change: (n) => ({ text: n === 2 ? null : `Tin ${n}` }) }
  },
  'G-62 the wallet’s threshold': async () => {
    const read = '/api/external/wallet/alert'
    return { method: 'PUT', path: read, read, change: (n) => ({ lowBelow: n }) }
  },
  'G-62 an endpoint': async (shop) => {
    const made = { url: 'https://erp.example/hook', events: ['*'] }
    const path = `/api/external/webhooks/${(await shop.post('/api/external/webhooks', made)).body.data.id}`
    return { method: 'PATCH', path, read: path, change: (n) => ({ url: `https://erp.example/${n}` }) }
  },
}

function callerOf(shop: Partner) {
  return (
    method: 'GET' | 'PATCH' | 'PUT',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) =>
    path.startsWith('/api/manage')
      ? send(running, method, path, body, { ...OPERATOR, ...headers })
      : shop.call(method, path, body, headers)
}

async function made(name: string) {
  const shop = await makeShop(running)
  const kind = await KINDS[name]!(shop)
  const call = callerOf(shop)
  const change = (n: number, ifMatch?: string): Promise<Answer> =>
    call(kind.method, kind.path, kind.change(n), ifMatch === undefined ? {} : { 'if-match': ifMatch })
  return { shop, kind, call, change }
}

describe.each(Object.keys(KINDS))('G-71 %s', (name) => {
  it('200 for the tag of the last change, 412 for that of an earlier one, which changes nothing', async () => {
    const { kind, call, change } = await made(name)
    const first = await change(1)
    expect([first.status, first.headers.etag]).toEqual([200, expect.stringMatching(/^"\d+"$/)])
    const { etag } = first.headers
    const second = await change(2, etag)
    expect(second.status).toBe(200)
    expect(second.headers.etag).not.toBe(etag)
    const refused = await change(3, etag)
    expect([refused.status, refused.body.code]).toEqual([412, 'RECORD_CHANGED'])
    expect(refused.headers.etag).toBe(second.headers.etag)
    expect(Date.parse(refused.body.changed.at)).toBeGreaterThan(Date.now() - 60_000)
    if (kind.read !== undefined) {
      const read = await call('GET', kind.read)
      expect(read.headers.etag).toMatch(
        new RegExp(`^"${second.headers.etag!.replaceAll('"', '')}\\.[\\w-]{27}"$`),
      )
      expect((await change(4, read.headers.etag)).status).toBe(200)
    }
  })

  it('200 for * and without the header; 412 for a weak or another tag, 200 for one with a proxy’s encoding behind it; 400 for an invalid tag', async () => {
    const { change } = await made(name)
    const { etag } = (await change(1)).headers
    for (const [held, status] of [
      [`W/${etag}`, 412],
      ['"abc", "999999"', 412],
      ['7', 400],
      ['', 400],
      [`${etag} x`, 400],
      // As a proxy that compresses changes it.
      [etag!.replace(/"$/, '-gzip"'), 200],
      ['*', 200],
    ] as const) {
      const answer = await change(2, held)
      expect([held, answer.status]).toEqual([held, status])
    }
    expect((await change(3)).status).toBe(200)
    expect((await change(4, `"abc" , ${(await change(5)).headers.etag}`)).status).toBe(200)
  })

  it.runIf(onPostgres)('of eight changes at once of the same version one wins', async () => {
    const { change } = await made(name)
    const { etag } = (await change(1)).headers
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => change(n + 2, etag)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
  })
})

describe('G-71 whose change it was', () => {
  it('names the person, or the key', async () => {
    const shop = await makeShop(running)
    const person = await makePerson(running.deps, { shopId: shop.shopId })
    const cookie = await signIn(running, person.email)
    const { path, change } = await KINDS['E11 a product']!(shop)
    const ifMatch = { 'if-match': '"0"' }
    const byKey = await shop.call('PATCH', path, change(1))
    expect(byKey.status).toBe(200)
    const after = await shop.call('PATCH', path, change(2), ifMatch)
    expect(after.body.changed.by).toEqual({ type: 'key', id: expect.any(String), name: expect.any(String) })
    const asPerson = { cookie, 'x-shop-id': shop.shopId }
    const saved = await send(running, 'PATCH', path, change(3), asPerson)
    expect(saved.status).toBe(200)
    const refused = await send(running, 'PATCH', path, change(4), { ...asPerson, ...ifMatch })
    expect(refused.body.changed).toEqual({
      at: saved.body.data.updatedAt,
      by: { type: 'member', id: person.id, name: 'Người thử' },
    })
    const read = await send(running, 'GET', path, undefined, asPerson)
    expect(read.headers).toMatchObject({ etag: expect.stringMatching(/^"2\./), 'cache-control': 'no-store' })
  })

  it('no author for the operator’s token', async () => {
    const { change } = await made('G-61 a shop')
    await change(1)
    expect((await change(2, '"0"')).body.changed.by).toBeNull()
  })

  it('404, not 412, for a record that the shop does not have', async () => {
    const shop = await makeShop(running)
    for (const path of [`${PRODUCTS}/${unusedId()}`, `${READS.customers}/${unusedId()}`]) {
      const body = path.startsWith(PRODUCTS) ? { shopId: shop.shopId } : {}
      expect((await shop.call('PATCH', path, body, { 'if-match': '*' })).status).toBe(404)
    }
    const news = `${READS.news}/${unusedId()}`
    expect((await shop.call('PUT', news, { title: 'Một' }, { 'if-match': '"1"' })).status).toBe(404)
  })

  it('G-10 a refusal frees its idempotency key, so that the change can be repeated with it', async () => {
    const { shop, kind, change } = await made('G-46 a customer')
    const { etag } = (await change(1)).headers
    const keyed = (ifMatch: string) =>
      shop.call('PATCH', kind.path, kind.change(2), { 'if-match': ifMatch, 'idempotency-key': 'one' })
    expect((await keyed('"0"')).status).toBe(412)
    expect((await keyed(etag!)).status).toBe(200)
    const again = await keyed(etag!)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
  })
})

describe('G-71 and a removed SMS sender', () => {
  it('412 for the tag of the sender that was removed, although another one was set meanwhile', async () => {
    const { kind, call, change } = await made('G-90 an SMS sender')
    const { etag } = (await change(1)).headers
    const remove = (ifMatch?: string) =>
      send(running, 'DELETE', kind.path, undefined, {
        ...OPERATOR,
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      })
    expect((await remove('"999"')).status).toBe(412)
    expect((await remove(etag)).status).toBe(200)
    expect((await call('GET', kind.path)).body.data).toBeNull()
    expect((await change(2, etag)).status).toBe(412)
    expect((await change(2)).status).toBe(200)
    expect((await change(3, etag)).status).toBe(412)
  })
})

describe('G-71 and stock', () => {
  it('a sale does not change the version of its product', async () => {
    const shop = await makeShop(running)
    const { id, skus } = await product(shop)
    const { etag } = (await shop.get(`${PRODUCTS}/${id}`)).headers
    await shop.post('/api/external/order/pos/create', { orderItems: [{ id: skus[0].id, quantity: 1 }] })
    const body = { shopId: shop.shopId, price: 5 }
    expect((await shop.call('PATCH', `${PRODUCTS}/${id}`, body, { 'if-match': etag! })).status).toBe(200)
  })
})
