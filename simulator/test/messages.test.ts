import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asJson, asList, type Json } from '../src/read.ts'
import {
  approvedTemplate,
  honestTemplate,
  type Platform,
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
  platform = await startPlatform({ webhookUrl: receiver.url })
  templateId = await approvedTemplate(platform)
})
afterEach(async () => {
  await platform.close()
  await receiver.close()
})

let count = 0
function phoneSend(phone: string, change: Json = {}): Json {
  count += 1
  return { phone, template_id: templateId, template_data: VALUES, tracking_id: `t-${count}`, ...change }
}

async function control(path = '/control/messages'): Promise<Json & { messages: Json[] }> {
  const answer = await platform.get(path)
  return { ...answer, messages: asList(answer.messages).map(asJson) }
}

function receipts(): Json[] {
  return receiver.events
    .filter(({ body }) => body.event_name === 'user_received_message')
    .map(({ body }) => body)
}

describe('send by phone', () => {
  it('is accepted with an id beyond 2^53 as text, delivered, shown and charged', async () => {
    const send = phoneSend('84901234567')
    const { error, data } = await platform.post('/message/template', send)
    const { msg_id: id, sent_time: sent, quota } = asJson(data)
    expect(error).toBe(0)
    expect(BigInt(String(id)) > 2n ** 53n).toBe(true)
    expect(sent).toMatch(/^\d{13}$/)
    expect(quota).toEqual({ dailyQuota: '1000000', remainingQuota: '999999' })

    const receipt = await waitFor(() => receipts()[0])
    expect(receipt).toMatchObject({
      sender: { id: 'oa1' },
      recipient: { id: '84901234567' },
      message: {
        msg_id: id,
        tracking_id: send.tracking_id,
        delivery_time: expect.stringMatching(/^\d{13}$/),
      },
    })
    expect(await platform.get(`/message/status?message_id=${id}`)).toMatchObject({
      data: { status: 1, delivery_time: asJson(receipt.message).delivery_time },
    })
    const { messages, duplicates } = await control()
    expect(duplicates).toBe(0)
    expect(messages).toMatchObject([
      {
        msg_id: id,
        oaId: 'oa1',
        phone: '84901234567',
        templateId,
        params: VALUES,
        deliveredCount: 1,
        developmentMode: false,
      },
    ])
    expect(messages[0]?.rendered).toContain('Xin chào Nguyễn Lan')
    expect(messages[0]?.rendered).toContain('Mã đơn: DH-77')
    expect(await control('/control/billing')).toMatchObject({
      totalVnd: 200,
      messages: [{ msg_id: id, chargeVnd: 200 }],
    })
  })

  it.each([
    ['a phone that is none', { phone: '0901234567' }, -108],
    ['no data', { template_data: undefined }, -111],
    ['data that is no object', { template_data: 'x' }, -112],
    ['a missing parameter', { template_data: { order_code: 'x' } }, -1122],
    ['a value too long', { template_data: { ...VALUES, order_code: 'x'.repeat(31) } }, -1121],
    [
      'a value too long only because it is not in NFC',
      { template_data: { ...VALUES, customer_name: 'ế'.repeat(11).normalize('NFD') } },
      -1121,
    ],
    ['an undeclared parameter', { template_data: { ...VALUES, more: '1' } }, -112],
    ['an unknown template', { template_id: '1' }, -109],
    ['a tracking id of 49 characters', { tracking_id: 'x'.repeat(49) }, -201],
  ])('refuses %s', async (_, change, error) => {
    expect(await platform.post('/message/template', phoneSend('84901234567', change))).toMatchObject({
      error,
    })
    expect((await control()).messages).toEqual([])
  })

  it('counts a value by code points, so that 30 emoji fit in 30', async () => {
    const data = { ...VALUES, customer_name: '😀'.repeat(30) }
    expect(
      await platform.post('/message/template', phoneSend('84901234567', { template_data: data })),
    ).toMatchObject({
      error: 0,
    })
  })

  it.each([
    ['DISABLE', -146],
    ['DELETE', -131],
    ['REJECT', -131],
    ['PENDING_REVIEW', -131],
  ])('refuses a template in %s', async (status, error) => {
    await platform.post(`/control/templates/${templateId}/status`, { status })
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error })
  })

  it("refuses another OA's template", async () => {
    expect(await platform.post('/message/template', phoneSend('84901234567'), 'sim:oa2')).toMatchObject({
      error: -109,
    })
  })

  it('development mode works before approval and costs nothing', async () => {
    await platform.post(`/control/templates/${templateId}/status`, { status: 'PENDING_REVIEW' })
    const send = phoneSend('84901234567', { mode: 'development' })
    expect(await platform.post('/message/template', send)).toMatchObject({ error: 0 })
    expect(await control('/control/billing')).toMatchObject({
      totalVnd: 0,
      messages: [{ developmentMode: true, chargeVnd: 0 }],
    })
    await platform.post('/control/settings', { administrators: ['84900000000'] })
    expect(await platform.post('/message/template', send)).toMatchObject({ error: -127 })
  })

  it('delivers a repeated tracking id twice and counts it', async () => {
    const send = phoneSend('84901234567')
    await platform.post('/message/template', send)
    await platform.post('/message/template', send)
    const { duplicates, messages } = await control()
    expect(duplicates).toBe(1)
    expect(messages.map((message) => message.isRepeat)).toEqual([false, true])
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 400 })
  })

  it('drops a repeated tracking id when configured to, with the first answer', async () => {
    await platform.post('/control/settings', { dropRepeatedTrackingId: true })
    const send = phoneSend('84901234567')
    const first = asJson((await platform.post('/message/template', send)).data).msg_id
    expect(asJson((await platform.post('/message/template', send)).data).msg_id).toBe(first)
    expect(await control()).toMatchObject({ duplicates: 0, dropped: 1, messages: [{ msg_id: first }] })
  })

  it('refuses at night by the clock of Vietnam only when the window is on', async () => {
    await platform.post('/control/settings', { clock: '2026-05-01T16:00:00.000Z' })
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error: 0 })
    await platform.post('/control/settings', { nightWindow: true })
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error: -133 })
    await platform.post('/control/settings', { clock: '2026-05-01T23:30:00.000Z' })
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error: 0 })
  })

  it('refuses above the daily quota and above the rate', async () => {
    await platform.post('/control/settings', { dailyQuota: 1 })
    await platform.post('/message/template', phoneSend('84901234567'))
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error: -144 })
    expect(await platform.get('/message/quota')).toMatchObject({
      data: { dailyQuota: '1', remainingQuota: '0' },
    })
    await platform.post('/control/settings', { dailyQuota: 100, requestsPerMinute: 1 })
    await platform.post('/message/template', phoneSend('84901234567'))
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error: -32 })
  })

  it('keeps only the newest messages but every charge', async () => {
    await platform.close()
    platform = await startPlatform({ maxMessages: 3 })
    templateId = await approvedTemplate(platform)
    for (let n = 1; n <= 5; n++) await platform.post('/message/template', phoneSend(`8490123456${n}`))
    const { total, messages } = await control()
    expect(total).toBe(5)
    expect(messages.map((message) => message.phone)).toEqual(['84901234563', '84901234564', '84901234565'])
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 1000 })
  })
})

