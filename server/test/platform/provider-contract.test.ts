import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildSimulator } from '../../../simulator/src/app.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { CHATAPP, createChatappProvider } from '../../src/platform/chatapp/chatapp-provider.ts'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import { ESMS } from '../../src/platform/esms/esms-inbound.ts'
import { sealEsmsKeys } from '../../src/platform/esms/esms-keys.ts'
import { createEsmsProvider } from '../../src/platform/esms/esms-provider.ts'
import type {
  InboundRequest,
  InboundSecret,
  MessageProvider,
  ProviderMessage,
  ProviderProtocol,
  SendingAccount,
} from '../../src/platform/provider.ts'
import { PROTOCOLS } from '../../src/platform/providers.ts'
import { buildDocument, fixedTokens, type Received, reply, startServer } from './support.ts'

/** An adapter with its simulator, and the numbers for which the simulator behaves as a case needs. */
type Provided = {
  name: string
  protocol: ProviderProtocol
  open(account?: Partial<SendingAccount>): SendingAccount
  credentials(which: 'good' | 'wrong'): Buffer
  /** The adapter, using the simulator unless another address is given. */
  providerAt(url: string): MessageProvider<never>
  message(phone: string, trackingId: string): Promise<ProviderMessage<never>>
  phones: Record<'arrives' | 'refused' | 'hangsAndArrives' | 'neverArrives', string>
  /** A setting by which all messages are refused for now, and the one by which they are accepted again. */
  busy: [object, object]
  sendPath: string
  secret: InboundSecret
  /** Whether the provider itself reports that a message will not arrive. */
  reportsFailures: boolean
  sent(trackingId: string): Promise<number>
  request(received: Received): InboundRequest
}

const KEY = Buffer.alloc(32, 7)
const secrets = createSecretBox([KEY])
const SECRET = 'secret-of-test'
const OA = '777001'
const REPORT_KEY = 'key-in-the-address'

let simulator: ReturnType<typeof buildSimulator>
let address = ''
let webhook: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  webhook = await startServer((_req, res) => reply(res, {}))
  simulator = buildSimulator({
    appId: 'app-of-test',
    secret: SECRET,
    webhookUrl: webhook.url,
    reviewMs: 10,
    deliveryMs: 10,
    hangMs: 2_000,
    seed: 3,
  })
  await simulator.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(simulator.server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await simulator.close()
  await webhook.close()
})

async function control<T>(path: string, body?: unknown): Promise<T> {
  const init =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }
  const response = await fetch(`${address}/control/${path}`, init)
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

async function waitFor<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('it did not happen within three seconds')
}

function platformAt(url: string) {
  return createHttpPlatform({ businessUrl: url, openapiUrl: url, tokens: fixedTokens, timeoutMs: 400 })
}

let approved: Promise<string> | undefined
/** The number of a template that the platform has approved. */
function approvedTemplate(): Promise<string> {
  approved ??= (async () => {
    const platform = platformAt(address)
    const oa = { shopId: 'a'.repeat(24), oaId: OA, accessToken: `sim:${OA}` }
    const created = await platform.createTemplate(oa, {
      document: buildDocument({ oaId: OA }),
      trackingId: 't1',
    })
    if (created.kind !== 'ok') throw new Error(JSON.stringify(created))
    const { platformTemplateId } = created.data
    return waitFor(async () => {
      const info = await platform.templateInfo(oa, platformTemplateId)
      return info.kind === 'ok' && info.data.status === 'ENABLE' ? platformTemplateId : undefined
    })
  })()
  return approved
}

