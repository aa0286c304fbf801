import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeProduct } from '../http/orders/order-fixtures.ts'
import { onPostgres } from '../support/database.ts'
import { lockWaits } from '../support/lock-waits.ts'
import { ORDERS, placeOrder } from '../support/order-changes.ts'
import { makeShop, service } from '../support/service.ts'

const running = await service()
const { db } = running.deps
const CUSTOMERS = '/api/external/v1/customers'

// The embedded database has one connection, so nothing is concurrent there.
describe.runIf(onPostgres)('E12 an order that is placed while its customer is being renamed', () => {
  it('is found by the new name, not by the old one', async () => {
    const shop = await makeShop(running)
    const { skuIds } = await makeProduct(running, shop)
    const { _id } = (await shop.post(CUSTOMERS, { fullName: 'Lan' })).body.data
    let placed: Promise<unknown> | undefined
    let renamed: Promise<unknown> | undefined
    await db.transaction().execute(async (trx) => {
      await sql`select from stock where shop_id = ${shop.shopId} for update`.execute(trx)
      placed = placeOrder(shop, skuIds[0]!, 1, { userId: _id })
      await lockWaits(db, 1)
      renamed = shop.patch(`${CUSTOMERS}/${_id}`, { fullName: 'Huệ' })
      // It is done, or waits for the order.
      await Promise.race([renamed, lockWaits(db, 2)])
    })
    await Promise.all([placed, renamed])
    const total = async (search: string) =>
      (await shop.get(`${ORDERS}?search=${search}`)).body.data.meta.total
    expect([await total('hue'), await total('lan')]).toEqual([1, 0])
  })
})
