import { describe, expect, it } from 'vitest'
import {
  BATCHES,
  type BatchShop,
  batchTo,
  makeBatchShop,
  messageRows,
  OTP_VALUES,
  PLAIN_VALUES,
  phones,
  walletOf,
} from '../../support/batches.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { eventually, makeShop, service, unusedId } from '../../support/service.ts'
import { insertEnabledTemplate, messagesOnPlatform, topUp } from '../../support/templates.ts'

const running = await service()
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString()

async function whenDone({ shop }: BatchShop, id: string) {
  return eventually(async () => {
    const { body } = await shop.get(`${BATCHES}/${id}`)
    return body.data.status === 'DONE' && body.data
  }, 15_000)
}

describe('G-27 POST batches', () => {
  it('202: every message is sent once, captured, and shown in the history', async () => {
    const sender = await makeBatchShop(running)
    const receivers = phones(30)
    const made = await sender.shop.post(BATCHES, batchTo(sender, receivers, { name: 'Khai trương' }))
    expect(made.status).toBe(202)
    expect(made.body.data).toEqual({
      _id: made.body.data.id,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Khai trương',
      templateId: sender.template.id,
      audienceId: null,
      isTest: false,
      status: 'SENDING',
      accepted: 30,
      refusedCount: 0,
      progress: { queued: 30, sending: 0, received: 0, error: 0, unknown: 0, cancelled: 0 },
      otpExpired: 0,
      waiting: null,
      scheduledAt: null,
      cancelledAt: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      refused: [],
    })
    const done = await whenDone(sender, made.body.data.id)
    expect(done.progress).toMatchObject({ queued: 0, received: 30, error: 0, unknown: 0 })
    const onPlatform = await messagesOnPlatform(running, sender.template.oaId)
    expect(new Set(onPlatform.map((message) => message.phone)).size).toBe(30)
    expect(onPlatform).toHaveLength(30)
    expect(await walletOf(sender)).toEqual({ balance: 1_000_000 - 30 * 200, held: 0 })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.meta.total).toBe(30)
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })

  it('G-25 batchId: the history and its export have the messages of that batch; none for an unused id or another shop', async () => {
    const sender = await makeBatchShop(running)
    const [one, other] = [phones(3), phones(2)]
    const send = async (to: string[]) =>
      (await sender.shop.post(BATCHES, batchTo(sender, to))).body.data.id as string
    const [oneId, otherId] = [await send(one), await send(other)]
    await whenDone(sender, oneId)
    await whenDone(sender, otherId)
    const HISTORY = '/api/external/notify-message/history'
    const found = async (query: string, { shop } = sender) => {
      const { histories, meta } = (await shop.get(`${HISTORY}?${query}`)).body
      expect(meta.total).toBe(histories.length)
      return histories.map(({ phone }: { phone: string }) => phone).sort()
    }
    const shown = (numbers: string[]) => numbers.map((phone) => phone.replace(/^0/, '84')).sort()
    expect(await found(`batchId=${oneId}`)).toEqual(shown(one))
    expect(await found(`batchId=${otherId}`)).toEqual(shown(other))
    expect(await found(`batchId=${oneId}&status=ERROR`)).toEqual([])
    expect(await found(`batchId=${unusedId()}`)).toEqual([])
    expect(await found(`batchId=${oneId}`, await makeBatchShop(running))).toEqual([])
    const file = await sender.shop.get(`${HISTORY}/export?batchId=${otherId}`)
    expect(file.body.trim().split('\n')).toHaveLength(1 + other.length)
    expect((await sender.shop.get(`${HISTORY}?batchId=x`)).status).toBe(500)
  })

  it('202: accepts by phone and by UID, each at its price, by the platform’s number of the template', async () => {
    const sender = await makeBatchShop(running)
    const messages = [
      { receiverPhone: '0912 345 678', params: PLAIN_VALUES },
      { userUID: 'u-77', params: PLAIN_VALUES },
    ]
    const made = await sender.shop.post(BATCHES, { templateId: sender.template.platformTemplateId, messages })
    expect(made.body.data).toMatchObject({ accepted: 2, templateId: sender.template.id })
    await whenDone(sender, made.body.data.id)
    expect(await walletOf(sender)).toEqual({ balance: 1_000_000 - 200 - 55, held: 0 })
  })

  it('refuses rows by the rules of E5 and E6, by their index, and accepts the others', async () => {
    const sender = await makeBatchShop(running)
    const messages = [
      { receiverPhone: '0912345678', params: PLAIN_VALUES },
      { receiverPhone: 'nobody', params: PLAIN_VALUES },
      { receiverPhone: '0912345679', params: {} },
      { receiverPhone: '0912345679', params: { customer_name: 'x'.repeat(31) } },
      { receiverPhone: '0912345679', params: { ...PLAIN_VALUES, other: 'x' } },
      { params: PLAIN_VALUES },
      { receiverPhone: '0912345679', userUID: 'u1', params: PLAIN_VALUES },
      { userUID: 'u2', params: { customer_name: 5 } },
    ]
    const made = await sender.shop.post(BATCHES, {
      templateId: sender.template.id,
      messages,
      scheduledAt: IN_AN_HOUR(),
    })
    expect(made.status).toBe(202)
    expect(made.body.data).toMatchObject({ accepted: 2, refusedCount: 6 })
    expect(made.body.data.refused).toEqual([
      {
        index: 1,
        message: '"messages[1].receiverPhone" must be a valid phone number',
        keys: ['messages.1.receiverPhone'],
      },
      {
        index: 2,
        message: '"messages[2].params.customer_name" is required',
        keys: ['messages.2.params.customer_name'],
      },
      {
        index: 3,
        message: '"messages[3].params.customer_name" length must be less than or equal to 30 characters long',
        keys: ['messages.3.params.customer_name'],
      },
      {
        index: 4,
        message: '"messages[4].params.other" is not allowed',
        keys: ['messages.4.params.other'],
      },
      {
        index: 5,
        message: '"messages[5]" must contain at least one of [receiverPhone, userUID]',
        keys: ['messages.5'],
      },
      {
        index: 6,
        message: '"messages[6]" contains a conflict between exclusive peers [receiverPhone, userUID]',
        keys: ['messages.6'],
      },
    ])
    const read = await sender.shop.get(`${BATCHES}/${made.body.data.id}`)
    expect(read.body.data.refused).toEqual(made.body.data.refused)
  })

  it('refuses by code where a channel has no price, and where the wallet ends', async () => {
    const sender = await makeBatchShop(running, 450, { priceUid: null })
    const body = batchTo(sender, phones(4), { scheduledAt: IN_AN_HOUR() })
    body.messages.push({ userUID: 'u', params: PLAIN_VALUES } as never)
    const made = await sender.shop.post(BATCHES, body)
    expect(made.body.data.accepted).toBe(2)
    expect(made.body.data.refused).toEqual([
      { index: 2, code: 'WALLET_TOO_LOW', message: expect.stringContaining('50') },
      { index: 3, code: 'WALLET_TOO_LOW', message: expect.stringContaining('50') },
      { index: 4, code: 'UID_NOT_PRICED', message: expect.any(String) },
    ])
    expect(await walletOf(sender)).toEqual({ balance: 50, held: 400 })
    const { body: ledger } = await sender.shop.get('/api/external/wallet/entries')
    expect(
      ledger.entries.map((entry: Record<string, number>) => [
        entry.amount,
        entry.balanceAfter,
        entry.heldAfter,
      ]),
    ).toEqual([
      [-200, 50, 400],
      [-200, 250, 200],
      [450, 450, 0],
    ])
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })

  it('refuses what exceeds the recipient’s limit of one-time passwords', async () => {
    const shop = await makeShop(running)
    const template = await insertEnabledTemplate(running, shop.shopId)
    await topUp(running, shop.shopId, 10_000)
    // The limit is five in ten minutes.
    const post = async (count: number) => {
      const messages = Array.from({ length: count }, () => ({
        receiverPhone: '0912345678',
        params: OTP_VALUES,
      }))
      const body = { templateId: template.id, messages, scheduledAt: IN_AN_HOUR() }
      return (await shop.post(BATCHES, body)).body.data
    }
    expect(await post(3)).toMatchObject({ accepted: 3, refused: [] })
    expect(await post(4)).toMatchObject({
      accepted: 2,
      refused: [
        { index: 2, code: 'RECIPIENT_LIMIT' },
        { index: 3, code: 'RECIPIENT_LIMIT' },
      ],
    })
    expect(await post(7)).toMatchObject({ accepted: 0, refusedCount: 7, status: 'DONE' })
  })

  it('400 for all when the template cannot be sent or its account is not linked; nothing is stored', async () => {
    const draft = await makeBatchShop(running, 1000, { status: 'DRAFT' })
    expect((await draft.shop.post(BATCHES, batchTo(draft, phones(2)))).body).toMatchObject({
      code: 'TEMPLATE_NOT_SENDABLE',
    })
    const alone = await makeBatchShop(running, 1000, { isLinked: false })
    expect((await alone.shop.post(BATCHES, batchTo(alone, phones(2)))).body).toMatchObject({
      code: 'OA_NOT_LINKED',
    })
    expect((await draft.shop.get(BATCHES)).body.data).toEqual([])
    expect(await messageRows(running, draft.shop.shopId)).toEqual([])
  })

  it('404 for a template that does not exist', async () => {
    const sender = await makeBatchShop(running)
    const body = { ...batchTo(sender, phones(1)), templateId: unusedId() }
    expect((await sender.shop.post(BATCHES, body)).status).toBe(404)
  })

  it.each<[string, Record<string, unknown>]>([
    ['no messages', { messages: [] }],
    ['1,001 messages', { messages: phones(1001).map((receiverPhone) => ({ receiverPhone, params: {} })) }],
    ['messages that are no list', { messages: 'x' }],
    ['a number as phone', { messages: [{ receiverPhone: 84912345678, params: {} }] }],
    ['null as message', { messages: [null] }],
    ['an unknown field', { messages: [{ receiverPhone: '0912345678', params: {}, x: 1 }] }],
    ['a scheduledAt that is no date', { scheduledAt: 'tomorrow' }],
    ['a scheduledAt too far ahead', { scheduledAt: new Date(Date.now() + 31 * 86_400_000).toISOString() }],
    ['a name that is too long', { name: 'x'.repeat(501) }],
    ['templateId missing', { templateId: undefined }],
  ])('400 for %s', async (_name, more) => {
    const sender = await makeBatchShop(running, 0)
    const answer = await sender.shop.post(BATCHES, { ...batchTo(sender, phones(1)), ...more })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toHaveLength(1)
  })

  it('accepts 1,000 messages with one hold each, in a body beyond the usual limit', async () => {
    const sender = await makeBatchShop(running)
    const body = batchTo(sender, phones(1000), { scheduledAt: IN_AN_HOUR() })
    const padded = `${JSON.stringify(body)}${' '.repeat(1_200_000)}`
    const made = await sender.shop.call('POST', BATCHES, padded)
    expect(made.body.data).toMatchObject({ accepted: 1000, refusedCount: 0 })
    expect(await walletOf(sender)).toEqual({ balance: 800_000, held: 200_000 })
    await checkInvariants(running.deps.db, sender.shop.shopId)
  })

  it('G-10 the same Idempotency-Key makes one batch', async () => {
    const sender = await makeBatchShop(running)
    const headers = { 'idempotency-key': unusedId() }
    const body = batchTo(sender, phones(3), { scheduledAt: IN_AN_HOUR() })
    const first = await sender.shop.post(BATCHES, body, headers)
    const again = await sender.shop.post(BATCHES, body, headers)
    expect(again.body).toEqual(first.body)
    expect(await messageRows(running, sender.shop.shopId)).toHaveLength(3)
  })
})

