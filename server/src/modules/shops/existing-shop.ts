import type { Db } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import { pathId } from '../../http/validation/object-id.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { findShop } from './sql.ts'

/**
 * The id of the shop that a management path names. A shop that is being erased counts as not found.
 * @throws MalformedId, NotFound
 */
export async function existingShop(db: Db, params: unknown): Promise<ObjectId> {
  const shopId = pathId(params)
  const shop = await findShop(db, shopId)
  if (shop === undefined || shop.erasing_since !== null) throw new NotFound('shop')
  return shopId
}
