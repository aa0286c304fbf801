import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makePerson, signIn } from '../../support/members.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, send, service } from '../../support/service.ts'

const running = await service()
const shop = await makeShop(running)
const { id } = (await shop.post(PRODUCTS, newProduct({ description: 'Gỗ sồi, dầu lanh. '.repeat(200) }))).body
  .data
const person = await makePerson(running.deps, { shopId: shop.shopId })
const session = { cookie: await signIn(running, person.email), 'x-shop-id': shop.shopId }

async function read(url: string, headers: Record<string, string>) {
  const { statusCode, headers: answered, rawPayload } = await running.app.inject({ url, headers })
  return { status: statusCode, headers: answered, bytes: rawPayload }
}

describe('a read with a session', () => {
  it('200 compressed as the request accepts it, the same response for all', async () => {
    const plain = await read(PRODUCTS, session)
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined])
    const text = plain.bytes.toString()
    for (const [accepted, encoding, decompress] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await read(PRODUCTS, { ...session, 'accept-encoding': accepted })
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding'])
      expect(Number(headers['content-length'])).toBe(bytes.length)
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(decompress(bytes).toString()).toBe(text)
    }
  })

  it('200 with an ETag of its own for each encoding, which changes the record (G-71)', async () => {
    const tags: string[] = []
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { headers } = await read(`${PRODUCTS}/${id}`, { ...session, 'accept-encoding': accepted })
      tags.push(String(headers.etag))
    }
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) expect(tag.split('.')[0]).toBe('"0')
    const path = `${PRODUCTS}/${id}`
    const change = (price: number) =>
      send(running, 'PATCH', path, { shopId: shop.shopId, price }, { ...session, 'if-match': tags[2]! })
    expect((await change(5_000)).status).toBe(200)
    expect((await change(6_000)).status).toBe(412)
  })

  it('200 uncompressed for a small response, and for a key (G-70)', async () => {
    const accepting = { 'accept-encoding': 'br' }
    const small = await read('/api/external/v1/categories', { ...session, ...accepting })
    expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined])
    const keyed = await read(PRODUCTS, { 'x-api-key': `service-partner ${shop.apiKey}`, ...accepting })
    expect([keyed.status, keyed.headers['content-encoding']]).toEqual([200, undefined])
  })
})
