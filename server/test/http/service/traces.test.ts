import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { makePhoneSender } from '../../support/senders.ts'
import { eventually, separateService } from '../../support/service.ts'
import { VALUES } from '../../support/templates.ts'
import { makeReceiver, WEBHOOKS } from '../../support/webhooks.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** A collector of spans (OTLP over HTTP in JSON). */
async function startCollector() {
  const bodies: string[] = []
  const server = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body)
      reply.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const spans = (): Span[] =>
    bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
        scopeSpans.flatMap((one) => one.spans),
      ),
    )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans }
}

describe('spans sent by OTLP', async () => {
  const collector = await startCollector()
  const running = await separateService({ tracesUrl: collector.url, outboundAllowPrivate: true })

  it('one trace has a send, its statements, its call of the platform and its webhooks, by the id of the request; no value', async () => {
    const { shop, send } = await makePhoneSender(running)
    const receiver = await makeReceiver()
    await shop.post(WEBHOOKS, { url: receiver.url, events: ['message.received'] })
    const sent = await send()
    expect(sent.status).toBe(200)
    const traceId = String(sent.headers['x-request-id']).padStart(32, '0')
    const names = await eventually(async () => {
      const found = collector.spans().filter((span) => span.traceId === traceId)
      const all = found.map(({ name }) => name)
      return all.includes('webhook delivery') && all.includes('POST /api/external/notify-message/send') && all
    }, 20_000)
    expect(names).toEqual(expect.arrayContaining(['platform sendToPhone', 'sql with']))
    const request = collector
      .spans()
      .find((span) => span.traceId === traceId && span.name === 'POST /api/external/notify-message/send')!
    expect(
      Object.fromEntries(request.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    ).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/external/notify-message/send',
      'http.response.status_code': 200,
      'shopbell.request_id': sent.headers['x-request-id'],
      'shopbell.shop_id': shop.shopId,
    })
    const written = collector.bodies.join('\n')
    for (const value of [...Object.values(VALUES), '901234567', 'sb_live_'])
      expect(written).not.toContain(value)
  }, 40_000)

  it('a caller’s trace goes on', async () => {
    const { shop } = await makePhoneSender(running)
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await shop.get('/api/external/wallet', { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    const span = await eventually(async () =>
      collector.spans().find((one) => one.name === 'GET /api/external/wallet' && one.traceId === traceId),
    )
    expect(span.parentSpanId).toBe('b7ad6b7169203331')
  }, 40_000)
})