describe('G-27 a scheduled batch', () => {
  it('waits until its time, is not in the history, and its messages show as QUEUED', async () => {
    const sender = await makeBatchShop(running)
    const scheduledAt = IN_AN_HOUR()
    const { body } = await sender.shop.post(BATCHES, batchTo(sender, phones(2), { scheduledAt }))
    expect(body.data).toMatchObject({
      status: 'WAITING',
      waiting: { reason: 'SCHEDULED', resumesAt: scheduledAt },
      scheduledAt,
    })
    const history = await sender.shop.get('/api/external/notify-message/history')
    expect(history.body.meta.total).toBe(0)
    const [row] = await messageRows(running, sender.shop.shopId)
    const message = await sender.shop.get(`/api/external/notify-message/messages/${row.id}`)
    expect(message.body.data).toMatchObject({ status: 'QUEUED', events: [{ kind: 'accepted' }] })
  })

  it('a time that is past begins at once', async () => {
    const sender = await makeBatchShop(running)
    const more = { scheduledAt: '2026-01-01' }
    const { body } = await sender.shop.post(BATCHES, batchTo(sender, phones(2), more))
    expect((await whenDone(sender, body.data.id)).progress.received).toBe(2)
  })
})

describe('G-27 GET batches', () => {
  it('pages, newest first', async () => {
    const sender = await makeBatchShop(running)
    const ids: string[] = []
    for (const name of ['một', 'hai', 'ba']) {
      const more = { name, scheduledAt: IN_AN_HOUR() }
      ids.unshift((await sender.shop.post(BATCHES, batchTo(sender, phones(1), more))).body.data.id)
    }
    const first = await sender.shop.get(`${BATCHES}?limit=2`)
    expect(first.body.data.map((batch: { id: string }) => batch.id)).toEqual(ids.slice(0, 2))
    expect(first.body.meta).toEqual({ page: 1, limit: 2, hasMore: true })
    expect(first.body.data[0]).toMatchObject({ name: 'ba', accepted: 1, progress: { queued: 1 } })
    const second = await sender.shop.get(`${BATCHES}?limit=2&page=2`)
    expect(second.body.data.map((batch: { id: string }) => batch.id)).toEqual(ids.slice(2))
    expect(second.body.meta.hasMore).toBe(false)
    expect((await sender.shop.get(`${BATCHES}?limit=101`)).status).toBe(400)
  })

  it('404 for a batch that does not exist, 500 for a malformed id', async () => {
    const shop = await makeShop(running)
    expect((await shop.get(`${BATCHES}/${unusedId()}`)).status).toBe(404)
    expect((await shop.get(`${BATCHES}/nope`)).status).toBe(500)
    expect((await shop.post(`${BATCHES}/${unusedId()}/cancel`)).status).toBe(404)
    expect((await shop.post(`${BATCHES}/nope/cancel`)).status).toBe(500)
  })
})

describe('G-27 UIDs of a batch', () => {
  it('a row whose UID only looks like another one is refused by its field', async () => {
    const { shop, template } = await makeBatchShop(running)
    const messages = ['user1', 'user1 ', 'user1\u200b'].map((userUID) => ({ userUID, params: PLAIN_VALUES }))
    const made = await shop.post(BATCHES, { templateId: template.id, messages })
    expect(made.body.data).toMatchObject({
      accepted: 1,
      refused: [
        { index: 1, keys: ['messages.1.userUID'] },
        { index: 2, keys: ['messages.2.userUID'] },
      ],
    })
  })
})
