import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOperations, registeredRoutes, type Schema } from '../../support/api-operations.ts'
import { makeShop, manage, type Partner, send, service, unusedId } from '../../support/service.ts'
import { CREATE, templateBody } from '../../support/template-shop.ts'

const running = await service()
const NO_PATH = { error: 'Resource not found', message: 'Path not found' }
const REQUEST_ID = /^[0-9a-f]{24}$/

let partner: Partner

beforeAll(async () => {
  partner = await makeShop(running)
})

/** Sends bytes that no HTTP client would send, and returns the response. */
function raw(bytes: string): Promise<{ status: number; requestId: string | undefined; body: unknown }> {
  const { port } = running.app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.on('error', reject)
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n')
      resolve({
        status: Number(head.split(' ')[1]),
        requestId: /x-request-id: (\S+)/i.exec(head)?.[1],
        body: JSON.parse(body),
      })
    })
  })
}

describe('G-08 operations without a body', () => {
  const paths = running.app.swagger().paths as Record<string, Record<string, { requestBody?: unknown }>>
  const bodiless = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/external/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, operation]) => method !== 'get' && operation.requestBody === undefined)
        .map(([method]) => [method.toUpperCase() as 'POST', path.replace(/\{[^}]+\}/g, unusedId())] as const),
    )

  it('are some', () => expect(bodiless.length).toBeGreaterThan(8))

  it.each(bodiless)('400 naming a field that is sent, none for shopId: %s %s', async (method, path) => {
    const refused = await partner.call(method, path, { shopId: 'x', notify: true })
    expect([refused.status, refused.body.validation?.body?.message]).toEqual([400, '"notify" is not allowed'])
    expect((await partner.call(method, path, { shopId: 'x' })).status).toBe(404)
  })
})

describe('G-02 paths that no route was written for', () => {
  it.each([
    ['GET', '/api/external/notify-template/'],
    ['PATCH', '/api/external/notify-template/'],
    ['POST', '/api/external/notify-template//publish'],
    ['GET', '/api/external/v1/products/'],
    ['GET', '/api/external/v1/orders/'],
    ['PUT', '/api/external/news/'],
    ['POST', '/api/external/news//items'],
    ['DELETE', '/api/manage/v1/shops//keys/'],
  ] as const)('404 where the id is empty: %s %s', async (method, path) => {
    const answer = await partner.call(method, path)
    expect([answer.status, answer.body]).toEqual([404, NO_PATH])
    expect(answer.headers['x-request-id']).toMatch(REQUEST_ID)
  })

  it.each(['/%ff', '/api/external/notify-template/%ff', '/api/external/news/%E0%A4%A/items', '/docs/%ff'])(
    '400 MALFORMED_PATH where the path cannot be decoded: %s',
    async (path) => {
      const answer = await partner.get(path)
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          statusCode: 400,
          error: 'Bad Request',
          message: 'The path is not a valid URL: each % must start a UTF-8 percent-encoding',
          code: 'MALFORMED_PATH',
        },
      ])
      expect(answer.headers['x-request-id']).toMatch(REQUEST_ID)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
    },
  )

  it('G-05 its text follows Accept-Language', async () => {
    const answer = await partner.get('/%ff', { 'accept-language': 'vi' })
    expect(answer.body.message).toMatch(/^Đường dẫn không phải là URL hợp lệ/)
  })

  it('G-04 500 for a malformed id of any length', async () => {
    for (const id of ['x', 'a'.repeat(25), 'a'.repeat(600), 'é'.repeat(2_000)]) {
      const answer = await partner.get(`/api/external/notify-template/${encodeURIComponent(id)}`)
      expect([answer.status, answer.body]).toEqual([
        500,
        {
          statusCode: 500,
          error: 'Internal Server Error',
          message: expect.stringMatching(/^"id" is not a valid/),
        },
      ])
    }
  })
})

