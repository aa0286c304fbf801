import { describe, expect, it } from 'vitest'
import { owedToCustomer } from '../src/screens/orders/order-price.ts'
import { amountOfPieces, chosenOf, sumsOfReturn } from '../src/screens/orders/returns/return-sums.ts'

const line = { orderItemId: 'a', quantityLeft: 3, amountLeft: 100_000 }
const paid = { price: 100_000, paidAmount: 100_000, status: 'completed', isPaid: true }
const sums = (order: object, quantity: number | '', feeVnd = 0, refundVnd?: number) =>
  sumsOfReturn({ ...paid, ...order }, [line], { quantities: { a: quantity }, feeVnd, refundVnd })

describe('the pieces of a line', () => {
  it.each([
    [0, 0],
    [1, 33_333],
    [2, 66_666],
    [3, 100_000],
  ])('%i of 3 for 100,000 đồng cost %i', (quantity, vnd) => {
    expect(amountOfPieces(line, quantity)).toBe(vnd)
  })

  it('cost nothing where none are left, and are exact beyond what a double holds', () => {
    expect(amountOfPieces({ ...line, quantityLeft: 0, amountLeft: 0 }, 0)).toBe(0)
    const large = { ...line, quantityLeft: 1_000_000_000, amountLeft: 9_007_199_254_740_991 }
    expect(amountOfPieces(large, 999_999_999)).toBe(9_007_199_245_733_791)
  })

  it('are sent only if there are any', () => {
    const lines = ['a', 'b', 'c'].map((orderItemId) => ({ ...line, orderItemId }))
    expect(chosenOf(lines, { b: 2, a: 0, c: '' })).toEqual([{ orderItemId: 'b', quantity: 2 }])
  })
})

describe('the sums of a return', () => {
  it('refund what is paid above the new price, unless another sum is typed', () => {
    const all = { pieces: 2, valueVnd: 66_666, mostVnd: 66_666, owedVnd: 0 }
    expect(sums({}, 2)).toEqual({ ...all, refundVnd: 66_666, heldVnd: 0 })
    expect(sums({}, 2, 0, 6_666)).toEqual({ ...all, refundVnd: 6_666, heldVnd: 60_000 })
    expect(sums({}, '')).toMatchObject({ pieces: 0, valueVnd: 0, refundVnd: 0 })
  })

  it('are less the fee, which is at most the value', () => {
    expect(sums({}, 2, 16_666)).toMatchObject({ valueVnd: 66_666, refundVnd: 50_000 })
    expect(sums({}, 2, 70_000)).toMatchObject({ refundVnd: 0, owedVnd: 0 })
  })

  it('lower a debt first', () => {
    const owing = { paidAmount: 50_000, isPaid: false }
    expect(sums(owing, 1)).toMatchObject({ refundVnd: 0, owedVnd: 16_667 })
    expect(sums(owing, 2)).toMatchObject({ refundVnd: 16_666, owedVnd: 0 })
    expect(sums({ paidAmount: 0, isPaid: false }, 3)).toMatchObject({ refundVnd: 0, owedVnd: 0 })
  })

  it('count what was returned before', () => {
    const again = { price: 300_000, returnedAmount: 200_000, paidAmount: 100_000 }
    expect(sums(again, 3)).toMatchObject({ refundVnd: 100_000, owedVnd: 0 })
  })
})

it.each([
  ['nothing came back', {}, 0],
  ['goods came back and nothing was refunded', { returnedAmount: 40_000 }, 40_000],
  ['part was refunded', { returnedAmount: 40_000, paidAmount: 90_000 }, 30_000],
  ['all was refunded', { returnedAmount: 40_000, paidAmount: 60_000 }, 0],
  ['the customer still owes', { returnedAmount: 40_000, paidAmount: 10_000 }, 0],
  ['more was paid than it costs, without a return', { paidAmount: 120_000 }, 0],
  ['a paid order was cancelled', { status: 'cancelled' }, 100_000],
])('what is owed to the customer where %s', (_case, order, vnd) => {
  expect(owedToCustomer({ ...paid, ...order })).toBe(vnd)
})
