import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/client.ts'
import { order } from '../../support/catalogue.ts'
import { onPostgres } from '../../support/database.ts'
import { importFile } from '../../support/imports.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { makeWarehouse, WAREHOUSES } from '../../support/inventory.ts'
import { lockWaits } from '../../support/lock-waits.ts'
import { createProduct } from '../../support/products.ts'
import { makeShop, type Partner, separateService } from '../../support/service.ts'

const running = await separateService()
const { db } = running.deps

/** Products with one SKU each, named and priced as in {@link line}. */
async function make(shop: Partner, ...names: string[]) {
  const made = []
  for (const name of names) made.push(await createProduct(shop, { name, price: 1000, itemSku: name }))
  return made as { _id: string; skus: { _id: string }[] }[]
}

const fileOf = (...lines: string[]) => ['name,price,itemSku', ...lines].join('\n')
const line = (name: string, price = 1000) => `${name},${price},${name}`

function holdProduct(trx: Db, shop: Partner, id: string) {
  return sql`
    select from products where shop_id = ${shop.shopId} and id = ${id} for no key update`.execute(trx)
}

// The embedded database has one connection, so nobody waits for a row there.
describe.runIf(onPostgres)('G-37 sales while products are imported', () => {
  it.each(['all-or-nothing', 'each-row'])(
    '%s: a product that stays as it is is sold meanwhile, one that changes afterwards',
    async (mode) => {
      const shop = await makeShop(running)
      const [same, changed, held] = await make(shop, 'A', 'B', 'C')
      let imported: ReturnType<typeof importFile> | undefined
      let late: ReturnType<typeof order> | undefined
      await db.transaction().execute(async (trx) => {
        await holdProduct(trx, shop, held!._id)
        imported = importFile(shop, fileOf(line('A'), line('B', 2000), line('C')), `mode=${mode}`)
        await lockWaits(db, 1)
        const sold = order(shop, same!.skus[0]!._id)
        expect(await Promise.race([sold, pause(5_000)])).toMatchObject({ status: 200 })
        late = order(shop, changed!.skus[0]!._id)
        if (mode === 'all-or-nothing') await lockWaits(db, 2)
      })
      expect(await imported).toMatchObject({ status: 'done', updated: 1, unchanged: 2 })
      expect((await late!).status).toBe(200)
      await checkInvariants(db, shop.shopId)
    },
  )

  it('all-or-nothing counts nothing as written if its warehouse is deleted before it is written', async () => {
    const shop = await makeShop(running)
    const [changed] = await make(shop, 'A')
    const warehouseId = await makeWarehouse(shop)
    let imported: ReturnType<typeof importFile> | undefined
    await db.transaction().execute(async (trx) => {
      await holdProduct(trx, shop, changed!._id)
      imported = importFile(shop, fileOf(line('A', 2000), line('B')), `warehouseId=${warehouseId}`)
      await lockWaits(db, 1)
      expect((await shop.call('DELETE', `${WAREHOUSES}/${warehouseId}`)).status).toBe(200)
    })
    expect(await imported).toMatchObject({ status: 'failed', total: 2, done: 0, created: 0, updated: 0 })
  })

  it('all-or-nothing takes the totals of the whole file in the order that sales do, whatever the order of its lines', async () => {
    const shop = await makeShop(running)
    const [first, second] = await make(shop, 'A', 'B')
    const others = Array.from({ length: 300 }, (_, n) => line(`N${n}`))
    const totalOf = (id: string) => sql`
      select from product_stock
      where shop_id = ${shop.shopId} and product_id = ${id}
      for no key update nowait`
    let imported: ReturnType<typeof importFile> | undefined
    await db.transaction().execute(async (trx) => {
      await totalOf(first!._id).execute(trx)
      imported = importFile(shop, fileOf(line('B', 2000), ...others, line('A', 2000)))
      await lockWaits(db, 1)
      await totalOf(second!._id).execute(trx)
    })
    expect(await imported).toMatchObject({ status: 'done', created: 300, updated: 2 })
  })

  it('all-or-nothing writes what only differs since it was checked', async () => {
    const shop = await makeShop(running)
    const [first] = await make(shop, 'A', 'B')
    let imported: ReturnType<typeof importFile> | undefined
    await db.transaction().execute(async (trx) => {
      await sql`update products set price = 5 where shop_id = ${shop.shopId} and id = ${first!._id}`.execute(
        trx,
      )
      imported = importFile(shop, fileOf(line('A'), line('B', 2000)))
      await lockWaits(db, 1)
    })
    expect(await imported).toMatchObject({ status: 'done', updated: 2, unchanged: 0 })
    const { rows } = await sql`select price from products where shop_id = ${shop.shopId} order by id`.execute(
      db,
    )
    expect(rows).toEqual([{ price: 1000 }, { price: 2000 }])
  })
})
