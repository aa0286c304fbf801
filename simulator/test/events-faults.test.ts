import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, asList, type Json } from '../src/read.ts'
import {
  approvedTemplate,
  type Platform,
  type ReceivedEvent,
  type Receiver,
  startPlatform,
  startReceiver,
  VALUES,
  waitFor,
} from './simulator.ts'

let platform: Platform
let receiver: Receiver
let templateId: string

beforeEach(async () => {
  receiver = await startReceiver()
  // Without the simulator's own review, which would decide first on a loaded machine and send a second event.
  platform = await startPlatform({ webhookUrl: () => receiver.url, repeatScale: 0.000001, reviewMs: -1 })
  templateId = await approvedTemplate(platform)
  await waitFor(() => receiver.events[0])
  receiver.events.length = 0
})
afterEach(async () => {
  await platform.close()
  await receiver.close()
})

function macOf(event: ReceivedEvent, appId: string, secret: string): string {
  const text = appId + event.raw + String(event.body.timestamp) + secret
  return `mac=${createHash('sha256').update(text).digest('hex')}`
}

const emit = (more: Json = {}) =>
  platform.post('/control/events', { oaId: 'oa1', event_name: 'change_oa_daily_quota', ...more })

async function sendOverHttp(): Promise<Response> {
  return fetch(`${platform.url}/message/template`, {
    method: 'POST',
    headers: { access_token: 'sim:oa1', 'content-type': 'application/json' },
    body: JSON.stringify({
      phone: '84901234567',
      template_id: templateId,
      template_data: VALUES,
      tracking_id: 'f',
    }),
    signal: AbortSignal.timeout(1000),
  })
}

const faults = (...list: Json[]) => platform.post('/control/faults', { faults: list })
const accepted = async () => (await platform.get('/control/messages')).total

describe('events', () => {
  it('are signed over the raw body, with the values of the OA where it has its own', async () => {
    await emit({ quota: { daily: 5 } })
    const first = receiver.events[0]!
    expect(first.body).toMatchObject({ app_id: 'simulator', quota: { daily: 5 } })
    expect(first.signature).toBe(macOf(first, 'simulator', 'simulator-secret'))
    await platform.post('/control/settings', { oaId: 'oa1', appId: 'app9', secret: 's9' })
    await emit()
    expect(receiver.events[1]!.signature).toBe(macOf(receiver.events[1]!, 'app9', 's9'))
  })

  it('are repeated with their number and a fresh signature until answered 200', async () => {
    receiver.answers.push(500, 503)
    await emit()
    const third = await waitFor(() => receiver.events[2])
    expect(receiver.events.map((event) => event.body.num_retry)).toEqual([undefined, 1, 2])
    expect(third.signature).toBe(macOf(third, 'simulator', 'simulator-secret'))
  })

  it('are switched off after the fifth repeat, until switched on again', async () => {
    receiver.answers.push(500, 500, 500, 500, 500, 500)
    await emit()
    await waitFor(() => receiver.events[5])
    await waitFor(async () => {
      const { events } = await platform.get('/control/events')
      return asList(events).some((event) => asJson(event).outcome === 'given up') || undefined
    })
    await emit()
    expect(receiver.events).toHaveLength(6)
    await platform.post('/control/settings', { webhookOn: true })
    await emit()
    expect(receiver.events).toHaveLength(7)
  })

  it('are lost when suppressed', async () => {
    await platform.post('/control/settings', { suppressEvents: true })
    await platform.post(`/control/templates/${templateId}/status`, { status: 'DISABLE' })
    await emit()
    expect(receiver.events).toEqual([])
  })

  it('carry a bad signature, come twice or not at all by a fault', async () => {
    await faults({ kind: 'bad-signature', times: 1 })
    await emit()
    expect(receiver.events[0]!.signature).not.toBe(
      macOf(receiver.events[0]!, 'simulator', 'simulator-secret'),
    )
    await faults({ kind: 'twice' })
    await emit()
    expect(receiver.events).toHaveLength(3)
    await faults({ kind: 'lost', endpoint: 'events:change_oa_daily_quota' })
    await emit()
    expect(receiver.events).toHaveLength(3)
  })
})

describe('faults', () => {
  it('latency holds an answer back', async () => {
    await faults({ kind: 'latency', endpoint: '/message/template', latencyMs: 60 })
    const start = Date.now()
    expect(await (await sendOverHttp()).json()).toMatchObject({ error: 0 })
    expect(Date.now() - start).toBeGreaterThanOrEqual(58)
  })

  it('reset and outage cut the connection before the work is done', async () => {
    for (const kind of ['reset', 'outage']) {
      await faults({ kind })
      await expect(sendOverHttp()).rejects.toThrow()
    }
    expect(await accepted()).toBe(0)
  })

  it('an applied reset loses only the answer', async () => {
    await faults({ kind: 'reset', applied: true, times: 1 })
    await expect(sendOverHttp()).rejects.toThrow()
    expect(await accepted()).toBe(1)
    expect(await (await sendOverHttp()).json()).toMatchObject({ error: 0 })
  })

  it('hang ends by a cut after the time set', async () => {
    await faults({ kind: 'hang' })
    await platform.post('/control/settings', { hangMs: 30 })
    await expect(sendOverHttp()).rejects.toThrow('fetch failed')
  })

  it('5xx, html and truncated answer what no client can read', async () => {
    await faults({ kind: '5xx', status: 503 })
    expect((await sendOverHttp()).status).toBe(503)
    await faults({ kind: 'html' })
    const html = await sendOverHttp()
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html'])
    await html.text()
    expect(await accepted()).toBe(0)
    await faults({ kind: 'truncated' })
    await expect((await sendOverHttp()).json()).rejects.toThrow(SyntaxError)
    expect(await accepted()).toBe(1)
  })

  it('keep to their endpoint, share, window and number', async () => {
    await faults(
      { kind: '5xx', endpoint: '/template/create' },
      { kind: '5xx', afterMs: 60_000 },
      { kind: '5xx', share: 0 },
    )
    expect((await sendOverHttp()).status).toBe(200)
    await faults({ kind: '5xx', times: 2 })
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await sendOverHttp()).status)
    expect(statuses).toEqual([502, 502, 200])
    expect(await platform.get('/control/faults')).toMatchObject({ faults: [{ kind: '5xx', hits: 2 }] })
  })

  it('of a share meet the same calls under the same seed', async () => {
    const drawn = async () => {
      const own = await startPlatform({ seed: 42 })
      await own.post('/control/faults', [{ kind: '5xx', share: 0.5 }])
      const statuses = []
      for (let n = 0; n < 20; n++) {
        const res = await own.app.inject({ url: '/message/quota', headers: { access_token: 'sim:a' } })
        statuses.push(res.statusCode)
      }
      await own.close()
      return statuses.join()
    }
    const first = await drawn()
    expect(first).toContain('502')
    expect(first).toContain('200')
    expect(await drawn()).toBe(first)
  })

  it('refuse an unknown kind', async () => {
    const res = await platform.app.inject({
      method: 'POST',
      url: '/control/faults',
      payload: { faults: [{ kind: 'x' }] },
    })
    expect(res.statusCode).toBe(400)
  })
})
