import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createHttpPlatform } from '../../../src/platform/chatapp/http-adapter.ts'
import { makeShop, separateService, unusedId, within } from '../../support/service.ts'
import {
  createTemplate,
  makeShopWithOa,
  publish,
  templateBody,
  whenStatus,
} from '../../support/template-shop.ts'
import { control, insertEnabledTemplate, topUp, VALUES } from '../../support/templates.ts'

/**
 * OWASP API Security Top 10 (2023), outgoing requests: a concrete attack for each item. The file has its own service,
 * which fetches images and gives up calls to the platform early.
 */
const running = await separateService({ platformImages: 'upload' }, { timings: { platformTimeoutMs: 1_500 } })

const SEND = '/api/external/notify-message/send'

describe('OWASP API7 server side request forgery', () => {
  const INWARD = [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:5432/',
    'http://localhost/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://10.0.0.1/',
    'http://0.0.0.0/',
  ]

  it.each(INWARD)('a webhook to %s is refused with 400', async (url) => {
    const shop = await makeShop(running)
    const answer = await shop.post('/api/external/webhooks', { url, events: ['*'] })
    expect([answer.status, answer.body.validation?.body.keys]).toEqual([400, ['url']])
  })

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1:6379/_FLUSHALL', 'ftp://example.com/', 'javascript:1'])(
    'neither is %s an address',
    async (url) => {
      const shop = await makeShop(running)
      expect((await shop.post('/api/external/webhooks', { url, events: ['*'] })).status).toBe(400)
    },
  )

  it('a template’s images at such addresses are not fetched: it is rejected, naming the address', async () => {
    const shop = await makeShopWithOa(running)
    for (const logoLight of [INWARD[0]!, INWARD[1]!]) {
      const body = templateBody(shop.oaId, { logoLight, logoDark: logoLight })
      const draft = await createTemplate(shop, body)
      expect((await publish(shop, draft._id)).status).toBe(200)
      const rejected = await whenStatus(shop, draft._id, 'REJECTED', 15_000)
      expect(rejected.rejectReason).toContain(logoLight)
    }
  })
})

describe('OWASP API10 unsafe consumption of APIs', () => {
  it('a platform that answers garbage, half or late ends in “unknown”: money is held once, nothing is sent again', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 10_000)
    const kinds = ['html', 'truncated', 'hang', '5xx']
    for (const [n, kind] of kinds.entries()) {
      await control(running, '/faults', { faults: [{ kind, endpoint: '/message/template', times: 1 }] })
      const body = { templateId: template.id, receiverPhone: `091234567${n}`, params: VALUES }
      const answer = await within(6_000, () => shop.post(SEND, body))
      expect([kind, answer.status]).toEqual([kind, 202])
      expect(JSON.stringify(answer.body)).not.toMatch(/<html|<body/i)
    }
    await control(running, '/faults', { faults: [] })
    const wallet = (await shop.get('/api/external/wallet')).body
    expect(wallet.balance + wallet.held).toBeLessThanOrEqual(10_000)
    expect(wallet.balance).toBe(10_000 - kinds.length * 200)
  })

  it.each([
    ['endless text', (write: (text: string) => boolean) => write('a'.repeat(65_536))],
    ['endless JSON', (write: (text: string) => boolean) => write(`${'{"error":0,"data":['.repeat(2_000)}`)],
  ])('%s is cut off at 4 MB, and its template stays as it is', async (_, more) => {
    const platform = await endlessServer(more)
    const http = createHttpPlatform({
      businessUrl: platform.url,
      openapiUrl: platform.url,
      timeoutMs: 20_000,
      tokens: { current: async () => 't', refresh: async () => undefined },
    })
    const oa = { shopId: unusedId(), oaId: 'oa', accessToken: 't' }
    const listed = await http.listTemplates(oa, { offset: 0, limit: 100 })
    expect(listed).toMatchObject({ kind: 'unknown', cause: 'AnswerTooLarge', surelyNotSent: false })
    const uploaded = await http.uploadImage(oa, Buffer.from('x'), 'image/png')
    expect(uploaded).toMatchObject({ kind: 'unknown', cause: 'AnswerTooLarge' })
    expect(platform.sent()).toBeLessThan(64 * 1024 * 1024)
  })
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server whose responses do not end. */
async function endlessServer(more: (write: (text: string) => boolean) => boolean) {
  let sent = 0
  const server = createServer((request, reply) => {
    request.resume()
    reply.writeHead(200, { 'content-type': 'application/json' })
    const write = (text: string) => {
      sent += text.length
      return reply.write(text)
    }
    const pump = () => {
      while (!reply.destroyed && more(write)) {}
    }
    reply.on('drain', pump)
    pump()
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent }
}
