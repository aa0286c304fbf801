import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Deps } from '../../src/deps.ts'
import { applyReceipt } from '../../src/modules/messages/receive-receipt.ts'
import { recoverMessages } from '../../src/modules/messages/recover-messages.ts'
import type { SendRequest } from '../../src/modules/messages/rules.ts'
import { acceptMessage, transmitMessage } from '../../src/modules/messages/send-message.ts'
import { settleMessage } from '../../src/modules/messages/settle-message.ts'
import { createHttpPlatform } from '../../src/platform/http-adapter.ts'
import type { ReceiptEvent } from '../../src/platform/inbound.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeShop, manage, type Partner, partnerOf, separateService, unusedId } from '../support/service.ts'
import {
  control,
  type EnabledTemplate,
  insertEnabledTemplate,
  messagesOnPlatform,
  topUp,
  VALUES,
} from '../support/templates.ts'

/** A send as the routes make it: accepted, then handed over. */
async function sendMessage(deps: Deps, shopId: string, request: SendRequest) {
  return transmitMessage(deps, shopId, await acceptMessage(deps, shopId, request))
}

// A platform call is given up after 150 ms, so that numbers that hang cost little.
const running = await separateService({}, { platformTimeoutMs: 150 })
const { deps } = running
// Receipts are handed over by hand here, so that each comes when the test says.
await control(running, '/settings', { suppressEvents: true })

type Sender = { shop: Partner; template: EnabledTemplate }

async function makeSender(money = 10_000): Promise<Sender> {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId)
  if (money > 0) await topUp(running, shop.shopId, money)
  return { shop, template }
}

function sendTo({ shop, template }: Sender, receiverPhone: string, headers: Record<string, string> = {}) {
  const body = { templateId: template.id, receiverPhone, params: VALUES }
  return shop.post('/api/external/notify-message/send', body, headers)
}

function sendToUid({ shop, template }: Sender, userUID: string) {
  const body = { templateId: template.id, userUID, templateData: VALUES }
  return shop.post('/api/external/chatapp/uid-notify/send-message', body)
}

// biome-ignore lint/suspicious/noExplicitAny: rows of one table, read by column
async function rowsOf({ shop }: Sender): Promise<any[]> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { rows } = await sql<any>`
    select * from messages where shop_id = ${shop.shopId} order by created_at, id`.execute(deps.db)
  return rows
}

async function entryTypes({ shop }: Sender): Promise<string[]> {
  const { body } = await shop.get('/api/external/wallet/entries?limit=100')
  return body.entries.map((entry: { type: string }) => entry.type).toReversed()
}

async function walletOf({ shop }: Sender): Promise<{ balance: number; held: number }> {
  return (await shop.get('/api/external/wallet')).body
}

function receipt(fields: Partial<ReceiptEvent>): ReceiptEvent {
  return { kind: 'receipt', deliveredAt: new Date('2026-05-01T10:00:00.123Z'), ...fields }
}

