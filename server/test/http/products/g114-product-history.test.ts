import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createProduct, PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service } from '../../support/service.ts'

const running = await service()
const { db } = running.deps

// biome-ignore lint/suspicious/noExplicitAny: answers
type Any = any
const history = async (shop: Partner, id: string): Promise<Any[]> => {
  const { status, body } = await shop.get(`${PRODUCTS}/${id}/history`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
/** The content of the newest entries, without time and person. */
const newest = async (shop: Partner, id: string, count: number) =>
  (await history(shop, id)).slice(0, count).map(({ at: _, by: __, ...entry }) => entry)
const patch = (shop: Partner, id: string, fields: object) =>
  shop.call('PATCH', `${PRODUCTS}/${id}`, { ...fields, shopId: shop.shopId })
const NONE = { changes: {}, skus: [], skuCount: 0 }

describe('G-114 history of a product', () => {
  it('200: who made it, then each changed field before and after, newest first, with the key that did it', async () => {
    const shop = await makeShop(running)
    const { _id } = await createProduct(shop, { name: 'Trà sen', price: 50_000 })
    const changed = { name: 'Trà sen Tây Hồ', price: 60_000, description: '<p>Thơm</p>', images: ['/a.png'] }
    expect((await patch(shop, _id, changed)).status).toBe(200)
    const [second, first, ...more] = await history(shop, _id)
    expect(more).toEqual([])
    expect(first).toEqual({ at: expect.any(String), by: second.by, kind: 'created', ...NONE })
    expect(second.by).toMatchObject({ type: 'key', name: expect.any(String) })
    expect(second).toMatchObject({
      kind: 'updated',
      changes: {
        name: ['Trà sen', 'Trà sen Tây Hồ'],
        price: [50_000, 60_000],
        slug: ['tra-sen', 'tra-sen-tay-ho'],
        description: [null, null],
        images: [0, 1],
      },
      skus: [],
      skuCount: 0,
    })
  })

  it('200: nothing is noted where nothing changed, and what is refused leaves no entry', async () => {
    const shop = await makeShop(running)
    const { _id } = await createProduct(shop, { name: 'Trà nhài', price: 50_000, itemSku: 'A1' })
    await createProduct(shop, { name: 'Khác', price: 1, itemSku: 'B1' })
    expect((await patch(shop, _id, { price: 50_000 })).status).toBe(200)
    expect((await patch(shop, _id, { price: 70_000, itemSku: 'B1' })).status).toBe(409)
    expect((await history(shop, _id)).map(({ kind }) => kind)).toEqual(['created'])
  })

  it('200: variants that come, change and go, with their names; the parts that are replaced whole by their name', async () => {
    const shop = await makeShop(running)
    const { _id } = await createProduct(shop, { name: 'Áo', price: 100_000 })
    const group = (...values: string[]) => ({
      id: 'c',
      name: 'Cỡ',
      options: values.map((value) => ({ id: value, value })),
    })
    const sku = (name: string, price: number, _id?: string) => ({
      ...(_id === undefined ? {} : { _id }),
      name,
      price,
      sku: '',
      barcode: '',
      variantOptionIds: [name],
    })
    const put = async (part: string, body: object) => {
      const answer = await shop.put(`${PRODUCTS}/${_id}/${part}`, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.data
    }
    await put('variants', { variants: [group('S', 'M')], skus: [sku('S', 100_000), sku('M', 110_000)] })
    const bare = (name: string) => ({ name, changes: {} })
    expect(await newest(shop, _id, 1)).toEqual([
      { ...NONE, kind: 'skus_added', skus: [bare('S'), bare('M')], skuCount: 2 },
    ])
    const { data } = (await shop.get(`${PRODUCTS}/${_id}`)).body
    const active = data.skus.filter(({ isActive }: Any) => isActive)
    const small = active.find(({ name }: Any) => name === 'S')
    const options = data.itemVariants.at(-1).itemVariantOptions
    const option = options.find(({ name }: Any) => name === 'S')
    await put('variants', {
      variants: [{ id: data.itemVariants.at(-1)._id, name: 'Cỡ', options: [{ id: option._id, value: 'S' }] }],
      skus: [{ ...sku('S', 120_000, small._id), variantOptionIds: [option._id] }],
    })
    expect(
      (await newest(shop, _id, 2)).toSorted((one, other) => (one.kind < other.kind ? -1 : 1)),
    ).toMatchObject([
      { kind: 'skus_removed', skus: [bare('M')], skuCount: 1 },
      { kind: 'skus_updated', skus: [{ name: 'S', changes: { price: [100_000, 120_000] } }], skuCount: 1 },
    ])
    await put('wholesale-prices', { wholesalePrices: [{ skuId: small._id, minQuantity: 10, price: 90_000 }] })
    await put('sub-items-groups', { subItemsGroups: [] })
    expect(await newest(shop, _id, 2)).toEqual([
      { ...NONE, kind: 'sub_items' },
      { ...NONE, kind: 'wholesale_prices' },
    ])
    const by = (await history(shop, _id)).map(({ by }) => by?.type)
    expect(new Set(by)).toEqual(new Set(['key']))
  })

  it('200: the newest 200 entries are kept, of a variant change the first 20 SKUs and how many there are', async () => {
    const shop = await makeShop(running)
    const { _id } = await createProduct(shop, { name: 'Trà', price: 1 })
    await sql`
      do $$ begin
        for n in 2..205 loop
          update products set price = n, updated_at = now() where id = ${sql.lit(_id)};
        end loop;
      end $$`.execute(db)
    const entries = await history(shop, _id)
    expect(entries.length).toBe(200)
    expect([entries[0].changes.price, entries.at(-1).changes.price]).toEqual([
      [204, 205],
      [5, 6],
    ])
    const names = Array.from({ length: 30 }, (_, n) => `Cỡ ${n}`)
    await shop.put(`${PRODUCTS}/${_id}/variants`, {
      variants: [{ id: 'c', name: 'Cỡ', options: names.map((value) => ({ id: value, value })) }],
      skus: names.map((name) => ({ name, price: 1, sku: '', barcode: '', variantOptionIds: [name] })),
    })
    const [added] = await history(shop, _id)
    expect([added.kind, added.skus.length, added.skuCount]).toEqual(['skus_added', 20, 30])
  })

  it('200 of a retired product, which names who retired it; 404 for another shop’s', async () => {
    const [shop, other] = [await makeShop(running), await makeShop(running)]
    const { _id } = await createProduct(shop, { name: 'Trà', price: 1 })
    expect((await shop.call('DELETE', `${PRODUCTS}/${_id}`)).status).toBe(200)
    expect(await history(shop, _id)).toMatchObject([
      { kind: 'retired', changes: {}, by: { type: 'key' } },
      {},
    ])
    expect((await other.get(`${PRODUCTS}/${_id}/history`)).status).toBe(404)
  })
})
