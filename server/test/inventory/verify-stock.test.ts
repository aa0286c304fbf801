import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkInvariants } from '../support/invariants.ts'
import { enter, makeWarehouse, POS, stockedSku, stockOf } from '../support/inventory.ts'
import { run } from '../support/process.ts'
import { newProduct, PRODUCTS } from '../support/products.ts'
import { makeShop, manage, OPERATOR_TOKEN, type Partner, service, unusedId } from '../support/service.ts'

const running = await service()
const { db } = running.database

/** A shop with stock in two warehouses and an order, and its SKU. */
async function busyShop(): Promise<{ partner: Partner; skuId: string; second: string }> {
  const partner = await makeShop(running)
  const second = await makeWarehouse(partner)
  const skuId = await stockedSku(partner, 10)
  await stockedSku(partner, 4, 'Nón')
  await enter(partner, 'transfer', [[skuId, 3]], { toWarehouseId: second })
  await partner.post(POS, { orderItems: [{ id: skuId, quantity: 2 }] })
  return { partner, skuId, second }
}

/** Damages every number that is stored beside the ledger, and deletes the stock row of the second warehouse. */
async function damage(partner: Partner, skuId: string, second: string): Promise<void> {
  const { shopId } = partner
  await sql`delete from stock where shop_id = ${shopId} and sku_id = ${skuId} and warehouse_id = ${second}`.execute(
    db,
  )
  await sql`
    update stock set quantity = quantity + 5, reserved = reserved + 1
    where shop_id = ${shopId} and sku_id = ${skuId}`.execute(db)
  await sql`
    update product_stock set total_quantity = total_quantity - 1, reserved_quantity = reserved_quantity + 4
    where shop_id = ${shopId} and product_id = (select product_id from skus where shop_id = ${shopId} and id = ${skuId})`.execute(
    db,
  )
}

