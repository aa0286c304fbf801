import type { Db } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { findOrder, type OrderDetailRow } from './sql/read.ts'

/**
 * An order as E13 shows it.
 * @throws NotFound
 */
export async function existingOrder(db: Db, shopId: ObjectId, id: ObjectId): Promise<OrderDetailRow> {
  const order = await findOrder(db, shopId, id)
  if (order === undefined) throw new NotFound('order')
  return order
}