describe('G-24 three outcomes, by the simulator’s magic numbers', () => {
  it.each([
    ['0001', '-118'],
    ['0002', '-141'],
    ['0009', '-133'],
  ])('%s is a definite no: ERROR with code %s, released', async (ending, code) => {
    const sender = await makeSender()
    expect((await sendTo(sender, `090123${ending}`)).status).toBe(400)
    expect(await rowsOf(sender)).toMatchObject([{ state: 'ERROR', error_code: code, session_id: '' }])
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'release'])
  })

  it('0003 is accepted and never delivered: RECEIVED, captured, and shows its sent time', async () => {
    const sender = await makeSender()
    expect((await sendTo(sender, '0901230003')).status).toBe(200)
    const [row] = await rowsOf(sender)
    expect(row).toMatchObject({ state: 'RECEIVED', delivered_at: null })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.histories[0].deliveryTime).toBe(String(row.sent_at.getTime()))
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'capture'])
  })

  it('0004 is delivered twice: two receipts, one capture, and the first receipt’s time stands', async () => {
    const sender = await makeSender()
    const trackingId = (await sendTo(sender, '0901230004')).body.data.message_id
    const first = new Date('2026-05-01T10:00:00.000Z')
    const second = new Date('2026-05-01T10:00:05.000Z')
    const { oaId } = sender.template
    expect(await applyReceipt(deps, oaId, receipt({ trackingId, deliveredAt: first }))).toBe('applied')
    expect(await applyReceipt(deps, oaId, receipt({ trackingId, deliveredAt: second }))).toBe('applied')
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.histories[0].deliveryTime).toBe(String(first.getTime()))
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'capture'])
    await expect.poll(async () => (await messagesOnPlatform(running, oaId))[0]?.deliveredCount).toBe(2)
  })

  it('0005 times out and is delivered: 202 UNKNOWN, then its receipt makes it RECEIVED and captures', async () => {
    const sender = await makeSender()
    const answer = await sendTo(sender, '0901230005')
    expect(answer.status).toBe(202)
    const trackingId = answer.body.data.message_id
    expect(await rowsOf(sender)).toMatchObject([{ state: 'UNKNOWN', unknown_cause: 'timeout' }])
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 200 })
    const [onPlatform] = await messagesOnPlatform(running, sender.template.oaId)
    const event = receipt({ trackingId, msgId: onPlatform!.msg_id })
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect(await rowsOf(sender)).toMatchObject([
      { state: 'RECEIVED', session_id: onPlatform!.msg_id, params: { otp: '***' } },
    ])
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 0 })
    expect(await messagesOnPlatform(running, sender.template.oaId)).toHaveLength(1)
  })

  it('0006 times out and is lost: 202 UNKNOWN, the hold stays, nobody sends it again', async () => {
    const sender = await makeSender()
    expect((await sendTo(sender, '0901230006')).status).toBe(202)
    expect(await rowsOf(sender)).toMatchObject([{ state: 'UNKNOWN', lease_until: null }])
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold'])
    expect(await messagesOnPlatform(running, sender.template.oaId)).toEqual([])
  })

  it('0007 answers 500: UNKNOWN, for the platform may have acted before it failed', async () => {
    const sender = await makeSender()
    expect((await sendTo(sender, '0901230007')).status).toBe(202)
    expect(await rowsOf(sender)).toMatchObject([{ state: 'UNKNOWN', unknown_cause: 'HTTP 500' }])
  })

  it('0008 has its receipt before the answer: RECEIVED once, captured once', async () => {
    const sender = await makeSender()
    await control(running, '/settings', { suppressEvents: false, deliveryMs: 60_000 })
    try {
      expect((await sendTo(sender, '0901230008')).status).toBe(200)
      await expect.poll(async () => (await rowsOf(sender))[0].delivered_at).not.toBeNull()
    } finally {
      await control(running, '/settings', { suppressEvents: true, deliveryMs: 20 })
    }
    expect(await rowsOf(sender)).toMatchObject([
      { state: 'RECEIVED', session_id: expect.stringMatching(/^\d+$/) },
    ])
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'capture'])
  })

  it.each([
    ['0001', 400, 'ERROR'],
    ['0002', 400, 'ERROR'],
    ['0003', 200, 'RECEIVED'],
    ['0004', 200, 'RECEIVED'],
    ['0005', 202, 'UNKNOWN'],
    ['0006', 202, 'UNKNOWN'],
    ['0007', 202, 'UNKNOWN'],
    ['0008', 200, 'RECEIVED'],
    ['0009', 400, 'ERROR'],
  ])('a UID ending %s answers %i and is %s', async (ending, status, state) => {
    const sender = await makeSender()
    expect((await sendToUid(sender, `${sender.shop.shopId.slice(0, 20)}${ending}`)).status).toBe(status)
    expect(await rowsOf(sender)).toMatchObject([{ state }])
  })

  it('invariants hold after all of these', () => checkInvariants(deps.db))
})

