import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildSimulator, type SimulatorOptions } from '../src/app.ts'
import { asJson, type Json } from '../src/read.ts'

export type ReceivedEvent = { path: string; raw: string; signature: string; body: Json }

export type Receiver = {
  url: string
  events: ReceivedEvent[]
  /** The statuses of the next responses; 200 when none is left. */
  answers: number[]
  close: () => Promise<void>
}

/** A small HTTP server in the place of Shopbell's webhook. */
export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = []
  const answers: number[] = []
  const server: Server = createServer((req, res) => {
    let raw = ''
    req.setEncoding('utf8')
    req.on('data', (part) => {
      raw += part
    })
    req.on('end', () => {
      const signature = String(req.headers['x-zevent-signature'] ?? '')
      events.push({ path: req.url ?? '', raw, signature, body: asJson(JSON.parse(raw)) })
      res.statusCode = answers.shift() ?? 200
      res.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    events,
    answers,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Platform = {
  app: FastifyInstance
  url: string
  post: (path: string, body?: unknown, token?: string) => Promise<Json>
  get: (path: string, token?: string) => Promise<Json>
  close: () => Promise<void>
}

/** Starts a simulator on a port of its own, fast enough for tests. */
export async function startPlatform(options: SimulatorOptions = {}): Promise<Platform> {
  const app = buildSimulator({
    reviewMs: 5,
    deliveryMs: 5,
    hangMs: 400,
    seed: 7,
    secret: 'simulator-secret',
    ...options,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    url,
    post: async (path, body, token = 'sim:oa1') => {
      const res = await app.inject({
        method: 'POST',
        url: path,
        headers: { access_token: token },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return asJson(res.json())
    },
    get: async (path, token = 'sim:oa1') => {
      return asJson((await app.inject({ url: path, headers: { access_token: token } })).json())
    },
    close: () => app.close(),
  }
}

/** A template that passes the review; `change` replaces fields of it. */
export function honestTemplate(change: Json = {}): Json {
  return {
    template_name: 'Order confirmed',
    template_type: 1,
    tag: '1',
    layout: {
      header: {
        components: [
          {
            LOGO: {
              light: { type: 'IMAGE', media_id: 'https://shop.example/l.png' },
              dark: { type: 'IMAGE', media_id: 'https://shop.example/d.png' },
            },
          },
        ],
      },
      body: {
        components: [
          { TITLE: { value: 'Xin chào <customer_name>' } },
          { PARAGRAPH: { value: 'Đơn hàng của bạn đã được xác nhận.' } },
          { TABLE: { rows: [{ title: 'Mã đơn', value: '<order_code>', row_type: 1 }] } },
        ],
      },
      footer: {
        components: [{ BUTTONS: { items: [{ type: '1', title: 'Xem đơn', content: 'https://a.example' }] } }],
      },
    },
    params: [
      { name: 'customer_name', type: '1', sample_value: 'Lan' },
      { name: 'order_code', type: '4', sample_value: 'DH01' },
    ],
    note: 'Sent after payment',
    tracking_id: 'tpl-1',
    ...change,
  }
}

export const VALUES = { customer_name: 'Nguyễn Lan', order_code: 'DH-77' }

export async function waitFor<T>(read: () => T | undefined | Promise<T | undefined>, ms = 1500): Promise<T> {
  const until = Date.now() + ms
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    if (Date.now() > until) throw new Error('Nothing came in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Creates an approved template. @returns its id. */
export async function approvedTemplate(
  platform: Platform,
  change: Json = {},
  token = 'sim:oa1',
): Promise<string> {
  const id = String(
    asJson((await platform.post('/template/create', honestTemplate(change), token)).data).template_id,
  )
  await platform.post(`/control/templates/${id}/approve`, {})
  return id
}
