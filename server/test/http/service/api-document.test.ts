import { describe, expect, it } from 'vitest'
import { withoutReferences } from '../../../src/lib/without-references.ts'
import { RECORD_NAMES } from '../../../src/process/document/named-schemas.ts'
import { textsIn } from '../../../src/texts/catalogue.ts'
import { makeShop, send, service, unusedId } from '../../support/service.ts'

type Schema = {
  pattern?: string
  default?: unknown
  required?: string[]
  properties?: Record<string, Schema>
}
type Operation = {
  operationId?: string
  tags: string[]
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  responses: Record<string, object>
}

const { app } = await service()
const document = app.swagger() as unknown as {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    responses: Record<string, object>
    schemas: Record<string, object>
    examples: Record<string, { value: { message?: string } }>
  }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
)

/** The names of fields with a default that a schema, or a schema in it, requires. */
function requiredDefaults(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { required = [], properties = {} } = schema as Schema
  const here = Array.isArray(required)
    ? required.filter((name) => properties[name]?.default !== undefined)
    : []
  return [...here, ...Object.values(schema).flatMap(requiredDefaults)]
}

/** The codes that the schemas of a response list. */
function codesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { code } = ((schema as Schema).properties ?? {}) as { code?: { enum?: string[] } }
  return [...(code?.enum ?? []), ...Object.values(schema).flatMap(codesIn)]
}

