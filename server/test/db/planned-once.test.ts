import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/client.ts'
import { createPosOrder, previewPosOrder } from '../../src/modules/orders/create-pos-order.ts'
import { makeProduct } from '../http/order-fixtures.ts'
import { onPostgres } from '../support/database.ts'
import { makeShop, service } from '../support/service.ts'

// PostgreSQL plans a prepared statement anew at each of its first five calls, and goes on if that seems to save more than it costs.
const ALWAYS_PLANNED = 5
const CALLS = 12

describe.runIf(onPostgres)('a counter sale (E14)', () => {
  it('has its statements planned once per connection, not at each sale', async () => {
    const running = await service()
    const shop = await makeShop(running)
    const { productId, skuIds } = await makeProduct(running, shop)
    const one = openPostgres(running.deps.config.databaseUrl!, { max: 1 })
    const deps = { ...running.deps, db: one.db }
    const taken = { sellerId: null, by: null, soldAt: undefined }
    for (let n = 0; n < CALLS; n++) {
      const orderItems = [{ id: n % 2 === 0 ? skuIds[0]! : productId, quantity: 1 }]
      await previewPosOrder(deps, shop.shopId, { orderItems })
      await createPosOrder(deps, shop.shopId, { orderItems }, deps.ids.next(), taken)
    }
    const { rows } = await sql<{ statement: string; planned: number; calls: number }>`
      select left(trim(statement), 60) as statement, custom_plans::int as planned, (custom_plans + generic_plans)::int as calls
      from pg_prepared_statements`.execute(one.db)
    await one.close()
    const hot = rows.filter(({ calls }) => calls >= CALLS)
    expect(hot).toHaveLength(2)
    expect(hot.filter(({ planned }) => planned > ALWAYS_PLANNED)).toEqual([])
  })
})
