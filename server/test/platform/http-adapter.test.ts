import type { ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpPlatform } from '../../src/platform/http-adapter.ts'
import { NoAccessToken, type TokenStore } from '../../src/platform/tokens.ts'
import { buildDocument, buildOa, fixedTokens, type Received, reply, startServer } from './support.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function platformOn(
  answer: (req: Received, res: ServerResponse) => void,
  options: { tokens?: TokenStore; timeoutMs?: number; now?: Date } = {},
) {
  const server = await startServer(answer)
  closers.push(server.close)
  const platform = createHttpPlatform({
    businessUrl: `${server.url}/`,
    openapiUrl: `${server.url}/openapi`,
    tokens: options.tokens ?? fixedTokens,
    timeoutMs: options.timeoutMs ?? 2000,
    now: () => options.now ?? new Date('2026-03-01T03:00:00Z'),
  })
  return { platform, received: server.received }
}

const message = {
  phone: '84901234567',
  templateId: '7895417a7d3f9461cd2e',
  params: { otp: '123456' },
  trackingId: 'b'.repeat(24),
  development: false,
}
const accepted = { error: 0, message: 'Success', data: { msg_id: 'm1', sent_time: '1772334000000' } }

describe('platform calls: the requests', () => {
  it('sends by phone with the bare token header, the tracking id and no mode', async () => {
    const { platform, received } = await platformOn((_req, res) => reply(res, accepted))
    await platform.sendToPhone(buildOa(), message)
    expect(received[0]).toMatchObject({ method: 'POST', url: '/message/template' })
    expect(received[0]!.headers.access_token).toBe('token-1')
    expect(received[0]!.headers.authorization).toBeUndefined()
    expect(received[0]!.json).toEqual({
      phone: '84901234567',
      template_id: '7895417a7d3f9461cd2e',
      template_data: { otp: '123456' },
      tracking_id: 'b'.repeat(24),
    })
  })

  it('G-23 a sample goes out in development mode', async () => {
    const { platform, received } = await platformOn((_req, res) => reply(res, accepted))
    await platform.sendToPhone(buildOa(), { ...message, development: true })
    expect(received[0]!.json.mode).toBe('development')
  })

  it('sends by UID to the OA host without a tracking id', async () => {
    const { platform, received } = await platformOn((_req, res) =>
      reply(res, { error: 0, data: { message_id: 'u1', user_id: '9', sent_time: '1772334000000' } }),
    )
    const outcome = await platform.sendToUid(buildOa(), { userId: '9', templateId: '5', params: { a: 'b' } })
    expect(outcome).toMatchObject({ kind: 'ok', data: { msgId: 'u1' } })
    expect(received[0]!.url).toBe('/openapi/v3.0/oa/message/template')
    expect(received[0]!.json).toEqual({ user_id: '9', template_id: '5', template_data: { a: 'b' } })
  })

  it('edit sends the platform number beside the whole body', async () => {
    const { platform, received } = await platformOn((_req, res) => reply(res, { error: '0', data: {} }))
    const submission = { document: buildDocument(), trackingId: 'c'.repeat(24) }
    const outcome = await platform.editTemplate(buildOa(), '321', submission)
    expect(outcome).toMatchObject({
      kind: 'ok',
      data: { platformTemplateId: '321', status: 'PENDING_REVIEW' },
    })
    expect(received[0]!.url).toBe('/template/edit')
    expect(received[0]!.json).toMatchObject({ template_id: '321', template_name: 'Xác nhận đơn hàng' })
  })

  it('uploads an image as one file of a multipart body', async () => {
    const answer = { error: 0, message: 'Success', data: { media_id: 'media-1' } }
    const { platform, received } = await platformOn((_req, res) => reply(res, answer))
    const uploaded = await platform.uploadImage(buildOa(), Buffer.from('bytes of it'), 'image/png')
    expect(uploaded).toMatchObject({ kind: 'ok', data: { mediaId: 'media-1' } })
    expect(received[0]).toMatchObject({ method: 'POST', url: '/upload/image' })
    expect(received[0]!.headers.access_token).toBe('token-1')
    expect(received[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(received[0]!.body).toMatch(
      /name="file"; filename="image\.png"\r\nContent-Type: image\/png\r\n\r\nbytes of it\r\n/,
    )
  })

  it('lists by offset, limit and the number of the status', async () => {
    const { platform, received } = await platformOn((_req, res) =>
      reply(res, {
        error: 0,
        data: [
          { templateId: 12, templateName: 'A', status: 'REJECT', createdTime: 1772334000000 },
          { templateId: '13', templateName: 'B', status: 'DELETE' },
          { templateId: '14', templateName: 'C', status: 'SOMETHING_NEW' },
        ],
        metadata: { total: '44' },
      }),
    )
    const outcome = await platform.listTemplates(buildOa(), { offset: 20, limit: 10, status: 'REJECTED' })
    expect(received[0]!.url).toBe('/template/all?offset=20&limit=10&status=3')
    expect(outcome).toMatchObject({
      kind: 'ok',
      data: {
        total: 44,
        templates: [
          {
            platformTemplateId: '12',
            status: 'REJECTED',
            deleted: false,
            createdAt: new Date(1772334000000),
          },
          { platformTemplateId: '13', status: 'DISABLE', deleted: true },
          { platformTemplateId: '14', deleted: false },
        ],
      },
    })
  })
})

describe('platform calls: the answers', () => {
  it('keeps an id beyond 2^53 exact when it comes as a number', async () => {
    const { platform } = await platformOn((_req, res) =>
      reply(res, '{"error":0,"data":{"msg_id":9007199254740993123,"sent_time":"1772334000000"}}'),
    )
    const outcome = await platform.sendToPhone(buildOa(), message)
    expect(outcome).toMatchObject({
      kind: 'ok',
      data: { msgId: '9007199254740993123', sentAt: new Date(1772334000000) },
    })
  })

  it('G-26 reads prices as whole đồng from text or number', async () => {
    const { platform } = await platformOn((_req, res) =>
      reply(res, {
        error: 0,
        data: {
          template_id: 99,
          status: 'PENDING_REVIEW',
          price_sdt: '300.0',
          price_uid: 165,
          preview_url: 'p',
        },
      }),
    )
    const outcome = await platform.createTemplate(buildOa(), { document: buildDocument(), trackingId: 't' })
    expect(outcome).toMatchObject({
      kind: 'ok',
      data: {
        platformTemplateId: '99',
        status: 'PENDING_REVIEW',
        priceVnd: 300,
        priceUidVnd: 165,
        previewUrl: 'p',
      },
    })
  })

  it('G-16 reads a template’s detail with its reason and params', async () => {
    const { platform, received } = await platformOn((_req, res) =>
      reply(res, {
        error: 0,
        data: {
          templateId: '99',
          templateName: 'N',
          status: 'REJECT',
          reason: 'wrong tag;bad logo',
          listParams: [{ name: 'otp', require: 'true', type: 'STRING', maxLength: '10', acceptNull: false }],
          listButtons: [{ type: 1, title: 'T', content: 'C' }],
          price_sdt: '',
        },
      }),
    )
    const outcome = await platform.templateInfo(buildOa(), '99')
    expect(received[0]!.url).toBe('/template/info/v2?template_id=99')
    expect(outcome.kind === 'ok' && outcome.data).toEqual({
      platformTemplateId: '99',
      name: 'N',
      status: 'REJECTED',
      deleted: false,
      reason: 'wrong tag;bad logo',
      params: [{ name: 'otp', required: true, type: 'STRING', maxLength: 10, acceptNull: false }],
      buttons: [{ type: '1', title: 'T', content: 'C' }],
    })
  })

  it.each([
    ['-1', undefined, { status: 'unknown' }],
    [0, undefined, { status: 'pushed' }],
    ['1', '1772334000000', { status: 'delivered', deliveredAt: new Date(1772334000000) }],
  ])('reads message status %s', async (status, delivery_time, expected) => {
    const { platform } = await platformOn((_req, res) =>
      reply(res, { error: 0, data: { status, delivery_time } }),
    )
    const outcome = await platform.messageStatus(buildOa(), 'm1')
    expect(outcome.kind === 'ok' && outcome.data).toEqual(expected)
  })

  it('reads a quota given as text', async () => {
    const { platform } = await platformOn((_req, res) =>
      reply(res, { error: 0, data: { dailyQuota: '500', remainingQuota: '0' } }),
    )
    const outcome = await platform.quota(buildOa())
    expect(outcome.kind === 'ok' && outcome.data).toEqual({ dailyQuota: 500, remainingQuota: 0 })
  })
})

describe('platform outcomes: a definite no', () => {
  it.each([
    [-118, 'recipient'],
    ['-1121', 'payload'],
    [-1351, 'configuration'],
    ['-321', 'platform-money'],
    [-131, 'template'],
    [-32, 'transient'],
    [-98765, 'other'],
  ])('error %s is rejected as %s, with HTTP 200', async (error, rejectClass) => {
    const { platform } = await platformOn((_req, res) => reply(res, { error, message: 'no' }))
    const outcome = await platform.sendToPhone(buildOa(), message)
    expect(outcome).toMatchObject({
      kind: 'rejected',
      code: Number(error),
      class: rejectClass,
      message: 'no',
      raw: { error },
    })
  })

  it('a night refusal says when sending opens again', async () => {
    // 22:30 in Vietnam.
    const now = new Date('2026-03-01T15:30:00Z')
    const { platform } = await platformOn((_req, res) => reply(res, { error: -133 }), { now })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({
      kind: 'rejected',
      class: 'later',
      retryAt: new Date('2026-03-01T23:00:00Z'),
    })
  })

  it('an error number with HTTP 400 is still a definite no', async () => {
    const { platform } = await platformOn((_req, res) => reply(res, { error: -108, message: 'x' }, 400))
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({ kind: 'rejected', code: -108 })
  })
})

describe('platform outcomes: unknown', () => {
  const notKnown = { kind: 'unknown', surelyNotSent: false }

  it.each<[string, string, number]>([
    ['HTML with 200', '<html>gateway</html>', 200],
    ['truncated JSON', '{"error":0,"data":{"msg_id":"m', 200],
    ['an empty body', '', 200],
    ['JSON that is no object', '"ok"', 200],
    ['no error field', '{"data":{"msg_id":"m1"}}', 200],
    ['an error that is no number', '{"error":"oops"}', 200],
    ['an error that is null', '{"error":null,"data":{"msg_id":"m1"}}', 200],
    ['500', '{"error":-100}', 500],
    ['503 that claims success', '{"error":0,"data":{"msg_id":"m1"}}', 503],
    ['404 that claims success', '{"error":0,"data":{"msg_id":"m1"}}', 404],
    ['success without a message id', '{"error":0,"data":{}}', 200],
  ])('%s', async (_name, body, status) => {
    const { platform } = await platformOn((_req, res) => reply(res, body, status))
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject(notKnown)
  })

  it('a hanging answer ends after the time limit', async () => {
    const { platform } = await platformOn(() => {}, { timeoutMs: 100 })
    expect(await platform.sendToPhone(buildOa(), message)).toEqual({ ...notKnown, cause: 'timeout' })
  })

  it('a body that stops half way ends after the time limit', async () => {
    const { platform } = await platformOn(
      (_req, res) => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{"error":0,')
      },
      { timeoutMs: 100 },
    )
    expect(await platform.sendToPhone(buildOa(), message)).toEqual({ ...notKnown, cause: 'timeout' })
  })

  it('a reset connection, and nothing is sent twice', async () => {
    const { platform, received } = await platformOn((_req, res) => res.socket?.resetAndDestroy())
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject(notKnown)
    expect(received).toHaveLength(1)
  })

  it('a redirect is not followed', async () => {
    const { platform, received } = await platformOn((_req, res) => {
      res.writeHead(307, { location: '/elsewhere' })
      res.end()
    })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject(notKnown)
    expect(received).toHaveLength(1)
  })

  it('a refused connection surely sent nothing', async () => {
    const closed = createTcpServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const address = closed.address()
    await new Promise((resolve) => closed.close(resolve))
    const port = typeof address === 'object' && address ? address.port : 0
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = `http://${host}:${port}`
      const platform = createHttpPlatform({ businessUrl: url, openapiUrl: url, tokens: fixedTokens })
      expect(await platform.sendToPhone(buildOa(), message)).toEqual({
        kind: 'unknown',
        cause: 'ECONNREFUSED',
        surelyNotSent: true,
      })
    }
  })

  it('one address refused and another timed out is not surely unsent', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' })
    const cause = Object.assign(new AggregateError([refused, late]), { code: 'ECONNREFUSED' })
    const platform = createHttpPlatform({
      businessUrl: 'http://two.invalid',
      openapiUrl: 'http://two.invalid',
      tokens: fixedTokens,
      call: () => Promise.reject(cause),
    })
    expect(await platform.sendToPhone(buildOa(), message)).toEqual({
      ...notKnown,
      cause: 'ECONNREFUSED, ETIMEDOUT',
    })
  })

  it('an unresolvable host surely sent nothing', async () => {
    const url = 'http://nowhere.invalid'
    const platform = createHttpPlatform({ businessUrl: url, openapiUrl: url, tokens: fixedTokens })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({
      kind: 'unknown',
      surelyNotSent: true,
    })
  })

  it('a token that cannot be read surely sent nothing', async () => {
    const { platform, received } = await platformOn((_req, res) => reply(res, accepted), {
      tokens: { ...fixedTokens, current: () => Promise.reject(new Error('database is away')) },
    })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({
      kind: 'unknown',
      surelyNotSent: true,
    })
    expect(received).toHaveLength(0)
  })
})