describe('the API document', () => {
  it('requires nothing that has a default', () => {
    const found = operations.flatMap(({ name, parameters = [], requestBody }) => [
      ...parameters
        .filter((parameter) => parameter.required && parameter.schema.default !== undefined)
        .map((parameter) => `${name} ${parameter.name}`),
      ...requiredDefaults(requestBody).map((field) => `${name} ${field}`),
    ])
    expect(found).toEqual([])
    const list = operations.find(({ name }) => name === 'GET /api/external/v1/products')!
    expect(list.parameters!.find(({ name }) => name === 'page')!.schema.default).toBe(1)
  })

  it('names every operation by a verb and what it acts on, each name once', () => {
    const webhooks = Object.values(document.webhooks).map(({ post }) => post)
    const all = [...operations, ...webhooks]
    const names = all.map(({ operationId }) => operationId)
    expect(all.filter(({ operationId }) => !/^[a-z]+([A-Z][a-z]+)+$/.test(operationId ?? ''))).toEqual([])
    expect(names.length).toBeGreaterThan(100)
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  })

  it('says what an id in a path looks like, of every path with one', () => {
    const parameters = operations.flatMap(({ name, parameters = [] }) =>
      parameters.filter((one) => one.in === 'path').map((one) => ({ of: `${name} ${one.name}`, ...one })),
    )
    const others = parameters.filter(({ schema }) => schema.pattern === undefined).map(({ name }) => name)
    expect(new Set(others)).toEqual(new Set(['token', 'shop', 'file', 'appId', 'queue', 'jobId']))
    for (const { of, schema } of parameters.filter(({ schema }) => schema.pattern !== undefined))
      expect([of, new RegExp(schema.pattern!).test('0123456789abcdefABCDEF01')]).toEqual([of, true])
  })

  it('names every JSON body, and none has a default, which openapi-typescript takes for a required field', () => {
    const bodies = operations.flatMap(({ name, requestBody }) => {
      const schema = requestBody?.content['application/json']?.schema
      return schema === undefined ? [] : [{ name, reference: schema.$ref ?? 'none' }]
    })
    expect(bodies.length).toBeGreaterThan(40)
    expect(bodies.filter(({ reference }) => reference === 'none')).toEqual([])
    const withDefault = bodies.filter(({ reference }) =>
      JSON.stringify(withoutReferences({ $ref: reference }, document)).includes('"default":'),
    )
    expect(withDefault).toEqual([])
  })

  it('says what an id in a body looks like', () => {
    const shapes = document.components.schemas as Record<string, Schema & { items: Schema }>
    const { orderItems, userId } = shapes.PosOrder!.properties as Record<string, Schema>
    expect(userId!.pattern).toBe('^[0-9a-fA-F]{24}$')
    expect(orderItems).toMatchObject({ items: { $ref: '#/components/schemas/PosOrderItem' } })
    expect(shapes.PosOrderItem!.properties!.id!.pattern).toBe('^[0-9a-fA-F]{24}$')
    expect(shapes.CreateProductRequest!.properties!.categoryId!.pattern).toBe('^[0-9a-fA-F]{24}$')
    expect(shapes.AttachProductsToNewsRequest!.properties!.newsIds).toMatchObject({
      items: { pattern: '^[0-9a-fA-F]{24}$' },
    })
  })

  it('lists for every operation of a shop what its key and its limit may be answered with', () => {
    const shops = operations.filter(({ name }) => name.includes(' /api/external/'))
    const without = shops.filter(({ responses }) =>
      ['401', '403', '429', '500'].some((one) => !responses[one]),
    )
    expect(without.map(({ name }) => name)).toEqual([])
    expect(shops.length).toBeGreaterThan(60)
  })

  it('G-02 lists for every operation the responses to requests that reach no route', () => {
    const without = operations.filter(({ responses }) => ['408', '431'].some((one) => !responses[one]))
    expect(without.map(({ name }) => name)).toEqual([])
  })

  it('lists each code of a refused rule for some operation', () => {
    const responses = [
      ...Object.values(document.components.responses),
      ...operations.flatMap((operation) => Object.values(operation.responses)),
    ]
    const listed = new Set(responses.flatMap(codesIn))
    expect(Object.keys(textsIn('en').refused).filter((code) => !listed.has(code))).toEqual([])
  })

  it('shows an example for each code of an error response, and for its status without one', () => {
    const responses = [
      ...Object.entries(document.components.responses),
      ...operations.flatMap(({ name, responses }) =>
        Object.entries(responses).map(([status, one]): [string, object] => [`${name} ${status}`, one]),
      ),
    ].filter(([, response]) => codesIn(response).length > 0)
    const without = responses.flatMap(([name, response]) =>
      codesIn(response)
        .filter((code) => !JSON.stringify(response).includes(`"#/components/examples/${code}"`))
        .map((code) => `${name} ${code}`),
    )
    expect(without).toEqual([])
    expect(responses.length).toBeGreaterThan(50)
    const unfilled = Object.entries(document.components.examples).filter(([, { value }]) =>
      /\{\w+\}/.test(value.message ?? ''),
    )
    expect(unfilled).toEqual([])
  })

  it('shows errors without a code as they are sent', async () => {
    const running = await service()
    const partner = await makeShop(running)
    const products = '/api/external/v1/products'
    const { ValidationFailed, Unauthorized, NotFound, MalformedId, ContentTypeNotTaken } =
      document.components.examples
    expect((await partner.post(products, { price: 1 })).body).toEqual(ValidationFailed!.value)
    expect((await send(running, 'GET', products)).body).toEqual(Unauthorized!.value)
    expect((await partner.get(`${products}/${unusedId()}`)).body).toEqual(NotFound!.value)
    expect((await partner.get(`${products}/x`)).body).toEqual(MalformedId!.value)
    const asText = await partner.post(products, 'name=x', { 'content-type': 'text/plain' })
    expect(asText.body).toEqual(ContentTypeNotTaken!.value)
  })

  it('names the records, and each name appears in some response', () => {
    const text = JSON.stringify(document)
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    )
    expect(unused).toEqual([])
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(RECORD_NAMES))
    expect(RECORD_NAMES).toEqual(
      expect.arrayContaining(['Product', 'Sku', 'Order', 'Customer', 'Message', 'Template']),
    )
  })

  it('names a server, and describes every tag that an operation has and no other', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/'])
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
    expect(document.tags.filter(({ description }) => description === '')).toEqual([])
  })
})
