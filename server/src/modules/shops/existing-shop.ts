import type { Db } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import { pathId } from '../../http/validation/object-id.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { findShop } from './sql.ts'

/**
 * The shop that a management path names.
 * @throws MalformedId, NotFound
 */
export async function existingShop(db: Db, params: unknown): Promise<ObjectId> {
  const shopId = pathId(params)
  if ((await findShop(db, shopId)) === undefined) throw new NotFound('shop')
  return shopId
}
