import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import { matchesAll } from '../../db/fragments/search-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { fold } from '../../lib/text/fold.ts'
import { searchPattern } from '../../lib/text/search-pattern.ts'

/** Whether an order may exceed the available stock (G-43). */
export type Oversell = 'allow' | 'deny'

/** What happens to a message whose outcome stays unknown; null: the service's setting. */
export type UnknownPolicy = 'release' | 'resend-once' | null

/** A shop's settings, set by the operator. */
export type ShopSettings = {
  name: string
  language: 'vi' | 'en'
  oversell: Oversell
  unknownPolicy: UnknownPolicy
  /** With this many available pieces or fewer, a stocked product is low on stock (G-126). */
  lowStockAt: number
}

/** The shop's details that its counter prints and shows; empty where the shop has none. */
export type ShopProfile = {
  address: string
  phone: string
  taxCode: string
  /** The last lines of what is printed. */
  printNote: string
  /** Paper of 58 or 80 mm, or A5. */
  printPaper: '58' | '80' | 'a5'
  /** The account that receives transfers: its bank's BIN, its number and holder. Either all are null or none is. */
  bankBin: string | null
  bankNumber: string | null
  bankHolder: string | null
}

export type ShopRow = ShopSettings &
  ShopProfile & {
    id: ObjectId
    version: number
    created_at: Date
    updated_at: Date
    /** Null while the shop is not suspended (G-69). */
    suspended_at: Date | null
    suspension_reason: string | null
    /**
     * Null unless the operator deletes the shop. `deletion_due_at` is when it may be erased, `exported_at` when it was
     * exported.
     */
    deletion_asked_at: Date | null
    deletion_due_at: Date | null
    exported_at: Date | null
    /** Erasure began then and can no longer be undone. */
    erasing_since: Date | null
  }

const columns = sql`id, version, name, language, oversell, unknown_policy as "unknownPolicy", low_stock_at as "lowStockAt",
  created_at, updated_at, suspended_at, suspension_reason, deletion_asked_at, deletion_due_at, exported_at, erasing_since, ${shopProfile(sql`shops`)}`

/** The columns of a {@link ShopProfile}. */
export function shopProfile(shops: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${shops}.address, ${shops}.phone, ${shops}.tax_code as "taxCode", ${shops}.print_note as "printNote",
  ${shops}.print_paper as "printPaper", ${shops}.bank_bin as "bankBin", ${shops}.bank_number as "bankNumber",
  ${shops}.bank_holder as "bankHolder"`
}

/** Inserts a shop with an empty wallet and a default warehouse. One statement. */
export async function insertShop(
  db: Db,
  shop: Omit<ShopSettings, 'lowStockAt'> & { id: ObjectId; now: Date },
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

/** A shop's key figures for the operator's list. */
export type ShopSummary = {
  balance: number
  held: number
  low_below: number | null
  messages: number
  last_activity_at: Date | null
  accounts: number
  disconnected_accounts: number
  disabled_webhooks: number
}

export type ShopOrder = 'createdAt' | 'name' | 'balance'

/**
 * For an order by name or balance, one narrow row of each shop is read; the newest shops come from shops_by_created.
 */
const ORDERS = {
  createdAt: { key: sql`s.created_at`, direction: 'desc', kind: 'time' },
  name: { key: sql`s.search`, direction: 'asc', kind: 'text' },
  balance: { key: sql`w.balance`, direction: 'asc', kind: 'number' },
} as const

/**
 * One page of the shops whose folded name contains all `words`, newest first, by name, or by wallet balance. Indexes
 * shops_by_created and shops_search. Reads one row more than the page, to know whether there is a next one. The summary
 * is read only for the page's shops: 30 days of counters, and the newest rows of indexes.
 */
export async function listShops(
  db: Db,
  { words, ids, by, now }: { words: string[]; ids: ObjectId[] | undefined; by: ShopOrder; now: Date },
  { limit, offset, after }: Place,
): Promise<{ shops: (ShopRow & ShopSummary)[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and s.id = any(${ids}::text[])`
  const { key, direction, kind } = ORDERS[by]
  const to = sql.raw(direction)
  const wallets = by === 'balance' ? sql`join wallets w on w.shop_id = s.id` : sql``
  const { rows } = await sql<ShopRow & ShopSummary & { cursor_key: unknown }>`
    with page as materialized (
      select s.id as shop_id, ${key} as sort_key
      from shops s
      ${wallets}
      where ${matchesAll(sql`s.search`, words.map(searchPattern))}${among}${rowsAfter(key, sql`s.id`, after, { direction, kind })}
      order by ${key} ${to}, s.id ${to}
      limit ${limit + 1}
      offset ${offset}
    )
    select ${columns}, ${kind === 'time' ? microseconds(sql`page.sort_key`) : sql`page.sort_key`} as cursor_key,
      wallet.balance, wallet.held, wallet.low_below, sent.messages, activity.last_activity_at, oas.accounts,
      oas.disconnected_accounts, hooks.disabled_webhooks
    from page
    join shops on shops.id = page.shop_id
    join wallets wallet on wallet.shop_id = page.shop_id
    cross join lateral (
      select coalesce(sum(d.accepted), 0)::bigint as messages
      from shop_days d
      where d.shop_id = page.shop_id and d.day > shop_day(${now}) - 30
    ) as sent
    cross join lateral (
      select greatest((
        select o.created_at from orders o where o.shop_id = page.shop_id order by o.created_at desc, o.id desc limit 1
      ), (
        select m.sending_at
        from messages m
        where m.shop_id = page.shop_id and m.state in ('RECEIVED', 'ERROR')
        order by m.sending_at desc, m.id desc
        limit 1
      )) as last_activity_at
    ) as activity
    cross join lateral (
      select count(*) as accounts, count(a.disconnected_at) as disconnected_accounts
      from official_accounts a
      where a.shop_id = page.shop_id
    ) as oas
    cross join lateral (
      select count(*) as disabled_webhooks
      from webhook_endpoints e
      where e.shop_id = page.shop_id and e.disabled_reason in ('failing', 'gone') and e.deleted_at is null
    ) as hooks
    order by page.sort_key ${to}, page.shop_id ${to}`.execute(db)
  const keyed = rows as ((typeof rows)[number] & { cursor_key: Keyset['key'] })[]
  const { page: shops, hasMore, last } = pageOf(keyed, limit)
  return { shops, hasMore, last }
}

