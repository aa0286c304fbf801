import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { NoAccessToken } from '../../src/platform/chatapp/tokens/token-store.ts'
import {
  accepted,
  buildDocument,
  buildOa,
  closePlatforms,
  fixedTokens,
  message,
  platformOn,
  type Received,
  reply,
} from './support.ts'

afterEach(closePlatforms)

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

  it.each([
    [
      { dailyQuota: '500', remainingQuota: 499, monthlyPromotionQuota: null },
      { daily: 500, remaining: 499 },
    ],
    [{ dailyQuota: 500, remainingQuota: null }, undefined],
  ])('reads the quota of the day %j', async (data, expected) => {
    const { platform, received } = await platformOn((_req, res) => reply(res, { error: 0, data }))
    const outcome = await platform.messageQuota(buildOa())
    expect(received[0]).toMatchObject({ method: 'GET', url: '/message/quota' })
    expect(outcome.kind === 'ok' ? outcome.data : undefined).toEqual(expected)
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

  it('stays a refusal when renewing is refused, and was surely not sent when renewing fails', async () => {
    const refused = async () => undefined
    const failed = () => Promise.reject(new Error('save failed'))
    for (const [refresh, outcome] of [
      [refused, { kind: 'rejected', code: -216 }],
      [failed, { kind: 'unknown', surelyNotSent: true }],
    ] as const) {
      const { platform, received } = await platformOn(byToken, { tokens: { ...fixedTokens, refresh } })
      expect(await platform.sendToPhone(buildOa(), message)).toMatchObject(outcome)
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
