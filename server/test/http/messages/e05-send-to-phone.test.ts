import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makePhoneSender, rowsOf, walletOf } from '../../support/senders.ts'
import { service, unusedId } from '../../support/service.ts'
import { control, messagesOnPlatform, VALUES } from '../../support/templates.ts'

const running = await service()

describe('E5 send to a phone number', () => {
  it('200 with our id and RECEIVED; the platform got it once, with our id as tracking id', async () => {
    const { shop, template, send } = await makePhoneSender(running)
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
    const [row] = await rowsOf(running, shop)
    expect(row).toMatchObject({
      state: 'RECEIVED',
      session_id: messages[0]!.msg_id,
      lease_until: null,
      fee: 200,
    })
    expect(row!.sent_at).toBeInstanceOf(Date)
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 0 })
  })

  it('200 in Vietnamese when asked for (G-05)', async () => {
    const { send } = await makePhoneSender(running)
    expect((await send({}, { 'accept-language': 'vi' })).body.message).toBe('Tin nhắn đã được gửi')
  })

  it('200 in a second send with the template remembered, and after it has changed', async () => {
    const { shop, template, send } = await makePhoneSender(running)
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
    await sql`
      update templates set price_phone = 300, version = version + 1
      where shop_id = ${shop.shopId} and id = ${template.id}`.execute(running.deps.db)
    expect((await send()).status).toBe(200)
    expect(await walletOf(shop)).toEqual({ balance: 9_300, held: 0 })
  })

  it('400 at once when the remembered template was switched off since', async () => {
    const { shop, template, send } = await makePhoneSender(running)
    expect((await send()).status).toBe(200)
    // Also on the platform: an event of the template's approval may still be processed, and then the platform's status
    // applies.
    await control(running, `/templates/${template.platformTemplateId}/status`, { status: 'DISABLE' })
    await sql`
      update templates set status = 'DISABLE' where shop_id = ${shop.shopId} and id = ${template.id}`.execute(
      running.deps.db,
    )
    expect((await send()).body).toMatchObject({ code: 'TEMPLATE_NOT_SENDABLE' })
    expect(await rowsOf(running, shop)).toHaveLength(1)
  })

  it('values are checked against the template as it is now, not as it is remembered', async () => {
    const { shop, template, send } = await makePhoneSender(running, { params: [] })
    expect((await send({ params: {} })).status).toBe(200)
    await sql`
      update templates set params = '[{"key": "note", "label": "Ghi chú", "techSetting": "5"}]', version = version + 1
      where shop_id = ${shop.shopId} and id = ${template.id}`.execute(running.deps.db)
    expect((await send({ params: {} })).body.validation.body.keys).toEqual(['params.note'])
    // The platform does not know the new param, so the platform refuses it.
    expect((await send({ params: { note: 'x' } })).body).toMatchObject({ code: 'PLATFORM_REFUSED' })
    expect(await rowsOf(running, shop)).toHaveLength(2)
  })
})

