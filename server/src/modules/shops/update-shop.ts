import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { changesOf, type Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { given, storedName } from './rules.ts'
import { lockShop, type ShopRow, type ShopSettings, updateSettings } from './sql.ts'

/**
 * Changes the settings that are given (G-61). What stays as it is is not noted in the audit log.
 * @throws NotFound; ValidationError for a blank name.
 */
export async function updateShop(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  asked: Partial<ShopSettings>,
  origin: Origin,
): Promise<ShopRow> {
  const fields = given({
    name: asked.name === undefined ? undefined : storedName(asked.name),
    language: asked.language,
    oversell: asked.oversell,
    unknownPolicy: asked.unknownPolicy,
  })
  return db.transaction().execute(async (trx) => {
    const shop = await lockShop(trx, shopId)
    if (shop === undefined) throw new NotFound('shop')
    const { name, language, oversell, unknownPolicy } = shop
    const before: ShopSettings = { name, language, oversell, unknownPolicy }
    const after = { ...before, ...fields }
    const detail = changesOf(before, after)
    if (Object.keys(detail).length === 0) return shop
    const now = clock.now()
    const updated = await updateSettings(trx, shopId, after, now)
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'shop.update',
      target: { shopId },
      detail,
      now,
    })
    return updated
  })
}
