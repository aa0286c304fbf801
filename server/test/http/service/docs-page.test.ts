import { describe, expect, it } from 'vitest'
import { service } from '../../support/service.ts'

const { app } = await service()

describe('the API page', () => {
  it('301 from /docs to the folder its script is relative to', async () => {
    const answer = await app.inject({ url: '/docs?from=mail' })
    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/docs/'])
  })

  it('200 a page that reads our document and may load from nowhere else', async () => {
    const answer = await app.inject({ url: '/docs/' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
    expect(answer.body).toContain('<title>Shopbell API</title>')
    expect(answer.body).toContain('"/openapi.json"')
    const scripts = [...answer.body.matchAll(/src="([^"]+)"/g)].map((match) => match[1])
    expect(scripts).toEqual(['js/scalar.js'])
  })

  it('200 its script whole, also to several browsers at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => app.inject({ url: '/docs/js/scalar.js' })))
    for (const { statusCode, headers, rawPayload } of answers) {
      expect([statusCode, headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8'])
      expect(rawPayload.length).toBe(Number(headers['content-length']))
      expect(rawPayload.length).toBeGreaterThan(1_000_000)
    }
  })

  it('404 for another path below it', async () => {
    expect((await app.inject({ url: '/docs/js/other.js' })).statusCode).toBe(404)
  })
})
