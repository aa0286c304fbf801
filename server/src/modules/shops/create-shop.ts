import type { Deps } from '../../deps.ts'
import { hashApiKey, keyPrefix, newApiKey } from '../keys/rules.ts'
import { insertKey } from '../keys/sql.ts'
import { insertShop, type Oversell, type ShopRow } from './sql.ts'

/**
 * Makes a shop with its wallet, its default warehouse and its first API key, in one transaction (G-61).
 * @returns the shop and the key's text, which is not kept.
 */
export async function createShop(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shop: { name: string; language?: 'vi' | 'en'; oversell?: Oversell },
): Promise<{ shop: ShopRow; apiKey: string }> {
  const { db, ids, clock } = deps
  const language = shop.language ?? 'vi'
  const now = clock.now()
  const apiKey = newApiKey()
  const row = await db.transaction().execute(async (trx) => {
    const made = await insertShop(
      trx,
      { id: ids.next(), name: shop.name, language, oversell: shop.oversell ?? 'allow', now },
      { id: ids.next(), name: language === 'vi' ? 'Kho chính' : 'Main warehouse' },
    )
    await insertKey(trx, made.id, {
      id: ids.next(),
      name: language === 'vi' ? 'Khóa đầu tiên' : 'First key',
      prefix: keyPrefix(apiKey),
      hash: hashApiKey(apiKey),
      expiresAt: undefined,
      now,
    })
    return made
  })
  return { shop: row, apiKey }
}
