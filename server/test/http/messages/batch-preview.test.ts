import { describe, expect, it } from 'vitest'
import { BATCHES, batchTo, makeBatchShop, messageRows, PLAIN_VALUES, phones } from '../../support/batches.ts'
import { service } from '../../support/service.ts'

const running = await service()
const PREVIEW = `${BATCHES}/preview`
const LATER = () => ({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })

describe('G-27 POST batches/preview', () => {
  it('200 with what sending then accepts and refuses, of each kind; nothing is stored or held', async () => {
    const made = await makeBatchShop(running, 650, { tag: '2', priceUid: null })
    const { shop } = made
    const said = { phone: '0912000309', status: 'withdrawn', source: 'quầy' }
    expect((await shop.post('/api/external/v1/consents', said)).status).toBe(201)
    const body = batchTo(made, ['+84 912 000 301', '0912000309', '123', '0912000301', '0912000303'])
    body.messages.push(
      { receiverPhone: '0912000304', params: {} } as never,
      { userUID: 'u', params: PLAIN_VALUES } as never,
    )
    const before = (await shop.get('/api/external/wallet/entries')).body
    const preview = await shop.post(PREVIEW, body)
    expect(preview.status, JSON.stringify(preview.body)).toBe(200)
    const { refused, recipients, ...sums } = preview.body.data
    expect(sums).toMatchObject({ accepted: 2, refusedCount: 5, fees: 600, balance: 650, balanceAfter: 50 })
    expect(recipients).toEqual([
      { index: 0, recipient: '84912000301' },
      { index: 3, recipient: '84912000301' },
    ])
    expect(
      refused.map((one: { index: number; code?: string; keys?: string[] }) => [
        one.index,
        one.code ?? one.keys![0],
      ]),
    ).toEqual([
      [1, 'RECIPIENT_OPTED_OUT'],
      [2, 'messages.2.receiverPhone'],
      [4, 'WALLET_TOO_LOW'],
      [5, 'messages.5.params.customer_name'],
      [6, 'UID_NOT_PRICED'],
    ])
    expect((await shop.get('/api/external/wallet/entries')).body).toEqual(before)
    expect(await messageRows(running, shop.shopId)).toEqual([])
    expect((await shop.get(BATCHES)).body.data).toEqual([])
    const sent = (await shop.post(BATCHES, { ...body, ...LATER() })).body.data
    expect([sent.accepted, sent.refused]).toEqual([sums.accepted, refused])
  })

  it('200 with the time until which one-time passwords can be sent, from the planned start on; null for others', async () => {
    const plain = await makeBatchShop(running, 10_000)
    expect((await plain.shop.post(PREVIEW, batchTo(plain, phones(1)))).body.data.expiresAt).toBeNull()
    const otp = [{ key: 'otp', label: 'OTP', techSetting: '12', maxLength: 10 }]
    const made = await makeBatchShop(running, 10_000, { params: otp })
    const messages = [{ receiverPhone: '0912000310', params: { otp: '1' } }]
    const { scheduledAt } = LATER()
    const { data } = (await made.shop.post(PREVIEW, { templateId: made.template.id, messages, scheduledAt }))
      .body
    expect(Date.parse(data.expiresAt) - Date.parse(scheduledAt)).toBe(5 * 60_000)
  })

  it('200 with the recipients’ limits, and the balance that earlier batches of the list leave', async () => {
    const limited = await makeBatchShop(running, 1_000)
    const next = await limited.shop.post(PREVIEW, { ...batchTo(limited, phones(3)), feesBefore: 700 })
    expect(next.body.data).toMatchObject({ accepted: 1, fees: 200, balance: 300, balanceAfter: 100 })
    expect(next.body.data.refused).toMatchObject([
      { index: 1, code: 'WALLET_TOO_LOW' },
      { index: 2, code: 'WALLET_TOO_LOW' },
    ])
    const otp = [{ key: 'otp', label: 'OTP', techSetting: '12', maxLength: 10 }]
    const made = await makeBatchShop(running, 10_000, { params: otp })
    const messages = Array.from({ length: 6 }, () => ({ receiverPhone: '0912000310', params: { otp: '1' } }))
    const { data } = (await made.shop.post(PREVIEW, { templateId: made.template.id, messages })).body
    expect([data.accepted, data.refused]).toMatchObject([5, [{ index: 5, code: 'RECIPIENT_LIMIT' }]])
    const before = data.recipients.slice(0, 3).map(({ recipient }: { recipient: string }) => recipient)
    const rest = { templateId: made.template.id, messages: messages.slice(0, 3), recipientsBefore: before }
    const later = (await made.shop.post(PREVIEW, rest)).body.data
    expect([later.accepted, later.refused]).toMatchObject([2, [{ index: 2, code: 'RECIPIENT_LIMIT' }]])
  })

  it('400 for more than 1,000 messages, and for a template that cannot be sent', async () => {
    const made = await makeBatchShop(running, 0)
    expect((await made.shop.post(PREVIEW, batchTo(made, phones(1_001)))).status).toBe(400)
    const draft = await makeBatchShop(running, 0, { status: 'DISABLE' })
    const answer = await draft.shop.post(PREVIEW, batchTo(draft, phones(1)))
    expect([answer.status, answer.body.code]).toEqual([400, 'TEMPLATE_NOT_SENDABLE'])
  })
})
