import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { BATCHES, makeBatchShop, messageRows } from '../../support/batches.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const TO_AUDIENCE = `${BATCHES}/to-audience`
const LATER = { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }

let numbers = 0
const customer = async (shop: Partner, fullName: string, phone = `0912${String(200_010 + 10 * numbers++)}`) =>
  (await shop.post('/api/external/v1/customers', { fullName, phone })).body.data

/** A shop with money, an approved template with a name in it, and an audience of all its customers. */
async function makeAudienceShop(money = 1_000_000, overrides = {}) {
  const { shop, template } = await makeBatchShop(running, money, overrides)
  const conditions = [{ kind: 'bought' }, { kind: 'notBought' }]
  const made = await shop.post('/api/external/v1/audiences', { name: 'Tất cả', match: 'any', conditions })
  const body = {
    audienceId: made.body.data._id as string,
    templateId: template.id,
    params: { customer_name: 'Chị {fullName}' },
  }
  return { shop, body }
}
const sentTo = async (shop: Partner) =>
  (await messageRows(running, shop.shopId)).map(({ phone, params }) => [phone, params.customer_name])

describe('G-27 POST batches/to-audience', () => {
  it('202 with a message to each customer, filled with what is known; refused rows name their customer', async () => {
    const { shop, body } = await makeAudienceShop(1_000_000, { tag: '3' })
    const lan = await customer(shop, 'Lan', '0912000401')
    const mai = await customer(shop, 'Mai', '0912000402')
    const long = await customer(shop, 'Tên dài hơn ba mươi ký tự rồi đó nhé', '0912000403')
    await customer(shop, 'Không số', '')
    await shop.post('/api/external/v1/consents', { phone: '0912000402', status: 'withdrawn', source: 'quầy' })
    const before = (await shop.get('/api/external/wallet')).body
    const preview = (await shop.post(`${TO_AUDIENCE}/preview`, body)).body.data
    expect(preview).toMatchObject({
      accepted: 1,
      refusedCount: 2,
      next: null,
      recipients: [{ recipient: '84912000401' }],
    })
    expect((await shop.get('/api/external/wallet')).body).toEqual(before)
    expect(await messageRows(running, shop.shopId)).toEqual([])

    const answer = await shop.post(TO_AUDIENCE, { ...body, ...LATER, name: 'Đèn lồng' })
    expect(answer.status, JSON.stringify(answer.body)).toBe(202)
    const { data } = answer.body
    expect(data).toMatchObject({
      accepted: 1,
      name: 'Đèn lồng',
      audienceId: body.audienceId,
      isTest: false,
      next: null,
    })
    expect(
      data.refused.map((one: { customerId: string; code?: string }) => [one.customerId, one.code]),
    ).toEqual([
      [mai._id, 'RECIPIENT_OPTED_OUT'],
      [long._id, undefined],
    ])
    expect(data.refused).toEqual(preview.refused)
    expect(await sentTo(shop)).toEqual([['84912000401', 'Chị Lan']])
    expect(lan._id).toBeTruthy()
    await checkInvariants(db, shop.shopId)
  })

  it('202 the same batch for a repeated key, even if the audience has other customers by then, or was deleted', async () => {
    const { shop, body } = await makeAudienceShop()
    await customer(shop, 'Lan', '0912000411')
    const key = { 'idempotency-key': 'one' }
    const first = await shop.post(TO_AUDIENCE, { ...body, ...LATER }, key)
    await customer(shop, 'Mai', '0912000412')
    await shop.call('DELETE', `/api/external/v1/audiences/${body.audienceId}`)
    expect((await shop.post(TO_AUDIENCE, { ...body, ...LATER }, key)).body).toEqual(first.body)
    expect(await sentTo(shop)).toEqual([['84912000411', 'Chị Lan']])
  })

  it('the same people once, of two sends with one key at the same moment', async () => {
    const { shop, body } = await makeAudienceShop()
    for (let n = 0; n < 5; n++) await customer(shop, `Khách ${n}`)
    const key = { 'idempotency-key': 'race' }
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => shop.post(TO_AUDIENCE, { ...body, ...LATER }, key)),
      customer(shop, 'Người mới'),
    ])
    const sent = answers.slice(0, 6) as { status: number; body: { data: { _id: string } } }[]
    for (const { status } of sent) expect([202, 409]).toContain(status)
    const again = await shop.post(TO_AUDIENCE, { ...body, ...LATER }, key)
    expect(again.status).toBe(202)
    const ids = new Set(
      [...sent.filter(({ status }) => status === 202), again].map((one) => one.body.data._id),
    )
    expect(ids.size).toBe(1)
    const rows = await messageRows(running, shop.shopId)
    expect(new Set(rows.map(({ phone }) => phone)).size).toBe(rows.length)
    expect(rows.length).toBe(again.body.data.accepted)
    expect((await shop.get(BATCHES)).body.data).toHaveLength(1)
    await checkInvariants(db, shop.shopId)
  })

  it('a thousand in a batch; the next one goes on behind them, and no customer comes twice', async () => {
    const { shop, body } = await makeAudienceShop()
    await sql`
      insert into customers (shop_id, id, full_name, phone, search, created_at, updated_at)
      select ${shop.shopId}, lpad(to_hex(n), 24, '0'), 'Khách ' || n, '849' || (20000000 + n * 10), 'x', now(), now()
      from generate_series(1, 1003) as n`.execute(db)
    const first = (await shop.post(TO_AUDIENCE, { ...body, ...LATER })).body.data
    expect(first).toMatchObject({ accepted: 1_000, refusedCount: 0 })
    const second = (await shop.post(TO_AUDIENCE, { ...body, ...LATER, after: first.next })).body.data
    expect(second).toMatchObject({ accepted: 3, next: null })
    const rows = await messageRows(running, shop.shopId)
    expect(new Set(rows.map(({ phone }) => phone)).size).toBe(1_003)
  })

  it('400 for a place that no value has; 404 for another shop’s audience, and nothing is held', async () => {
    const { shop, body } = await makeAudienceShop()
    await customer(shop, 'Lan')
    const wrong = await shop.post(TO_AUDIENCE, { ...body, params: { customer_name: 'Chị {ten}' } })
    expect([wrong.status, wrong.body.validation.body.keys]).toEqual([400, ['params.customer_name']])
    const other = await makeAudienceShop()
    for (const audienceId of [other.body.audienceId, unusedId()])
      expect((await shop.post(TO_AUDIENCE, { ...body, audienceId })).status).toBe(404)
    expect((await shop.get('/api/external/wallet')).body.held).toBe(0)
    expect((await (await makeShop(running)).post(TO_AUDIENCE, body)).status).toBe(404)
  })
})

describe('G-27 a test to oneself', () => {
  it('202 for one message, charged and marked; 400 for two', async () => {
    const { shop, body } = await makeAudienceShop()
    const message = { receiverPhone: '0912000421', params: { customer_name: 'Chị Lan' } }
    const test = { templateId: body.templateId, name: 'Gửi thử', isTest: true, messages: [message] }
    const refused = await shop.post(BATCHES, { ...test, messages: [message, message] })
    expect([refused.status, refused.body.validation.body.keys]).toEqual([400, ['messages']])
    const key = { 'idempotency-key': 'test' }
    const { data } = (await shop.post(BATCHES, { ...test, ...LATER }, key)).body
    expect(data).toMatchObject({ accepted: 1, isTest: true, audienceId: null })
    expect((await shop.post(BATCHES, { ...test, ...LATER }, key)).body.data._id).toBe(data._id)
    const rows = await messageRows(running, shop.shopId)
    expect(rows).toHaveLength(1)
    const { isTest } = (await shop.get(`/api/external/notify-message/messages/${rows[0].id}`)).body.data
    expect(isTest).toBe(true)
    expect((await shop.get('/api/external/wallet')).body.held).toBe(rows[0].fee)
  })
})