const header = (headers: Received['headers']) => (name: string) => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const chatapp: Provided = {
  name: 'chatapp',
  protocol: CHATAPP,
  open: (account) => ({
    shopId: 'a'.repeat(24),
    accountId: OA,
    credentials: chatapp.credentials('good'),
    ...account,
  }),
  credentials: (which) => secrets.seal(which === 'good' ? `sim:${OA}` : 'stolen'),
  providerAt: (url) => createChatappProvider({ platform: platformAt(url), secrets }),
  message: async (phone, trackingId) => ({
    to: { phone },
    content: {
      kind: 'template',
      templateId: await approvedTemplate(),
      params: { customer_name: 'Nguyễn An', order_code: 'DH1', order_status: 'Đã giao' },
    } as never,
    trackingId,
    isSample: false,
  }),
  phones: {
    arrives: '84901239999',
    refused: '84901230001',
    hangsAndArrives: '84901230005',
    neverArrives: '84901230003',
  },
  busy: [{ dailyQuota: 0 }, { dailyQuota: 1_000_000 }],
  sendPath: '/message/template',
  secret: { appId: 'app-of-test', secret: SECRET },
  reportsFailures: false,
  sent: async (trackingId) =>
    (await control<{ messages: unknown[] }>(`messages?tracking_id=${trackingId}`)).messages.length,
  request: ({ body, headers }) => ({ rawBody: Buffer.from(body), header: header(headers) }),
}

const esms: Provided = {
  name: 'esms',
  protocol: ESMS,
  open: (account) => ({
    shopId: 'a'.repeat(24),
    accountId: 'CUAHANG',
    credentials: esms.credentials('good'),
    ...account,
  }),
  credentials: (which) =>
    sealEsmsKeys(secrets, {
      apiKey: 'api-key',
      secretKey: which === 'good' ? 'secret-key' : 'stolen',
      reportKey: REPORT_KEY,
    }),
  providerAt: (url) =>
    createEsmsProvider({ esmsUrl: `${url}/`, timeoutMs: 400, secrets }) as MessageProvider<never>,
  message: async (phone, trackingId) => ({
    to: { phone },
    content: { kind: 'text', text: 'Đơn hàng DH1 đã giao' } as never,
    trackingId,
    isSample: false,
    reportTo: `${webhook.url}/hooks/sms`,
  }),
  phones: {
    arrives: '84901119999',
    refused: '84901909999',
    hangsAndArrives: '84901929999',
    neverArrives: '84901919999',
  },
  busy: [{ smsBalanceVnd: 0 }, { smsBalanceVnd: 1_000_000 }],
  sendPath: '/MainService.svc/json/SendMultipleMessage_V4_post_json/',
  secret: { appId: undefined, secret: REPORT_KEY },
  reportsFailures: true,
  sent: async (trackingId) => (await control<{ sms: unknown[] }>(`sms?RequestId=${trackingId}`)).sms.length,
  request: ({ url, headers }) => {
    const { pathname, search } = new URL(url, 'http://ours.example')
    return {
      rawBody: Buffer.from(search.slice(1)),
      addressKey: pathname.split('/').at(-1)!,
      header: header(headers),
    }
  },
}

let counter = 0
function newId(): string {
  counter += 1
  return `c${String(counter).padStart(23, '0')}`
}

