import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { applyReceipt } from '../../src/modules/messages/receive-receipt.ts'
import { recoverMessages } from '../../src/modules/messages/recover-messages.ts'
import { acceptMessage } from '../../src/modules/messages/send-message.ts'
import { mayResend, settleUnknownMessages } from '../../src/modules/messages/settle-unknown.ts'
import { refreshTemplate } from '../../src/modules/templates/apply-review.ts'
import type { ReceiptEvent } from '../../src/platform/inbound.ts'
import type { TemplateParam } from '../../src/platform/types.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeShop, manage, type Partner, separateService, unusedId } from '../support/service.ts'
import {
  control,
  type EnabledTemplate,
  insertEnabledTemplate,
  messagesOnPlatform,
  topUp,
} from '../support/templates.ts'

const running = await separateService({}, { platformTimeoutMs: 150 })
const { deps } = running
// Receipts are handed over by hand here, so that each comes when the test says.
await control(running, '/settings', { suppressEvents: true })

const MESSAGES = '/api/external/notify-message/messages'
const NAME: TemplateParam = {
  key: 'customer_name',
  label: 'Tên khách',
  techSetting: '1',
  maxLength: 30,
  sampleValue: 'An',
}
const OTP: TemplateParam = { key: 'otp', label: 'Mã', techSetting: '12', maxLength: 10, sampleValue: '1' }

type Sender = { shop: Partner; template: EnabledTemplate }

async function makeSender({ money = 10_000, params = [NAME] } = {}): Promise<Sender> {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId, { params })
  if (money > 0) await topUp(running, shop.shopId, money)
  return { shop, template }
}

/** Sends and gives the message's id, whatever became of it. */
async function sent({ shop, template }: Sender, receiverPhone: string): Promise<string> {
  const params = { customer_name: 'Trần Bình' }
  const body = { templateId: template.id, receiverPhone, params }
  const answer = await shop.post('/api/external/notify-message/send', body)
  expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body.data.message_id
}

/** Messages whose process died before it handed them over: unknown, and the platform never heard of them. */
async function abandoned({ shop, template }: Sender, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { id } = await acceptMessage(deps, shop.shopId, {
      templateId: template.id,
      channel: 'phone',
      phone: `8490${String(1_000_000 + n)}`,
      userUid: '',
      isSample: false,
      params: { customer_name: 'An' },
      paramsPath: ['params'],
    })
    ids.push(id)
  }
  await recoverMessages(deps, new Date(Date.now() + 120_000))
  return ids
}

/** The background round as it would run so many seconds from now. */
function settleIn(seconds: number, policy: 'release' | 'resend-once' = 'release', own: Partial<Deps> = {}) {
  return settleUnknownMessages({
    ...deps,
    ...own,
    config: { ...deps.config, unknown: { ...deps.config.unknown, policy } },
    clock: { now: () => new Date(Date.now() + seconds * 1000) },
  })
}

const DAY = 86_400

async function setPolicy({ shop }: Sender, policy: 'release' | 'resend-once'): Promise<void> {
  await sql`update shops set unknown_policy = ${policy} where id = ${shop.shopId}`.execute(deps.db)
}

async function read({ shop }: Sender, id: string, headers: Record<string, string> = {}) {
  return (await shop.get(`${MESSAGES}/${id}`, headers)).body.data
}

async function kinds(sender: Sender, id: string): Promise<string[]> {
  return (await read(sender, id)).events.map((event: { kind: string }) => event.kind)
}

async function entries({ shop }: Sender): Promise<[string, number][]> {
  const { body } = await shop.get('/api/external/wallet/entries?limit=100')
  return body.entries
    .map((entry: { type: string; amount: number }) => [entry.type, entry.amount])
    .toReversed()
}

async function walletOf({ shop }: Sender): Promise<{ balance: number; held: number }> {
  return (await shop.get('/api/external/wallet')).body
}

function receipt(fields: Partial<ReceiptEvent>): ReceiptEvent {
  return { kind: 'receipt', deliveredAt: new Date('2026-05-01T10:00:00.123Z'), ...fields }
}

