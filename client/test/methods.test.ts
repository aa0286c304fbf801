import { readFile } from 'node:fs/promises'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { pictureBytes } from '../../server/test/support/images.ts'
import { eventually } from '../../server/test/support/service.ts'
import { readTable } from '../src/call-methods.ts'
import type { components } from '../src/index.ts'
import { METHODS } from '../src/methods.ts'
import { baseUrl, makeClient, operator } from './support.ts'

describe('the methods', () => {
  it('are one for each operation of the document, but for probes and the console’s sessions', async () => {
    const document = JSON.parse(await readFile(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
    const operations = Object.entries<Record<string, { tags: string[] }>>(document.paths).flatMap(
      ([path, verbs]) =>
        Object.entries(verbs)
          .filter(([, { tags }]) => !['Service', 'Console'].includes(tags[0]!))
          .map(([verb]) => `${verb.toUpperCase()} ${path}`),
    )
    const entries = Object.values(METHODS).flatMap((group) => Object.values<string>(group))
    expect(entries.map((entry) => entry.split(' ', 2).join(' ')).toSorted()).toEqual(operations.toSorted())
  })

  it('are generated from a table that agrees with their types', () => {
    const table = readTable((verb, path, more) => [verb, path, more].filter(Boolean).join(' '))
    expect(table).toEqual(METHODS)
  })

  it('take ids, then the body, and give the answer’s body by its type', async () => {
    const { shop } = await makeClient()
    const { data: product } = await shop.products.create({ name: 'Áo len', price: 350_000, itemSku: 'AL-1' })
    expectTypeOf(product.price).toEqualTypeOf<number>()
    const { data: changed } = await shop.products.update(product._id, {
      shopId: product.shopId,
      price: 360_000,
    })
    const { data: read } = await shop.products.get(product._id, { select: 'skus' })
    expectTypeOf(read).toEqualTypeOf<components['schemas']['Product']>()
    expect([changed.price, read.price, read.skus?.length]).toEqual([360_000, 360_000, 1])

    const { data: order } = await shop.orders.createPos({ orderItems: [{ id: product._id, quantity: 2 }] })
    const { data: sent } = await shop.orders.updateStatus(order._id, { status: 'confirmed' })
    expect([order.code, sent.status]).toEqual([sent.code, 'confirmed'])

    const { data: article } = await shop.news.create({ title: 'Khai trương', content: '<p>Mới</p>' })
    await shop.news.attachProducts(article._id, { newsIds: [product._id] })
    // A DELETE with a body.
    expect(await shop.news.detachProducts(article._id, { newsIds: [product._id] })).toEqual({ success: true })
    expect((await shop.wallet.get()).balance).toBe(0)
  })

  it('take images and tables as they are, and give tables as text and images as blobs', async () => {
    const { shop, partner } = await makeClient()
    const bytes = await pictureBytes('jpeg')
    const { data: image } = await shop.images.upload(new Uint8Array(bytes))
    const { data: same } = await shop.images.upload(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }))
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'ao.jpg')
    const { data: sent } = await shop.images.upload(form)
    expect([image.contentType, same.url, sent.url]).toEqual(['image/jpeg', image.url, image.url])
    const file = new URL(image.url, baseUrl).pathname.split('/').at(-1)!
    expect((await shop.images.download(partner.shopId, file)).type).toBe('image/jpeg')

    const csv = 'name,price\nTrà sen,45000\n'
    const { data: begun } = await shop.products.import(csv, { query: { dryRun: true } })
    const ended = await eventually(async () => {
      const { data } = await shop.products.getImport(begun._id)
      return data.status === 'done' && data
    })
    expect([ended.dryRun, ended.created]).toEqual([true, 1])
    await shop.products.create({ name: 'Trà sen', price: 45_000 })
    const exported = await shop.products.export()
    expectTypeOf(exported).toEqualTypeOf<string>()
    expect(exported).toContain('"Trà sen"')
  })

  it('serve the operator with the token of the management API', async () => {
    const manage = operator().management
    const { data } = await manage.createShop({ name: 'Tiệm Hoa' })
    const { data: read } = await manage.getShop(data.shop._id)
    expect(read.shop.name).toBe('Tiệm Hoa')
  })

  it('send the caller’s idempotency key and headers, and stop at its signal', async () => {
    const { shop } = await makeClient()
    const options = { idempotencyKey: 'order 17', headers: { 'x-validation-detail': '1' } }
    const first = await shop.customers.create({ fullName: 'Trần Bình' }, options)
    const second = await shop.customers.create({ fullName: 'Trần Bình' }, options)
    expect(second).toEqual(first)
    const aborted = shop.products.list({}, { signal: AbortSignal.abort(new Error('enough')) })
    await expect(aborted).rejects.toThrow('enough')
  })
})

describe('the types of the methods', () => {
  it('refuse what the document does not define', async () => {
    const { shop } = await makeClient()
    const calls = () => [
      // @ts-expect-error: an unknown parameter
      shop.products.list({ serch: 'trà' }),
      // @ts-expect-error: the id is missing
      shop.products.get(),
      // @ts-expect-error: a price is needed
      shop.products.create({ name: 'Áo len' }),
      // @ts-expect-error: the month is needed
      shop.wallet.downloadStatement(),
      // @ts-expect-error: no list
      shop.products.get.all,
    ]
    expect(calls).toBeTypeOf('function')
  })
})
