import { afterEach, describe, expect, it } from 'vitest'
import { makePhoneSender, rowsOf, walletOf } from '../../support/senders.ts'
import { service } from '../../support/service.ts'
import { control, messagesOnPlatform } from '../../support/templates.ts'

const running = await service()

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
      const { shop, send } = await makePhoneSender(running)
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
    const { send } = await makePhoneSender(running)
    const answer = await send({ receiverPhone: '0901230001' }, { 'accept-language': 'vi' })
    expect(answer.body.message).toMatch(/^Nền tảng từ chối tin nhắn: .*[ạảấầ]/)
  })

  it('202 UNKNOWN when the platform answers 500: the hold stays and nothing is sent again', async () => {
    const { shop, template, send } = await makePhoneSender(running)
    const answer = await send({ receiverPhone: '0901230007' })
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({
      message: expect.stringContaining('may have been sent'),
      data: { status: 'UNKNOWN' },
    })
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 200 })
    expect((await rowsOf(running, shop))[0]).toMatchObject({
      state: 'UNKNOWN',
      unknown_cause: 'HTTP 500',
      lease_until: null,
    })
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
    expect((await shop.get('/api/external/notify-message/history')).body.histories).toEqual([])
  })

  it('Prefer: respond-async: 202 SENDING at once, and the message goes on', async () => {
    const { shop, send } = await makePhoneSender(running)
    const answer = await send({}, { prefer: 'respond-async; wait=5' })
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({
      message: 'The message was accepted and is being sent',
      data: { message_id: expect.any(String), status: 'SENDING' },
    })
    expect(answer.headers['preference-applied']).toBe('respond-async')
    await expect.poll(async () => (await rowsOf(running, shop))[0]!.state).toBe('RECEIVED')
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 0 })
  })

  it('a refusal of the shop’s own rules is returned at once even with respond-async', async () => {
    const { send } = await makePhoneSender(running, {}, 0)
    expect((await send({}, { prefer: 'respond-async' })).body).toMatchObject({ code: 'WALLET_TOO_LOW' })
  })
})

describe('G-24 the platform’s connection breaks', () => {
  afterEach(() => control(running, '/faults', { faults: [] }))

  it.each(['reset', 'html', 'truncated'])('202 UNKNOWN at the fault %s', async (kind) => {
    const { shop, send } = await makePhoneSender(running)
    await control(running, '/faults', { faults: [{ kind, endpoint: '/message/template' }] })
    const answer = await send()
    expect(answer.status).toBe(202)
    expect(answer.body.data.status).toBe('UNKNOWN')
    expect(await walletOf(shop)).toEqual({ balance: 9_800, held: 200 })
  })
})