describe('magic recipients', () => {
  it.each([
    ['0001', -118],
    ['0002', -141],
    ['0009', -133],
  ])('%s is refused by phone and by UID, and costs nothing', async (ending, error) => {
    expect(await platform.post('/message/template', phoneSend(`8490123${ending}`))).toMatchObject({ error })
    const uid = { user_id: `uid${ending}`, template_id: templateId, template_data: VALUES }
    expect(await platform.post('/v3.0/oa/message/template', uid)).toMatchObject({ error })
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 0, messages: [] })
  })

  it('0003 is accepted and never delivered', async () => {
    const { data } = await platform.post('/message/template', phoneSend('84901230003'))
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(receipts()).toEqual([])
    const status = await platform.get(`/message/status?message_id=${asJson(data).msg_id}`)
    expect(status).toMatchObject({ data: { status: 0 } })
  })

  it('0004 is delivered twice with one charge', async () => {
    await platform.post('/message/template', phoneSend('84901230004'))
    await waitFor(() => receipts()[1])
    expect(await control()).toMatchObject({ messages: [{ deliveredCount: 2 }] })
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 200 })
  })

  async function sendAndWait(phone: string, ms: number): Promise<unknown> {
    return fetch(`${platform.url}/message/template`, {
      method: 'POST',
      headers: { access_token: 'sim:oa1', 'content-type': 'application/json' },
      body: JSON.stringify(phoneSend(phone)),
      signal: AbortSignal.timeout(ms),
    }).catch((error: Error) => error.name)
  }

  it('0005 times out but is delivered and charged', async () => {
    expect(await sendAndWait('84901230005', 60)).toBe('TimeoutError')
    expect(await waitFor(() => receipts()[0])).toMatchObject({ recipient: { id: '84901230005' } })
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 200 })
  })

  it('0006 times out and is not', async () => {
    expect(await sendAndWait('84901230006', 60)).toBe('TimeoutError')
    expect((await control()).messages).toEqual([])
    expect(receipts()).toEqual([])
  })

  it('a caller that waits is cut off in the end', async () => {
    expect(await sendAndWait('84901230006', 2000)).toBe('TypeError')
  })

  it('0007 answers 500 once, then works', async () => {
    const request = {
      method: 'POST',
      url: '/message/template',
      headers: { access_token: 'sim:oa1' },
    } as const
    const payload = phoneSend('84901230007')
    const first = await platform.app.inject({ ...request, payload })
    expect([first.statusCode, first.headers['content-type']]).toEqual([500, 'text/html'])
    expect((await platform.app.inject({ ...request, payload })).json()).toMatchObject({ error: 0 })
    expect((await control()).messages).toHaveLength(1)
  })

  it('0008 has its receipt before its answer', async () => {
    const { data } = await platform.post('/message/template', phoneSend('84901230008'))
    expect(receipts()).toMatchObject([{ message: { msg_id: asJson(data).msg_id } }])
  })
})

