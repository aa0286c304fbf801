import type { Deps } from '../../deps.ts'
import { NotFound } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { storedLine, storedName } from '../../stored-text.ts'
import { changesOf, type Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import { type Bank, given } from './rules.ts'
import { lockShop, type ShopProfile, type ShopRow, type ShopSettings, updateSettings } from './sql.ts'

/**
 * Changes the given settings and the details that the counter prints (G-61). Unchanged ones are not recorded in the
 * audit log.
 * @throws NotFound; RecordChanged; ValidationError for a blank name.
 */
export async function updateShop(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  asked: Partial<ShopSettings & Omit<ShopProfile, 'bankBin' | 'bankNumber' | 'bankHolder'>> & {
    bank?: Bank | null
  },
  origin: Origin,
  edit: Edit,
): Promise<ShopRow> {
  const fields = given({
    name: asked.name === undefined ? undefined : storedName(asked.name),
    language: asked.language,
    oversell: asked.oversell,
    unknownPolicy: asked.unknownPolicy,
    lowStockAt: asked.lowStockAt,
    address: storedLine(asked.address),
    phone: storedLine(asked.phone),
    taxCode: storedLine(asked.taxCode),
    printNote: storedLine(asked.printNote),
    printPaper: asked.printPaper,
    bankBin: asked.bank === null ? null : asked.bank?.bin,
    bankNumber: asked.bank === null ? null : asked.bank?.number,
    bankHolder: asked.bank === null ? null : storedLine(asked.bank?.holder),
  })
  return db.transaction().execute(async (trx) => {
    const shop = await lockShop(trx, shopId)
    if (shop === undefined) throw new NotFound('shop')
    await assertVersion(trx, shopId, 'shops', shop, edit)
    const before = settingsOf(shop)
    const after = { ...before, ...fields }
    const detail = changesOf(before, after)
    if (Object.keys(detail).length === 0) return shop
    const now = clock.now()
    const updated = await updateSettings(trx, shopId, after, { by: edit.by, now })
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

function settingsOf(shop: ShopRow): ShopSettings & ShopProfile {
  const {
    name,
    language,
    oversell,
    unknownPolicy,
    lowStockAt,
    address,
    phone,
    taxCode,
    printNote,
    printPaper,
  } = shop
  const { bankBin, bankNumber, bankHolder } = shop
  const profile = { address, phone, taxCode, printNote, printPaper, bankBin, bankNumber, bankHolder }
  return { name, language, oversell, unknownPolicy, lowStockAt, ...profile }
}
