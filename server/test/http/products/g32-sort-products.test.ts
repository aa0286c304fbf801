import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { enter } from '../../support/inventory.ts'
import { createProduct, listProducts, PRODUCTS } from '../../support/products.ts'
import { makeShop, service } from '../../support/service.ts'

const running = await service()
const { db } = running.database

type Named = { _id: string; name: string }

describe('G-32 sortBy', () => {
  const FIELDS = ['createdAt', 'updatedAt', 'name', 'price', 'sortOrder', 'stock_quantity']

  it.each(FIELDS)('200 by %s in both directions, ties by id in the same direction', async (sortBy) => {
    const shop = await makeShop(running)
    const made: { _id: string; skus: { _id: string }[] }[] = []
    for (const [name, price] of [
      ['Đu đủ', 300],
      ['Ca', 100],
      ['Ổi', 200],
      ['ca', 100],
    ] as const) {
      made.push(await createProduct(shop, { name, price }))
    }
    for (const [at, order] of [7, 3, null, 3].entries()) {
      await sql`
        update products
        set sort_order = ${order}::integer, updated_at = created_at + ${at % 2} * interval '1 hour'
        where shop_id = ${shop.shopId} and id = ${made[at]!._id}`.execute(db)
    }
    const items = [2, 5, 2].map((quantity, at): [string, number] => [made[at]!.skus[0]!._id, quantity])
    await enter(shop, 'receive', items)
    const keyOf = (product: Record<string, unknown>) =>
      sortBy === 'name' ? (product.search as string) : (product[sortBy] as string | number)
    for (const sortType of ['asc', 'desc']) {
      const { products } = await listProducts(shop, { sortBy, sortType })
      const expected = [...products].sort((a, b) => {
        const [left, right] = [keyOf(a), keyOf(b)]
        const order = left < right ? -1 : left > right ? 1 : a._id < b._id ? -1 : 1
        return sortType === 'asc' ? order : -order
      })
      expect(products.map((product: Named) => product._id)).toEqual(expected.map(({ _id }) => _id))
      const paged = []
      for (const page of [1, 2])
        paged.push(...(await listProducts(shop, { sortBy, sortType, limit: 2, page })).products)
      expect(paged).toEqual(products)
      const searched = (await listProducts(shop, { sortBy, sortType, search: '' })).products
      expect(searched).toEqual(products)
    }
    const found = (await listProducts(shop, { sortBy, sortType: 'asc', search: 'ca' })).products
    expect(found.map((product: Named) => product._id)).toEqual(
      (await listProducts(shop, { sortBy, sortType: 'asc', maxPrice: 100 })).products.map(
        ({ _id }: Named) => _id,
      ),
    )
  })

  it('200 shows a null order as 0 and says so', async () => {
    const shop = await makeShop(running)
    await createProduct(shop)
    expect((await listProducts(shop)).products[0]).toMatchObject({ sortOrder: 0, isNullSortOrder: true })
    await sql`update products set sort_order = 0 where shop_id = ${shop.shopId}`.execute(db)
    expect((await listProducts(shop)).products[0]).toMatchObject({ sortOrder: 0, isNullSortOrder: false })
  })

  it.each(['id', 'created_at', 'constructor'])('400 for sortBy=%s', async (sortBy) => {
    const shop = await makeShop(running)
    const answer = await shop.get(`${PRODUCTS}?sortBy=${sortBy}`)
    expect(answer.status).toBe(400)
    expect(answer.body.validation.query.message).toBe(`"sortBy" must be one of [${FIELDS.join(', ')}]`)
  })
})
