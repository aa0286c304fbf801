import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSimulator } from '../../../simulator/src/app.ts'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import {
  eventTimestamp,
  type PlatformEvent,
  parseEvent,
  verifySignature,
} from '../../src/platform/chatapp/inbound.ts'
import { createTokenStore, type StoredTokens } from '../../src/platform/chatapp/tokens/token-store.ts'
import type { OaCredentials, Platform } from '../../src/platform/types.ts'
import { buildDocument, reply, startServer } from './support.ts'

const SIGNING = { appId: 'app-of-test', secret: 'secret-of-test' }
let simulator: ReturnType<typeof buildSimulator>
let platform: Platform
let address: string
let stopWebhook: () => Promise<void>
const stored = new Map<string, StoredTokens>()
const events: { event: PlatformEvent; isSigned: boolean }[] = []

beforeAll(async () => {
  const webhook = await startServer((req, res) => {
    const rawBody = Buffer.from(req.body)
    const header = req.headers['x-zevent-signature']
    events.push({
      event: parseEvent(rawBody),
      isSigned: verifySignature({
        signer: SIGNING.appId,
        secret: SIGNING.secret,
        rawBody,
        timestamp: eventTimestamp(rawBody) ?? '',
        header: typeof header === 'string' ? header : undefined,
      }),
    })
    reply(res, {})
  })
  stopWebhook = webhook.close
  simulator = buildSimulator({ ...SIGNING, webhookUrl: webhook.url, reviewMs: 20, deliveryMs: 20, seed: 1 })
  await simulator.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(simulator.server.address() as AddressInfo).port}`
  const tokens = createTokenStore({
    oauthUrl: address,
    load: async (oa) => stored.get(oa.oaId),
    save: async (oa, pair) => stored.set(oa.oaId, { ...stored.get(oa.oaId), ...pair }).has(oa.oaId),
    defaultAccessToken: (oa) => `sim:${oa.oaId}`,
  })
  platform = createHttpPlatform({ businessUrl: address, openapiUrl: address, tokens, timeoutMs: 500 })
})

afterAll(async () => {
  await simulator.close()
  await stopWebhook()
})

let nextOa = 1000
function newOa(): OaCredentials {
  nextOa += 1
  return { shopId: 'a'.repeat(24), oaId: String(nextOa) }
}

async function control(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${address}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
}

async function received(trackingId: string): Promise<number> {
  const response = await fetch(`${address}/control/messages?tracking_id=${trackingId}`)
  const { messages } = (await response.json()) as { messages: unknown[] }
  return messages.length
}

async function waitFor<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('it did not happen within two seconds')
}

async function approvedTemplate(oa: OaCredentials): Promise<string> {
  const outcome = await platform.createTemplate(oa, { document: buildDocument(), trackingId: 't1' })
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
  return waitFor(async () => {
    const info = await platform.templateInfo(oa, outcome.data.platformTemplateId)
    return info.kind === 'ok' && info.data.status === 'ENABLE' ? info.data.platformTemplateId : undefined
  })
}

const params = { customer_name: 'Nguyễn An', order_code: 'DH1', order_status: 'Đã giao' }
const toPhone = (templateId: string, trackingId: string, phone = '84901239999') => ({
  phone,
  templateId,
  params,
  trackingId,
  development: false,
})

describe('the adapter against the simulator', () => {
  it('G-15 a template is submitted, reviewed, announced by a signed event, listed and read back', async () => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    const info = await platform.templateInfo(oa, templateId)
    expect(info).toMatchObject({
      kind: 'ok',
      data: {
        name: 'Xác nhận đơn hàng',
        deleted: false,
        params: [{ name: 'customer_name' }, { name: 'order_code' }, { name: 'order_status' }],
        buttons: [{ type: '7', title: 'Xem đơn hàng', content: 'https://shop.example/orders' }],
        priceVnd: expect.any(Number),
        priceUidVnd: expect.any(Number),
      },
    })
    const { event, isSigned } = await waitFor(() =>
      events.find(({ event }) => event.kind === 'template-status' && event.platformTemplateId === templateId),
    )
    expect(isSigned).toBe(true)
    expect(event).toMatchObject({ oaId: oa.oaId, to: 'ENABLE', deleted: false })
    const list = await platform.listTemplates(oa, { offset: 0, limit: 10, status: 'ENABLE' })
    expect(list).toMatchObject({
      kind: 'ok',
      data: { total: 1, templates: [{ platformTemplateId: templateId }] },
    })
  })

  it('G-16 a rejected template keeps its reason and may be edited; an enabled one may not', async () => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    const submission = { document: buildDocument({ title: 'Đơn <order_code> đã sửa' }), trackingId: 't2' }
    expect(await platform.editTemplate(oa, templateId, submission)).toMatchObject({
      kind: 'rejected',
      code: -1091,
      class: 'template',
    })
    await control(`templates/${templateId}/reject`, { reason: 'logo quá nhỏ' })
    expect(await platform.templateInfo(oa, templateId)).toMatchObject({
      kind: 'ok',
      data: { status: 'REJECTED', reason: 'logo quá nhỏ' },
    })
    expect(await platform.editTemplate(oa, templateId, submission)).toMatchObject({
      kind: 'ok',
      data: { platformTemplateId: templateId, status: 'PENDING_REVIEW' },
    })
  })

  it('voucher and rating layouts are understood', async () => {
    const oa = newOa()
    const voucher = {
      code: '<order_code>',
      title: 'Giảm 10%',
      condition: 'Đơn từ 100k',
      expiryDate: '2027-01-01',
    }
    const paragraph = { id: 'p', type: 'paragraph' as const, value: 'Tặng <customer_name> một ưu đãi.' }
    const rating = { items: [1, 2, 3, 4, 5].map((star) => ({ star, title: 'Sao', question: 'Vì sao?' })) }
    for (const document of [
      buildDocument({
        templateType: 'voucher',
        voucher,
        contentBlocks: [paragraph, { id: 'v', type: 'voucher', voucher }],
      }),
      buildDocument({
        templateType: 'rating',
        tag: '2',
        rating,
        contentBlocks: [paragraph, { id: 'r', type: 'rating', rating }],
      }),
    ]) {
      expect(await platform.createTemplate(oa, { document, trackingId: 't' })).toMatchObject({ kind: 'ok' })
    }
  })

  it('a message by phone is accepted, delivered, and confirmed by a signed receipt', async () => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    const outcome = await platform.sendToPhone(oa, toPhone(templateId, 'track-receipt'))
    if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
    expect(outcome.data.sentAt).toBeInstanceOf(Date)
    const { event, isSigned } = await waitFor(() =>
      events.find(({ event }) => event.kind === 'receipt' && event.trackingId === 'track-receipt'),
    )
    expect(isSigned).toBe(true)
    expect(event).toMatchObject({ oaId: oa.oaId, msgId: outcome.data.msgId, deliveredAt: expect.any(Date) })
    expect(await platform.messageStatus(oa, outcome.data.msgId)).toMatchObject({
      kind: 'ok',
      data: { status: 'delivered', deliveredAt: expect.any(Date) },
    })
  })

  it('a message by UID is accepted', async () => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    const outcome = await platform.sendToUid(oa, { userId: '8899009999', templateId, params })
    expect(outcome).toMatchObject({
      kind: 'ok',
      data: { msgId: expect.any(String), sentAt: expect.any(Date) },
    })
  })

  it.each([
    ['0001', -118, 'recipient'],
    ['0002', -141, 'recipient'],
    ['0009', -133, 'later'],
  ])('a phone ending %s is refused with %i as %s', async (ending, code, rejectClass) => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    const outcome = await platform.sendToPhone(oa, toPhone(templateId, `no-${ending}`, `8490123${ending}`))
    expect(outcome).toMatchObject({ kind: 'rejected', code, class: rejectClass })
    expect(outcome.kind === 'rejected' && outcome.retryAt !== undefined).toBe(rejectClass === 'later')
  })

  it.each([
    ['0005', 'timeout', 1],
    ['0006', 'timeout', 0],
    ['0007', 'HTTP 500', 0],
  ])('a phone ending %s is unknown (%s), delivered or not', async (ending, cause, copies) => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    const outcome = await platform.sendToPhone(oa, toPhone(templateId, `maybe-${ending}`, `8490123${ending}`))
    expect(outcome).toEqual({ kind: 'unknown', cause, surelyNotSent: false })
    expect(await received(`maybe-${ending}`)).toBe(copies)
  })

  it.each(['hang', 'reset', '5xx', 'html', 'truncated', 'outage'])(
    'the fault %s is unknown and never said to be surely not sent',
    async (kind) => {
      const oa = newOa()
      const templateId = await approvedTemplate(oa)
      await control('faults', { faults: [{ kind, endpoint: '/message/template' }] })
      try {
        expect(await platform.sendToPhone(oa, toPhone(templateId, `fault-${kind}`))).toMatchObject({
          kind: 'unknown',
          surelyNotSent: false,
        })
      } finally {
        await control('faults', { faults: [] })
      }
    },
  )

  it('20 parallel sends outlive an expired token with a single-use refresh token', async () => {
    const oa = newOa()
    const templateId = await approvedTemplate(oa)
    stored.set(oa.oaId, { refreshToken: `simr:${oa.oaId}`, appId: 'app', secretKey: 'secret' })
    await control('tokens/expire', { oaId: oa.oaId })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => platform.sendToPhone(oa, toPhone(templateId, `renewed-${n}`))),
    )
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(Array(20).fill('ok'))
    expect(stored.get(oa.oaId)).toMatchObject({ accessToken: expect.stringMatching(/^sima-/) })
  })
})