describe('G-02 requests that are not HTTP', () => {
  it.each([
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'Bad Request'],
    [
      'headers over the limit',
      `GET / HTTP/1.1\r\nHost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
    [
      'a query over the limit',
      `GET /api/external/news?search=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'Request Header Fields Too Large',
    ],
  ])('%s', async (_, bytes, status, error) => {
    const answer = await raw(bytes)
    expect(answer.status).toBe(status)
    expect(answer.requestId).toMatch(REQUEST_ID)
    expect(answer.body).toEqual({ statusCode: status, error, message: expect.stringMatching(/^The request/) })
  })
})

describe('G-02 an Expect header that asks for anything else than 100-continue', () => {
  it('417 in the shape of errors, with a request id', async () => {
    const { status, requestId, body } = await raw(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\n\r\n',
    )
    expect([status, body]).toEqual([
      417,
      {
        statusCode: 417,
        error: 'Expectation Failed',
        message: 'The only supported value of the header Expect is 100-continue',
      },
    ])
    expect(requestId).toMatch(REQUEST_ID)
  })
})

/** The fields and entries of the longest body that a schema describes. A place for any value counts as one of them. */
function mostValuesOf(schema: Schema): number {
  const { anyOf, items, maxItems, properties = {}, additionalProperties: rest, maxProperties = 0 } = schema
  if (anyOf !== undefined) return Math.max(...anyOf.map(mostValuesOf))
  const fields = Object.values(properties).reduce((sum, field) => sum + mostValuesOf(field), 1)
  const others = typeof rest === 'object' ? maxProperties * mostValuesOf(rest) : 0
  return fields + others + (items === undefined ? 0 : maxItems! * mostValuesOf(items))
}

describe('bodies of very many values', () => {
  const tooMany = { body: { source: 'body', keys: [], message: 'Body contains too many fields or entries' } }

  it('400 for more than 8,000 fields and entries, or 100,000 in a batch, unread', async () => {
    for (const [path, most] of [
      ['/api/external/order/pos/create', 8_000],
      ['/api/external/notify-message/batches', 100_000],
    ] as const) {
      const names = Array.from({ length: most }, (_, n) => `"a${n}":1`)
      for (const body of [
        `{"x":0,${names}}`,
        `{"items":[${'{},'.repeat(most)}{}]}`,
        `${'['.repeat(most + 1)}`,
      ]) {
        const answer = await partner.post(path, body)
        expect([answer.status, answer.body.validation]).toEqual([400, tooMany])
      }
      const answer = await partner.post(path, `{${names}}`)
      expect(answer.body.validation.body.message).toContain('less than or equal to 1000 keys')
    }
  })

  it.each(
    apiOperations(running.app).flatMap(({ method, path, body }) =>
      body === undefined ? [] : [[method, path, mostValuesOf(body)] as const],
    ),
  )('room for the longest body that the document describes: %s %s, %i values', async (method, path, most) => {
    expect(most).toBeGreaterThan(0)
    // A batch has 1,000 messages with 100 params each, which none of the platform's templates has.
    const zeros = Array(Math.min(most, 100_000) - 2).fill(0)
    const sent = `{"shopId":1,"ignored":[${zeros}]}`
    const { body } = await partner.call(method, path.replace(/\{[^}]+\}/g, unusedId()), sent)
    expect(body.validation).not.toEqual(tooMany)
  })

  it('commas and brackets within a text do not count, whatever is escaped in it', async () => {
    const text = `${'\\"[{,'.repeat(60_000)}\\\\`
    const answer = await partner.post(
      '/api/external/v1/customers',
      `{"fullName":"${text}","phone":"0901234567"}`,
    )
    expect([answer.status, answer.body.validation.body.keys]).toEqual([400, ['fullName']])
  })
})