/** The ids of the next `limit` shops, in their order. */
export async function listShopIds(
  db: Db,
  { after, limit }: { after: ObjectId; limit: number },
): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select id
    from shops
    where id > ${after}
    order by id
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findShop(db: Db, shopId: ObjectId): Promise<ShopRow | undefined> {
  const { rows } = await sql<ShopRow>`
    select ${columns}
    from shops
    where id = ${shopId}`.execute(db)
  return rows[0]
}

/** The shop, locked until the transaction ends. The lock serialises work within a shop. */
export async function lockShop(trx: Db, shopId: ObjectId): Promise<ShopRow | undefined> {
  const { rows } = await sql<ShopRow>`
    select ${columns}
    from shops
    where id = ${shopId}
    for no key update`.execute(trx)
  return rows[0]
}

/** Stores all settings of a shop, also those that have not changed. The shop is locked by the caller. */
export async function updateSettings(
  trx: Trx,
  shopId: ObjectId,
  settings: ShopSettings & ShopProfile,
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`
    update shops
    set name = ${settings.name}, search = ${fold(settings.name)}, language = ${settings.language},
      oversell = ${settings.oversell}, unknown_policy = ${settings.unknownPolicy},
      low_stock_at = ${settings.lowStockAt}, address = ${settings.address},
      phone = ${settings.phone}, tax_code = ${settings.taxCode}, print_note = ${settings.printNote},
      print_paper = ${settings.printPaper}, bank_bin = ${settings.bankBin}, bank_number = ${settings.bankNumber},
      bank_holder = ${settings.bankHolder}, version = version + 1, updated_at = ${now}, updated_by = ${by}
    where id = ${shopId}
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/** Suspends a shop, or resumes it with null (G-69). */
export async function updateSuspension(
  trx: Trx,
  shopId: ObjectId,
  suspension: { at: Date; reason: string } | null,
): Promise<ShopRow> {
  const { rows } = await sql<ShopRow>`
    update shops
    set suspended_at = ${suspension?.at ?? null}::timestamptz, suspension_reason = ${suspension?.reason ?? null}::text
    where id = ${shopId}
    returning ${columns}`.execute(trx)
  return rows[0]!
}