describe('G-26 a message whose outcome stays unknown', () => {
  it('keeps its hold until its time is over, then ends as ERROR with a readable reason and gives the fee back', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901230006')
    await settleIn(DAY - 60)
    expect((await read(sender, id)).status).toBe('UNKNOWN')
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 200 })
    await settleIn(DAY + 60)
    expect(await walletOf(sender)).toEqual({ balance: 10_000, held: 0 })
    expect(await entries(sender)).toEqual([
      ['top_up', 10_000],
      ['hold', -200],
      ['release', 200],
    ])
    const history = await sender.shop.get('/api/external/notify-message/history?status=ERROR')
    expect(history.body.meta.total).toBe(1)
    expect(JSON.parse(history.body.histories[0].reason)).toEqual({
      error:
        'Nobody could tell whether the message arrived, and no receipt came in time: the fee was given back',
      code: 'UNKNOWN_RELEASED',
      params: { customer_name: 'Trần Bình' },
    })
    const inVietnamese = await read(sender, id, { 'accept-language': 'vi' })
    expect(JSON.parse(inVietnamese.reason).error).toContain('phí đã được hoàn lại')
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'released'])
    await checkInvariants(deps.db)
  })

  it('the template’s own timeout counts where the platform named one', async () => {
    const sender = await makeSender()
    await sql`
      update templates set timeout_seconds = 7200
      where shop_id = ${sender.shop.shopId} and id = ${sender.template.id}`.execute(deps.db)
    const id = await sent(sender, '0901230006')
    await settleIn(7_100)
    expect((await read(sender, id)).status).toBe('UNKNOWN')
    await settleIn(7_300)
    expect((await read(sender, id)).status).toBe('ERROR')
  })

  it('the platform’s word on a template brings its timeout along', async () => {
    const { shop, template } = await makeSender()
    const refreshed = await refreshTemplate(deps, shop.shopId, template.id, { source: 'polling' })
    expect(refreshed).toBe('changed')
    const { rows } = await sql`
      select timeout_seconds from templates
      where shop_id = ${shop.shopId} and id = ${template.id}`.execute(deps.db)
    expect(rows).toEqual([{ timeout_seconds: 7_200 }])
    expect(await refreshTemplate(deps, shop.shopId, template.id, { source: 'polling' })).toBe('unchanged')
  })

  it('a receipt within the time makes it RECEIVED, and the round leaves it alone', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901230006')
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '71' }))
    await settleIn(2 * DAY)
    expect(await read(sender, id)).toMatchObject({ status: 'RECEIVED', late: false, sessionId: '71' })
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'receipt'])
  })

  it('rounds of several processes at once settle each message once', async () => {
    const sender = await makeSender()
    const count = 40
    await abandoned(sender, count)
    await Promise.all([settleIn(2 * DAY), settleIn(2 * DAY), settleIn(2 * DAY)])
    expect(await walletOf(sender)).toEqual({ balance: 10_000, held: 0 })
    expect((await entries(sender)).filter(([type]) => type === 'release')).toHaveLength(count)
    await checkInvariants(deps.db)
  })

  it('what a dying process had claimed comes again', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901230006')
    const broken = { ids: { ...deps.ids, next: () => 'no id' } }
    await settleIn(2 * DAY, 'release', broken)
    expect((await read(sender, id)).status).toBe('UNKNOWN')
    await settleIn(2 * DAY + 60)
    expect((await read(sender, id)).status).toBe('UNKNOWN')
    await settleIn(2 * DAY + 100)
    expect((await read(sender, id)).status).toBe('ERROR')
  })
})

