import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/app-type.ts'
import { setErrorMap } from '../../../src/http/error-map.ts'
import { setBodyParser, setValidation } from '../../../src/http/validation/body.ts'
import { bodyParseProblem, compileValidator, literals } from '../../../src/http/validation/validate.ts'

const text = Type.String({ minLength: 1 })
const body = Type.Object(
  {
    title: Type.Optional(text),
    price: Type.Optional(Type.Number({ minimum: 0 })),
    status: literals(['active', 'inactive'], { default: 'active' }),
    newsIds: Type.Optional(Type.Array(text)),
    cta: Type.Optional(Type.Array(Type.Object({ url: text }, { additionalProperties: false }))),
    params: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    ignored: Type.Optional(Type.Any()),
  },
  { additionalProperties: false },
)
const querystring = Type.Object({
  page: Type.Integer({ minimum: 1, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  search: Type.Optional(Type.String()),
})

let app: App

beforeAll(async () => {
  app = Fastify({ bodyLimit: 1024 * 1024 }).withTypeProvider<TypeBoxTypeProvider>() as App
  app.decorateRequest('shop')
  setErrorMap(app)
  setValidation(app)
  setBodyParser(app)
  app.post('/things', { schema: { body } }, async (request) => ({ seen: request.body }))
  app.post('/attach', { schema: { body: Type.Object({ newsIds: Type.Array(text) }) } }, async () => ({
    done: true,
  }))
  app.post('/bodiless', async () => ({ done: true }))
  app.get('/things', { schema: { querystring } }, async (request) => ({ seen: request.query }))
  await app.ready()
})

afterAll(() => app.close())

async function post(payload: string, contentType = 'application/json', url = '/things') {
  const response = await app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': contentType },
  })
  return { status: response.statusCode, answer: response.json() }
}

async function get(url: string) {
  const response = await app.inject({ method: 'GET', url })
  return { status: response.statusCode, answer: response.json() }
}

function refusal(source: 'body' | 'query', keys: string[], message: string) {
  return {
    status: 400,
    answer: {
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { [source]: { source, keys, message } },
    },
  }
}

function seen(value: unknown) {
  return { status: 200, answer: { seen: value } }
}

const nested = (depth: number) => `{"ignored":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
const deepPath = `ignored${'[0]'.repeat(31)}`
const unstorable = 'must not contain NUL characters or unpaired surrogates'

describe('G-02, G-03 hostile bodies are answered 400 in the validation shape', () => {
  const megabyte = 1_000_000
  it.each<[string, string, string[], string]>([
    ['a list as the body', '[]', [''], '"value" must be of type object'],
    ['null as the body', 'null', [''], '"value" must be of type object'],
    ['text as the body', '"x"', [''], '"value" must be of type object'],
    ['a wrong type', '{"newsIds":"x"}', ['newsIds'], '"newsIds" must be an array'],
    ['null', '{"title":null}', ['title'], '"title" must be a string'],
    ['an inner wrong type', '{"cta":[{"url":1}]}', ['cta.0.url'], '"cta[0].url" must be a string'],
    ['a missing inner key', '{"cta":[{}]}', ['cta.0.url'], '"cta[0].url" is required'],
    ['an unknown key', '{"categoryId":"x"}', ['categoryId'], '"categoryId" is not allowed'],
    ['an unknown key with HTML', '{"<b>":1}', ['&lt;b&gt;'], '"<b>" is not allowed'],
    ['a name every object has', '{"toString":1}', ['toString'], '"toString" is not allowed'],
    ['a negative price', '{"price":-1}', ['price'], '"price" must be greater than or equal to 0'],
    ['10^20', '{"price":1e20}', ['price'], '"price" must be a safe number'],
    ['1e400', '{"price":1e400}', ['price'], '"price" cannot be infinity'],
    ['a number as text', '{"price":"1"}', ['price'], '"price" must be a number'],
    ['NUL in a value', '{"title":"a\\u0000"}', ['title'], `"title" ${unstorable}`],
    [
      'NUL in an ignored value',
      '{"ignored":[{"a":"\\u0000"}]}',
      ['ignored.0.a'],
      `"ignored[0].a" ${unstorable}`,
    ],
    ['NUL in a key', '{"params":{"\\u0000":1}}', ['params.\0'], `"params.\0" ${unstorable}`],
    ['a lone surrogate', '{"title":"\\ud800"}', ['title'], `"title" ${unstorable}`],
    ['a lone surrogate in a key', '{"\\udc00":1}', ['\udc00'], `"\udc00" ${unstorable}`],
    [
      '33 levels',
      nested(33),
      [deepPath.replaceAll(/\[(\d)\]/g, '.$1')],
      `"${deepPath}" is nested too deeply`,
    ],
    [
      'a megabyte of brackets',
      `{"ignored":${'['.repeat(megabyte / 2)}${']'.repeat(megabyte / 2)}}`.slice(0, -30) +
        ']'.repeat(29) +
        '}',
      [],
      'Body contains too many fields or entries',
    ],
    [
      '7,000 brackets',
      `{"ignored":${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
      [deepPath.replaceAll(/\[(\d)\]/g, '.$1')],
      `"${deepPath}" is nested too deeply`,
    ],
    ['malformed JSON', '{"title":', [], 'Body is not valid JSON'],
  ])('%s', async (_, payload, keys, message) => {
    expect(await post(payload)).toEqual(refusal('body', keys, message))
  })

  const poisoned: [string, string, string][] = [
    ['__proto__', '{"__proto__":{"polluted":1}}', '__proto__'],
    ['an inner __proto__', '{"params":{"__proto__":"x"}}', 'params.__proto__'],
    ['an escaped __proto__', '{"ignored":[{"__pr\\u006fto__":{}}]}', 'ignored[0].__proto__'],
    [
      'constructor.prototype',
      '{"ignored":{"constructor":{"prototype":{"polluted":1}}}}',
      'ignored.constructor',
    ],
  ]

  it.each(poisoned)('%s, leaving prototypes alone', async (_, payload) => {
    const { status, answer } = await post(payload)
    expect(status).toBe(400)
    expect(answer).toMatchObject({ statusCode: 400, message: 'Validation failed', validation: { body: {} } })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(poisoned)('%s by its name when a parser lets it through', (_, payload, field) => {
    const result = compileValidator(body, 'body')(JSON.parse(payload))
    expect('error' in result && result.error.message).toBe(`"${field}" is not allowed`)
  })

  it('a missing field, not a missing body, when nothing is sent', async () => {
    expect(await post('', 'application/json', '/attach')).toEqual(
      refusal('body', ['newsIds'], '"newsIds" is required'),
    )
  })

  it('413 above 1 MB, naming the limit', async () => {
    const { status, answer } = await post(JSON.stringify({ title: 'x'.repeat(1024 * 1024) }))
    expect(status).toBe(413)
    expect(answer).toEqual({
      statusCode: 413,
      error: 'Payload Too Large',
      message: 'Body is larger than the limit of 1 MB',
    })
  })

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])(
    '415 for %s, naming JSON',
    async (contentType) => {
      expect(await post('{}', contentType)).toEqual({
        status: 415,
        answer: {
          statusCode: 415,
          error: 'Unsupported Media Type',
          message: 'Content-Type must be application/json',
        },
      })
    },
  )

  it.each(['utf-16', 'UTF-16LE', '"iso-8859-1"', 'us-ascii', ''])(
    '415 for a body in the charset %s, naming UTF-8',
    async (charset) => {
      expect(await post('{"title":"x","price":1}', `application/json; charset=${charset}`)).toEqual({
        status: 415,
        answer: {
          statusCode: 415,
          error: 'Unsupported Media Type',
          message: 'The charset of Content-Type must be utf-8',
        },
      })
    },
  )

  it.each(['gzip', 'br', 'gzip, identity'])(
    '415 for a body in the coding %s, naming Content-Encoding',
    async (coding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      const response = await app.inject({ method: 'POST', url: '/things', payload: '{}', headers })
      expect(response.statusCode).toBe(415)
      expect(response.json()).toEqual({
        statusCode: 415,
        error: 'Unsupported Media Type',
        message: 'Content-Encoding is not supported: send the body without encoding',
      })
    },
  )

  it('200 for the coding identity', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' }
    const response = await app.inject({ method: 'POST', url: '/things', payload: '{}', headers })
    expect(response.statusCode).toBe(200)
  })

  it('400 when the body is shorter than Content-Length says', () => {
    const error = Object.assign(new RangeError('x'), { code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' })
    expect(bodyParseProblem(error)?.statusCode).toBe(400)
  })

  it('a SyntaxError of our own is not blamed on the body', () => {
    expect(bodyParseProblem(new SyntaxError('x'))).toBeUndefined()
  })
})

