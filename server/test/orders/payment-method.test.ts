import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loseAnswer, withKey } from '../support/idempotency.ts'
import { checkInvariants } from '../support/invariants.ts'
import { stockedSku } from '../support/inventory.ts'
import { makePerson, signIn } from '../support/members.ts'
import { ORDERS, payOrder, placeOrder } from '../support/order-changes.ts'
import { makeShop, type Partner, send, service } from '../support/service.ts'

const running = await service()
const { db } = running.database
const SHIFTS = '/api/external/v1/shifts'
/** The price of an order of one piece. */
const PRICE = 100_000

type Payment = { amount: number; method: string; createdAt: string }
const amounts = (payments: Payment[]) => payments.map(({ amount, method }) => [amount, method])
const timelineOf = async (partner: Partner, id: string) =>
  (await partner.get(`${ORDERS}/${id}/timeline`)).body.data
const openShift = async (partner: Partner, headers = {}) =>
  (await partner.post(SHIFTS, { openingCash: 0 }, headers)).body.data._id
const shiftOf = async (partner: Partner, id: string) => (await partner.get(`${SHIFTS}/${id}`)).body.data

describe('G-40 the payment method of an order is corrected', () => {
  it('200 moves what was paid to the other method, in the corrector’s open shift, and the timeline says who did it', async () => {
    const partner = await makeShop(running)
    const { id, email } = await makePerson(running.deps, { shopId: partner.shopId, role: 'staff' })
    const byLan = { cookie: await signIn(running, email), 'x-shop-id': partner.shopId }
    const sellers = await openShift(partner)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, {
      isPaid: true,
      paymentMethod: 'cash',
    })
    const correctors = (await send(running, 'POST', SHIFTS, { openingCash: 0 }, byLan)).body.data._id
    const body = { paidAmount: PRICE, paymentMethod: 'transfer', note: 'Bấm nhầm' }
    const { status, body: corrected } = await send(
      running,
      'PATCH',
      `${ORDERS}/${order._id}/payment`,
      body,
      byLan,
    )
    expect(status).toBe(200)
    expect(corrected.data).toMatchObject({
      paymentMethod: 'transfer',
      paidAmount: PRICE,
      isPaid: true,
      __v: 1,
    })
    expect(corrected.data.gatewayPayments).toMatchObject([
      { amount: PRICE, method: 'cash', note: '' },
      { amount: -PRICE, method: 'cash', note: 'Bấm nhầm' },
      { amount: PRICE, method: 'transfer', note: 'Bấm nhầm' },
    ])
    expect((await shiftOf(partner, sellers)).expectedCash).toBe(PRICE)
    expect(await shiftOf(partner, correctors)).toMatchObject({
      methods: [
        { method: 'cash', taken: 0, refunded: PRICE, payments: 1 },
        { method: 'transfer', taken: PRICE, refunded: 0, payments: 1 },
      ],
      expectedCash: -PRICE,
    })
    const by = { type: 'member', id, name: 'Người thử' }
    expect((await timelineOf(partner, order._id)).slice(2)).toMatchObject([
      { type: 'payment_method_changed', by, from: 'cash', to: 'transfer', note: 'Bấm nhầm' },
      { type: 'payment', by, amount: -PRICE, method: 'cash' },
      { type: 'payment', by, amount: PRICE, method: 'transfer' },
    ])
    await checkInvariants(db, partner.shopId)
  })

  it('200 of an unpaid order moves nothing, and the timeline says who did it', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, { paymentMethod: 'cod' })
    await payOrder(partner, order._id, 0, { paymentMethod: 'transfer' })
    const [, ...steps] = await timelineOf(partner, order._id)
    expect(steps).toMatchObject([
      { type: 'payment_method_changed', by: { type: 'key' }, from: 'cod', to: 'transfer', note: '' },
    ])
  })

  it('200 of an order that was paid by several methods moves only what was paid by the order’s own', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, {
      paidAmount: 30_000,
      paymentMethod: 'cash',
    })
    await payOrder(partner, order._id, PRICE, { paymentMethod: 'transfer' })
    expect((await timelineOf(partner, order._id)).map(({ type }: { type: string }) => type)).toEqual([
      'created',
      'payment',
      'payment',
    ])
    const { gatewayPayments } = (await payOrder(partner, order._id, PRICE, { paymentMethod: 'card' })).body
      .data
    expect(amounts(gatewayPayments)).toEqual([
      [30_000, 'cash'],
      [70_000, 'transfer'],
      [-70_000, 'transfer'],
      [70_000, 'card'],
    ])
  })

  it('G-10 200 and nothing is moved twice when the request is repeated, by its key or without one', async () => {
    const partner = await makeShop(running)
    const order = await placeOrder(partner, await stockedSku(partner, 5), 1, {
      isPaid: true,
      paymentMethod: 'cash',
    })
    const path = `${ORDERS}/${order._id}/payment`
    const correct = (headers = {}) =>
      partner.call('PATCH', path, { paidAmount: PRICE, paymentMethod: 'transfer' }, headers)
    const first = await correct(withKey('k'))
    expect(first.status).toBe(200)
    await loseAnswer(db, partner.shopId, 'k')
    for (const again of [
      await correct(withKey('k')),
      await correct(),
      ...(await Promise.all([correct(), correct()])),
    ])
      expect(again.body).toEqual(first.body)
    expect(await timelineOf(partner, order._id)).toHaveLength(5)
  })

  it('whatever was paid, refunded and corrected: the sums by method are those of a model, and at no moment are they below 0 in all', async () => {
    const partner = await makeShop(running)
    const skuId = await stockedSku(partner, 500)
    const step = fc.record({
      total: fc.option(fc.integer({ min: 0, max: 4 }).map((part) => part * 25_000)),
      method: fc.constantFrom('cash', 'transfer', 'card'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const { _id } = await placeOrder(partner, skuId, 1, { paymentMethod: 'cash' })
        const sums: Record<string, number> = { cash: 0, transfer: 0, card: 0 }
        let [paid, own] = [0, 'cash']
        for (const { total, method } of steps) {
          const next = total ?? paid
          const answer = await payOrder(partner, _id, next, { paymentMethod: method })
          expect(answer.status).toBe(200)
          if (next !== paid) sums[method]! += next - paid
          else if (method !== own && sums[own]! > 0) {
            sums[method]! += sums[own]!
            sums[own] = 0
          }
          ;[paid, own] = [next, method]
        }
        const { gatewayPayments, paymentMethod } = (await partner.get(`${ORDERS}/${_id}`)).body.data
        expect(paymentMethod).toBe(own)
        const booked: Record<string, number> = { cash: 0, transfer: 0, card: 0 }
        let running = 0
        // The two records of a correction are of the same moment.
        const moments = Map.groupBy(gatewayPayments as Payment[], ({ createdAt }) => createdAt)
        for (const records of moments.values()) {
          for (const { amount, method } of records) {
            booked[method]! += amount
            running += amount
          }
          expect(running).toBeGreaterThanOrEqual(0)
        }
        expect([booked, running]).toEqual([sums, paid])
      }),
      { numRuns: 8 },
    )
    await checkInvariants(db, partner.shopId)
  })
})
