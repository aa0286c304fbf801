import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { service } from '../../support/service.ts'

const { app } = await service()

/** The first is too short to be worth compressing. */
const DOCUMENTS = [
  '/llms.txt',
  '/openapi.json',
  '/docs/',
  '/docs/js/scalar.js',
  '/docs/guide',
  '/docs/guide.md',
  '/docs/collection.json',
]

/** From an address of its own, whose requests are counted apart. */
const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  app.inject({ url, headers, remoteAddress })

describe('G-07 the documents that anyone may read', () => {
  it.each(DOCUMENTS.slice(1))('200 %s in the coding that is accepted, then 304 for its ETag', async (url) => {
    const plain = await get(url)
    const decoded = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0', undefined],
    ] as const) {
      const { statusCode, headers, rawPayload } = await get(url, { 'accept-encoding': accepted })
      expect([statusCode, headers['content-encoding'], headers.vary]).toEqual([
        200,
        coding,
        'accept-encoding',
      ])
      expect(headers['content-type']).toBe(plain.headers['content-type'])
      const bytes = coding === undefined ? rawPayload : decoded[coding](rawPayload)
      expect(bytes.equals(plain.rawPayload)).toBe(true)
      expect(headers.etag).toMatch(/^"[\w-]+"$/)
      expect(headers.etag === plain.headers.etag).toBe(coding === undefined)
      const held = await get(url, { 'accept-encoding': accepted, 'if-none-match': String(headers.etag) })
      expect([held.statusCode, held.body, held.headers.etag]).toEqual([304, '', headers.etag])
      expect(held.headers['cache-control']).toBe('no-cache')
    }
  })

  it.each(['/docs/js/scalar.js', '/openapi.json'])(
    'are made once: %s costs less than 10 ms after the first',
    async (url) => {
      const one = () => app.inject({ method: 'HEAD', url, remoteAddress: '192.0.2.2' })
      await one()
      const rounds: number[] = []
      for (let round = 0; round < 5; round++) {
        const before = process.cpuUsage()
        for (let n = 0; n < 10; n++) await one()
        const { user, system } = process.cpuUsage(before)
        rounds.push((user + system) / 10_000)
      }
      // What else this process does counts too, but not in each round.
      expect(Math.min(...rounds)).toBeLessThan(10)
    },
  )

  it('429 with Retry-After beyond 120 a minute from one address, for all documents together', async () => {
    const from = '192.0.2.3'
    const statuses = new Set<number>()
    for (let n = 0; n < 120; n++) statuses.add((await get(DOCUMENTS[n % 2]!, {}, from)).statusCode)
    expect([...statuses]).toEqual([200])
    for (const url of [...DOCUMENTS, '/docs']) {
      const { statusCode, headers } = await get(url, {}, from)
      expect([url, statusCode, Number(headers['retry-after']) > 0]).toEqual([url, 429, true])
    }
    expect((await get('/openapi.json', {}, '192.0.2.4')).statusCode).toBe(200)
  })
})
