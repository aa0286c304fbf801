import { describe, expect, it } from 'vitest'
import { type KnownSku, type KnownVariants, planVariants, type SentVariants } from './rules.ts'

const PRODUCT = { name: 'Áo', price: 10 }

function id(n: number): string {
  return n.toString(16).padStart(24, '0')
}

function ids() {
  let n = 0xf00
  return () => id(n++)
}

function known(skus: Partial<KnownSku>[] = []): KnownVariants {
  const options = [
    { id: id(11), name: 'Đỏ' },
    { id: id(12), name: 'Xanh' },
  ]
  return {
    groups: [{ id: id(1), name: 'Màu', options }],
    skus: skus.map((sku, at) => ({
      id: id(100 + at),
      name: 'SKU',
      optionIds: [],
      isDefault: false,
      isDeletable: true,
      ...sku,
    })),
  }
}

function sent(names: string[], more: object[] = []): SentVariants {
  return {
    variants: [{ id: 'c', name: 'Màu', options: names.map((name) => ({ id: name, value: name })) }],
    skus: names.map((name, at) => ({ name, price: 1, variantOptionIds: [name], ...more[at] })),
  }
}

describe('G-37 what becomes of groups and SKUs', () => {
  it('the active one of two SKUs with the same options is kept, as it comes first', () => {
    const now = known([{ optionIds: [id(11)] }, { optionIds: [id(11)], isDeletable: false }])
    const plan = planVariants(PRODUCT, sent(['Đỏ']), now, ids())
    expect(plan.skus.map((sku) => sku.id)).toEqual([id(100)])
    expect(plan.leaving.skus).toEqual({ hidden: [id(101)], deleted: [] })
  })

  it('a SKU taken by its _id is not taken by its options too', () => {
    const now = known([{ optionIds: [id(11)] }])
    const plan = planVariants(PRODUCT, sent(['Đỏ', 'Xanh'], [{}, { _id: id(100) }]), now, ids())
    expect(plan.skus.map((sku) => sku.id)).toEqual([expect.not.stringContaining(id(100)), id(100)])
    expect(plan.newSkuIds).toEqual([plan.skus[0]!.id])
  })

  it('options in another order are the same options', () => {
    const now = known([{ optionIds: [id(21), id(11)] }])
    now.groups.push({ id: id(2), name: 'Cỡ', options: [{ id: id(21), name: 'S' }] })
    const body: SentVariants = {
      variants: [
        { id: 'c', name: 'Màu', options: [{ id: 'd', value: 'Đỏ' }] },
        { id: 's', name: 'Cỡ', options: [{ id: 's', value: 'S' }] },
      ],
      skus: [{ name: 'x', price: 1, variantOptionIds: ['s', 'd'] }],
    }
    expect(planVariants(PRODUCT, body, now, ids()).skus[0]!.id).toBe(id(100))
  })

  it('without options SKUs are distinguished by their names', () => {
    const now = known([{ name: 'to' }, { name: 'nhỏ' }])
    const body = {
      variants: [],
      skus: [
        { name: 'nhỏ', price: 1 },
        { name: 'vừa', price: 1 },
      ],
    }
    const plan = planVariants(PRODUCT, body, now, ids())
    expect(plan.skus[0]!.id).toBe(id(101))
    expect(plan.leaving.skus.deleted).toEqual([id(100)])
  })

  it('an option and its group stay hidden while a retired SKU names it, and are deleted otherwise', () => {
    const now = known([{ optionIds: [id(11)], isDeletable: false }, { optionIds: [id(12)] }])
    const { leaving } = planVariants(PRODUCT, { variants: [], skus: [] }, now, ids())
    expect(leaving).toEqual({
      groups: { hidden: [id(1)], deleted: [] },
      options: { hidden: [id(11)], deleted: [id(12)] },
      skus: { hidden: [id(100)], deleted: [id(101)] },
    })
  })

  it('without skus the default SKU is the one the product had (G-30)', () => {
    const now = known([{ isDefault: true, isDeletable: false }])
    const plan = planVariants({ ...PRODUCT, itemSku: 'A' }, { variants: [], skus: [] }, now, ids())
    expect(plan.skus).toMatchObject([{ id: id(100), name: 'Áo', price: 10, code: 'A', is_default: true }])
    expect([plan.newSkuIds, plan.codes]).toEqual([[], [{ kind: 'sku', code: 'A' }]])
  })
})