describe('send by UID', () => {
  it('is accepted, charged by the UID price, and its receipt has no tracking id', async () => {
    const uid = { user_id: '7712345678901234567', template_id: templateId, template_data: VALUES }
    const { data } = await platform.post('/v3.0/oa/message/template', uid)
    expect(data).toMatchObject({ message_id: expect.stringMatching(/^\d{19}$/), user_id: uid.user_id })
    const receipt = await waitFor(() => receipts()[0])
    expect(receipt.message).toEqual({ msg_id: asJson(data).message_id, delivery_time: expect.any(String) })
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 55, messages: [{ channel: 'uid' }] })
    expect(await control(`/control/messages?user_id=${uid.user_id}`)).toMatchObject({
      messages: [{ user_id: uid.user_id }],
    })
  })
})

describe('status of a message', () => {
  it('is -1 for an unknown id and for another OA', async () => {
    const { data } = await platform.post('/message/template', phoneSend('84901234567'))
    const id = asJson(data).msg_id
    expect(await platform.get('/message/status?message_id=1')).toMatchObject({ data: { status: -1 } })
    expect(await platform.get(`/message/status?message_id=${id}`, 'sim:oa2')).toMatchObject({
      data: { status: -1 },
    })
  })
})

describe('reset', () => {
  it('forgets messages, charges and templates, or keeps the templates; no id is reused', async () => {
    const { data: before } = await platform.post('/message/template', phoneSend('84901234567'))
    await platform.post('/control/reset', { keepTemplates: true })
    expect(await control()).toMatchObject({ total: 0, messages: [] })
    expect(await control('/control/billing')).toMatchObject({ totalVnd: 0 })
    const { error, data: after } = await platform.post('/message/template', phoneSend('84901234567'))
    expect(error).toBe(0)
    expect(asJson(after).msg_id).not.toBe(asJson(before).msg_id)
    await platform.post('/control/reset', {})
    expect(await platform.post('/message/template', phoneSend('84901234567'))).toMatchObject({ error: -109 })
    expect((await platform.post('/template/create', honestTemplate())).error).toBe(0)
  })
})
