import { describe, expect, it } from 'vitest'
import { countRows, isReplayed, makeSender, newKey, ORDER } from '../../support/idempotency.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { PRODUCTS } from '../../support/products.ts'
import { type Answer, makeShop, service } from '../../support/service.ts'

const running = await service()
const { db } = running.deps

/** Checks the responses to 50 concurrent requests: each reports the one effect, or that the request is in progress. */
function expectOneEffect(answers: Answer[], status: number): Answer {
  const others = answers.filter((one) => one.status !== status)
  for (const other of others) {
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' } })
    expect(Number(other.headers['retry-after'])).toBeGreaterThan(0)
  }
  const told = answers.filter((one) => one.status === status)
  expect(told.filter((one) => !isReplayed(one))).toHaveLength(1)
  for (const one of told) expect(one.body).toEqual(told[0]!.body)
  return told[0]!
}

describe('G-10 fifty at once with one key', () => {
  const fifty = (call: () => Promise<Answer>) => Promise.all(Array.from({ length: 50 }, call))

  it('E5: one message, one hold, one capture', async () => {
    const { shop, toPhone, sent } = await makeSender(running)
    const headers = newKey()
    const told = expectOneEffect(await fifty(() => toPhone(headers)), 200)
    const messages = await sent()
    expect(messages.map((one) => one.tracking_id)).toEqual([told.body.data.message_id])
    expect(await countRows(db, 'messages', shop)).toBe(1)
    expect(await countRows(db, 'wallet_entries', shop)).toBe(3)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_800, held: 0 })
    const replayed = await toPhone(headers)
    expect([replayed.body, isReplayed(replayed)]).toEqual([told.body, true])
    await checkInvariants(db, shop.shopId)
  })

  it('E6: one message', async () => {
    const { shop, toUid, sent } = await makeSender(running)
    const headers = newKey()
    expectOneEffect(await fifty(() => toUid(headers)), 200)
    expect(await sent()).toHaveLength(1)
    expect((await shop.get('/api/external/wallet')).body).toEqual({ balance: 9_945, held: 0 })
  })

  it('E10: one product', async () => {
    const shop = await makeShop(running)
    const headers = newKey()
    expectOneEffect(await fifty(() => shop.post(PRODUCTS, { name: 'Hoa', price: 1 }, headers)), 200)
    expect(await countRows(db, 'products', shop)).toBe(1)
  })

  it('E14: one order', async () => {
    const shop = await makeShop(running)
    const { _id: id } = (await shop.post(PRODUCTS, { name: 'Hoa', price: 1 })).body.data
    const headers = newKey()
    expectOneEffect(await fifty(() => shop.post(ORDER, { orderItems: [{ id, quantity: 1 }] }, headers)), 200)
    expect(await countRows(db, 'orders', shop)).toBe(1)
    await checkInvariants(db, shop.shopId)
  })

  it('fifty keys are fifty messages', async () => {
    const { toPhone, sent } = await makeSender(running)
    const phones = Array.from({ length: 50 }, (_, n) => `09012345${10 + n}`)
    const answers = await Promise.all(phones.map((phone) => toPhone(newKey(), phone)))
    // 202 would be a message whose outcome is not known yet.
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((one) => one.body.data.message_id)).size).toBe(50)
    expect(await sent()).toHaveLength(50)
  })
})