describe('G-24 a look-up settles what the platform knows', () => {
  async function withSession(ending: string, msgId: (known: string) => string) {
    const sender = await makeSender()
    const id = await sent(sender, `090123${ending}`)
    const [onPlatform] = await messagesOnPlatform(running, sender.template.oaId)
    await sql`
      update messages set session_id = ${msgId(onPlatform!.msg_id)}
      where shop_id = ${sender.shop.shopId} and id = ${id}`.execute(deps.db)
    return { sender, id }
  }

  it('taken or delivered: RECEIVED and captured', async () => {
    const { sender, id } = await withSession('0005', (known) => known)
    await settleIn(2 * DAY)
    expect(await read(sender, id)).toMatchObject({ status: 'RECEIVED', deliveryTime: expect.any(String) })
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'status'])
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 0 })
  })

  it('not known there: released', async () => {
    const { sender, id } = await withSession('0005', () => '404')
    await settleIn(2 * DAY)
    expect(await read(sender, id)).toMatchObject({ status: 'ERROR', sessionId: '' })
  })

  it('no clear answer: the hold stays and the platform is asked again, for a week', async () => {
    const { sender, id } = await withSession('0005', (known) => known)
    await control(running, '/faults', { faults: [{ kind: '5xx', endpoint: '/message/status' }] })
    try {
      await settleIn(2 * DAY)
      expect((await read(sender, id)).status).toBe('UNKNOWN')
      await settleIn(2 * DAY + 60)
      expect((await read(sender, id)).status).toBe('UNKNOWN')
      await settleIn(8 * DAY)
      expect((await read(sender, id)).status).toBe('ERROR')
    } finally {
      await control(running, '/faults', { faults: [] })
    }
  })
})

describe('G-26 a receipt after the fee was given back', () => {
  async function released(money: number): Promise<{ sender: Sender; id: string }> {
    const sender = await makeSender({ money })
    const id = await sent(sender, '0901230006')
    await settleIn(2 * DAY)
    expect((await read(sender, id)).status).toBe('ERROR')
    return { sender, id }
  }

  it('RECEIVED, flagged late, and charged again; a second receipt changes nothing', async () => {
    const { sender, id } = await released(500)
    const event = receipt({ trackingId: id, msgId: '9007199254740993' })
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect(await walletOf(sender)).toEqual({ balance: 300, held: 0 })
    expect(await entries(sender)).toContainEqual(['late_capture', -200])
    const record = await read(sender, id)
    expect(record).toMatchObject({
      status: 'RECEIVED',
      late: true,
      reason: '',
      sessionId: '9007199254740993',
      deliveryTime: String(event.deliveredAt.getTime()),
    })
    expect(record.events.at(-1)).toEqual({
      kind: 'late',
      createdAt: expect.any(String),
      sessionId: '9007199254740993',
      deliveryTime: String(event.deliveredAt.getTime()),
      charged: 200,
      owed: 0,
    })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.histories).toMatchObject([{ status: 'RECEIVED', reason: '' }])
    await checkInvariants(deps.db)
  })

  it.each([
    [50, 50, 150],
    [0, 0, 200],
  ])('a balance of %i pays %i, never falls below 0, and %i stay owed', async (left, charged, owed) => {
    const { sender, id } = await released(200)
    await manage(running, 'POST', `/shops/${sender.shop.shopId}/wallet/entries`, {
      amount: left - 200,
      note: 'rút',
    })
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '5' }))
    expect(await walletOf(sender)).toEqual({ balance: 0, held: 0 })
    expect((await read(sender, id)).events.at(-1)).toMatchObject({ kind: 'late', charged, owed })
    const { body } = await sender.shop.get('/api/external/wallet/entries')
    expect(body.entries).toContainEqual(
      expect.objectContaining({ type: 'late_capture', amount: 0 - charged, owed }),
    )
    await checkInvariants(deps.db)
  })

  it('ten receipts at once charge once, beside sends of the same shop', async () => {
    const { sender, id } = await released(10_000)
    await Promise.all([
      ...Array.from({ length: 10 }, () =>
        applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '6' })),
      ),
      ...Array.from({ length: 5 }, () => sent(sender, '0901234567')),
    ])
    expect((await entries(sender)).filter(([type]) => type === 'late_capture')).toEqual([
      ['late_capture', -200],
    ])
    expect(await walletOf(sender)).toEqual({ balance: 8_800, held: 0 })
    await checkInvariants(deps.db)
  })

  it('a receipt and the release at the same moment end in one of the two ways, the fee charged once', async () => {
    const sender = await makeSender()
    const made = await abandoned(sender, 20)
    await Promise.all([
      settleIn(2 * DAY),
      ...made.map((id) =>
        applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: `m${id}` })),
      ),
    ])
    for (const id of made) expect((await read(sender, id)).status).toBe('RECEIVED')
    expect(await walletOf(sender)).toEqual({ balance: 6_000, held: 0 })
    await checkInvariants(deps.db)
  })
})