describe('G-24 the platform cannot be reached', () => {
  /** The service with its platform at a port where nobody listens any more. */
  async function withoutPlatform(): Promise<Deps> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const nowhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise((resolve) => server.close(resolve))
    const tokens = { current: async () => 'token', refresh: async () => undefined }
    return { ...deps, platform: createHttpPlatform({ businessUrl: nowhere, openapiUrl: nowhere, tokens }) }
  }

  it('503 with Retry-After, nothing charged, and the message has ended as an error', async () => {
    const sender = await makeSender()
    const app = await buildApp(await withoutPlatform())
    const shop = partnerOf({ ...running, app }, sender.shop.shopId, sender.shop.apiKey)
    const answer = await sendTo({ ...sender, shop }, '0901234567')
    expect(answer.status).toBe(503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body).toEqual({
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'The messaging platform cannot be reached; nothing was sent or charged. Retry shortly',
    })
    expect(await walletOf(sender)).toEqual({ balance: 10_000, held: 0 })
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'release'])
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(JSON.parse(history.body.histories[0].reason)).toMatchObject({ code: 'NOT_SENT' })
    await app.close()
  })

  it('an access token that cannot be read is surely not sent: released', async () => {
    const sender = await makeSender()
    await manage(running, 'POST', `/shops/${sender.shop.shopId}/official-accounts`, {
      oaId: sender.template.oaId,
      name: 'x',
      accessToken: 'token',
    })
    await sql`
      update official_accounts set access_token = '\\x00' where shop_id = ${sender.shop.shopId}`.execute(
      deps.db,
    )
    expect((await sendTo(sender, '0901234567')).status).toBe(503)
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'release'])
  })

  it('a hanging platform: 202 after the time limit, and the send is not repeated', async () => {
    const sender = await makeSender()
    await control(running, '/faults', { faults: [{ kind: 'hang', endpoint: '/message/template' }] })
    try {
      expect((await sendTo(sender, '0901234567')).status).toBe(202)
    } finally {
      await control(running, '/faults', { faults: [] })
    }
    expect(await rowsOf(sender)).toMatchObject([{ state: 'UNKNOWN' }])
  })
})

describe('G-25 receipts', () => {
  it('unmatched for another official account, an unknown id, and a number that is no id', async () => {
    const sender = await makeSender()
    const trackingId = (await sendTo(sender, '0901230003')).body.data.message_id
    const { oaId } = sender.template
    expect(await applyReceipt(deps, 'oa-of-nobody', receipt({ trackingId }))).toBe('unmatched')
    const other = await makeSender()
    expect(await applyReceipt(deps, other.template.oaId, receipt({ trackingId }))).toBe('unmatched')
    expect(await applyReceipt(deps, oaId, receipt({ trackingId: unusedId() }))).toBe('unmatched')
    expect(await applyReceipt(deps, oaId, receipt({ trackingId: 'x', msgId: '404' }))).toBe('unmatched')
    expect(await applyReceipt(deps, oaId, receipt({ msgId: '' }))).toBe('unmatched')
    expect(await rowsOf(sender)).toMatchObject([{ delivered_at: null }])
  })

  it('a message by UID is found by the platform’s session', async () => {
    const sender = await makeSender()
    await sendToUid(sender, '7788990003')
    const [row] = await rowsOf(sender)
    const event = receipt({ msgId: row.session_id })
    expect(await applyReceipt(deps, sender.template.oaId, event)).toBe('applied')
    expect((await rowsOf(sender))[0].delivered_at).toEqual(event.deliveredAt)
  })

  it('a receipt for a message that ended as an error changes nothing', async () => {
    const sender = await makeSender()
    await sendTo(sender, '0901230001')
    const before = await rowsOf(sender)
    expect(await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: before[0].id }))).toBe(
      'applied',
    )
    expect(await rowsOf(sender)).toEqual(before)
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'release'])
  })

  it('ten receipts at once capture once', async () => {
    const sender = await makeSender()
    const trackingId = (await sendTo(sender, '0901230006')).body.data.message_id
    await Promise.all(
      Array.from({ length: 10 }, () =>
        applyReceipt(deps, sender.template.oaId, receipt({ trackingId, msgId: '12345' })),
      ),
    )
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'capture'])
  })
})

