import type { Db } from '../../db/client.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { listOpenOrderCodes, retireProductRow } from './sql/retire.ts'
import { lockProduct } from './variants/sql.ts'

/**
 * Retires a product permanently (G-37): its row stays for the orders that refer to it. Locking it first waits for an
 * order that is being placed, so that the check for open orders sees that order.
 * @throws NotFound; Refused PRODUCT_IN_ORDERS naming some of the orders that are neither completed nor cancelled.
 */
export async function retireProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  change: { by: ObjectId | null; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await lockProduct(trx, shopId, id)) === undefined) throw new NotFound('product')
    const orders = await listOpenOrderCodes(trx, shopId, id)
    if (orders.length > 0) throw new Refused('PRODUCT_IN_ORDERS', { orders: orders.join(', ') })
    await retireProductRow(trx, shopId, id, change)
  })
}