describe('G-38 stock verify', () => {
  it('nothing differs after ordinary work', async () => {
    const { partner } = await busyShop()
    const answer = await manage(running, 'GET', `/shops/${partner.shopId}/stock/differences`)
    expect(answer).toMatchObject({ status: 200, body: { data: { total: 0, differences: [] } } })
    expect((await manage(running, 'GET', `/shops/${unusedId()}/stock/differences`)).status).toBe(404)
  })

  it('names every number that differs, with what its ledger says; --repair fixes them and no other', async () => {
    const { partner, skuId, second } = await busyShop()
    const before = await stockOf(db, partner.shopId)
    await damage(partner, skuId, second)
    const path = `/shops/${partner.shopId}/stock`
    const found = (await manage(running, 'GET', `${path}/differences`)).body.data
    const named = found.differences.map(
      (one: { number: string; warehouseId: string; stored: number; derived: number }) =>
        `${one.number}${one.warehouseId === second ? ' 2' : ''} ${one.stored} ${one.derived}`,
    )
    expect(named.sort()).toEqual([
      'product.reservedQuantity 6 2',
      'product.totalQuantity 9 10',
      'stock.quantity 12 7',
      'stock.quantity 2 0 3',
      'stock.reserved 3 2',
    ])
    expect((await manage(running, 'POST', `${path}/repair`)).body.data).toEqual(found)
    expect(await stockOf(db, partner.shopId)).toEqual(before)
    await checkInvariants(db, partner.shopId)
    expect((await manage(running, 'POST', `${path}/repair`)).body.data.total).toBe(0)
    const audit = (await manage(running, 'GET', `${path.replace('/stock', '')}/audit?action=stock.repair`))
      .body
    expect(audit.data).toMatchObject([{ actor: 'operator', detail: { total: found.total } }])
  })

  it('names and makes totals that are missing, and sets whether they are of a retired or a stocked product (G-126)', async () => {
    const { partner, skuId } = await busyShop()
    const { shopId } = partner
    const { rows } = await sql<{ id: string }>`
      select p.id, p.name from products p where p.shop_id = ${shopId} order by p.name`.execute(db)
    const [hat, shown] = rows.map((row) => row.id)
    const retired = (await partner.post(PRODUCTS, newProduct({ name: 'Cũ' }))).body.data._id
    await partner.call('DELETE', `${PRODUCTS}/${retired}`)
    await sql`
      update product_stock set is_retired = not is_retired, is_stocked = not is_stocked
      where shop_id = ${shopId} and product_id in (${shown}, ${retired})`.execute(db)
    await sql`delete from product_stock where shop_id = ${shopId} and product_id = ${hat}`.execute(db)
    const path = `/shops/${shopId}/stock`
    const found = (await manage(running, 'GET', `${path}/differences`)).body.data
    const named = (one: { number: string; productId: string; stored: number; derived: number }) =>
      `${one.productId} ${one.number} ${one.stored} ${one.derived}`
    const expected = [
      `${shown} product.isRetired 1 0`,
      `${shown} product.isStocked 0 1`,
      `${hat} product.totalQuantity 0 4`,
      `${hat} product.totals 0 1`,
      `${hat} product.isStocked 0 1`,
      `${retired} product.isRetired 0 1`,
      `${retired} product.isStocked 1 0`,
    ].sort()
    expect(found.differences.map(named).sort()).toEqual(expected)
    const repaired = (await manage(running, 'POST', `${path}/repair`)).body.data
    expect([repaired.total, repaired.differences.map(named).sort()]).toEqual([7, expected])
    expect((await manage(running, 'GET', `${path}/differences`)).body.data.total).toBe(0)
    const listed = (await partner.get(`${PRODUCTS}?sortBy=stock_quantity`)).body.data.products
    expect(listed.map((product: { _id: string }) => product._id).sort()).toEqual([shown, hat].sort())
    expect((await partner.post(POS, { orderItems: [{ id: skuId, quantity: 1 }] })).status).toBe(200)
    await checkInvariants(db, shopId)
  })

  it('repairs while orders and receipts go on, and loses none of them', async () => {
    const { partner, skuId, second } = await busyShop()
    await damage(partner, skuId, second)
    const work = Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? partner.post(POS, { orderItems: [{ id: skuId, quantity: 1 }] })
        : enter(partner, 'receive', [[skuId, 1]], n % 4 === 1 ? { warehouseId: second } : {}),
    )
    await manage(running, 'POST', `/shops/${partner.shopId}/stock/repair`)
    await Promise.all(work)
    await manage(running, 'POST', `/shops/${partner.shopId}/stock/repair`)
    await checkInvariants(db, partner.shopId)
  })

  it('shopbell stock verify ends with 1 while something differs, with 0 once --repair has fixed it', async () => {
    const { partner, skuId, second } = await busyShop()
    await damage(partner, skuId, second)
    const { port } = running.app.server.address() as { port: number }
    const shopbell = (...args: string[]) =>
      run(['--url', `http://127.0.0.1:${port}`, 'stock', 'verify', ...args], { OPERATOR_TOKEN })
    const found = await shopbell(partner.shopId)
    expect([found.code, found.err]).toEqual([1, ''])
    expect(found.out).toContain(`stock.quantity of SKU ${skuId} in ${second}: 0, ledger 3`)
    expect(found.out).toContain('5 differ; --repair fixes them')
    const repaired = await shopbell(partner.shopId, '--repair')
    expect([repaired.code, repaired.out.trim().split('\n').at(-1)]).toEqual([
      0,
      `${partner.shopId}  5 repaired`,
    ])
    expect((await shopbell(partner.shopId)).out).toBe(`${partner.shopId}  no differences\n`)
    const all = await shopbell('--all')
    expect(all.out).toContain(`${partner.shopId}  no differences\n`)
    expect((await shopbell()).err).toContain('Give a shop id, or --all for all shops.')
  }, 60_000)
})