describe('G-26 two settlers never both settle', () => {
  it('a platform’s no that comes after a receipt gives no money back', async () => {
    const sender = await makeSender()
    const trackingId = (await sendTo(sender, '0901230006')).body.data.message_id
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId, msgId: '1' }))
    const template = {
      ...sender.template,
      version: 0,
      status: 'ENABLE',
      isOaLinked: true,
      params: [],
      pricePhone: 200,
      priceUid: 55,
    }
    const message = {
      id: trackingId,
      template,
      channel: 'phone' as const,
      phone: '84901230006',
      userUid: '',
      params: {},
      platformTemplateId: template.platformTemplateId,
      isSample: false,
      fee: 200,
      holdEntryId: unusedId(),
      leaseUntil: new Date(),
      senderId: null,
      now: new Date(),
      accessToken: null,
    }
    const no = { kind: 'rejected', code: -118, class: 'recipient', message: 'no', raw: {} } as const
    // Not 'unknown', which would mean that only the schema's constraints stood in the way.
    expect((await settleMessage(deps, sender.shop.shopId, message, no)).kind).toBe('refused')
    const yes = { kind: 'ok', data: { msgId: '2' }, raw: {} } as const
    expect((await settleMessage(deps, sender.shop.shopId, message, yes)).kind).toBe('received')
    expect(await rowsOf(sender)).toMatchObject([{ state: 'RECEIVED', session_id: '1' }])
    expect(await entryTypes(sender)).toEqual(['top_up', 'hold', 'capture'])
  })

  it('whatever the platform writes is stored: NUL, unpaired surrogates, 100 kB of text', async () => {
    for (const text of ['a\0b', 'a\ud800b', 'x'.repeat(100_000)]) {
      const sender = await makeSender()
      const platform = {
        ...deps.platform,
        sendToPhone: async () =>
          ({ kind: 'rejected', code: -9999, class: 'other', message: text, raw: { text } }) as const,
      }
      const { shopId } = sender.shop
      const result = await sendMessage({ ...deps, platform }, shopId, {
        templateId: sender.template.id,
        channel: 'phone',
        phone: '84901234567',
        userUid: '',
        isSample: false,
        params: VALUES,
        paramsPath: ['params'],
      })
      expect(result.kind).toBe('refused')
      expect(await rowsOf(sender)).toMatchObject([{ state: 'ERROR', error_code: '-9999' }])
      expect(await walletOf(sender)).toEqual({ balance: 10_000, held: 0 })
    }
  })
})

