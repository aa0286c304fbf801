import { describe, expect, it } from 'vitest'
import { changedItems, type Entry, movementsOf, type PlacedEntry, readEntry, shortSkus } from './rules.ts'

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
  supplier: '',
  note: '',
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
    const items = [{ skuId: a, quantity: 0 }]
    expect(read).toEqual({ type: 'count', warehouseId: here, supplier: '', note: '', items })
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
    ['"supplier" is allowed only for goods received', entry('issue', { supplier: 'Bảo Lộc' })],
    [
      '"items[0].unitCost" is allowed only for goods received',
      entry('count', { items: [{ ...item(a), unitCost: 1 }] }),
    ],
    [
      '"items[0].expected" is allowed only for a count',
      entry('receive', { items: [{ ...item(a), expected: 1 }] }),
    ],
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
    expect(movementsOf(placed('count'), [level(5)])).toMatchObject([{ counted: 3 }])
    expect(change('count', [level(-4)])).toEqual([[here, 7]])
    expect(change('count', [level(3)])).toEqual([[here, 0]])
    expect(change('transfer')).toEqual([
      [here, -3],
      [there, 3],
    ])
  })
})

describe('G-38 changedItems', () => {
  it('names the lines whose stock differs from what was shown, and no line without a shown stock', () => {
    const count = (expected?: number) => ({
      ...placed('count'),
      items: [{ skuId: a, quantity: 3, ...(expected === undefined ? {} : { expected }) }],
    })
    expect(changedItems(count(5), [level(5, 2), level(9, 0, there)])).toEqual([])
    expect(changedItems(count(), [level(5)])).toEqual([])
    expect(changedItems(count(0), [])).toEqual([])
    expect(changedItems(count(5), [level(4)])).toEqual([{ skuId: a, shown: 5, now: 4 }])
  })
})

describe('G-43 shortSkus', () => {
  it('an issue and a transfer may take what orders have not reserved, of the source alone', () => {
    for (const type of ['issue', 'transfer'] as const) {
      expect(shortSkus(placed(type), [level(5, 2)], 'deny')).toEqual([])
      const short = shortSkus(placed(type), [level(4, 2), level(9, 0, there)], 'deny')
      expect(short).toEqual([{ skuId: a, wanted: 3, available: 2 }])
      expect(shortSkus(placed(type), [level(-1)], 'deny')).toEqual([{ skuId: a, wanted: 3, available: 0 }])
    }
  })

  it('where overselling is allowed, an issue may take more than is available, a transfer never', () => {
    expect(shortSkus(placed('issue'), [level(1)], 'allow')).toEqual([])
    expect(shortSkus(placed('transfer'), [level(1)], 'allow')).toEqual([
      { skuId: a, wanted: 3, available: 1 },
    ])
  })

  it('a receipt and a count are never short', () => {
    expect(shortSkus(placed('receive'), [level(0)], 'deny')).toEqual([])
    expect(shortSkus(placed('count', 0), [level(5, 5)], 'deny')).toEqual([])
  })
})