describe.each([chatapp, esms])('a provider of messages: $name', (provided) => {
  const { protocol, phones, secret, reportsFailures } = provided
  const account = () => provided.open()
  let provider: MessageProvider<never>

  beforeEach(async () => {
    provider = provided.providerAt(address)
    await control('faults', [])
    await control('settings', { smsApiKey: 'api-key', smsSecretKey: 'secret-key', ...provided.busy[1] })
  })

  const isOf = (request: InboundRequest, trackingId: string) => {
    const event = protocol.inbound.parse(request.rawBody.toString(), new Date())
    return 'trackingId' in event && event.trackingId === trackingId ? event : undefined
  }

  /** Waits for the report on a message. */
  function reported(trackingId: string) {
    return waitFor(() => {
      for (const received of webhook.received) {
        const request = provided.request(received)
        const event = isOf(request, trackingId)
        if (event) return { request, event }
      }
      return undefined
    })
  }

  it('accepted: it says under which id, sends once, and a genuine receipt and its status say that it arrived', async () => {
    const trackingId = newId()
    const outcome = await provider.send(account(), await provided.message(phones.arrives, trackingId))
    if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
    expect(outcome.data.msgId).not.toBe('')
    const { request, event } = await reported(trackingId)
    expect(event).toMatchObject({ kind: 'receipt', msgId: outcome.data.msgId, deliveredAt: expect.any(Date) })
    expect(protocol.inbound.eventName(request)).toBeDefined()
    expect(protocol.inbound.isSigned(request)).toBe(true)
    expect(protocol.inbound.isGenuine(request, secret, [OA])).toBe(true)
    const status = await provider.messageStatus(account(), outcome.data.msgId)
    expect(status).toMatchObject({ kind: 'ok', data: { status: 'delivered' } })
    expect(await provided.sent(trackingId)).toBe(1)
  })

  it('refused for good: a definite no with a number that it describes in both languages, and nothing sent', async () => {
    const trackingId = newId()
    const outcome = await provider.send(account(), await provided.message(phones.refused, trackingId))
    if (outcome.kind !== 'rejected') throw new Error(JSON.stringify(outcome))
    expect(outcome.class).toBe('recipient')
    const texts = (['vi', 'en'] as const).map((language) => protocol.describe(outcome.code, language))
    expect(texts[0]).not.toBe(texts[1])
    expect(texts).toEqual([expect.any(String), expect.any(String)])
    expect(await provided.sent(trackingId)).toBe(0)
  })

  it('refused for now: a definite no too, and the same message is accepted later', async () => {
    const trackingId = newId()
    const message = await provided.message(phones.arrives, trackingId)
    await control('settings', provided.busy[0])
    const refused = await provider.send(account(), message)
    expect(refused).toMatchObject({ kind: 'rejected' })
    expect(['later', 'transient', 'platform-money']).toContain(refused.kind === 'rejected' && refused.class)
    expect(await provided.sent(trackingId)).toBe(0)
    await control('settings', provided.busy[1])
    expect(await provider.send(account(), message)).toMatchObject({ kind: 'ok' })
    expect(await provided.sent(trackingId)).toBe(1)
  })

  it('a lost answer is unknown, what became of it can be learnt, and only what drops repeats may be asked again', async () => {
    const trackingId = newId()
    const message = await provided.message(phones.hangsAndArrives, trackingId)
    const outcome = await provider.send(account(), message)
    expect(outcome).toMatchObject({ kind: 'unknown', surelyNotSent: false })
    if (provider.dropsRepeats) {
      const again = await provider.send(account(), message)
      expect(again).toMatchObject({ kind: 'ok' })
    }
    expect(await provided.sent(trackingId)).toBe(1)
    const { event } = await reported(trackingId)
    if (event.kind !== 'receipt') throw new Error(event.kind)
    const status = await provider.messageStatus(account(), event.msgId!)
    expect(status).toMatchObject({ kind: 'ok', data: { status: 'delivered' } })
  })

  it('one that it never got is sent by asking again, where it drops repeats', async () => {
    const trackingId = newId()
    await control('faults', [{ kind: 'hang', endpoint: provided.sendPath, times: 1 }])
    const message = await provided.message(phones.arrives, trackingId)
    expect(await provider.send(account(), message)).toMatchObject({ kind: 'unknown', surelyNotSent: false })
    expect(await provided.sent(trackingId)).toBe(0)
    if (provider.dropsRepeats) {
      expect(await provider.send(account(), message)).toMatchObject({ kind: 'ok' })
      expect(await provided.sent(trackingId)).toBe(1)
    }
  })

  it.each([
    ['HTML', 'html'],
    ['an error of an intermediary', '5xx'],
    ['half of the answer', 'truncated'],
    ['a cut connection', 'reset'],
  ])('unknown for %s, after it was accepted', async (_name, kind) => {
    const trackingId = newId()
    await control('faults', [{ kind, endpoint: provided.sendPath, applied: true }])
    const outcome = await provider.send(account(), await provided.message(phones.arrives, trackingId))
    expect(outcome).toMatchObject({ kind: 'unknown', surelyNotSent: false })
    expect(await provided.sent(trackingId)).toBe(1)
  })

  it('surely not sent when no server listens', async () => {
    const gone = await startServer(() => {})
    await gone.close()
    const outcome = await provided
      .providerAt(gone.url)
      .send(account(), await provided.message(phones.arrives, newId()))
    expect(outcome).toMatchObject({ kind: 'unknown', surelyNotSent: true })
  })

  it('accepted and never delivered: its status does not say delivered, nor does a receipt come', async () => {
    const trackingId = newId()
    const outcome = await provider.send(account(), await provided.message(phones.neverArrives, trackingId))
    if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome))
    if (reportsFailures) {
      const { request, event } = await reported(trackingId)
      expect(event).toMatchObject({ kind: 'failure', msgId: outcome.data.msgId, cause: expect.any(String) })
      expect(protocol.inbound.isGenuine(request, secret, [OA])).toBe(true)
    }
    const status = await provider.messageStatus(account(), outcome.data.msgId)
    expect(status).toMatchObject({ kind: 'ok', data: { status: reportsFailures ? 'failed' : 'pushed' } })
  })

  it('an unknown id does not count as delivered', async () => {
    const status = await provider.messageStatus(account(), '12345')
    expect(status.kind === 'ok' && status.data.status === 'delivered').toBe(false)
    expect(status.kind).not.toBe('unknown')
  })

  it('wrong credentials: refused as such, nothing sent; those that cannot be opened never leave', async () => {
    const trackingId = newId()
    const message = await provided.message(phones.arrives, trackingId)
    const wrong = provided.open({ credentials: provided.credentials('wrong') })
    expect(await provider.send(wrong, message)).toMatchObject({ kind: 'rejected', class: 'auth' })
    const sealedByAnother = createSecretBox([Buffer.alloc(32, 9)]).seal('x')
    const closed = provided.open({ credentials: sealedByAnother })
    expect(await provider.send(closed, message)).toMatchObject({ kind: 'unknown', surelyNotSent: true })
    expect(await provider.messageStatus(closed, '1')).toMatchObject({ kind: 'unknown' })
    expect(await provided.sent(trackingId)).toBe(0)
  })

  it('a report that is forged, or proved with another secret, is not genuine', async () => {
    const trackingId = newId()
    await control('faults', [
      { kind: 'bad-signature', endpoint: 'events' },
      { kind: 'bad-signature', endpoint: 'events:sms_report' },
    ])
    await provider.send(account(), await provided.message(phones.arrives, trackingId))
    const { request } = await reported(trackingId)
    expect(protocol.inbound.isGenuine(request, secret, [OA])).toBe(false)
    for (const other of ['', 'another', `x${secret.secret}`]) {
      expect(protocol.inbound.isGenuine(request, { ...secret, secret: other }, [OA])).toBe(false)
    }
  })

  it('nothing that comes makes it throw or act', () => {
    for (const text of [
      '',
      '{',
      '{}',
      'null',
      '[]',
      '\0',
      'SMSID',
      'SendStatus=5',
      '%E0%A4%A',
      'a'.repeat(10_000),
    ]) {
      const request: InboundRequest = { rawBody: Buffer.from(text), header: () => undefined }
      expect(protocol.inbound.isGenuine(request, secret, [OA])).toBe(false)
      expect(protocol.inbound.accountsNamed(request)).toEqual([])
      expect(protocol.inbound.parse(text, new Date()).kind).toBe('other')
    }
  })
})

describe('the registry of providers', () => {
  it('no error number is of two providers', () => {
    for (let code = -2_000; code <= 2_000; code += 1) {
      const known = Object.values(PROTOCOLS).filter(({ describe: text }) => text(code, 'en') !== undefined)
      expect(known.length, String(code)).toBeLessThanOrEqual(1)
    }
  })
})
