import { describe, expect, it } from 'vitest'
import { makeShop, service } from '../../support/service.ts'

const running = await service()
const { app } = running

type Named = { key: string; value: string; disabled?: boolean }
type Request = {
  method: string
  auth?: { type: string }
  header: Named[]
  url: { raw: string; path: string[]; query: Named[]; variable: Named[] }
  body?: { mode: string; raw?: string }
}
type Item = { name: string; request: Request }

const answer = await app.inject({ url: '/docs/collection.json' })
const collection = answer.json() as {
  info: { schema: string }
  item: { name: string; item: Item[] }[]
  variable: Named[]
}
const document = (await app.inject({ url: '/openapi.json' })).json()
const items = collection.item.flatMap(({ item }) => item)

describe('the collection for Postman and Bruno', () => {
  it('200 a file with a request for each operation that the document has now, but the console’s own', () => {
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="shopbell.postman_collection.json"',
    ])
    expect(collection.info.schema).toContain('/v2.1.0/')
    const operations = Object.values<Record<string, { operationId: string; tags: string[] }>>(document.paths)
      .flatMap((verbs) => Object.values(verbs))
      .filter(({ tags }) => tags[0] !== 'Console')
      .map(({ operationId }) => operationId)
    expect(items.map(({ name }) => name.split(':')[0]).toSorted()).toEqual(operations.toSorted())
  })

  it('names as variables what the reader fills in: the address, the key, the token', () => {
    const named = new Set(JSON.stringify(collection).match(/\{\{\w+\}\}/g))
    const variables = collection.variable.map(({ key }) => `{{${key}}}`)
    expect([...named].toSorted()).toEqual(variables.toSorted())
  })

  it('has requests that the service accepts as they are: each read of a shop without an id, a customer created', async () => {
    const { apiKey } = await makeShop(running)
    const send = ({ method, url, header, body }: Request) => {
      const query = url.query.filter(({ disabled }) => !disabled)
      return app.inject({
        method: method as 'GET',
        url: `/${url.path.join('/')}?${new URLSearchParams(Object.fromEntries(query.map(({ key, value }) => [key, value])))}`,
        headers: {
          'x-api-key': `service-partner ${apiKey}`,
          ...Object.fromEntries(header.map(({ key, value }) => [key, value])),
        },
        ...(body?.raw !== undefined && { payload: body.raw }),
      })
    }
    const reads = items.filter(
      ({ request }) =>
        request.method === 'GET' && request.auth === undefined && request.url.variable.length === 0,
    )
    expect(reads.length).toBeGreaterThan(15)
    for (const { name, request } of reads)
      expect([name, (await send(request)).statusCode]).toEqual([name, 200])
    const create = items.find(({ name }) => name.startsWith('createCustomer:'))!
    expect((await send(create.request)).statusCode).toBe(201)
  })
})
