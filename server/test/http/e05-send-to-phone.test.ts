import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { makeShop, type Partner, service, unusedId } from '../support/service.ts'
import {
  control,
  type EnabledTemplate,
  insertEnabledTemplate,
  messagesOnPlatform,
  topUp,
  VALUES,
} from '../support/templates.ts'

const running = await service()
const PATH = '/api/external/notify-message/send'

async function makeSender(
  overrides: Parameters<typeof insertEnabledTemplate>[2] = {},
  money = 10_000,
): Promise<{
  shop: Partner
  template: EnabledTemplate
  send(body?: object, headers?: Record<string, string>): ReturnType<Partner['post']>
}> {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId, overrides)
  if (money > 0) await topUp(running, shop.shopId, money)
  return {
    shop,
    template,
    send: (body = {}, headers) =>
      shop.post(
        PATH,
        { templateId: template.id, receiverPhone: '0901234567', params: VALUES, ...body },
        headers,
      ),
  }
}

async function walletOf(shop: Partner): Promise<{ balance: number; held: number }> {
  return (await shop.get('/api/external/wallet')).body
}

// biome-ignore lint/suspicious/noExplicitAny: rows of one table, read by column
async function rowOf(shop: Partner, id: string): Promise<any> {
  const { rows } = await sql`select * from messages where shop_id = ${shop.shopId} and id = ${id}`.execute(
    running.deps.db,
  )
  return rows[0]
}

