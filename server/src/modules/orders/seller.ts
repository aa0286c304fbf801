import type { Db } from '../../db/client.ts'
import { type KeptSale, unknownSeller } from '../../http/sale-age.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { findMember } from '../access/members/sql.ts'

/** Who sold, who sends the sale, and when it was sold if that was earlier. */
export type Taken = { sellerId: ObjectId | null; by: ObjectId | null; soldAt?: Date | undefined }

/**
 * The seller of a sale that `by` sends: the member of the shop that the till names, otherwise `by`.
 * @throws ValidationError for a seller who is not a member of the shop.
 */
export async function takenBy(
  db: Db,
  shopId: ObjectId,
  by: ObjectId | null,
  { soldAt, soldBy }: KeptSale,
): Promise<Taken> {
  if (soldBy === undefined || soldBy === by) return { sellerId: by, by, soldAt }
  if ((await findMember(db, shopId, soldBy)) === undefined) throw unknownSeller()
  return { sellerId: soldBy, by, soldAt }
}
