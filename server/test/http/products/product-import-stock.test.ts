import { describe, expect, it } from 'vitest'
import { ended, importFile, importLines, upload } from '../../support/imports.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { ENTRIES, enter, MOVEMENTS, makeWarehouse, POS } from '../../support/inventory.ts'
import { PRODUCTS } from '../../support/products.ts'
import { makeShop, type Partner, service, unusedId } from '../../support/service.ts'
import { eventsOf, listen } from '../../support/webhooks.ts'

const running = await service()
const { db } = running.database

type Sku = { _id: string; sku: string; stock_quantity: number }
/** The SKUs of the shop's products, in the order in which they were made. */
async function skusOf(shop: Partner): Promise<Sku[]> {
  const { products } = (await shop.get(`${PRODUCTS}?limit=50&sortType=asc&select=skus`)).body.data
  return products.flatMap((product: { skus: Sku[] }) => product.skus)
}
const stockOf = async (shop: Partner) => (await skusOf(shop)).map((sku) => [sku.sku, sku.stock_quantity])
async function costsOf(shop: Partner): Promise<[string, number][]> {
  const codes = new Map((await skusOf(shop)).map(({ _id, sku }) => [_id, sku]))
  const { costs } = (await shop.get('/api/external/v1/inventory/costs')).body.data
  return costs.map((one: { skuId: string; averageCost: number }) => [codes.get(one.skuId), one.averageCost])
}
const entriesOf = async (shop: Partner) => (await shop.get(ENTRIES)).body.data.entries

const FILE = `name,slug,price,itemSku,openingStock,unitCost,skuName,skuPrice,skuCode
Nón lá,,50000,NL,1.200,"20,000",,,
Áo dài,ao-dai,900000,,3,400000,S,900000,AD-S
,ao-dai,,,,500000,L,950000,AD-L
,ao-dai,,,7,,M,950000,AD-M
Guốc,,70000,G1,0,,,,
`

