import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../errors.ts'
import { createIds } from '../../lib/object-id.ts'
import { nextSlug, parseSelect, planSkus, type SentProduct, slugBase } from './rules.ts'

const ids = createIds()

/** Any product whose SKUs take different combinations of its options, each listed in any order. */
const validProduct = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })
  .chain((sizes) => {
    const variants = sizes.map((size, group) => ({
      id: `g${group}`,
      name: `Group ${group}`,
      options: Array.from({ length: size }, (_, at) => ({ id: `g${group}o${at}`, value: `Option ${at}` })),
    }))
    const combinations = variants.reduce<string[][]>(
      (all, variant) => all.flatMap((one) => variant.options.map((option) => [...one, option.id])),
      [[]],
    )
    return fc.tuple(
      fc.constant(variants),
      fc
        .shuffledSubarray(combinations)
        .chain((chosen) =>
          fc.tuple(...chosen.map((keys) => fc.shuffledSubarray(keys, { minLength: keys.length }))),
        ),
    )
  })
  .map(([variants, picks]) => {
    const skus = (picks as string[][]).map((variantOptionIds, at) => ({
      name: `SKU ${at}`,
      price: at,
      sku: `S${at}`,
      variantOptionIds,
    }))
    return { name: 'x', price: 1, variants, skus } satisfies SentProduct
  })

describe('G-31 SKUs against variants', () => {
  it('every valid product maps one to one: keys to the caller’s ids, ids to ours', () => {
    fc.assert(
      fc.property(validProduct, (sent) => {
        const { groups, skus, skuDrafts } = planSkus(sent, ids.next)
        const keyOf = new Map(
          skuDrafts.variants.flatMap((variant) =>
            variant.options.map((option) => [option.itemVariantOptionId, option.key]),
          ),
        )
        const groupOf = new Map(
          groups.flatMap((group) => group.options.map((option) => [option.id, group.position])),
        )
        expect([...keyOf.values()]).toEqual(
          sent.variants.flatMap(({ options }) => options.map(({ id }) => id)),
        )
        expect([...keyOf.keys()]).toEqual([...groupOf.keys()])
        expect(skuDrafts.variants.map((variant) => variant.itemVarientId)).toEqual(groups.map(({ id }) => id))
        expect(skuDrafts.skus).toHaveLength(sent.skus.length)
        for (const [at, draft] of skuDrafts.skus.entries()) {
          const sku = skus[at]!
          const keys = sku.variant_option_ids.map((id) => keyOf.get(id))
          expect(draft).toMatchObject({ skuId: sku.id, key: keys.join('/'), price: sent.skus[at]!.price })
          expect([...keys].sort()).toEqual([...sent.skus[at]!.variantOptionIds].sort())
          expect(sku.variant_option_ids.map((id) => groupOf.get(id))).toEqual(keys.map((_, group) => group))
        }
        const made = [...groups, ...groups.flatMap((group) => group.options), ...skus].map(({ id }) => id)
        expect(new Set(made).size).toBe(made.length)
        expect(skus.length).toBe(Math.max(1, sent.skus.length))
      }),
    )
  })

  it('a valid product with one rule broken is refused', () => {
    type Product = Required<Pick<SentProduct, 'variants' | 'skus'>> & SentProduct
    const breaks: ((sent: Product) => void)[] = [
      (sent) => sent.skus[0]!.variantOptionIds!.push('unknown'),
      (sent) => sent.skus[0]!.variantOptionIds!.push(sent.skus[0]!.variantOptionIds![0]!),
      (sent) => sent.skus.push({ ...sent.skus[0]!, sku: 'another' }),
      (sent) => sent.skus.push({ name: 'x', price: 1, sku: sent.skus[0]!.sku! }),
      (sent) => sent.variants.push({ ...sent.variants[0]!, options: [{ id: 'n', value: 'n' }] }),
      (sent) => sent.variants.push({ id: 'n', name: 'n', options: [sent.variants[0]!.options[0]!] }),
      (sent) => sent.variants.push({ id: 'n', name: 'n', options: [{ id: 'n', value: 'n' }] }),
    ]
    const usable = validProduct.filter((sent) => sent.variants.length > 0 && sent.skus.length > 0)
    fc.assert(
      fc.property(usable, fc.constantFrom(...breaks), (sent, breakRule) => {
        const broken: Product = structuredClone(sent)
        breakRule(broken)
        expect(() => planSkus(broken, ids.next)).toThrow(ValidationError)
      }),
    )
  })

  it('two options of one group differ; those of two groups need not', () => {
    const group = (id: string, ...values: string[]) => ({
      id,
      name: id,
      options: values.map((value, at) => ({ id: `${id}${at}`, value })),
    })
    const plan = (...variants: ReturnType<typeof group>[]) =>
      planSkus({ name: 'x', price: 1, variants }, ids.next)
    expect(() => plan(group('a', 'S', 'M', 'S '))).toThrow('"variants[0].options[2].value" duplicates')
    expect(plan(group('a', 'S', 's'), group('b', 'S')).groups).toHaveLength(2)
  })

  it('SKUs without variantOptionIds belong to no option, with or without variants', () => {
    const skus = [
      { name: 'a', price: 1 },
      { name: 'b', price: 2, variantOptionIds: [] },
    ]
    const variants = [{ id: 'g', name: 'g', options: [{ id: 'o', value: 'o' }] }]
    for (const sent of [{ skus }, { skus, variants }]) {
      const plan = planSkus({ name: 'x', price: 1, ...sent }, ids.next)
      expect(plan.skus.map((sku) => sku.variant_option_ids)).toEqual([[], []])
      expect(plan.skuDrafts.skus.map((sku) => sku.key)).toEqual(['', ''])
    }
  })
})

