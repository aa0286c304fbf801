import { describe, expect, it } from 'vitest'
import { makeShop, service } from '../../server/test/support/service.ts'
import { createShopbell } from '../src/index.ts'

const running = await service()
const baseUrl = `http://127.0.0.1:${(running.app.server.address() as { port: number }).port}`

describe('the typed client', () => {
  it('calls with the key, and returns a refusal as the service words it', async () => {
    const { apiKey } = await makeShop(running)
    const shopbell = createShopbell({ baseUrl, apiKey })
    const made = await shopbell.POST('/api/external/v1/products', {
      body: { name: 'Áo len', price: 350_000 },
    })
    expect(made.data?.data.name).toBe('Áo len')
    const refused = await shopbell.GET('/api/external/v1/products/{id}', {
      params: { path: { id: 'f'.repeat(24) } },
    })
    expect(refused.response.status).toBe(404)
    expect(refused.data).toBeUndefined()
  })

  it('repeats a write whose answer was lost under the same key: it is done once', async () => {
    const { apiKey } = await makeShop(running)
    const keys: (string | null)[] = []
    const shopbell = createShopbell({
      baseUrl,
      apiKey,
      fetch: async (request) => {
        keys.push(request.headers.get('idempotency-key'))
        const response = await fetch(request)
        if (keys.length === 1) throw new TypeError('the connection broke')
        return response
      },
    })
    const { data, response } = await shopbell.POST('/api/external/v1/customers', {
      body: { fullName: 'Trần Bình' },
    })
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(new Set(keys).size).toBe(1)
    const listed = await shopbell.GET('/api/external/v1/customers', {
      params: { query: { page: 1, limit: 10, total: 'exact' } },
    })
    expect(listed.data?.data.customers.map(({ _id }) => _id)).toEqual([data?.data._id])
  })
})
