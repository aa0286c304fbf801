import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import { fold, likeContains } from '../../lib/fold.ts'
import type { ObjectId } from '../../lib/object-id.ts'

/** Whether an order may take more than the stock has (G-43). */
export type Oversell = 'allow' | 'deny'

/** What becomes of a message whose outcome stays unknown; null: as the service's setting says. */
export type UnknownPolicy = 'release' | 'resend-once' | null

/** What the operator decides of a shop. */
export type ShopSettings = {
  name: string
  language: 'vi' | 'en'
  oversell: Oversell
  unknownPolicy: UnknownPolicy
}

export type ShopRow = ShopSettings & { id: ObjectId; created_at: Date; updated_at: Date }

const columns = sql`id, name, language, oversell, unknown_policy as "unknownPolicy", created_at, updated_at`

/** A shop with what every shop has: a wallet at zero and a default warehouse. One statement. */
export async function insertShop(
  db: Db,
  shop: ShopSettings & { id: ObjectId; now: Date },
  warehouse: { id: ObjectId; name: string },
): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`
    with shop as (
      insert into shops (id, name, search, language, oversell, unknown_policy, created_at, updated_at)
      values (${shop.id}, ${shop.name}, ${fold(shop.name)}, ${shop.language}, ${shop.oversell},
        ${shop.unknownPolicy}, ${shop.now}, ${shop.now})
      returning ${columns}
    ), wallet as (
      insert into wallets (shop_id)
      select id from shop
    ), warehouse as (
      insert into warehouses (shop_id, id, name, is_default, created_at, updated_at)
      select id, ${warehouse.id}, ${warehouse.name}, true, created_at, created_at
      from shop
    )
    select * from shop`.execute(db)
  return rows[0]!
}

/**
 * One page of the shops, newest first; those whose folded name holds all `words`. Indexes shops_by_created and
 * shops_search. Reads one row more than the page, to know whether there is a next one.
 */
export async function listShops(
  db: Db,
  words: string[],
  page: { page: number; limit: number },
): Promise<{ shops: ShopRow[]; hasMore: boolean }> {
  const { rows } = await sql<ShopRow>`
    select ${columns}
    from shops
    ${words.length === 0 ? sql`` : sql`where search like all(${words.map(likeContains)}::text[])`}
    order by created_at desc, id desc
    limit ${page.limit + 1}
    offset ${(page.page - 1) * page.limit}`.execute(db)
  return { shops: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

export async function findShop(db: Db, shopId: ObjectId): Promise<ShopRow | undefined> {
  const { rows } = await sql<ShopRow>`
    select ${columns}
    from shops
    where id = ${shopId}`.execute(db)
  return rows[0]
}

/** The shop, locked until the transaction ends: what takes turns in a shop waits here. */
export async function lockShop(trx: Db, shopId: ObjectId): Promise<ShopRow | undefined> {
  const { rows } = await sql<ShopRow>`
    select ${columns}
    from shops
    where id = ${shopId}
    for no key update`.execute(trx)
  return rows[0]
}

export async function updateSettings(
  trx: Trx,
  shopId: ObjectId,
  settings: ShopSettings,
  now: Date,
): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`
    update shops
    set name = ${settings.name}, search = ${fold(settings.name)}, language = ${settings.language},
      oversell = ${settings.oversell}, unknown_policy = ${settings.unknownPolicy}, updated_at = ${now}
    where id = ${shopId}
    returning ${columns}`.execute(trx)
  return rows[0]!
}
