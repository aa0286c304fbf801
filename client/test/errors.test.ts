import { describe, expect, it } from 'vitest'
import { makeShop, separateService } from '../../server/test/support/service.ts'
import { ApiError, createShopbell, type ErrorCode } from '../src/index.ts'
import { errorOf, makeClient } from './support.ts'

describe('ApiError', () => {
  it('400: names the wrong field, and all of them', async () => {
    const { shop } = await makeClient()
    const wrong = { orderItems: [{ id: 'f'.repeat(24), quantity: 0 }] }
    const error = (await errorOf(shop.orders.createPos(wrong))) as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, code: undefined, field: 'orderItems.0.quantity' })
    expect(error.message).toMatch(/^"orderItems\[0\]\.quantity" must/)
    expect(error.fields).toEqual(['orderItems.0.quantity'])
    expect(error.requestId).toMatch(/\S/)
    expect(error.body).toMatchObject({ message: 'Validation failed' })
  })

  it('409 and 400: carries the code of the refused rule', async () => {
    const { shop } = await makeClient()
    await shop.products.create({ name: 'Áo len', price: 1, itemSku: 'AL-1' })
    const taken = errorOf(shop.products.create({ name: 'Áo khác', price: 1, itemSku: 'AL-1' }))
    const code: ErrorCode = 'ITEM_SKU_TAKEN'
    expect(await taken).toMatchObject({ status: 409, code, field: undefined })
  })

  it('401, 404: their text; 500: the malformed parameter, asked for once', async () => {
    const urls: string[] = []
    const { shop } = await makeClient({
      fetch(request) {
        urls.push(request.url)
        return fetch(request)
      },
    })
    expect(await errorOf(shop.products.get('f'.repeat(24)))).toMatchObject({
      status: 404,
      code: undefined,
      message: expect.stringContaining('product'),
    })
    urls.length = 0
    expect(await errorOf(shop.products.get('7'))).toMatchObject({ status: 500, field: expect.any(String) })
    expect(urls.length).toBe(1)
    const { shop: stranger } = await makeClient({ apiKey: 'sb_live_unknown' })
    const refused = (await errorOf(stranger.products.list())) as ApiError
    expect([refused.status, refused.message]).toEqual([401, (refused.body as { message: string }).message])
  })

  it('429: the text of the limit and the seconds until it ends, where they are not waited for', async () => {
    const limited = await separateService({ ratePerMinute: 2 })
    const { port } = limited.app.server.address() as { port: number }
    const { apiKey } = await makeShop(limited)
    const shop = createShopbell({ baseUrl: `http://127.0.0.1:${port}`, apiKey, maxWaitMs: 0 })
    await shop.wallet.get()
    await shop.wallet.get()
    const error = (await errorOf(shop.wallet.get())) as ApiError
    expect(error).toMatchObject({ status: 429, code: undefined })
    expect(error.message).toContain('2 requests per minute')
    expect(error.retryAfter).toBeGreaterThan(0)
    expect(error.retryAfter).toBeLessThanOrEqual(60)
  })

  it('is also made from the path form’s response, and from one that is not JSON', async () => {
    const { shop } = await makeClient()
    const { error, response } = await shop.GET('/api/external/v1/products', {
      params: { query: { limit: 51 } },
    })
    expect(new ApiError(response, error)).toMatchObject({ status: 400, field: 'limit' })
    const proxy = new ApiError(new Response(null, { status: 502 }), '<html>')
    expect(proxy).toMatchObject({ status: 502, message: 'HTTP 502', fields: [], body: '<html>' })
  })

  it('reads Retry-After as seconds or as a date', () => {
    const at = (value: string) =>
      new ApiError(new Response(null, { status: 503, headers: { 'retry-after': value } }), undefined)
        .retryAfter
    expect(at('90')).toBe(90)
    expect(at(new Date(Date.now() + 90_000).toUTCString())).toBeCloseTo(90, -1)
    expect(at('soon')).toBeUndefined()
  })
})