describe('G-20 body', () => {
  it('templateId may be the platform’s number', async () => {
    const { template, send } = await makePhoneSender(running)
    expect((await send({ templateId: template.platformTemplateId })).status).toBe(200)
  })

  it('404 for an unknown id, an unknown number and another shop’s template, and nothing is stored', async () => {
    const { shop, send } = await makePhoneSender(running)
    const other = await makePhoneSender(running)
    for (const templateId of [
      unusedId(),
      '999',
      '1'.repeat(40),
      other.template.id,
      other.template.platformTemplateId,
    ]) {
      const answer = await send({ templateId })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ error: 'Resource not found', message: 'The template does not exist' })
    }
    expect(await rowsOf(running, shop)).toEqual([])
    expect(await walletOf(shop)).toEqual({ balance: 10_000, held: 0 })
  })

  it('params may be left out where the template has none', async () => {
    const { send } = await makePhoneSender(running, { params: [] })
    expect((await send({ params: undefined })).status).toBe(200)
  })

  it.each([
    [{ templateId: undefined }, 'templateId', '"templateId" is required'],
    [{ templateId: null }, 'templateId', '"templateId" must be a string'],
    [
      { templateId: 'no-id' },
      'templateId',
      '"templateId" must be an id of 24 hexadecimal characters or the platform’s number',
    ],
    [{ templateId: '' }, 'templateId', '"templateId" is not allowed to be empty'],
    [{ receiverPhone: undefined }, 'receiverPhone', '"receiverPhone" is required'],
    [{ receiverPhone: 84901234567 }, 'receiverPhone', '"receiverPhone" must be a string'],
    [{ isSample: 'true' }, 'isSample', '"isSample" must be a boolean'],
    [{ params: null }, 'params', '"params" must be of type object'],
    [{ params: [] }, 'params', '"params" must be of type object'],
    [{ phone: '0901234567' }, 'phone', '"phone" is not allowed'],
  ])('400 for %j', async (change, key, message) => {
    const { shop, send } = await makePhoneSender(running)
    const answer = await send(change)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Validation failed',
      validation: { body: { source: 'body', keys: [key], message } },
    })
    expect(await rowsOf(running, shop)).toEqual([])
  })

  it('a shopId is accepted and ignored (G-08)', async () => {
    const { send } = await makePhoneSender(running)
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
    const { shop, send } = await makePhoneSender(running)
    const answer = await send({ params })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body).toEqual({ source: 'body', keys: [key], message })
    expect(await rowsOf(running, shop)).toEqual([])
  })

  it.each([
    [{ ...VALUES, otp: null }],
    [{ ...VALUES, otp: true }],
    [{ ...VALUES, otp: {} }],
    [{ ...VALUES, otp: 1e20 }],
  ])('400 for a value that is neither text nor a safe number: %j', async (params) => {
    const { send } = await makePhoneSender(running)
    const answer = await send({ params })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body.keys).toEqual(['params.otp'])
  })

  it('numbers go out as text, and letters typed as base and mark go out composed', async () => {
    const { template, send } = await makePhoneSender(running)
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
      const { template, send } = await makePhoneSender(running)
      expect((await send({ receiverPhone })).status).toBe(200)
      expect((await messagesOnPlatform(running, template.oaId))[0]!.phone).toBe('84901234567')
    },
  )

  it.each(['abc', '12', '+8490', '0901234567890123'])('400 for %s', async (receiverPhone) => {
    const { shop, send } = await makePhoneSender(running)
    const answer = await send({ receiverPhone })
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body).toEqual({
      source: 'body',
      keys: ['receiverPhone'],
      message: '"receiverPhone" must be a valid phone number',
    })
    expect(await rowsOf(running, shop)).toEqual([])
  })
})

describe('G-23 the template’s status', () => {
  it.each(['DRAFT', 'PENDING_REVIEW', 'DISABLE', 'REJECTED'] as const)('400 in %s', async (status) => {
    const { shop, send } = await makePhoneSender(running, { status })
    const answer = await send()
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: `A template in status ${status} cannot be sent; its status must be ENABLE`,
      code: 'TEMPLATE_NOT_SENDABLE',
    })
    expect(await rowsOf(running, shop)).toEqual([])
  })

  it('a sample goes out in development mode, under review, with sample values and without money', async () => {
    const { shop, template, send } = await makePhoneSender(
      running,
      { status: 'PENDING_REVIEW', pricePhone: null },
      0,
    )
    const sent = await send({ isSample: true, params: { otp: '1' } })
    expect(sent.status).toBe(200)
    expect(await messagesOnPlatform(running, template.oaId)).toMatchObject([
      { developmentMode: true, chargeVnd: 0, params: { customer_name: 'Nguyễn An', otp: '1' } },
    ])
    expect(await rowsOf(running, shop)).toMatchObject([{ is_sample: true, fee: 0 }])
    expect((await shop.get('/api/external/wallet/entries')).body.entries).toEqual([])
  })

  it.each([
    [
      'vi',
      'Mẫu tin ở trạng thái Chờ duyệt không gửi được: chỉ gửi thử được khi nền tảng đã nhận mẫu gửi duyệt',
    ],
    [
      'en',
      'A template in status PENDING_REVIEW cannot be sent; a sample can be sent as soon as the platform has received the submission',
    ],
  ])(
    'G-23 400 in %s for a sample before the platform has received the submission',
    async (language, message) => {
      const { shop, send } = await makePhoneSender(running, { status: 'PENDING_REVIEW' })
      const { db } = running.database
      await sql`update templates set platform_template_id = null where shop_id = ${shop.shopId}`.execute(db)
      const sent = await send({ isSample: true, params: { otp: '1' } }, { 'accept-language': language })
      expect(sent.body).toMatchObject({ statusCode: 400, code: 'TEMPLATE_NOT_SENDABLE', message })
    },
  )

  it('400 for an official account that is not linked', async () => {
    const { shop, template, send } = await makePhoneSender(running, { isLinked: false })
    expect((await send()).body).toMatchObject({
      statusCode: 400,
      code: 'OA_NOT_LINKED',
      message: `The official account ${template.oaId} is not linked to this shop`,
    })
    expect(await rowsOf(running, shop)).toEqual([])
  })
})