describe('platform calls: a refused token', () => {
  const byToken = (req: Received, res: ServerResponse) =>
    reply(
      res,
      req.headers.access_token === 'token-2' ? accepted : { error: '-216', message: 'invalid token' },
    )

  it('is renewed once and the call made once more', async () => {
    const asked: string[] = []
    const { platform, received } = await platformOn(byToken, {
      tokens: {
        ...fixedTokens,
        refresh: async (_oa, stale) => {
          asked.push(stale)
          return 'token-2'
        },
      },
    })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({ kind: 'ok' })
    expect(asked).toEqual(['token-1'])
    expect(received).toHaveLength(2)
  })

  it('is not tried a third time', async () => {
    const { platform, received } = await platformOn(byToken, {
      tokens: { ...fixedTokens, refresh: async () => 'token-3' },
    })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({ kind: 'rejected', class: 'auth' })
    expect(received).toHaveLength(2)
  })

  it('stays a refusal when renewing fails or throws', async () => {
    for (const refresh of [async () => undefined, () => Promise.reject(new Error('save failed'))]) {
      const { platform, received } = await platformOn(byToken, { tokens: { ...fixedTokens, refresh } })
      expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({ kind: 'rejected', code: -216 })
      expect(received).toHaveLength(1)
    }
  })

  it('an OA that was never connected is refused without a call', async () => {
    const { platform, received } = await platformOn(byToken, {
      tokens: { ...fixedTokens, current: () => Promise.reject(new NoAccessToken('579')) },
    })
    expect(await platform.sendToPhone(buildOa(), message)).toMatchObject({ kind: 'rejected', class: 'auth' })
    expect(received).toHaveLength(0)
  })
})