describe('design “budget of database round trips”', () => {
  it('a send takes two statements beside the platform’s call, three the first time', async () => {
    const sender = await makeSender()
    let statements = 0
    const db = deps.db.withPlugin({
      transformQuery({ node }) {
        statements += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const counts: number[] = []
    for (const phone of ['84901234567', '84901234568', '84901230001']) {
      statements = 0
      await sendMessage({ ...deps, db }, sender.shop.shopId, {
        templateId: sender.template.id,
        channel: 'phone',
        phone,
        userUid: '',
        isSample: false,
        params: VALUES,
        paramsPath: ['params'],
      })
      counts.push(statements)
    }
    expect(counts).toEqual([3, 2, 2])
  })
})

describe('design “Sending”: a process that dies on the way', () => {
  /** The process dies in the platform's call: nothing of the send runs on. */
  async function dieWhileSending(sender: Sender): Promise<void> {
    let isCalled = () => {}
    const called = new Promise<void>((resolve) => {
      isCalled = resolve
    })
    const platform = {
      ...deps.platform,
      sendToPhone: () => {
        isCalled()
        return new Promise<never>(() => {})
      },
    }
    void sendMessage({ ...deps, platform }, sender.shop.shopId, {
      templateId: sender.template.id,
      channel: 'phone',
      phone: '84901234567',
      userUid: '',
      isSample: false,
      params: VALUES,
      paramsPath: ['params'],
    })
    await called
  }

  const inSeconds = (seconds: number) => ({
    ...deps,
    clock: { now: () => new Date(Date.now() + seconds * 1000) },
  })

  it('the message stays in SENDING under its lease, then recovery makes it UNKNOWN and keeps the hold', async () => {
    const sender = await makeSender()
    await dieWhileSending(sender)
    await recoverMessages(inSeconds(110))
    expect(await rowsOf(sender)).toMatchObject([{ state: 'SENDING' }])
    expect(await recoverMessages(inSeconds(121))).toBeGreaterThanOrEqual(1)
    const [row] = await rowsOf(sender)
    expect(row).toMatchObject({
      state: 'UNKNOWN',
      lease_until: null,
      unknown_cause: expect.stringContaining('process died'),
    })
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 200 })
    expect(await recoverMessages(inSeconds(240))).toBe(0)
    await applyReceipt(deps, sender.template.oaId, receipt({ trackingId: row.id, msgId: '7' }))
    expect(await walletOf(sender)).toEqual({ balance: 9_800, held: 0 })
    await checkInvariants(deps.db)
  })
})

type Step =
  | { do: 'top up'; amount: number }
  | { do: 'phone' | 'uid'; ending: string }
  | { do: 'receipt'; of: number; by: 'tracking' | 'session' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('top up' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  fc.record({
    do: fc.constantFrom('phone' as const, 'uid' as const),
    ending: fc.constantFrom('9999', '0001', '0003', '0007'),
  }),
  fc.record({
    do: fc.constant('receipt' as const),
    of: fc.nat(20),
    by: fc.constantFrom('tracking' as const, 'session' as const),
  }),
)

describe('G-26 the ledger against a model', () => {
  it('after any sequence of top-ups, sends and receipts, money is where the model says', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        run += 1
        const sender = await makeSender(0)
        const model = { balance: 0, held: 0, states: [] as string[] }
        for (const [n, next] of steps.entries()) {
          if (next.do === 'top up') {
            await topUp(running, sender.shop.shopId, next.amount)
            model.balance += next.amount
          } else if (next.do === 'receipt') {
            const rows = await rowsOf(sender)
            const row = rows[next.of]
            if (row === undefined) continue
            const event = receipt({
              msgId: row.session_id || `late-${row.id}`,
              ...(next.by === 'tracking' ? { trackingId: row.id } : {}),
            })
            await applyReceipt(deps, sender.template.oaId, event)
            if (next.by === 'tracking' && model.states[next.of] === 'UNKNOWN') {
              model.states[next.of] = 'RECEIVED'
              model.held -= row.fee
            }
          } else {
            const fee = next.do === 'phone' ? 200 : 55
            const answer =
              next.do === 'phone'
                ? await sendTo(sender, `090123${next.ending}`)
                : await sendToUid(sender, `${run}-${n}-${sender.shop.shopId}${next.ending}`.slice(-40))
            if (model.balance < fee) {
              expect(answer.body.code).toBe('WALLET_TOO_LOW')
            } else if (next.ending === '0001') {
              expect(answer.status).toBe(400)
              model.states.push('ERROR')
            } else {
              const isUnknown = next.ending === '0007' && (next.do === 'phone' || answer.status === 202)
              expect(answer.status).toBe(isUnknown ? 202 : 200)
              model.states.push(isUnknown ? 'UNKNOWN' : 'RECEIVED')
              model.balance -= fee
              if (isUnknown) model.held += fee
            }
          }
        }
        expect(await walletOf(sender)).toEqual({ balance: model.balance, held: model.held })
        expect((await rowsOf(sender)).map((row) => row.state)).toEqual(model.states)
        const history = await sender.shop.get('/api/external/notify-message/history?offset=100')
        const ended = model.states.filter((state) => state !== 'UNKNOWN').toReversed()
        expect(history.body.histories.map((record: { status: string }) => record.status)).toEqual(ended)
        expect(history.body.meta.total).toBe(ended.length)
      }),
      { numRuns: 20 },
    )
    await checkInvariants(deps.db)
  }, 60_000)
})
