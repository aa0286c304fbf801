import { describe, expect, it } from 'vitest'
import { NAMED_IN_PATH } from '../../support/ids-in-paths.ts'
import { makeShop, manage, OPERATOR_TOKEN, send, service } from '../../support/service.ts'
import { insertShopRecords, type ShopRecords } from '../../support/shop-records.ts'

const running = await service()

type Parameter = { in: string; name: string; required?: boolean }
type Documented = Record<string, Record<string, { parameters?: Parameter[] }>>

/** Every query parameter of every operation that only reads, from the API document. */
const READS = Object.entries(running.app.swagger().paths as Documented).flatMap(([path, methods]) => {
  const parameters = methods.get?.parameters?.filter((parameter) => parameter.in === 'query') ?? []
  const isRecord = path.startsWith('/api/')
  return parameters.length === 0 || !isRecord ? [] : [{ path, parameters }]
})

/** The path with ids of real records, so that the response is a 200 that an ignored filter could change. */
function filledPath(path: string, records: ShopRecords): string {
  if (!path.includes('{')) return path
  const kind = path.startsWith('/api/manage/v1/shops/{id}')
    ? 'shop'
    : NAMED_IN_PATH.findLast(([pattern]) => pattern.test(path))?.[1]
  if (kind === undefined) throw new Error(`no record for ${path}`)
  return path.replace(/\{\w+\}/, records[kind])
}

describe('G-08 an empty query parameter is one that was not sent', async () => {
  const shop = await makeShop(running)
  const records = await insertShopRecords(running, shop.shopId)
  const headers = { 'x-api-key': `service-partner ${shop.apiKey}`, authorization: `Bearer ${OPERATOR_TOKEN}` }
  const read = async (url: string) => {
    const { status, body } = await send(running, 'GET', url, undefined, headers)
    // A feed's cursor contains the time.
    if (/^\/api\/external\/(changes|events)/.test(url)) delete body.data.meta.nextCursor
    // The overview compares periods up to now, and barcodes are random.
    if (url.includes('/overview')) for (const one of body.data.before) one.until = one.until.slice(0, 10)
    if (url.includes('/free-barcodes')) body.data.barcodes = body.data.barcodes.length
    return { status, body }
  }

  it('the document has them all', () => {
    expect(READS.length).toBeGreaterThan(20)
    const names = READS.flatMap(({ parameters }) => parameters.map(({ name }) => name))
    expect(names).toEqual(
      expect.arrayContaining(['category', 'customerId', 'warehouseId', 'status', 'startDate']),
    )
  })

  it.each(READS)('GET $path', async ({ path, parameters }) => {
    const required = parameters.filter((parameter) => parameter.required)
    const base = filledPath(path, records)
    const url = (text: string) => `${base}?${text}`
    const without = await read(base)
    if (required.length === 0) expect([path, without.status]).toEqual([path, 200])
    for (const { name } of parameters) {
      for (const text of [`${name}=`, name, `${name}=&${name}=`]) {
        expect([text, await read(url(text))]).toEqual([text, without])
      }
    }
    expect(await read(url(parameters.map(({ name }) => `${name}=`).join('&')))).toEqual(without)
  })

  it('an empty one beside a filled one leaves the filled one', async () => {
    const both = await read('/api/external/v1/orders?status=&status=cancelled')
    expect(both).toEqual(await read('/api/external/v1/orders?status=cancelled'))
  })

  it('the import’s parameters too', async () => {
    const csv = { 'content-type': 'text/csv' }
    const { status } = await shop.post(
      '/api/external/v1/products/import?dryRun=&mode=',
      'name,price\nA,1\n',
      csv,
    )
    expect(status).toBe(202)
  })
})

describe('G-08 a query parameter that cannot be decoded', async () => {
  const shop = await makeShop(running)
  const keysOf = async (query: string) => {
    const { status, body } = await shop.get(`/api/external/v1/products?${query}`)
    return [status, body.validation?.query]
  }

  it.each(['%E0%A4%A', '%', 'a%zz', '%ff', '%C3%28', 'a&search=%ff', '=%ff'])(
    '400 naming it: search=%s',
    async (text) => {
      expect(await keysOf(`search=${text}`)).toEqual([
        400,
        {
          source: 'query',
          keys: ['search'],
          message: '"search" must be percent-encoded UTF-8: write a % itself as %25',
        },
      ])
    },
  )

  it('400 with its name encoded, in an operation that changes something, and for the operator', async () => {
    expect(await keysOf('limit=5&sea%72ch=%ff')).toEqual([400, expect.objectContaining({ keys: ['search'] })])
    const imported = await shop.post('/api/external/v1/products/import?mode=%ff', 'name,price\nA,1\n', {
      'content-type': 'text/csv',
    })
    expect([imported.status, imported.body.validation?.query?.keys]).toEqual([400, ['mode']])
    const managed = await manage(running, 'GET', '/shops?search=%ff')
    expect([managed.status, managed.body.validation?.query?.keys]).toEqual([400, ['search']])
  })

  it('200 for an encoded %, a letter of several bytes, and a parameter that is ignored', async () => {
    for (const query of ['search=100%25', 'search=%C3%A1o+%26', 'foo=%ff', '%ff=1', 'search']) {
      expect([query, (await keysOf(query))[0]]).toEqual([query, 200])
    }
  })
})

describe('G-08 ignored query parameters are named', async () => {
  const shop = await makeShop(running)
  const ignored = async (query: string) => {
    const answer = await shop.get(`/api/external/v1/products?${query}`)
    return [answer.status, answer.headers['x-ignored-parameters']]
  }

  it('200 with the names that the operation does not have, and without the header if there are none', async () => {
    expect(await ignored('limit=5&categry=x&shopId=1')).toEqual([200, 'categry, shopId'])
    expect(await ignored('limit=5')).toEqual([200, undefined])
    expect(await ignored('')).toEqual([200, undefined])
    expect(await ignored('foo=1&foo=2')).toEqual([200, 'foo'])
  })

  it('400 names them as well, and so does an operation without parameters', async () => {
    expect(await ignored('limit=0&offset=2')).toEqual([400, 'offset'])
    const order = await shop.post('/api/external/order/pos/create?dryRun=true', {})
    expect([order.status, order.headers['x-ignored-parameters']]).toEqual([400, 'dryRun'])
    const managed = await manage(running, 'GET', `/shops/${shop.shopId}/wallet?x=1`)
    expect([managed.status, managed.headers['x-ignored-parameters']]).toEqual([200, 'x'])
  })

  it('names are percent-encoded, whatever they hold, and bounded', async () => {
    expect(await ignored('a%0d%0aset-cookie:%20x=1')).toEqual([200, 'a%0D%0Aset-cookie%3A%20x'])
    expect(await ignored('t%C3%AAn=1&a%2Cb=2')).toEqual([200, 't%C3%AAn, a%2Cb'])
    expect(await ignored('__proto__=1&constructor=2&toString=3')).toEqual([
      200,
      '__proto__, constructor, toString',
    ])
    expect((await ignored('%ff=1&%00=2'))[0]).toBe(200)
    const many = Array.from({ length: 500 }, (_, n) => `p${n}=1`).join('&')
    const [status, names] = await ignored(many)
    expect(status).toBe(200)
    expect((names as string).split(', ')).toHaveLength(20)
    const [, long] = await ignored(`${'ê'.repeat(4_000)}=1`)
    expect((long as string).length).toBeLessThan(1_000)
  })
})
