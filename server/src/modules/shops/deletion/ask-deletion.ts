import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { toNfc } from '../../../lib/text/text.ts'
import type { OperatorOrigin } from '../../audit/rules.ts'
import { insertAuditEntry, insertOperatorAuditEntry } from '../../audit/sql.ts'
import { findShop, lockShop, type ShopRow, updateSuspension } from '../sql.ts'
import { updateDeletion } from './sql.ts'

const DAY_MS = 86_400_000

type Given = Pick<Deps, 'db' | 'ids' | 'clock' | 'config'>

/**
 * Suspends a shop and schedules its erasure after SHOP_DELETION_DAYS (G-69). The shop's name must be given as
 * confirmation. A repeated request changes nothing.
 * @throws NotFound; ValidationError for another name; Refused SHOP_BEING_ERASED.
 */
export async function askDeletion(
  { db, ids, clock, config }: Given,
  shopId: ObjectId,
  name: string,
  origin: OperatorOrigin,
): Promise<ShopRow> {
  await db.transaction().execute(async (trx) => {
    const shop = await lockShop(trx, shopId)
    if (shop === undefined) throw new NotFound('shop')
    if (shop.erasing_since !== null) throw new Refused('SHOP_BEING_ERASED')
    if (toNfc(name).trim() !== shop.name) throw invalidField(['name'], 'any.only', { valids: [shop.name] })
    if (shop.deletion_asked_at !== null) return
    const now = clock.now()
    const dueAt = new Date(now.getTime() + config.shopDeletionDays * DAY_MS)
    if (shop.suspended_at === null) {
      await updateSuspension(trx, shopId, { at: now, reason: '' })
      const entry = { action: 'shop.suspend', target: { shopId }, detail: { reason: '' } } as const
      await insertAuditEntry(trx, shopId, { id: ids.next(), origin, ...entry, now })
    }
    await updateDeletion(trx, shopId, { askedAt: now, dueAt })
    const entry = {
      action: 'shop.delete',
      target: { shopId },
      detail: { dueAt: dueAt.toISOString() },
    } as const
    await insertOperatorAuditEntry(trx, { id: ids.next(), origin, ...entry, now })
  })
  return (await findShop(db, shopId))!
}

/**
 * Withdraws a deletion; the shop stays suspended. Does nothing if there is no deletion.
 * @throws NotFound; Refused SHOP_BEING_ERASED
 */
export async function withdrawDeletion(
  { db, ids, clock }: Given,
  shopId: ObjectId,
  origin: OperatorOrigin,
): Promise<ShopRow> {
  await db.transaction().execute(async (trx) => {
    const shop = await lockShop(trx, shopId)
    if (shop === undefined) throw new NotFound('shop')
    if (shop.erasing_since !== null) throw new Refused('SHOP_BEING_ERASED')
    if (shop.deletion_asked_at === null) return
    await updateDeletion(trx, shopId, null)
    const entry = { action: 'shop.keep', target: { shopId }, detail: {} } as const
    await insertOperatorAuditEntry(trx, { id: ids.next(), origin, ...entry, now: clock.now() })
  })
  return (await findShop(db, shopId))!
}
