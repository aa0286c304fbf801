import { describe, expect, it } from 'vitest'
import { type Entry, movementsOf, type PlacedEntry, readEntry, shortSkus } from './rules.ts'

const [a, here, there] = ['a', 'c', 'd'].map((digit) => digit.repeat(24)) as [string, string, string]
const entry = (type: Entry['type'], more: Partial<Entry> = {}): Entry => ({
  type,
  items: [{ skuId: a, quantity: 3 }],
  ...(type === 'transfer' ? { toWarehouseId: there } : {}),
  ...more,
})
const placed = (type: Entry['type'], quantity = 3): PlacedEntry => ({
  ...entry(type, { items: [{ skuId: a, quantity }] }),
  warehouseId: here,
})
const level = (quantity: number, reserved = 0, warehouseId = here) => ({
  skuId: a,
  warehouseId,
  quantity,
  reserved,
})

describe('G-38 readEntry', () => {
  it('takes ids in either case and a count of 0', () => {
    const read = readEntry(
      entry('count', { warehouseId: here.toUpperCase(), items: [{ skuId: a.toUpperCase(), quantity: 0 }] }),
    )
    expect(read).toEqual({ type: 'count', warehouseId: here, items: [{ skuId: a, quantity: 0 }] })
  })

  it.each<[string, Entry]>([
    [
      '"items[1].skuId" duplicates the SKU of items[0]',
      entry('receive', { items: [item(a), item(a.toUpperCase())] }),
    ],
    ['"items[1].skuId" is not a SKU', entry('receive', { items: [item(a), item('x')] })],
    ['"items[0].quantity" must be greater', entry('issue', { items: [item(a, 0)] })],
    ['"warehouseId" is not a warehouse', entry('receive', { warehouseId: 'x' })],
    ['"toWarehouseId" is required for a transfer', { type: 'transfer', items: [item(a)] }],
    ['"toWarehouseId" is allowed only for a transfer', entry('count', { toWarehouseId: there })],
  ])('throws %s', (message, wrong) => {
    expect(() => readEntry(wrong)).toThrow(message)
  })

  function item(skuId: string, quantity = 1) {
    return { skuId, quantity }
  }
})

describe('G-38 movementsOf', () => {
  it('a count moves the difference, also from below 0; the others what they say', () => {
    const change = (type: Entry['type'], levels = [level(5)]) =>
      movementsOf(placed(type), levels).map((movement) => [movement.warehouseId, movement.quantity])
    expect(change('receive')).toEqual([[here, 3]])
    expect(change('issue')).toEqual([[here, -3]])
    expect(change('count')).toEqual([[here, -2]])
    expect(change('count', [level(-4)])).toEqual([[here, 7]])
    expect(change('count', [level(3)])).toEqual([[here, 0]])
    expect(change('transfer')).toEqual([
      [here, -3],
      [there, 3],
    ])
  })
})

describe('G-43 shortSkus', () => {
  it('an issue and a transfer may take what orders have not reserved, of the source alone', () => {
    for (const type of ['issue', 'transfer'] as const) {
      expect(shortSkus(placed(type), [level(5, 2)])).toEqual([])
      const short = shortSkus(placed(type), [level(4, 2), level(9, 0, there)])
      expect(short).toEqual([{ skuId: a, wanted: 3, available: 2 }])
      expect(shortSkus(placed(type), [level(-1)])).toEqual([{ skuId: a, wanted: 3, available: 0 }])
    }
  })

  it('a receipt and a count are never short', () => {
    expect(shortSkus(placed('receive'), [level(0)])).toEqual([])
    expect(shortSkus(placed('count', 0), [level(5, 5)])).toEqual([])
  })
})
