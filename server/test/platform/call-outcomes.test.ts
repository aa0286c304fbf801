import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import { accepted, buildOa, closePlatforms, fixedTokens, message, platformOn, reply } from './support.ts'

afterEach(closePlatforms)

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
