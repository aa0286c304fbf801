import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../../support/invariants.ts'
import { makePhoneSender, rowsOf, walletOf } from '../../support/senders.ts'
import { service } from '../../support/service.ts'
import { messagesOnPlatform } from '../../support/templates.ts'

const running = await service()

describe('G-26 fee', () => {
  it('400 WALLET_TOO_LOW names balance and fee, and nothing is stored', async () => {
    const { shop, template, send } = await makePhoneSender(running, {}, 199)
    const answer = await send()
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'The wallet balance is 199 đồng, but the message costs 200 đồng. Top up the wallet',
      code: 'WALLET_TOO_LOW',
    })
    expect(await rowsOf(running, shop)).toEqual([])
    expect(await messagesOnPlatform(running, template.oaId)).toEqual([])
    expect(await walletOf(shop)).toEqual({ balance: 199, held: 0 })
  })

  it('200 when the balance is exactly the fee', async () => {
    const { shop, send } = await makePhoneSender(running, {}, 200)
    expect((await send()).status).toBe(200)
    expect(await walletOf(shop)).toEqual({ balance: 0, held: 0 })
  })

  it('400 PHONE_NOT_PRICED without a price by phone; a price of 0 needs no money', async () => {
    const unpriced = await makePhoneSender(running, { pricePhone: null })
    expect((await unpriced.send()).body).toMatchObject({ statusCode: 400, code: 'PHONE_NOT_PRICED' })
    const free = await makePhoneSender(running, { pricePhone: 0 }, 0)
    expect((await free.send()).status).toBe(200)
  })

  it('30 parallel sends with money for 10: exactly 10 are accepted, the balance is 0', async () => {
    const { shop, template, send } = await makePhoneSender(running, {}, 2_000)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => send({ receiverPhone: `09012345${10 + n}` })),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(400)]).toEqual([10, 20])
    for (const answer of answers.filter(({ status }) => status === 400)) {
      expect(answer.body).toMatchObject({
        code: 'WALLET_TOO_LOW',
        message: expect.stringMatching(/ is (0|1?\d\d) đồng/),
      })
    }
    expect(await walletOf(shop)).toEqual({ balance: 0, held: 0 })
    expect(await messagesOnPlatform(running, template.oaId)).toHaveLength(10)
    await checkInvariants(running.deps.db, shop.shopId)
  })
})
