import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpPlatform } from '../../src/platform/chatapp/http-adapter.ts'
import type { TokenStore } from '../../src/platform/chatapp/tokens/token-store.ts'
import type { OaCredentials, TemplateDocument } from '../../src/platform/types.ts'

export type Received = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  json: Record<string, unknown>
}

/** A server on a free port that keeps the requests that it received. `answer` decides each response. */
export async function startServer(answer: (req: Received, res: ServerResponse) => void) {
  const received: Received[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const isJson = req.headers['content-type'] === 'application/json'
      const entry: Received = {
        method: req.method ?? '',
        url: req.url ?? '',
        headers: req.headers,
        body,
        json: isJson ? JSON.parse(body) : {},
      }
      received.push(entry)
      answer(entry, res)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, received, close }
}

export function reply(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' })
  res.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export function buildOa(overrides: Partial<OaCredentials> = {}): OaCredentials {
  return { shopId: 'a'.repeat(24), oaId: '579745863508352884', accessToken: 'token-1', ...overrides }
}

/** A store that always returns the OA's own token and can renew nothing. */
export const fixedTokens: TokenStore = {
  current: async (oa) => oa.accessToken ?? '',
  refresh: async () => undefined,
}

export function buildDocument(overrides: Partial<TemplateDocument> = {}): TemplateDocument {
  return {
    oaId: '579745863508352884',
    name: 'Xác nhận đơn hàng',
    title: 'Đơn hàng <order_code>',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    logoLight: 'https://cdn.example/light.png',
    logoDark: 'https://cdn.example/dark.png',
    contentBlocks: [
      { id: 'b1', type: 'paragraph', value: 'Cảm ơn <customer_name> đã mua hàng.' },
      {
        id: 'b2',
        type: 'table',
        rows: [
          { label: 'Mã đơn', key: '<order_code>' },
          { label: 'Trạng thái', key: '<order_status>', rowType: 1 },
        ],
      },
    ],
    buttons: [{ label: 'Xem đơn hàng', type: '7', value: 'https://shop.example/orders' }],
    params: [
      { key: 'customer_name', label: 'Tên khách', techSetting: '1', sampleValue: 'Nguyễn An' },
      { key: 'order_code', label: 'Mã đơn', techSetting: '4' },
      { key: 'order_status', label: 'Trạng thái', techSetting: '6', sampleValue: 'Đã giao' },
    ],
    isCustomParams: true,
    note: 'Gửi sau khi khách đặt hàng.',
    ...overrides,
  }
}

const closers: (() => Promise<void>)[] = []

/**
 * The adapter with a platform of the test's own, and the requests that this received. It is 10:00 in Vietnam. Callers
 * must run {@link closePlatforms} after each test.
 */
export async function platformOn(
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

export async function closePlatforms(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** A message by phone, and the platform's response when it accepts one. */
export const message = {
  phone: '84901234567',
  templateId: '7895417a7d3f9461cd2e',
  params: { otp: '123456' },
  trackingId: 'b'.repeat(24),
  development: false,
}
export const accepted = { error: 0, message: 'Success', data: { msg_id: 'm1', sent_time: '1772334000000' } }