describe('G-08 what bodies and queries may hold', () => {
  it('200 and the default filled in, everything else as sent', async () => {
    expect(await post('{"price":1.5,"title":"📱","ignored":null}')).toEqual(
      seen({ price: 1.5, title: '📱', ignored: null, status: 'active' }),
    )
  })

  it('200 at 32 levels', async () => {
    expect((await post(nested(32))).status).toBe(200)
  })

  it('200 without a body where none is required, whatever the header says', async () => {
    expect(await post('', 'application/json', '/bodiless')).toEqual({ status: 200, answer: { done: true } })
  })

  it('200 with a charset in the content type', async () => {
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
      expect((await post('{}', `application/json; charset=${charset}`)).status).toBe(200)
    }
  })

  it('queries are read as their types, and unknown and empty parameters are ignored', async () => {
    expect(await get('/things?page=2&unknown=%00&search=&limit=&__proto__=1')).toEqual(
      seen({ page: 2, limit: 10 }),
    )
  })

  it.each<[string, string, string]>([
    ['limit=51', 'limit', '"limit" must be less than or equal to 50'],
    ['page=0', 'page', '"page" must be greater than or equal to 1'],
    ['page=1.5', 'page', '"page" must be an integer'],
    ['page=%20', 'page', '"page" must be a number'],
    ['page=1&page=2', 'page', '"page" must be a number'],
    ['page=1e400', 'page', '"page" must be a safe number'],
    ['page=99999999999999999999', 'page', '"page" must be a safe number'],
    ['search=a&search=b', 'search', '"search" must be a string'],
    ['search=%00', 'search', `"search" ${unstorable}`],
  ])('400 for %s', async (query, key, message) => {
    expect(await get(`/things?${query}`)).toEqual(refusal('query', [key], message))
  })
})

describe('schemas the validation has no words for', () => {
  it.each<[string, object]>([
    ['allOf', Type.Intersect([Type.Object({}), Type.Object({})])],
    ['patternProperties', Type.Object({}, { patternProperties: { '^a': Type.String() } })],
    ['format', Type.Object({ id: Type.String({ format: 'uuid' }) })],
  ])('are refused at start-up: %s', async (keyword, schema) => {
    const other = Fastify().withTypeProvider<TypeBoxTypeProvider>() as App
    setValidation(other)
    other.post('/', { schema: { body: schema } }, async () => ({}))
    await expect(other.ready()).rejects.toThrow(
      `unsupported ${keyword === 'allOf' ? 'keyword "allOf"' : keyword}`,
    )
  })
})
