import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/client.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { newProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'

const running = await service()
const { db } = running.database
const CATEGORIES = '/api/external/v1/categories'

async function make(shop: Partner, name: string, more: Record<string, unknown> = {}) {
  const { status, body } = await shop.post(CATEGORIES, { name, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

async function list(shop: Partner, query = '') {
  return (await shop.get(`${CATEGORIES}${query}`)).body.data
}

/** A chain of categories, each below the previous one. */
async function chain(shop: Partner, levels: number) {
  const made: { _id: string }[] = []
  for (let n = 0; n < levels; n += 1) {
    made.push(await make(shop, `Tầng ${n + 1}`, n === 0 ? {} : { parentId: made[n - 1]!._id }))
  }
  return made
}

function move(shop: Partner, id: string, parentId: string | null) {
  return shop.patch(`${CATEGORIES}/${id}`, { parentId })
}

function remove(shop: Partner, id: string) {
  return shop.call('DELETE', `${CATEGORIES}/${id}`)
}

/** The number of rows in a table that this connection has recently written. */
async function writesOf(trx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select n_tup_ins + n_tup_upd as n from pg_stat_xact_user_tables where relname = ${table}`.execute(trx)
  return rows[0]!.n
}

describe('G-37 products of a category', () => {
  it('are counted once a statement, however many of them change', async () => {
    const shop = await makeShop(running)
    const [from, to] = [await make(shop, 'Trà'), await make(shop, 'Bánh')]
    for (let n = 0; n < 30; n++) await shop.post(PRODUCTS, newProduct({ categoryId: from._id }))
    await shop.post(PRODUCTS, newProduct())
    const written = await db.transaction().execute(async (trx) => {
      const before = await writesOf(trx, 'product_counts')
      await sql`
        update products set category_id = ${to._id}
        where shop_id = ${shop.shopId} and category_id is not null`.execute(trx)
      await sql`update products set price = price + 1 where shop_id = ${shop.shopId}`.execute(trx)
      return (await writesOf(trx, 'product_counts')) - before
    })
    // The counts of the old category and of the new one, which had none yet.
    expect(written).toBe(2)
    const countOf = async ({ _id }: { _id: string }) =>
      (await shop.get(`${CATEGORIES}/${_id}`)).body.data.productCount
    expect([await countOf(from), await countOf(to)]).toEqual([0, 30])
    await checkInvariants(db, shop.shopId)
  })
})

describe('G-37 create, read and change a category', () => {
  it('201 with every field; a product can be put into it (E10) and is counted', async () => {
    const shop = await makeShop(running)
    const { status, body } = await shop.post(CATEGORIES, { name: 'Đồ uống' })
    expect([status, body.message]).toEqual([201, 'Category created'])
    const { data } = body
    expect(data).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      id: data._id,
      __v: 0,
      shopId: shop.shopId,
      name: 'Đồ uống',
      slug: 'do-uong',
      description: '',
      image: '',
      parentId: null,
      depth: 0,
      sortOrder: 0,
      productCount: 0,
      createdAt: data.createdAt,
      updatedAt: data.createdAt,
    })
    const child = await make(shop, 'Trà', {
      parentId: data._id.toUpperCase(),
      sortOrder: 3,
      image: 'https://x.example/t',
    })
    expect(child).toMatchObject({ parentId: data._id, depth: 1, sortOrder: 3, image: 'https://x.example/t' })
    await shop.post(PRODUCTS, newProduct({ categoryId: child._id }))
    const read = await shop.get(`${CATEGORIES}/${child._id}`)
    expect([read.status, read.body]).toEqual([200, { success: true, data: { ...child, productCount: 1 } }])
    const shown = await shop.get(`${PRODUCTS}?select=category`)
    expect(shown.body.data.products[0].category).toMatchObject({ _id: child._id, parentId: data._id })
  })

  it('200 with the fields sent, the others and the slug as they were; __v one higher (G-00)', async () => {
    const shop = await makeShop(running)
    const made = await make(shop, 'Trà', { description: '<b>x</b>' })
    const path = `${CATEGORIES}/${made._id}`
    const renamed = (await shop.patch(path, { name: 'Trà sữa', sortOrder: 2 })).body.data
    expect(renamed).toMatchObject({
      name: 'Trà sữa',
      slug: 'tra',
      description: '<b>x</b>',
      sortOrder: 2,
      __v: 1,
    })
    expect((await shop.patch(path, { slug: 'Trà Sữa!' })).body.data.slug).toBe('tra-sua')
    expect((await shop.patch(path, { slug: '' })).body.data.slug).toBe('tra-sua')
  })

  it('404 for a category that does not exist, 400 for a missing name and a parent that does not exist', async () => {
    const shop = await makeShop(running)
    const none = unusedId()
    const answers = await Promise.all([
      shop.get(`${CATEGORIES}/${none}`),
      shop.patch(`${CATEGORIES}/${none}`, { name: 'x' }),
      remove(shop, none),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404])
    expect(answers[0]!.body).toEqual({ error: 'Resource not found', message: 'The category does not exist' })
    for (const [body, key] of [
      [{}, 'name'],
      [{ name: 'x', parentId: none }, 'parentId'],
      [{ name: 'x', parentId: 'x' }, 'parentId'],
      [{ name: 'x', children: [] }, 'children'],
    ] as const) {
      const { status, body: answer } = await shop.post(CATEGORIES, body)
      expect([status, answer.validation?.body.keys]).toEqual([400, [key]])
    }
  })
})

describe('G-37 the list of categories', () => {
  it('is the tree flattened: a parent before its children, those by sortOrder and name; pages hold the total', async () => {
    const shop = await makeShop(running)
    const food = await make(shop, 'Đồ ăn', { sortOrder: 2 })
    const drinks = await make(shop, 'Đồ uống', { sortOrder: 1 })
    const tea = await make(shop, 'Trà', { parentId: drinks._id })
    const coffee = await make(shop, 'Cà phê', { parentId: drinks._id })
    const milk = await make(shop, 'Trà sữa', { parentId: tea._id })
    const { categories, meta } = await list(shop)
    const shown = categories.map((one: { _id: string; depth: number }) => [one._id, one.depth])
    expect(shown).toEqual([
      [drinks._id, 0],
      [coffee._id, 1],
      [tea._id, 1],
      [milk._id, 2],
      [food._id, 0],
    ])
    expect(meta).toEqual({ page: 1, limit: 100, total: 5, totalPages: 1 })
    const second = await list(shop, '?limit=2&page=2')
    expect(second.categories.map((one: { _id: string }) => one._id)).toEqual([tea._id, milk._id])
    expect((await list(shop, '?limit=2&page=9')).meta).toMatchObject({ total: 5, totalPages: 3 })
    expect((await list(await makeShop(running))).categories).toEqual([])
  })
})

describe('G-37 the tree', () => {
  it('400 below itself or below one of its own', async () => {
    const shop = await makeShop(running)
    const [top, , bottom] = await chain(shop, 3)
    for (const parent of [top!, bottom!]) {
      const { status, body } = await move(shop, top!._id, parent._id)
      expect([status, body.validation?.body.message]).toEqual([
        400,
        '"parentId" must not be the category itself or one of its subcategories',
      ])
    }
    expect((await move(shop, bottom!._id, null)).body.data).toMatchObject({ parentId: null, depth: 0 })
  })

  it('400 deeper than 5 levels, also when the moved category brings levels of its own', async () => {
    const shop = await makeShop(running)
    const line = await chain(shop, 5)
    const below = await shop.post(CATEGORIES, { name: 'Tầng 6', parentId: line[4]!._id })
    expect([below.status, below.body.validation?.body.keys]).toEqual([400, ['parentId']])
    const [head] = await chain(shop, 2)
    expect((await move(shop, head!._id, line[3]!._id)).status).toBe(400)
    expect((await move(shop, head!._id, line[2]!._id)).status).toBe(200)
  })

  it('of moves at the same moment that would close a circle one is refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const shop = await makeShop(running)
      const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((name) => make(shop, name)))
      const answers = await Promise.all([
        move(shop, a._id, b._id),
        move(shop, b._id, c._id),
        move(shop, c._id, a._id),
      ])
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 400])
      expect((await list(shop)).categories).toHaveLength(3)
    }
  })

  it('slugs stay unique when categories of one name are made at the same moment', async () => {
    const shop = await makeShop(running)
    const made = await Promise.all(Array.from({ length: 8 }, () => make(shop, 'Hoa')))
    const expected = ['hoa', ...Array.from({ length: 7 }, (_, n) => `hoa-${n + 2}`)]
    expect(made.map((one) => one.slug).toSorted()).toEqual(expected)
    const other = await make(shop, 'Lá', { slug: 'Hoa' })
    expect(other.slug).toBe('hoa-9')
  })
})

describe('G-37 delete a category', () => {
  it('200 for an empty one, 409 CATEGORY_HAS_CHILDREN and CATEGORY_HAS_PRODUCTS for others', async () => {
    const shop = await makeShop(running)
    const [top, bottom] = await chain(shop, 2)
    const { body } = await shop.post(PRODUCTS, newProduct({ categoryId: bottom!._id }))
    const children = await remove(shop, top!._id)
    expect([children.status, children.body.code]).toEqual([409, 'CATEGORY_HAS_CHILDREN'])
    const products = await remove(shop, bottom!._id)
    expect([products.status, products.body.code]).toEqual([409, 'CATEGORY_HAS_PRODUCTS'])
    await shop.call('DELETE', `${PRODUCTS}/${body.data._id}`)
    expect((await remove(shop, bottom!._id)).body).toEqual({ success: true })
    expect((await remove(shop, top!._id)).status).toBe(200)
    expect((await list(shop)).meta.total).toBe(0)
    await checkInvariants(db, shop.shopId)
  })

  it('at the same moment as a product or a child is put into it, one of both is refused (E10)', async () => {
    for (let round = 0; round < 6; round += 1) {
      const shop = await makeShop(running)
      const made = await make(shop, 'Hoa')
      const [put, gone] = await Promise.all([
        round % 2 === 0
          ? shop.post(PRODUCTS, newProduct({ categoryId: made._id }))
          : shop.post(CATEGORIES, { name: 'Lan', parentId: made._id }),
        remove(shop, made._id),
      ])
      const done = round % 2 === 0 ? 200 : 201
      expect([
        [done, 409],
        [400, 200],
      ]).toContainEqual([put.status, gone.status])
    }
  })
})