describe('G-08 a key that could reach an object’s prototype', () => {
  it.each([
    ['{"name":"x","price":1,"__proto__":{"isAdmin":true}}', ['__proto__'], '"__proto__"'],
    ['{"name":"x","skus":[{"a":{"__proto__":1}}]}', ['skus.0.a.__proto__'], '"skus[0].a.__proto__"'],
    ['{"__pr\\u006fto__":1}', ['__proto__'], '"__proto__"'],
    ['{"name":"x","constructor":{"prototype":{"y":1}}}', ['constructor'], '"constructor"'],
  ])('400 naming it: %s', async (body, keys, label) => {
    for (const path of ['/api/external/v1/products', '/api/external/notify-template/lint']) {
      const answer = await partner.post(path, body)
      const message = `${label} is not allowed`
      expect([answer.status, answer.body.validation]).toEqual([
        400,
        { body: { source: 'body', keys, message } },
      ])
    }
  })

  it('400 as invalid JSON when it is not even that', async () => {
    const answer = await partner.post('/api/external/v1/products', '{"__proto__":')
    expect(answer.body.validation.body).toEqual({
      source: 'body',
      keys: [],
      message: 'Body is not valid JSON',
    })
  })
})

describe('G-02 bodies in another encoding', () => {
  it('400 and nothing stored when the bytes are not UTF-8', async () => {
    const answer = await running.app.inject({
      method: 'POST',
      url: '/api/external/v1/customers',
      headers: { 'content-type': 'application/json', 'x-api-key': `service-partner ${partner.apiKey}` },
      payload: Buffer.from('{"fullName":"Nguy\u1ec5n","phone":"0901234567"}', 'latin1'),
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      {
        statusCode: 400,
        error: 'Bad Request',
        message: 'Validation failed',
        validation: { body: { source: 'body', keys: [], message: 'Body is not valid UTF-8' } },
      },
    ])
    const listed = await partner.get('/api/external/v1/customers')
    expect(listed.body.data.meta.total).toBe(0)
  })

  it('a byte order mark before the JSON does no harm', async () => {
    const answer = await partner.post(
      '/api/external/news',
      '\ufeff{"title":"Tin","content":"<p>Nội dung</p>"}',
    )
    expect([answer.status, answer.body.data?.title]).toEqual([201, 'Tin'])
  })
})

describe('G-12 the names of parameters', () => {
  const withKey = (key: string) =>
    templateBody('oa', {
      title: `Chào <${key}>`,
      contentBlocks: [{ id: randomUUID(), type: 'paragraph', value: `Đơn của <${key}>` }],
      buttons: [],
      params: [{ key, label: 'Tên', techSetting: '1' }],
    })

  it('400 for __proto__, which no message could carry a value for', async () => {
    const answer = await partner.post(CREATE, withKey('__proto__'))
    expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, ['params.0.key']])
  })

  it.each(['constructor', 'toString', 'hasOwnProperty'])('%s is a name like any other', async (key) => {
    const answer = await partner.post(CREATE, withKey(key))
    expect([answer.status, answer.body.template?.params[0].key]).toEqual([200, key])
  })
})

describe('G-61 the management API', () => {
  it('401 names the operator token, not the shops’ header', async () => {
    const answer = await send(running, 'GET', '/api/manage/v1/shops')
    expect([answer.status, answer.body]).toEqual([
      401,
      {
        statusCode: 401,
        error: 'Unauthorized',
        message: 'Send the operator token: "Authorization: Bearer <operator token>"',
      },
    ])
    const vietnamese = await send(running, 'GET', '/api/manage/v1/shops', undefined, {
      'accept-language': 'vi',
    })
    expect(vietnamese.body.message).toMatch(/^Cần token của người vận hành/)
    expect((await manage(running, 'GET', '/shops')).status).toBe(200)
  })
})

describe('the API document', () => {
  /** Pages, the document itself, and addresses that only the platform calls. */
  const APART = /^\/(docs|llms\.txt|openapi\.json|hooks)(\/|$)/

  it('holds every route and no other', () => {
    const documented = Object.entries(running.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods as object).map(
        (method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ),
    )
    const routed = registeredRoutes(running.app)
      .filter(({ method, url }) => method !== 'HEAD' && !APART.test(url))
      .map(({ method, url }) => `${method} ${url}`)
    expect(routed).toContain('GET /metrics')
    expect(documented.toSorted()).toEqual(routed.toSorted())
  })
})
