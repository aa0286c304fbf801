import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { deleteUsers, lockUsers } from '../users-sql.ts'
import { listUsersOfShopAlone } from './sql.ts'

/** Deletes up to `limit` accounts of people who are members of this shop only and not operators. @returns how many. */
export async function deleteUsersOfShop(db: Db, shopId: ObjectId, limit: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const userIds = await listUsersOfShopAlone(trx, shopId, limit)
    // A person who becomes a member of another shop now waits for the lock; one who did so before is excluded by the second look.
    await lockUsers(trx, userIds)
    const still = new Set(await listUsersOfShopAlone(trx, shopId, limit))
    return deleteUsers(
      trx,
      userIds.filter((id) => still.has(id)),
    )
  })
}
