import { describe, expect, it } from 'vitest'
import { RECORD_NAMES } from '../../src/process/document/named-schemas.ts'
import { textsIn } from '../../src/texts/catalogue.ts'
import { service } from '../support/service.ts'

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
  requestBody?: object
  responses: Record<string, object>
}

const { app } = await service()
const document = app.swagger() as unknown as {
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { responses: Record<string, object>; schemas: Record<string, object> }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    ...operation,
  })),
)

/** The names of fields with a default that a schema, or one inside it, requires. */
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
    expect(new Set(others)).toEqual(new Set(['token', 'shop', 'file']))
    for (const { of, schema } of parameters.filter(({ schema }) => schema.pattern !== undefined))
      expect([of, new RegExp(schema.pattern!).test('0123456789abcdefABCDEF01')]).toEqual([of, true])
  })

  it('lists for every operation of a shop what its key and its limit may be answered with', () => {
    const shops = operations.filter(({ name }) => name.includes(' /api/external/'))
    const without = shops.filter(({ responses }) =>
      ['401', '403', '429', '500'].some((one) => !responses[one]),
    )
    expect(without.map(({ name }) => name)).toEqual([])
    expect(shops.length).toBeGreaterThan(60)
  })

  it('lists each code of a refused rule for some operation', () => {
    const responses = [
      ...Object.values(document.components.responses),
      ...operations.flatMap((operation) => Object.values(operation.responses)),
    ]
    const listed = new Set(responses.flatMap(codesIn))
    expect(Object.keys(textsIn('en').refused).filter((code) => !listed.has(code))).toEqual([])
  })

  it('names the records, and each name stands in some response', () => {
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