describe('G-37 the opening stock of an import', () => {
  it.each(['all-or-nothing', 'each-row'])(
    'is in stock with its cost, as goods received (%s)',
    async (mode) => {
      const shop = await makeShop(running)
      await listen(running, shop.shopId, ['stock.changed'])
      const checked = await importFile(shop, FILE, `mode=${mode}&dryRun=true`)
      expect(checked).toMatchObject({ status: 'done', created: 3, stocked: 3, stockKept: 0 })
      expect(await entriesOf(shop)).toEqual([])
      const done = await importFile(shop, FILE, `mode=${mode}`, { 'accept-language': 'en' })
      expect(done).toMatchObject({ status: 'done', created: 3, failed: 0, stocked: 3, stockKept: 0 })
      expect(await stockOf(shop)).toEqual([
        ['NL', 1200],
        ['AD-S', 3],
        ['AD-L', 0],
        ['AD-M', 7],
        ['G1', 0],
      ])
      expect(await costsOf(shop)).toEqual([
        ['NL', 20_000],
        ['AD-S', 400_000],
      ])
      expect(await entriesOf(shop)).toEqual([
        expect.objectContaining({
          type: 'receive',
          itemCount: 3,
          added: 1210,
          totalCost: 25_200_000,
          note: 'Opening stock from an imported file',
        }),
      ])
      const events = await eventsOf(running, shop.shopId)
      expect(events.map(({ data }) => [data.reason, data.items.length])).toEqual([['receive', 3]])
      await checkInvariants(db, shop.shopId)
    },
  )

  it('is not booked again when the file is imported again, nor over stock that a SKU has had', async () => {
    const shop = await makeShop(running)
    await importFile(shop, 'name,price,itemSku\nA,1,A\nB,1,B\nC,1,C\n')
    const [a, b] = await skusOf(shop)
    await enter(shop, 'receive', [[a!._id, 5]])
    // It has none now, but has had some.
    await enter(shop, 'receive', [[b!._id, 4]])
    await enter(shop, 'issue', [[b!._id, 4]])
    const file = 'itemSku,openingStock\nA,100\nB,100\nC,100\n'
    const first = await importFile(shop, file)
    expect(first).toMatchObject({ status: 'done', unchanged: 3, stocked: 1, stockKept: 2 })
    const again = await importFile(shop, file, 'mode=each-row')
    expect(again).toMatchObject({ status: 'done', unchanged: 3, stocked: 0, stockKept: 3 })
    expect(await stockOf(shop)).toEqual([
      ['A', 5],
      ['B', 0],
      ['C', 100],
    ])
    await checkInvariants(db, shop.shopId)
  })

  it('goes to the warehouse that is named, and to each of two once', async () => {
    const shop = await makeShop(running)
    const other = await makeWarehouse(shop, { name: 'Kho hai' })
    await importFile(shop, 'name,price,itemSku,openingStock\nA,1,A,5\n')
    const file = 'itemSku,openingStock\nA,8\n'
    const there = await importFile(shop, file, `warehouseId=${other.toUpperCase()}`)
    expect(there).toMatchObject({ stocked: 1, stockKept: 0 })
    expect(await importFile(shop, file, `warehouseId=${other}`)).toMatchObject({ stocked: 0, stockKept: 1 })
    expect(await stockOf(shop)).toEqual([['A', 13]])
    const { movements } = (await shop.get(`${MOVEMENTS}?warehouseId=${other}`)).body.data
    expect(movements).toMatchObject([{ quantity: 8 }])
  })

  it('400 for a warehouse of another shop, as for none; nothing is imported', async () => {
    const [shop, stranger] = [await makeShop(running), await makeShop(running)]
    const other = await makeWarehouse(stranger, { name: 'Kho lạ' })
    const answers = await Promise.all(
      [other, unusedId()].map((id) => upload(shop, 'name,price\nA,1\n', `warehouseId=${id}`)),
    )
    for (const { status, body } of answers) {
      expect([status, body.validation]).toMatchObject([
        400,
        { query: { message: '"warehouseId" is not a warehouse of this shop' } },
      ])
    }
    expect(await skusOf(shop)).toEqual([])
  })

  it('of a product that fails is not booked; that of a SKU which the file adds is', async () => {
    const shop = await makeShop(running)
    await importFile(shop, 'name,slug,price,skuName,skuPrice,skuCode,openingStock\nÁo,ao,1,S,1,S,2\n')
    const file = `slug,skuName,skuPrice,skuCode,openingStock,name,price
ao,S,1,S,50,Áo,1
ao,L,1,L,6,,
,,,,9,Không giá,
`
    const result = await importFile(shop, file, 'mode=each-row')
    expect(result).toMatchObject({ updated: 1, failed: 1, stocked: 1, stockKept: 1 })
    expect(await stockOf(shop)).toEqual([
      ['S', 2],
      ['L', 6],
    ])
    await checkInvariants(db, shop.shopId)
  })

  it.each([
    ['openingStock', '-1', '"openingStock" must be greater than or equal to 0'],
    ['openingStock', '1.5', '"openingStock" must be an integer'],
    ['openingStock', 'mười', '"openingStock" must be a number'],
    ['openingStock', '1000000001', '"openingStock" must be less than or equal to 1000000000'],
    ['unitCost', '-5', '"unitCost" must be greater than or equal to 0'],
    ['unitCost', '1000000000001', '"unitCost" must be less than or equal to 1000000000000'],
  ])('%s %s is an error of its line', async (column, cell, message) => {
    const shop = await makeShop(running)
    const result = await importLines(shop, [
      { name: 'A', price: 1 },
      { name: 'B', price: 1, [column]: cell },
    ])
    expect([result.status, result.errors]).toEqual(['failed', [{ line: 2, column, message }]])
    expect(await skusOf(shop)).toEqual([])
  })

  it('what the pieces of a line cost together is limited, so that a thousand lines can be added up', async () => {
    const shop = await makeShop(running)
    const line = (unitCost: number) => ({ name: 'A', price: 1, openingStock: 1_000_000, unitCost })
    expect((await importLines(shop, [line(1_000_001)])).errors).toMatchObject([{ column: 'unitCost' }])
    expect(await importLines(shop, [line(1_000_000)])).toMatchObject({ status: 'done', stocked: 1 })
  })

  it('a stock on a line without a SKU is an error if the product has SKUs; two that differ are one, too', async () => {
    const shop = await makeShop(running)
    const file = `name,slug,price,skuName,skuPrice,openingStock,unitCost
Áo,ao,1,,,5,
,ao,,S,1,,
Mũ,mu,1,,,5,10
,mu,,,,5,11
`
    const { errors } = await importFile(shop, file, 'mode=each-row')
    expect(errors).toEqual([
      {
        line: 2,
        column: 'openingStock',
        message: '"openingStock" is on a line without a SKU, and the product has SKUs of its own',
      },
      { line: 5, column: 'unitCost', message: '"unitCost" differs from the product’s first line' },
    ])
  })

  it('two imports of one file at once book it once', async () => {
    const shop = await makeShop(running)
    await importFile(shop, 'name,price,itemSku\nA,1,A\nB,1,B\n')
    const file = 'itemSku,openingStock\nA,3\nB,4\n'
    const accepted = await Promise.all([1, 2, 3].map(() => upload(shop, file, 'mode=each-row')))
    const results = await Promise.all(accepted.map(({ body }) => ended(shop, body.data._id)))
    expect(results.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
    expect(results.reduce((sum, { stocked }) => sum + stocked, 0)).toBe(2)
    expect(await stockOf(shop)).toEqual([
      ['A', 3],
      ['B', 4],
    ])
    await checkInvariants(db, shop.shopId)
  })

  it('is sold at once, with its cost in the profit', async () => {
    const shop = await makeShop(running)
    await importFile(shop, 'name,price,itemSku,openingStock,unitCost\nA,50000,A,2,30000\n')
    const [sku] = await skusOf(shop)
    const sold = await shop.post(POS, { orderItems: [{ id: sku!._id, quantity: 2 }] })
    expect(sold.status).toBe(200)
    const { total } = (await shop.get('/api/external/v1/reports/profit?days=1')).body.data
    expect(total).toMatchObject({ linesWithoutCost: 0, cost: 60_000, profit: 40_000 })
  })
})
