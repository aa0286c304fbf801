import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { lockShop, type ShopRow, updateSuspension } from './sql.ts'

/**
 * Suspends a shop for `reason`, or resumes it if that is undefined (G-69). A shop that is already in that state stays
 * unchanged.
 * @throws NotFound; Refused SHOP_IN_DELETION: it is resumed only once its deletion is withdrawn.
 */
export async function suspendShop(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  reason: string | undefined,
  origin: Origin,
): Promise<ShopRow> {
  return db.transaction().execute(async (trx) => {
    const shop = await lockShop(trx, shopId)
    if (shop === undefined) throw new NotFound('shop')
    if ((shop.suspended_at !== null) === (reason !== undefined)) return shop
    if (shop.deletion_asked_at !== null) throw new Refused('SHOP_IN_DELETION')
    const now = clock.now()
    const changed = await updateSuspension(trx, shopId, reason === undefined ? null : { at: now, reason })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: reason === undefined ? 'shop.resume' : 'shop.suspend',
      target: { shopId },
      detail: reason === undefined ? {} : { reason },
      now,
    })
    return changed
  })
}
