import { describe, expect, expectTypeOf, it } from 'vitest'
import type { components } from '../src/index.ts'
import { METHODS } from '../src/methods.ts'
import { answering, makeClient, operator, refusal, running } from './support.ts'

type List = { all(...args: unknown[]): AsyncIterable<unknown> }

describe('.all of a list', () => {
  it('gives every record once, over many pages, and asks for no page before it is needed', async () => {
    const { requests, fetch } = answering()
    const { shop } = await makeClient({ fetch })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await shop.customers.create({ fullName: name })
    requests.length = 0
    const names: (string | null)[] = []
    for await (const customer of shop.customers.list.all({ limit: 2 })) {
      expectTypeOf(customer).toEqualTypeOf<components['schemas']['ListedCustomer']>()
      names.push(customer.fullName)
      expect(requests.length).toBe(Math.ceil(names.length / 2))
    }
    expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('asks for the longest page the document allows, without a count of all', async () => {
    const { requests, fetch } = answering()
    const { shop } = await makeClient({ fetch })
    await Array.fromAsync(shop.products.list.all({ search: 'tra sen' }))
    const asked = requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams))
    expect(asked).toEqual([{ limit: '50', cursor: '*', total: 'none', search: 'tra sen' }])
  })

  it('follows the cursor of a list that has one', async () => {
    const { shop } = await makeClient()
    const { data: product } = await shop.products.create({ name: 'Trà sen', price: 45_000 })
    const skus = (await shop.products.get(product._id, { select: 'skus' })).data.skus!
    for (let quantity = 1; quantity <= 5; quantity++)
      await shop.inventory.createEntry({ type: 'receive', items: [{ skuId: skus[0]!._id, quantity }] })
    const movements = await Array.fromAsync(shop.inventory.listMovements.all({ limit: 2 }))
    expect(movements.map(({ quantity }) => quantity)).toEqual([5, 4, 3, 2, 1])
  })

  it.each(
    Object.entries(METHODS).flatMap(([group, methods]) =>
      Object.entries<string>(methods)
        .filter(([, entry]) => /^GET \S+ /.test(entry))
        .map(([name, entry]) => [`${group}.${name}`, entry] as const),
    ),
  )('ends on %s of the real service, with records or none', async (name, entry) => {
    const { shop, partner } = await makeClient()
    const [group, method] = name.split('.') as ['products', 'list']
    const of = group === ('management' as string) ? operator() : shop
    let id = partner.shopId
    if (group === ('webhooks' as string)) {
      const made = await shop.webhooks.create({ url: 'https://erp.example.com/hook', events: ['*'] })
      id = made.data._id
    }
    const list: List = of[group][method]
    const ids = entry.includes('{queue}') ? ['submit-template'] : entry.includes('{id}') ? [id] : []
    const needed = method === ('listShopCharges' as string) ? [{ month: '2026-11' }] : []
    const records = await Array.fromAsync(list.all(...ids, ...needed))
    expect(records.every((record) => typeof record === 'object')).toBe(true)
  })

  it('reads 150 pages under a limit of 100 a minute without an error', async () => {
    let [calls, waits] = [0, 0]
    const limited = async (request: Request) => {
      calls += 1
      // The service's response to the 101st call of a minute; this minute is over at once.
      if (calls % 101 !== 0) return fetch(request)
      waits += 1
      return refusal(429, 0, { error: 'Rate limit exceeded: the limit is 100 requests per minute per shop.' })
    }
    const { shop, partner } = await makeClient({ fetch: limited })
    const customers = Array.from({ length: 150 }, (_, index) => `Khách ${index}`)
    for (const fullName of customers) await partner.post('/api/external/v1/customers', { fullName })
    const found = await Array.fromAsync(shop.customers.list.all({ limit: 1 }))
    expect(new Set(found.map(({ fullName }) => fullName))).toEqual(new Set(customers))
    expect([found.length, calls, waits]).toEqual([150, 152, 1])
  }, 60_000)

  it('ends with the refusal, and at the caller’s signal', async () => {
    const { shop } = await makeClient()
    await expect(Array.fromAsync(shop.products.list.all({ limit: 51 }))).rejects.toMatchObject({
      status: 400,
      field: 'limit',
    })
    const stop = new AbortController()
    for (const fullName of ['a', 'b']) await shop.customers.create({ fullName })
    const reading = (async () => {
      for await (const _ of shop.customers.list.all({ limit: 1 }, { signal: stop.signal }))
        stop.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(running.app.server.listening).toBe(true)
  })
})
