import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { order, putVariants, readProduct } from '../../support/catalogue.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { ENTRIES, entry } from '../../support/inventory.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { type Answer, makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.database

function sizes(...names: string[]) {
  return {
    variants: [{ id: 'size', name: 'Cỡ', options: names.map((name) => ({ id: name, value: name })) }],
    skus: names.map((name) => ({ name, price: 5000, sku: name, variantOptionIds: [name] })),
  }
}

async function make(shop: Partner, overrides: Record<string, unknown> = {}) {
  return (await shop.post(PRODUCTS, newProduct(overrides))).body.data
}

const statuses = (answers: Answer[]) => answers.map((answer) => answer.status)

describe('G-37 variants at the same moment', () => {
  it('of twelve replacements at once one is left, whole, and each had its turn', async () => {
    const shop = await makeShop(running)
    const made = await make(shop)
    const bodies = Array.from({ length: 12 }, (_, n) => sizes(`A${n}`, `B${n}`, 'C'))
    const answers = await Promise.all(bodies.map((body) => putVariants(shop, made._id, body)))
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    const left = await readProduct(shop, made._id)
    expect(left.__v).toBe(12)
    const names = left.skus.map((sku: { name: string }) => sku.name)
    expect(bodies.map((body) => body.skus.map((sku) => sku.name))).toContainEqual(names)
    expect(left.itemVariants).toHaveLength(1)
    const options = left.itemVariants[0].itemVariantOptions
    expect(options.map((option: { name: string }) => option.name)).toEqual(names)
    const { rows } = await sql<{ code: string }>`
      select code from product_codes where shop_id = ${shop.shopId} order by code`.execute(db)
    expect(rows.map((row) => row.code)).toEqual(names.toSorted())
    await checkInvariants(db, shop.shopId)
  })

  it('orders, goods coming in and updates meanwhile: each is done or refused, none is broken (E11, E14)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, sizes('S', 'M', 'L'))
    const ids: string[] = made.skus.map((sku: { _id: string }) => sku._id)
    const rounds = await Promise.all(
      Array.from({ length: 8 }, (_, n) => [
        putVariants(shop, made._id, n % 2 === 0 ? sizes('S') : sizes('S', 'M', 'L')),
        order(shop, ...ids),
        order(shop, ids[n % 3]!),
        shop.patch(`${PRODUCTS}/${made._id}`, { shopId: shop.shopId, price: n }),
        shop.post(ENTRIES, entry('receive', n % 2 === 0 ? [[ids[1]!, 1]] : ids.map((id) => [id, 1]))),
      ]).flat(),
    )
    expect(statuses(rounds).filter((status) => ![200, 201, 400].includes(status))).toEqual([])
    for (const { status, body } of rounds.filter((answer) => answer.status === 400)) {
      expect([status, body.validation?.body.keys[0]]).toEqual([
        400,
        expect.stringMatching(/^(orderItems\.\d\.id|items(\.\d\.skuId)?)$/),
      ])
    }
    await checkInvariants(db, shop.shopId)
  })

  it('an order never takes a SKU that was retired or deleted before it is placed (E14)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await makeShop(running)
      const made = await make(shop, sizes('S', 'M'))
      const [placed] = await Promise.all([
        order(shop, made.skus[0]._id),
        putVariants(shop, made._id, sizes('M')),
      ])
      const { rows } = await sql<{ is_active: boolean }>`
        select is_active from skus where shop_id = ${shop.shopId} and id = ${made.skus[0]._id}`.execute(db)
      if (placed.status === 200) expect(rows).toEqual([{ is_active: false }])
      else expect([placed.status, placed.body.validation?.body.keys]).toEqual([400, ['orderItems.0.id']])
      await checkInvariants(db, shop.shopId)
    }
  })

  it('two products that ask for one code: one has it, the other gets 409 (G-39)', async () => {
    const shop = await makeShop(running)
    const products = await Promise.all(['Một', 'Hai', 'Ba', 'Bốn'].map((name) => make(shop, { name })))
    const answers = await Promise.all(products.map((made) => putVariants(shop, made._id, sizes('Q'))))
    expect(statuses(answers).toSorted()).toEqual([200, 409, 409, 409])
  })
})
