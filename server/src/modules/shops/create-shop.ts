import type { Deps } from '../../deps.ts'
import { storedName } from '../../stored-text.ts'
import { textsIn } from '../../texts/catalogue.ts'
import { issueKey } from '../access/keys/change-keys.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { insertShop, type ShopRow, type ShopSettings } from './sql.ts'

/**
 * Creates a shop with its wallet, its default warehouse and its first API key, in one transaction (G-61). @returns the
 * shop and the key's text, which is not stored.
 * @throws ValidationError for a blank name.
 */
export async function createShop(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  asked: Pick<ShopSettings, 'name'> & Partial<Omit<ShopSettings, 'lowStockAt'>>,
  origin: Origin,
): Promise<{ shop: ShopRow; apiKey: string }> {
  const { db, ids, clock } = deps
  const settings = {
    name: storedName(asked.name),
    language: asked.language ?? 'vi',
    oversell: asked.oversell ?? 'allow',
    unknownPolicy: asked.unknownPolicy ?? null,
  }
  const { made } = textsIn(settings.language)
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const shop = await insertShop(
      trx,
      { id: ids.next(), ...settings, now },
      { id: ids.next(), name: made.warehouse },
    )
    await insertAuditEntry(trx, shop.id, {
      id: ids.next(),
      origin,
      action: 'shop.create',
      target: { shopId: shop.id },
      detail: settings,
      now,
    })
    const first = { name: made.key, scopes: undefined, expiresAt: undefined, maxPerMinute: null }
    const { apiKey } = await issueKey(deps, trx, shop.id, first, origin)
    return { shop, apiKey }
  })
}