async function messageCount(shop: Partner): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from messages where shop_id = ${shop.shopId}`.execute(running.deps.db)
  return rows[0]!.n
}

describe('E5 send to a phone number', () => {
  it('200 with our id and RECEIVED; the platform got it once, with our id as tracking id', async () => {
    const { shop, template, send } = await makeSender()
    const sent = await send()
    expect(sent).toMatchObject({ status: 200 })
    expect(sent.body).toEqual({
      message: 'The message was sent',
      data: { message_id: expect.stringMatching(/^[0-9a-f]{24}$/), status: 'RECEIVED' },
    })
    const messages = await messagesOnPlatform(running, template.oaId)
    expect(messages).toMatchObject([
      {
        tracking_id: sent.body.data.message_id,
        phone: '84901234567',
        params: VALUES,
        chargeVnd: 200,
        developmentMode: false,
      },
    ])
    const row = await rowOf(shop, sent.body.data.message_id)
    expect(row).toMatchObject({
      state: 'RECEIVED',
      session_id: messages[0]!.msg_id,
      lease_until: null,
      fee: 200,
    })
    expect(row.sent_at).toBeInstanceOf(Date)
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 0 })
  })

  it('200 in Vietnamese when asked for (G-05)', async () => {
    const { send } = await makeSender()
    expect((await send({}, { 'accept-language': 'vi' })).body.message).toBe('Tin nhắn đã được gửi')
  })

  it('200 in a second send with the template remembered, and after it has changed', async () => {
    const { shop, template, send } = await makeSender()
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
    await sql`
      update templates set price_phone = 300, version = version + 1
      where shop_id = ${shop.shopId} and id = ${template.id}`.execute(running.deps.db)
    expect((await send()).status).toBe(200)
    expect(await walletOf(shop)).toEqual({ balance: 9_300, held: 0 })
  })

  it('400 at once when the remembered template was switched off since', async () => {
    const { shop, template, send } = await makeSender()
    expect((await send()).status).toBe(200)
    // On the platform too: an event of the template's approval may still be worked on, and its word wins.
    await control(running, `/templates/${template.platformTemplateId}/status`, { status: 'DISABLE' })
    await sql`
      update templates set status = 'DISABLE' where shop_id = ${shop.shopId} and id = ${template.id}`.execute(
      running.deps.db,
    )
    expect((await send()).body).toMatchObject({ code: 'TEMPLATE_NOT_SENDABLE' })
    expect(await messageCount(shop)).toBe(1)
  })

  it('values are checked against the template as it is now, not as it is remembered', async () => {
    const { shop, template, send } = await makeSender({ params: [] })
    expect((await send({ params: {} })).status).toBe(200)
    await sql`
      update templates set params = '[{"key": "note", "label": "Ghi chú", "techSetting": "5"}]', version = version + 1
      where shop_id = ${shop.shopId} and id = ${template.id}`.execute(running.deps.db)
    expect((await send({ params: {} })).body.validation.body.keys).toEqual(['params.note'])
    // The platform knows nothing of the new param, so it is the one to refuse.
    expect((await send({ params: { note: 'x' } })).body).toMatchObject({ code: 'PLATFORM_REFUSED' })
    expect(await messageCount(shop)).toBe(2)
  })
})

describe('G-20 body', () => {
  it('templateId may be the platform’s number', async () => {
    const { template, send } = await makeSender()
    expect((await send({ templateId: template.platformTemplateId })).status).toBe(200)
  })

  it('404 for an unknown id, an unknown number and another shop’s template, and nothing is stored', async () => {
    const { shop, send } = await makeSender()
    const other = await makeSender()
    for (const templateId of [
      unusedId(),
      '999',
      'no-id',
      other.template.id,
      other.template.platformTemplateId,
    ]) {
      const answer = await send({ templateId })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ error: 'Resource not found', message: 'The template does not exist' })
    }
    expect(await messageCount(shop)).toBe(0)
    expect(await walletOf(shop)).toEqual({ balance: 10_000, held: 0 })
  })

  it('params may be left out where the template has none', async () => {
    const { send } = await makeSender({ params: [] })
    expect((await send({ params: undefined })).status).toBe(200)
  })

  it.each([
    [{ templateId: undefined }, 'templateId', '"templateId" is required'],
    [{ templateId: null }, 'templateId', '"templateId" must be a string'],
    [{ templateId: '' }, 'templateId', '"templateId" is not allowed to be empty'],
    [{ receiverPhone: undefined }, 'receiverPhone', '"receiverPhone" is required'],
    [{ receiverPhone: 84901234567 }, 'receiverPhone', '"receiverPhone" must be a string'],
    [{ isSample: 'true' }, 'isSample', '"isSample" must be a boolean'],
    [{ params: null }, 'params', '"params" must be of type object'],
    [{ params: [] }, 'params', '"params" must be of type object'],
    [{ phone: '0901234567' }, 'phone', '"phone" is not allowed'],
  ])('400 for %j', async (change, key, message) => {
    const { shop, send } = await makeSender()
    const answer = await send(change)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', keys: [key], message } },
    })
    expect(await messageCount(shop)).toBe(0)
  })

  it('a shopId is accepted and ignored (G-08)', async () => {
    const { send } = await makeSender()
    expect((await send({ shopId: unusedId() })).status).toBe(200)
  })
})

describe('G-21 values', () => {
  it.each([
    [{ otp: '1' }, 'params.customer_name', '"params.customer_name" is required'],
    [{ ...VALUES, extra: 'x' }, 'params.extra', '"params.extra" is not allowed'],
    [
      { ...VALUES, otp: '12345678901' },
      'params.otp',
      '"params.otp" length must be less than or equal to 10 characters long',
    ],
  ])('400 for %j', async (params, key, message) => {
    const { shop, send } = await makeSender()
    const answer = await send({ params })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body).toEqual({ source: 'body', keys: [key], message })
    expect(await messageCount(shop)).toBe(0)
  })

  it.each([
    [{ ...VALUES, otp: null }],
    [{ ...VALUES, otp: true }],
    [{ ...VALUES, otp: {} }],
    [{ ...VALUES, otp: 1e20 }],
  ])('400 for a value that is neither text nor a safe number: %j', async (params) => {
    const { send } = await makeSender()
    const answer = await send({ params })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toEqual(['params.otp'])
  })

  it('numbers go out as text, and letters typed as base and mark go out composed', async () => {
    const { template, send } = await makeSender()
    const name = 'Nguyễn Thị Hồng Ngọc Ánh Tuyết'
    expect(name.normalize('NFD').length).toBeGreaterThan(30)
    expect((await send({ params: { customer_name: name.normalize('NFD'), otp: 246810 } })).status).toBe(200)
    expect((await messagesOnPlatform(running, template.oaId))[0]!.params).toEqual({
      customer_name: name.normalize('NFC'),
      otp: '246810',
    })
  })
})

describe('G-22 phones', () => {
  it.each(['0901234567', '84901234567', '+84 90 123 45 67', '(090) 123-4567', '0084901234567'])(
    '%s is 84901234567',
    async (receiverPhone) => {
      const { template, send } = await makeSender()
      expect((await send({ receiverPhone })).status).toBe(200)
      expect((await messagesOnPlatform(running, template.oaId))[0]!.phone).toBe('84901234567')
    },
  )

  it.each(['abc', '12', '+8490', '0901234567890123'])('400 for %s', async (receiverPhone) => {
    const { shop, send } = await makeSender()
    const answer = await send({ receiverPhone })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body).toEqual({
      source: 'body',
      keys: ['receiverPhone'],
      message: '"receiverPhone" must be a valid phone number',
    })
    expect(await messageCount(shop)).toBe(0)
  })
})

describe('G-23 the template’s status', () => {
  it.each(['DRAFT', 'PENDING_REVIEW', 'DISABLE', 'REJECTED'] as const)('400 in %s', async (status) => {
    const { shop, send } = await makeSender({ status })
    const answer = await send()
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: `A template in status ${status} cannot be sent: it must be ENABLE`,
      code: 'TEMPLATE_NOT_SENDABLE',
    })
    expect(await messageCount(shop)).toBe(0)
  })

  it('a sample goes out in development mode, under review, with sample values and without money', async () => {
    const { shop, template, send } = await makeSender({ status: 'PENDING_REVIEW', pricePhone: null }, 0)
    const sent = await send({ isSample: true, params: { otp: '1' } })
    expect(sent.status).toBe(200)
    expect(await messagesOnPlatform(running, template.oaId)).toMatchObject([
      { developmentMode: true, chargeVnd: 0, params: { customer_name: 'Nguyễn An', otp: '1' } },
    ])
    expect(await rowOf(shop, sent.body.data.message_id)).toMatchObject({ is_sample: true, fee: 0 })
    expect((await shop.get('/api/external/wallet/entries')).body.entries).toEqual([])
  })

  it('400 for an official account that is not linked', async () => {
    const { shop, template, send } = await makeSender({ isLinked: false })
    expect((await send()).body).toMatchObject({
      statusCode: 400,
      code: 'OA_NOT_LINKED',
      message: `The official account ${template.oaId} is not linked to this shop`,
    })
    expect(await messageCount(shop)).toBe(0)
  })
})

describe('G-24 answers', () => {
  it.each([
    ['0001', -118, 'The platform refused the message: The recipient has no account on the platform.'],
    ['0002', -141, 'The platform refused the message: The recipient refuses messages from this OA.'],
    [
      '0009',
      -133,
      'The platform refused the message: This kind of message is not sent at night (22:00–06:00).',
    ],
  ])(
    'a phone ending %s: 400 PLATFORM_REFUSED with a readable reason, and the fee is back',
    async (ending, code, message) => {
      const { shop, send } = await makeSender()
      const answer = await send({ receiverPhone: `090123${ending}` })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        statusCode: 400,
        error: 'Bad Request',
        message,
        code: 'PLATFORM_REFUSED',
      })
      expect(await walletOf(shop)).toEqual({ balance: 10_000, held: 0 })
      const history = await shop.get('/api/external/notify-message/history')
      expect(history.body.histories).toMatchObject([{ status: 'ERROR', sessionId: '' }])
      expect(JSON.parse(history.body.histories[0].reason)).toMatchObject({ code })
      const { entries } = (await shop.get('/api/external/wallet/entries')).body
      expect(entries.map((entry: { type: string }) => entry.type)).toEqual(['release', 'hold', 'top_up'])
    },
  )

  it('the reason is in Vietnamese when asked for', async () => {
    const { send } = await makeSender()
    const answer = await send({ receiverPhone: '0901230001' }, { 'accept-language': 'vi' })
    expect(answer.body.message).toMatch(/^Nền tảng từ chối tin nhắn: .*[ạảấầ]/)
  })

  it('202 UNKNOWN when the platform answers 500: the hold stays and nothing is sent again', async () => {
    const { shop, template, send } = await makeSender()
    const answer = await send({ receiverPhone: '0901230007' })
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({
      message: expect.stringContaining('may have been sent'),
      data: { status: 'UNKNOWN' },
    })
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 200 })
    expect(await rowOf(shop, answer.body.data.message_id)).toMatchObject({
      state: 'UNKNOWN',
      unknown_cause: 'HTTP 500',
      lease_until: null,
    })
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
    expect((await shop.get('/api/external/notify-message/history')).body.histories).toEqual([])
  })

  it('Prefer: respond-async: 202 SENDING at once, and the message goes on', async () => {
    const { shop, send } = await makeSender()
    const answer = await send({}, { prefer: 'respond-async; wait=5' })
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({
      message: 'The message was accepted and is being sent',
      data: { message_id: expect.any(String), status: 'SENDING' },
    })
    expect(answer.headers['preference-applied']).toBe('respond-async')
    await expect.poll(async () => (await rowOf(shop, answer.body.data.message_id)).state).toBe('RECEIVED')
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 0 })
  })

  it('a refusal of the shop’s own rules is told at once even with respond-async', async () => {
    const { send } = await makeSender({}, 0)
    expect((await send({}, { prefer: 'respond-async' })).body).toMatchObject({ code: 'WALLET_TOO_LOW' })
  })
})

describe('G-24 the platform’s connection breaks', () => {
  afterEach(() => control(running, '/faults', { faults: [] }))

  it.each(['reset', 'html', 'truncated'])('202 UNKNOWN at the fault %s', async (kind) => {
    const { shop, send } = await makeSender()
    await control(running, '/faults', { faults: [{ kind, endpoint: '/message/template' }] })
    const answer = await send()
    expect(answer.status).toBe(202)
    expect(answer.body.data.status).toBe('UNKNOWN')
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 200 })
  })
})

describe('G-26 fee', () => {
  it('400 WALLET_TOO_LOW names balance and fee, and nothing is stored', async () => {
    const { shop, template, send } = await makeSender({}, 199)
    const answer = await send()
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The wallet has 199 đồng, the message costs 200 đồng. Top the wallet up',
      code: 'WALLET_TOO_LOW',
    })
    expect(await messageCount(shop)).toBe(0)
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
    expect(await walletOf(shop)).toEqual({ balance: 199, held: 0 })
  })

  it('200 when the balance is exactly the fee', async () => {
    const { shop, send } = await makeSender({}, 200)
    expect((await send()).status).toBe(200)
    expect(await walletOf(shop)).toEqual({ balance: 0, held: 0 })
  })

  it('400 PHONE_NOT_PRICED without a price by phone; a price of 0 needs no money', async () => {
    const unpriced = await makeSender({ pricePhone: null })
    expect((await unpriced.send()).body).toMatchObject({ statusCode: 400, code: 'PHONE_NOT_PRICED' })
    const free = await makeSender({ pricePhone: 0 }, 0)
    expect((await free.send()).status).toBe(200)
  })

  it('30 parallel sends with money for 10: exactly 10 are accepted, the balance is 0', async () => {
    const { shop, template, send } = await makeSender({}, 2_000)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => send({ receiverPhone: `09012345${10 + n}` })),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(400)]).toEqual([10, 20])
    for (const answer of answers.filter(({ status }) => status === 400)) {
      expect(answer.body).toMatchObject({
        code: 'WALLET_TOO_LOW',
        message: expect.stringMatching(/ has (0|1?\d\d) đồng/),
      })
    }
    expect(await walletOf(shop)).toEqual({ balance: 0, held: 0 })
    expect(await messagesOnPlatform(running, template.oaId)).toHaveLength(10)
    await checkInvariants(running.deps.db, shop.shopId)
  })
})
