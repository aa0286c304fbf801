import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { TemplateParam } from '../../../src/platform/types.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { type Answer, makeShop, type Service, separateService, service } from '../../support/service.ts'
import { insertEnabledTemplate, messagesOnPlatform, topUp, VALUES } from '../../support/templates.ts'

const running = await service()
const NAME: TemplateParam = { key: 'customer_name', label: 'Tên', techSetting: '1', maxLength: 30 }

/** A shop with money, a template with an OTP and one without. */
async function makeSender(on: Service = running, pricePhone = 200) {
  const shop = await makeShop(on)
  const otp = await insertEnabledTemplate(on, shop.shopId, { pricePhone })
  const plain = await insertEnabledTemplate(on, shop.shopId, { isLinked: false, params: [NAME] })
  await topUp(on, shop.shopId, 100_000)
  const send = (body: object = {}, headers?: Record<string, string>) =>
    shop.post(
      '/api/external/notify-message/send',
      { templateId: otp.id, receiverPhone: '0901234567', params: VALUES, ...body },
      headers,
    )
  const sendPlain = () => send({ templateId: plain.id, params: { customer_name: 'An' } })
  const sendToUid = (userUID = 'uid-1') =>
    shop.post('/api/external/chatapp/uid-notify/send-message', {
      templateId: otp.id,
      userUID,
      templateData: VALUES,
    })
  return { shop, otp, send, sendPlain, sendToUid }
}

async function repeat(times: number, call: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await call()).status)
  return statuses
}

/** Makes all messages of the shop older. */
async function age(on: Service, shopId: string, seconds: number): Promise<void> {
  await sql`
    update messages set created_at = created_at - make_interval(secs => ${seconds})
    where shop_id = ${shopId}`.execute(on.deps.db)
}

describe('E5 and E6 limits on one recipient', () => {
  it('429 RECIPIENT_LIMIT with Retry-After at the sixth OTP in 10 minutes; nothing is stored or held', async () => {
    const { shop, otp, send } = await makeSender()
    expect(await repeat(5, send)).toEqual([200, 200, 200, 200, 200])
    const refused = await send()
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: expect.stringMatching(/Retry in \d+ s$/),
      code: 'RECIPIENT_LIMIT',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 99_000, held: 0 })
    expect(await messagesOnPlatform(running, otp.oaId)).toHaveLength(5)
    await checkInvariants(running.deps.db, shop.shopId)
  })

  it('counts the number however it is typed, and no other number, UID, template kind or shop', async () => {
    const { send, sendPlain, sendToUid } = await makeSender()
    await repeat(5, send)
    expect((await send({ receiverPhone: '+84 901 234 567' })).status).toBe(429)
    expect((await send({ receiverPhone: '0901234568' })).status).toBe(200)
    expect((await sendPlain()).status).toBe(200)
    expect((await sendToUid()).status).toBe(200)
    const other = await makeSender()
    expect((await other.send()).status).toBe(200)
  })

  it('counts each UID for itself', async () => {
    const { sendToUid } = await makeSender()
    expect(await repeat(6, sendToUid)).toEqual([200, 200, 200, 200, 200, 429])
    expect((await sendToUid('uid-2')).status).toBe(200)
  })

  it('a place is free again once the window has passed; the 21st of a day is refused', async () => {
    const { shop, send } = await makeSender()
    for (let round = 0; round < 4; round++) {
      expect(await repeat(5, send)).toEqual([200, 200, 200, 200, 200])
      await age(running, shop.shopId, 601)
    }
    const refused = await send()
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(86_400 - 4 * 601 - 30)
    expect(seconds).toBeLessThanOrEqual(86_400 - 4 * 601)
    await age(running, shop.shopId, seconds)
    expect((await send()).status).toBe(200)
  })

  it('samples neither count nor are limited, and refused messages do not count', async () => {
    const { shop, send } = await makeSender()
    expect(await repeat(7, () => send({ isSample: true }))).toEqual(Array(7).fill(200))
    expect(await repeat(7, () => send({ receiverPhone: '0901230001' }))).toEqual(Array(7).fill(400))
    expect(await repeat(5, send)).toEqual(Array(5).fill(200))
    expect(await send()).toMatchObject({ status: 429, body: { code: 'RECIPIENT_LIMIT' } })
    expect((await send({ isSample: true })).status).toBe(200)
    await checkInvariants(running.deps.db, shop.shopId)
  })

  it.each([200, 0])('30 at once at %i đồng: five are accepted', async (pricePhone) => {
    const { shop, otp, send } = await makeSender(running, pricePhone)
    const answers = await Promise.all(Array.from({ length: 30 }, () => send()))
    expect(answers.filter((one) => one.status === 200)).toHaveLength(5)
    expect(answers.filter((one) => one.status === 429)).toHaveLength(25)
    expect(await messagesOnPlatform(running, otp.oaId)).toHaveLength(5)
    await checkInvariants(running.deps.db, shop.shopId)
  })

  it('429 keeps nothing for its Idempotency-Key (G-10)', async () => {
    const { shop, send } = await makeSender()
    await repeat(5, send)
    const headers = { 'idempotency-key': 'k' }
    expect((await send({}, headers)).status).toBe(429)
    await age(running, shop.shopId, 601)
    const sent = await send({}, headers)
    expect([sent.status, sent.headers['idempotency-replayed']]).toEqual([200, undefined])
  })

  it('in Vietnamese when asked for (G-05)', async () => {
    const { send } = await makeSender()
    await repeat(5, send)
    expect((await send({}, { 'accept-language': 'vi' })).body.message).toMatch(/^Người nhận này/)
  })

  it('as the settings say, for messages without an OTP too', async () => {
    const own = await separateService({
      recipientLimits: { otp: [], other: [{ count: 2, seconds: 3_600 }] },
    })
    const { send, sendPlain } = await makeSender(own)
    expect(await repeat(3, sendPlain)).toEqual([200, 200, 429])
    expect(await repeat(6, send)).toEqual(Array(6).fill(200))
  })
})

describe('G-25 what an OTP leaves behind', () => {
  it('neither the history nor the stored row shows it once the message has ended', async () => {
    const { shop, send } = await makeSender()
    await send()
    await send({ receiverPhone: '0901230001' })
    const history = await shop.get('/api/external/notify-message/history')
    expect(history.body.histories).toHaveLength(2)
    expect(JSON.stringify(history.body)).not.toContain(VALUES.otp)
    const { rows } = await sql<{ text: string }>`
      select m::text as text from messages m where shop_id = ${shop.shopId}`.execute(running.deps.db)
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row.text).not.toContain(VALUES.otp)
  })
})