describe('G-24 UNKNOWN_POLICY=resend-once', () => {
  it('a message by phone is handed over once more; accepted then, it is RECEIVED and paid once', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901230007')
    await settleIn(2 * DAY, 'resend-once')
    expect(await read(sender, id)).toMatchObject({ status: 'RECEIVED', late: false })
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'resent', 'sent'])
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 0 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toMatchObject([{ tracking_id: id }])
  })

  it('unknown again: no third attempt, released after its time has passed once more; a receipt is late then', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901230005')
    await settleIn(2 * DAY, 'resend-once')
    expect((await read(sender, id)).status).toBe('UNKNOWN')
    await settleIn(2 * DAY + 600, 'resend-once')
    expect((await read(sender, id)).status).toBe('UNKNOWN')
    await settleIn(4 * DAY, 'resend-once')
    expect(await kinds(sender, id)).toEqual(['accepted', 'unknown', 'resent', 'unknown', 'released'])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(2)
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '8' }))
    expect(await read(sender, id)).toMatchObject({ status: 'RECEIVED', late: true })
    await checkInvariants(deps.db)
  })

  it('refused the second time: ERROR with that reason; the first may still arrive', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901230006')
    await control(running, `/templates/${sender.template.platformTemplateId}/status`, { status: 'DISABLE' })
    await settleIn(2 * DAY, 'resend-once')
    const record = await read(sender, id)
    expect(record.status).toBe('ERROR')
    expect(JSON.parse(record.reason).code).toBe(-146)
    expect(record.events.at(-1)).toMatchObject({ kind: 'rejected', code: '-146', attempt: 2 })
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: id, msgId: '9' }))
    expect(await read(sender, id)).toMatchObject({ status: 'RECEIVED', late: true, reason: '' })
    await checkInvariants(deps.db)
  })

  it('a shop’s own policy stands before the service’s, either way', async () => {
    const [resending, releasing] = [await makeSender(), await makeSender()]
    await setPolicy(resending, 'resend-once')
    await setPolicy(releasing, 'release')
    const resent = await sent(resending, '0901230007')
    await settleIn(2 * DAY, 'release')
    expect(await kinds(resending, resent)).toEqual(['accepted', 'unknown', 'resent', 'sent'])
    const released = await sent(releasing, '0901230007')
    await settleIn(2 * DAY, 'resend-once')
    expect(await kinds(releasing, released)).toEqual(['accepted', 'unknown', 'released'])
  })

  it('two processes at once hand it over once', async () => {
    const sender = await makeSender()
    for (let n = 0; n < 8; n++) await sent(sender, '0901230007')
    await Promise.all([settleIn(2 * DAY, 'resend-once'), settleIn(2 * DAY, 'resend-once')])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(8)
  })

  const base = {
    channel: 'phone' as const,
    is_sample: false,
    resent_at: null,
    is_sendable: true,
    declared: [NAME],
  }
  it.each([
    ['a phone message', {}, true],
    ['a message by UID', { channel: 'uid' as const }, false],
    ['a one-time password', { declared: [NAME, OTP] }, false],
    ['a sample', { is_sample: true }, false],
    ['one resent already', { resent_at: new Date() }, false],
    ['one whose template may no longer be sent', { is_sendable: false }, false],
  ])('%s', (_what, given, expected) => {
    expect(mayResend({ ...base, ...given }, 'resend-once')).toBe(expected)
    expect(mayResend({ ...base, ...given }, 'release')).toBe(false)
  })

  it('a message by UID is released, not repeated', async () => {
    const sender = await makeSender()
    const { shop, template } = sender
    const userUID = `${shop.shopId.slice(0, 20)}0007`
    const body = { templateId: template.id, userUID, templateData: { customer_name: 'An' } }
    const answer = await shop.post('/api/external/chatapp/uid-notify/send-message', body)
    expect(answer.status).toBe(202)
    await settleIn(2 * DAY, 'resend-once')
    expect(await kinds(sender, answer.body.data.message_id)).toEqual(['accepted', 'unknown', 'released'])
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
  })
})