describe('G-39 codes', () => {
  it('each code of the product and its SKUs is listed once, empty ones never', () => {
    const skus = [
      { name: 'a', price: 1, sku: 'P', barcode: '' },
      { name: 'b', price: 1, sku: 'Q', barcode: '1' },
      { name: 'c', price: 1, sku: '', barcode: '' },
    ]
    expect(planSkus({ name: 'x', price: 1, itemSku: 'P', skus }, ids.next).codes).toEqual([
      { kind: 'sku', code: 'P' },
      { kind: 'sku', code: 'Q' },
      { kind: 'barcode', code: '1' },
    ])
  })
})

describe('E11 slug rules', () => {
  it.each<[string | undefined, string, string, string, string, boolean]>([
    [undefined, 'Áo', 'ao', 'ao', 'ao', false],
    [undefined, 'Áo', 'ao-2', 'ao', 'ao', false],
    [undefined, 'ÁO', 'ao-2', 'ao', 'ao', false],
    [undefined, 'Áo', 'ao-2', 'ao-2', 'ao', true],
    [undefined, 'Áo 2', 'ao-2', 'ao', 'ao-2', false],
    [undefined, 'Áo', 'ao-2', '', 'ao', true],
    [undefined, 'Áo', 'ao', '', 'ao', false],
    [undefined, 'Quần', 'ao', 'ao', 'quan', true],
    ['', 'Quần', 'ao', 'ao', 'quan', true],
    ['Mũ len', 'Quần', 'ao', 'ao', 'mu-len', true],
    ['ao', 'Quần', 'ao', 'quan', 'ao', false],
    ['ao', 'Áo', 'ao-2', 'ao', 'ao', true],
    [undefined, '日本', 'ao', 'ao', 'product', true],
  ])('G-64 slug %j sent for %j with %j made from %j', (sent, name, slug, slugBaseNow, base, isNew) => {
    expect(nextSlug(sent, name, { slug, slug_base: slugBaseNow })).toEqual({ base, isNew })
  })

  it('a name without letters still has a slug', () => {
    expect(slugBase('!!!')).toBe('product')
  })
})

describe('E8 select', () => {
  it('takes words in any order with spaces; nothing is not a select', () => {
    expect(parseSelect(undefined)).toBeUndefined()
    expect(parseSelect(' , ')).toBeUndefined()
    expect(parseSelect('variants, skus')).toMatchObject({ skus: true, variants: true, category: false })
  })

  it.each(['itemVariants', 'SKUS', 'skus,x', 'toString'])('refuses %j', (text) => {
    expect(() => parseSelect(text)).toThrow(ValidationError)
  })
})
