import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Trx } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import type { Ids, ObjectId } from '../lib/object-id.ts'
import type { Clock } from '../lib/time/clock.ts'
import { hashApiKey, keyPrefix, keyScopes, newApiKey } from '../modules/access/keys/rules.ts'
import { insertKey } from '../modules/access/keys/sql.ts'
import { upsertOfficialAccount } from '../modules/official-accounts/sql.ts'
import { insertShop } from '../modules/shops/sql.ts'
import { seedCatalogue } from './catalogue.ts'
import { seedCount } from './count.ts'
import { OA_ID, SHOP_NAME } from './data.ts'
import { seedMessages } from './messages.ts'
import { seedOrders } from './orders.ts'
import { seedCustomers, seedNews } from './people.ts'
import { drawPictures, type Pictures } from './pictures.ts'
import { joining, type Seeding } from './seeding.ts'
import { registerTemplates, seedTemplates } from './templates.ts'

export const KEY_FILE = 'demo-api-key'
const OPENED_DAYS_AGO = 120

/**
 * Creates the demo shop in an empty database, all or nothing.
 * @returns its API key and whether it was created now; undefined when the database has only other shops.
 */
export async function ensureDemo(
  deps: Deps,
  simulatorUrl: string | undefined,
): Promise<{ apiKey: string; isNew: boolean } | undefined> {
  const file = join(deps.config.dataDir, KEY_FILE)
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (known !== undefined && (await isKey(deps, known))) return { apiKey: known, isNew: false }
  const { rows } = await sql`select 1 from shops limit 1`.execute(deps.db)
  if (rows.length > 0) return undefined
  const apiKey = newApiKey()
  // The key is written before the shop: if the process is killed in between, the next start creates both again, so no
  // shop is left without its key.
  writeFileSync(file, `${apiKey}\n`, { mode: 0o600 })
  const shopId = deps.ids.next()
  const pictures = await drawPictures(deps, shopId)
  const registered =
    simulatorUrl === undefined ? undefined : await registerTemplates(deps, simulatorUrl, pictures)
  await deps.db.transaction().execute((trx) => makeShop(deps, trx, { shopId, apiKey, pictures }, registered))
  await sql`analyze`.execute(deps.db)
  return { apiKey, isNew: true }
}

async function makeShop(
  deps: { ids: Ids; clock: Clock },
  trx: Trx,
  { shopId, apiKey, pictures }: { shopId: ObjectId; apiKey: string; pictures: Pictures },
  registered: Awaited<ReturnType<typeof registerTemplates>> | undefined,
): Promise<void> {
  const { ids, clock } = deps
  const now = clock.now()
  const warehouseId = ids.next()
  const opened = new Date(now.getTime() - OPENED_DAYS_AGO * 86_400_000)
  const shop = await insertShop(
    trx,
    { id: shopId, name: SHOP_NAME, language: 'vi', oversell: 'allow', unknownPolicy: null, now: opened },
    { id: warehouseId, name: 'Kho Hà Nội' },
  )
  await insertKey(trx, shop.id, {
    id: ids.next(),
    name: 'Khóa dùng thử',
    prefix: keyPrefix(apiKey),
    hash: hashApiKey(apiKey),
    scopes: keyScopes(undefined),
    maxPerMinute: null,
    expiresAt: undefined,
    issuedBy: undefined,
    now,
  })
  await upsertOfficialAccount(trx, shop.id, {
    id: ids.next(),
    oaId: OA_ID,
    name: SHOP_NAME,
    appId: undefined,
    secretKey: undefined,
    accessToken: undefined,
    refreshToken: undefined,
    by: null,
    now: opened,
  })
  const db = joining(trx)
  const seeding: Seeding = {
    trx,
    shopId: shop.id,
    ids,
    now,
    opened,
    pictures,
    warehouseId,
    at: (moment) => ({ db, ids, clock: { now: () => moment } }),
    random: seededRandom(20_261_120),
  }
  const catalogue = await seedCatalogue(seeding)
  const customers = await seedCustomers(seeding)
  await seedNews(seeding, catalogue)
  await seedOrders(seeding, catalogue, customers)
  await seedCount(seeding)
  const templates = await seedTemplates(seeding, registered)
  await seedMessages(seeding, templates, customers)
}

async function isKey(deps: Deps, apiKey: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from api_keys
    where hash = ${hashApiKey(apiKey)} and shop_id is not null`.execute(deps.db)
  return rows.length > 0
}

/** A small linear congruential generator (Numerical Recipes' constants). */
function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