describe('G-25 an answer that its receipt overtook', () => {
  it('completes the message: sent time and the raw answer, which stays the operator’s', async () => {
    const sender = await makeSender()
    await control(running, '/settings', { suppressEvents: false, deliveryMs: 60_000 })
    let id: string
    try {
      id = await sent(sender, '0901230008')
      await expect.poll(() => kinds(sender, id)).toContain('receipt')
    } finally {
      await control(running, '/settings', { suppressEvents: true, deliveryMs: 20 })
    }
    expect((await kinds(sender, id)).toSorted()).toEqual(['accepted', 'receipt', 'sent'])
    const { rows } = await sql<{ sent_at: Date | null; platform_answer: unknown }>`
      select sent_at, platform_answer from messages
      where shop_id = ${sender.shop.shopId} and id = ${id}`.execute(deps.db)
    expect(rows).toMatchObject([{ sent_at: expect.any(Date), platform_answer: { error: 0 } }])
    expect(JSON.stringify(await read(sender, id))).not.toContain('quota')
    await checkInvariants(deps.db)
  })
})

describe('G-27 GET …/messages/{id}', () => {
  it('200: the history record in any state with its timeline, OTPs masked', async () => {
    const sender = await makeSender({ params: [NAME, OTP] })
    const body = {
      templateId: sender.template.id,
      receiverPhone: '0901230001',
      params: { customer_name: 'Trần Bình', otp: '246810' },
    }
    expect((await sender.shop.post('/api/external/notify-message/send', body)).status).toBe(400)
    const history = await sender.shop.get('/api/external/notify-message/history')
    const [shown] = history.body.histories
    const answer = await sender.shop.get(`${MESSAGES}/${shown._id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      data: {
        ...shown,
        late: false,
        events: [
          { kind: 'accepted', createdAt: shown.createdAt, fee: 200 },
          {
            kind: 'rejected',
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            reason: JSON.parse(shown.reason).error,
            code: '-118',
          },
        ],
      },
    })
    expect(JSON.stringify(answer.body)).not.toContain('246810')
  })

  it('200 while its outcome is open: UNKNOWN, with no sessionId and no OTP', async () => {
    const sender = await makeSender({ params: [NAME, OTP] })
    const body = {
      templateId: sender.template.id,
      receiverPhone: '0901230007',
      params: { customer_name: 'Trần Bình', otp: '246810' },
    }
    const made = await sender.shop.post('/api/external/notify-message/send', body)
    const record = await read(sender, made.body.data.message_id)
    expect(record).toMatchObject({ status: 'UNKNOWN', reason: '', sessionId: '', phone: '84901230007' })
    expect(record.events[1]).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('may have been sent'),
    })
    expect(JSON.stringify(record)).not.toContain('246810')
  })

  it('404 for an unknown id and another shop’s, 500 for one that is no id', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901234567')
    const other = await makeShop(running)
    const unknown = await other.get(`${MESSAGES}/${unusedId()}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual({ error: 'Resource not found', message: 'The message does not exist' })
    const foreign = await other.get(`${MESSAGES}/${id}`)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(unknown.body)
    expect((await other.get(`${MESSAGES}/abc`)).status).toBe(500)
  })

  it('a timeline is append-only', async () => {
    const sender = await makeSender()
    const id = await sent(sender, '0901234567')
    await expect(
      sql`delete from message_events where shop_id = ${sender.shop.shopId} and message_id = ${id}`.execute(
        deps.db,
      ),
    ).rejects.toThrow('append-only')
  })
})
