import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import { makeShop, service, unusedId } from '../../support/service.ts'
import {
  type EnabledTemplateOverrides,
  insertEnabledTemplate,
  messagesOnPlatform,
  topUp,
  VALUES,
} from '../../support/templates.ts'

const running = await service()
const PATH = '/api/external/chatapp/uid-notify/send-message'

async function makeSender(overrides: EnabledTemplateOverrides = {}, money = 10_000) {
  const shop = await makeShop(running)
  const template = await insertEnabledTemplate(running, shop.shopId, overrides)
  if (money > 0) await topUp(running, shop.shopId, money)
  return {
    shop,
    template,
    send: (body: object = {}, headers: Record<string, string> = {}) =>
      shop.post(
        PATH,
        { userUID: '7788990011', templateId: template.id, templateData: VALUES, ...body },
        headers,
      ),
    wallet: async () => (await shop.get('/api/external/wallet')).body,
    count: async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from messages where shop_id = ${shop.shopId}`.execute(running.deps.db)
      return rows[0]!.n
    },
  }
}

describe('E6 send by UID', () => {
  it('200 with error 0 and our message_id; the platform got it once, for the price by UID', async () => {
    const { shop, template, send, wallet } = await makeSender()
    const sent = await send()
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({
      error: 0,
      message: 'The message was sent',
      data: { message_id: expect.stringMatching(/^[0-9a-f]{24}$/) },
    })
    expect(await messagesOnPlatform(running, template.oaId)).toMatchObject([
      { user_id: '7788990011', params: VALUES, chargeVnd: 55 },
    ])
    expect(await wallet()).toEqual({ balance: 9_945, held: 0 })
    await checkInvariants(running.deps.db, shop.shopId)
  })

  it.each([
    [{ userUID: undefined }, 'userUID', '"userUID" is required'],
    [{ userUID: '' }, 'userUID', '"userUID" is not allowed to be empty'],
    [{ userUID: 77 }, 'userUID', '"userUID" must be a string'],
    [{ templateId: undefined }, 'templateId', '"templateId" is required'],
    [{ templateData: undefined }, 'templateData', '"templateData" is required'],
    [{ templateData: 'x' }, 'templateData', '"templateData" must be of type object'],
    [{ templateData: { ...VALUES, otp: 1 } }, 'templateData.otp', '"templateData.otp" must be a string'],
    [{ params: VALUES }, 'params', '"params" is not allowed'],
    [{ isSample: true }, 'isSample', '"isSample" is not allowed'],
  ])('400 for %j', async (change, key, message) => {
    const { send, count } = await makeSender()
    const answer = await send(change)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.body).toEqual({ source: 'body', keys: [key], message })
    expect(await count()).toBe(0)
  })
})

describe('G-26 the UID of a recipient has one spelling', () => {
  it.each([
    ...['user1 ', ' user1', 'user1\u00a0'].map((uid) => [
      uid,
      'must not have leading or trailing whitespace',
    ]),
    ...['user1\t', 'us\ner1', 'user1\u200b', 'us\u00ader1', '\u2066user1', 'user1\ufe0f', 'user1\u3164'].map(
      (uid) => [uid, 'must not contain control or invisible characters'],
    ),
  ])('400 for %j', async (userUID, says) => {
    const { send, count } = await makeSender()
    const { status, body } = await send({ userUID })
    expect([status, body.validation?.body]).toEqual([
      400,
      { source: 'body', keys: ['userUID'], message: `"userUID" ${says}` },
    ])
    expect(await count()).toBe(0)
  })
})

describe('G-20 templateId', () => {
  it('may be the platform’s number; 404 for an unknown one and another shop’s', async () => {
    const { template, send, count } = await makeSender()
    const other = await makeSender()
    for (const templateId of [unusedId(), '999', other.template.id, other.template.platformTemplateId]) {
      expect((await send({ templateId })).status).toBe(404)
    }
    expect(await count()).toBe(0)
    expect((await send({ templateId: template.platformTemplateId })).status).toBe(200)
  })
})

describe('G-21 values', () => {
  it.each([
    [{ otp: '1' }, 'templateData.customer_name', '"templateData.customer_name" is required'],
    [{ ...VALUES, extra: 'x' }, 'templateData.extra', '"templateData.extra" is not allowed'],
    [
      { ...VALUES, customer_name: 'a'.repeat(31) },
      'templateData.customer_name',
      '"templateData.customer_name" length must be less than or equal to 30 characters long',
    ],
  ])('400 for %j', async (templateData, key, message) => {
    const { send } = await makeSender()
    expect((await send({ templateData })).body.validation.body).toEqual({
      source: 'body',
      keys: [key],
      message,
    })
  })
})

describe('G-23 the template’s status', () => {
  it.each(['DRAFT', 'PENDING_REVIEW', 'DISABLE', 'REJECTED'] as const)('400 in %s', async (status) => {
    const { send, count } = await makeSender({ status })
    expect((await send()).body).toMatchObject({ statusCode: 400, code: 'TEMPLATE_NOT_SENDABLE' })
    expect(await count()).toBe(0)
  })

  it('400 for an official account that is not linked', async () => {
    const { send } = await makeSender({ isLinked: false })
    expect((await send()).body).toMatchObject({ statusCode: 400, code: 'OA_NOT_LINKED' })
  })
})

describe('G-24 answers', () => {
  it.each([
    ['0001', -118],
    ['0002', -141],
    ['0009', -133],
  ])(
    'a UID ending %s: 400 with the platform’s number %i as error, and the fee is back',
    async (ending, error) => {
      const { send, wallet } = await makeSender()
      const answer = await send({ userUID: `77889900${ending}` })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        statusCode: 400,
        error,
        // The refusal for a UID names the recipient, because the caller gave no phone number.
        message: expect.stringMatching(/^The platform refused the message: (?!.*phone).+/),
        code: 'PLATFORM_REFUSED',
      })
      expect(await wallet()).toEqual({ balance: 10_000, held: 0 })
    },
  )

  it('202 when the outcome is unknown; the hold stays and it is never sent a second time', async () => {
    const { template, send, wallet } = await makeSender()
    const answer = await send({ userUID: `${Date.now()}0007` })
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ error: 0, data: { status: 'UNKNOWN' } })
    expect(await wallet()).toEqual({ balance: 9_945, held: 55 })
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
  })

  it('Prefer: respond-async: 202 at once', async () => {
    const { send, wallet } = await makeSender()
    const answer = await send({}, { prefer: 'respond-async' })
    expect(answer.status).toBe(202)
    expect(answer.body.data.status).toBe('SENDING')
    await expect.poll(wallet).toEqual({ balance: 9_945, held: 0 })
  })
})

describe('G-26 fee', () => {
  it('400 UID_NOT_PRICED without priceUID, whatever the wallet holds', async () => {
    const { send, count } = await makeSender({ priceUid: null })
    expect((await send()).body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The template has no price for sending by UID (priceUID)',
      code: 'UID_NOT_PRICED',
    })
    expect(await count()).toBe(0)
  })

  it('400 WALLET_TOO_LOW when the balance is below the fee, and nothing reaches the platform', async () => {
    const { template, send, count, wallet } = await makeSender({}, 54)
    expect((await send()).body).toMatchObject({ statusCode: 400, code: 'WALLET_TOO_LOW' })
    expect(await count()).toBe(0)
    expect(await wallet()).toEqual({ balance: 54, held: 0 })
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
  })
})
