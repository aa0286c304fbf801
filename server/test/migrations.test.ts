import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Database, type Db, openPostgres } from '../src/db/client.ts'
import { openEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate } from '../src/db/migrations/migrate.ts'
import { migrationNames } from '../src/db/migrations/migration-files.ts'
import { releaseExpiredLeases } from '../src/modules/webhooks/delivery/take-sql.ts'
import { makeEmptyPostgres } from './support/database.ts'

let database: Database
let remove: () => Promise<void>

async function makeEmpty(): Promise<void> {
  const run = inject('databaseRun')
  if ('prefix' in run) {
    const made = await makeEmptyPostgres(undefined, run.prefix)
    database = openPostgres(made.url, { max: 2 })
    remove = made.remove
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'shopbell-old-'))
    database = await openEmbedded(join(folder, 'pg'))
    remove = async () => rmSync(folder, { recursive: true, force: true })
  }
  await database.execScript(
    'create table schema_migrations (name text primary key, applied_at timestamptz default now())',
  )
}

/** Applies the missing migrations before `name`, as in the previous version, and creates a shop. */
async function versionBefore(name: string, shopId: string): Promise<Db> {
  const { db } = database
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const made = new Set(rows.map((row) => row.name))
  for (const each of migrationNames().filter((each) => each < name && !made.has(each))) {
    await database.execScript(readFileSync(new URL(`../migrations/${each}`, import.meta.url), 'utf8'))
    await sql`insert into schema_migrations (name) values (${each})`.execute(db)
  }
  await sql`
    insert into shops (id, name, created_at, updated_at) values (${shopId}, 'Tiệm', now(), now())`.execute(db)
  return db
}

const idOf = (n: number) => String(n).padStart(24, '0')

const RATES_SHOP = 'a'.repeat(24)
async function fillRatesAndCodes(): Promise<void> {
  const db = await versionBefore('0028', RATES_SHOP)
  const rows = [
    ['Áo', 'ao', 8, 'ao', 'sp1', 'mã-1'.normalize('NFD')],
    ['Áo', 'ao-2', 10, 'ao', 'SP1', 'mã-2'],
    ['Ghế 5', 'ghe-5', 0, 'ghe 5', 'Đ12', ''],
    ['Mũ', 'hang-hieu', 5, 'mu', 'sP1', ''],
    ['日本', 'product', 5, '日本', '', ''],
  ] as const
  for (const [n, [name, slug, vat, search, code, barcode]] of rows.entries()) {
    await sql`
      insert into products (shop_id, id, name, slug, vat, price, search, sku_drafts, created_at, updated_at)
      values (${RATES_SHOP}, ${idOf(n)}, ${name}, ${slug}, ${vat}, 1, ${search}, '{}', now(), now())`.execute(
      db,
    )
    for (const [kind, text] of [
      ['sku', code],
      ['barcode', barcode],
    ].filter(([, text]) => text !== '')) {
      await sql`
        insert into product_codes (shop_id, kind, code, product_id)
        values (${RATES_SHOP}, ${kind}, ${text}, ${idOf(n)})`.execute(db)
    }
  }
}

const TOTALS_SHOP = 'b'.repeat(24)
async function fillTotals(): Promise<void> {
  const db = await versionBefore('0033', TOTALS_SHOP)
  const rows = [
    [12, 5, null],
    [0, 3, null],
    [7, 0, '2026-01-01'],
  ] as const
  for (const [n, [total, reserved, deletedAt]] of rows.entries()) {
    await sql`
      insert into products (shop_id, id, name, slug, price, search, sku_drafts, total_quantity, reserved_quantity,
        created_at, updated_at, deleted_at)
      values (${TOTALS_SHOP}, ${idOf(n)}, 'Áo', ${idOf(n)}, 1, 'ao', '{}', ${total}, ${reserved}, now(), now(),
        ${deletedAt}::timestamptz)`.execute(db)
  }
}

const APPS_SHOP = 'c'.repeat(24)
async function fillApps(): Promise<void> {
  const db = await versionBefore('0038', APPS_SHOP)
  const rows = [
    ['app-1', 'older', null, '2026-01-01'],
    ['app-1', 'newer', 'hook', '2026-02-01'],
    ['app-1', null, null, '2026-03-01'],
    ['app-2', null, null, '2026-01-01'],
    [null, 'without an app', null, '2026-01-01'],
  ] as const
  for (const [n, [appId, secret, webhookSecret, at]] of rows.entries()) {
    await sql`
      insert into official_accounts (shop_id, id, oa_id, name, app_id, secret_key, webhook_secret, created_at, updated_at)
      values (${APPS_SHOP}, ${idOf(n)}, ${`oa-${n}`}, 'OA', ${appId}, ${secret}::text::bytea, ${webhookSecret}::text::bytea,
        ${at}, ${at})`.execute(db)
  }
}

const DELIVERIES_SHOP = 'd'.repeat(24)
async function fillDeliveries(): Promise<void> {
  const db = await versionBefore('0039', DELIVERIES_SHOP)
  await sql`
    insert into webhook_endpoints (shop_id, id, url, events, secret, created_at, updated_at)
    values (${DELIVERIES_SHOP}, ${DELIVERIES_SHOP}, 'https://hooks.example.com/', '{*}', '', now(), now())`.execute(
    db,
  )
  const states = ['pending', 'queued', 'delivered', 'failed']
  for (const [n, state] of states.entries()) {
    await sql`
      insert into shop_events (shop_id, id, type, data, created_at)
      values (${DELIVERIES_SHOP}, ${idOf(n)}, 'webhook.test', '{}', now())`.execute(db)
    await sql`
      insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
      values (${DELIVERIES_SHOP}, ${DELIVERIES_SHOP}, ${idOf(n)}, ${state}, now(), now())`.execute(db)
  }
}

/** A template with id 0, as the versions before wrote one. */
async function insertTemplate(db: Db, shopId: string): Promise<void> {
  await sql`
    insert into templates (shop_id, id, oa_id, name, title, tag, template_type, image_type, content_blocks, is_custom_params,
      search, created_at, updated_at)
    values (${shopId}, ${idOf(0)}, 'oa', 'Tin', 'Tin', '1', 'custom', 'logo', '[]', false, '', now(), now())`.execute(
    db,
  )
}

const EVENTS_SHOP = 'e'.repeat(24)
const FAR_AHEAD = '7fffffff'.padEnd(24, '0')
async function fillEvents(): Promise<void> {
  const db = await versionBefore('0080', EVENTS_SHOP)
  await insertTemplate(db, EVENTS_SHOP)
  for (const id of [idOf(1), FAR_AHEAD]) {
    await sql`
      insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, params, state, fee,
        session_id, created_at, updated_at)
      values (${EVENTS_SHOP}, ${id}, ${idOf(0)}, 'p', 'oa', 'phone', '84912345678', '{}', 'RECEIVED', 0, 's', now(), now())`.execute(
      db,
    )
    await addStep(db, id, 'accepted')
    await addStep(db, id, 'sent')
  }
}

/** Writes a step as the previous version does. */
async function addStep(db: Db, messageId: string, kind: string): Promise<void> {
  await sql`
    insert into message_events (shop_id, message_id, kind, detail, created_at)
    values (${EVENTS_SHOP}, ${messageId}, ${kind}, '{}', now())`.execute(db)
}

const CANCELLED_SHOP = 'f'.repeat(24)
async function fillCancelled(): Promise<void> {
  const db = await versionBefore('0115', CANCELLED_SHOP)
  await insertTemplate(db, CANCELLED_SHOP)
  await sql`
    insert into message_batches (shop_id, id, template_id, oa_id, name, channels, priority, accepted,
      refused_count, refused, is_open, due_at, cancelled_at, created_at, updated_at)
    values (${CANCELLED_SHOP}, ${idOf(0)}, ${idOf(0)}, 'oa', '', '{phone}', 0, 4, 0, '[]', false, now(), now(), now(),
      now())`.execute(db)
  const rows = [
    ['CANCELLED', '2026-09-01T16:59:59Z'],
    ['CANCELLED', '2026-09-01T17:00:00Z'],
    ['CANCELLED', '2026-09-01T17:00:01Z'],
    ['-227', '2026-09-01T17:00:01Z'],
  ] as const
  for (const [n, [code, at]] of rows.entries()) {
    await sql`
      insert into messages (shop_id, id, template_id, platform_template_id, oa_id, channel, phone, params, state, fee,
        error_code, batch_id, created_at, updated_at)
      values (${CANCELLED_SHOP}, ${idOf(n)}, ${idOf(0)}, 'p', 'oa', 'phone', '84912345678', '{}', 'ERROR', 100, ${code},
        ${idOf(0)}, ${at}, ${at})`.execute(db)
  }
}

const KEYS_SHOP = '1'.repeat(24)
async function fillKeys(): Promise<void> {
  const db = await versionBefore('0118', KEYS_SHOP)
  for (const [n, end] of [null, '2027-01-01T00:00:00Z'].entries()) {
    await sql`
      insert into api_keys (shop_id, id, name, prefix, hash, expires_at, created_at)
      values (${KEYS_SHOP}, ${idOf(n)}, 'k', 'sb_live_', ${Buffer.from([n])}, ${end}, now())`.execute(db)
  }
}

const LETTERS_SHOP = '2'.repeat(24)
async function fillLetters(): Promise<void> {
  const db = await versionBefore('0119', LETTERS_SHOP)
  for (const [n, search] of ['ðo van ðat 84912', 'lan'].entries()) {
    await sql`
      insert into customers (shop_id, id, full_name, phone, search, created_at, updated_at)
      values (${LETTERS_SHOP}, ${idOf(n)}, 'A', '', ${search}, now(), now())`.execute(db)
  }
}

const SLOTS_SHOP = '3'.repeat(24)
async function fillSlots(): Promise<void> {
  const db = await versionBefore('0122', SLOTS_SHOP)
  await sql`
    insert into change_stamps (shop_id, area, slot, stamp)
    select ${SLOTS_SHOP}, area, n, 10
    from (values ('sales', 40), ('news', 5)) as filled (area, count), generate_series(1, count) as n`.execute(
    db,
  )
}

const STOCKED_SHOP = '4'.repeat(24)
/** Products that were counted as none, received and sold, only sold, and never touched. */
async function fillStocked(): Promise<void> {
  const db = await versionBefore('0125', STOCKED_SHOP)
  await sql`
    insert into warehouses (shop_id, id, name, is_default, created_at, updated_at)
    values (${STOCKED_SHOP}, ${idOf(0)}, 'Kho', true, now(), now())`.execute(db)
  await sql`
    insert into inventory_entries (shop_id, id, type, warehouse_id, created_at)
    values (${STOCKED_SHOP}, ${idOf(0)}, 'count', ${idOf(0)}, now())`.execute(db)
  for (const [n, types] of [['count'], ['receive', 'order'], ['order', 'return'], []].entries()) {
    const slug = `hang-${n}`
    await sql`
      insert into products (shop_id, id, name, slug, price, search, sku_drafts, created_at, updated_at)
      values (${STOCKED_SHOP}, ${idOf(n)}, 'A', ${slug}, 1, 'a', '{}', now(), now())`.execute(db)
    await sql`
      insert into skus (shop_id, id, product_id, name, price, created_at, updated_at)
      values (${STOCKED_SHOP}, ${idOf(n)}, ${idOf(n)}, 'A', 1, now(), now())`.execute(db)
    await sql`insert into product_stock (shop_id, product_id) values (${STOCKED_SHOP}, ${idOf(n)})`.execute(
      db,
    )
    for (const [m, type] of types.entries()) {
      const entryId = ['order', 'return'].includes(type) ? null : idOf(0)
      await sql`
        insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, entry_id, created_at)
        values (${STOCKED_SHOP}, ${idOf(10 * n + m)}, ${idOf(n)}, ${idOf(0)}, ${type}, 0, ${entryId}, now())`.execute(
        db,
      )
    }
  }
}

// One database for all tests, each with its rows at its version: creating and migrating one takes ten seconds of
// processor time.
beforeAll(async () => {
  await makeEmpty()
  await fillRatesAndCodes()
  await fillTotals()
  await fillApps()
  await fillDeliveries()
  await fillEvents()
  await fillCancelled()
  await fillKeys()
  await fillLetters()
  await fillSlots()
  await fillStocked()
  await migrate(database)
}, 120_000)
afterAll(async () => {
  await database?.close()
  await remove?.()
})

describe('a database of the version before, with rows', () => {
  it('VAT rates become basis points, slugs get their base, clashing codes stay and are found', async () => {
    const { db } = database
    const products = await sql<{ vat_basis_points: number; slug_base: string }>`
      select vat_basis_points, slug_base from products where shop_id = ${RATES_SHOP} order by id`.execute(db)
    expect(products.rows.map((row) => row.vat_basis_points)).toEqual([800, 1000, 0, 500, 500])
    expect(products.rows.map((row) => row.slug_base)).toEqual(['ao', 'ao', 'ghe-5', 'hang-hieu', 'product'])

    const codes = await sql<{ code: string; folded: string; is_duplicate: boolean }>`
      select code, folded, is_duplicate from product_codes where shop_id = ${RATES_SHOP} order by product_id, kind`.execute(
      db,
    )
    expect(codes.rows.map(({ folded, is_duplicate }) => [folded, is_duplicate])).toEqual([
      ['MÃ-1', false],
      ['SP1', false],
      ['MÃ-2', false],
      ['SP1', true],
      ['Đ12', false],
      ['SP1', true],
    ])
    // No further product can have the code in any spelling, not even through a race.
    await expect(
      sql`
        insert into product_codes (shop_id, kind, code, product_id)
        values (${RATES_SHOP}, 'sku', 'đ12', ${idOf(4)})`.execute(db),
    ).rejects.toMatchObject({ code: '23505' })
  })

  it('totals of stock move from the products to rows beside them', async () => {
    const { db } = database
    const moved = await sql<{ n: string }>`
      select concat_ws(' ', product_id, total_quantity, reserved_quantity, stock_quantity, is_retired) as n
      from product_stock
      where shop_id = ${TOTALS_SHOP}
      order by product_id`.execute(db)
    expect(moved.rows.map(({ n }) => n)).toEqual([
      `${idOf(0)} 12 5 7 f`,
      `${idOf(1)} 0 3 -3 f`,
      `${idOf(2)} 7 0 7 t`,
    ])
  })

  it('accounts’ own app ids and secrets become apps: of one app, that of the account that changed last', async () => {
    const { db } = database
    const apps = await sql`
      select app_id, name, convert_from(app_secret, 'UTF8') as secret, convert_from(oa_secret_key, 'UTF8') as key
      from platform_apps
      order by app_id`.execute(db)
    expect(apps.rows).toEqual([
      { app_id: 'app-1', name: 'app-1', secret: 'newer', key: 'hook' },
      { app_id: 'app-2', name: 'app-2', secret: null, key: null },
    ])
    const own = await sql`
      select id from official_accounts where shop_id = ${APPS_SHOP} and secret_key is not null`.execute(db)
    expect(own.rows).toEqual([{ id: idOf(4) }])
  })

  it('G-62 deliveries that were queued as jobs go out again under a lease, the others stay as they are', async () => {
    const { db } = database
    expect(await releaseExpiredLeases(db)).toBe(0)
    const { rows } = await sql<{ state: string; seconds: number | null }>`
      select state, extract(epoch from lease_until - now())::float8 as seconds
      from webhook_deliveries
      order by event_id`.execute(db)
    expect(rows.map(({ state }) => state)).toEqual(['pending', 'leased', 'delivered', 'failed'])
    expect(rows[1]!.seconds).toBeLessThanOrEqual(30)
    await sql`update webhook_deliveries set lease_until = now() where state = 'leased'`.execute(db)
    expect(await releaseExpiredLeases(db)).toBe(1)
  })

  it('G-105 steps become the first part as they are, also those of a clock that is ahead; numbers go on', async () => {
    const { db } = database
    await addStep(db, idOf(1), 'receipt')
    const { rows } = await sql<{ id: number; message_id: string; kind: string; part: string }>`
      select id, message_id, kind, tableoid::regclass::text as part
      from message_events
      where shop_id = ${EVENTS_SHOP}
      order by id`.execute(db)
    expect(rows.map(({ kind, message_id }) => [message_id, kind])).toEqual([
      [idOf(1), 'accepted'],
      [idOf(1), 'sent'],
      [FAR_AHEAD, 'accepted'],
      [FAR_AHEAD, 'sent'],
      [idOf(1), 'receipt'],
    ])
    expect(new Set(rows.map(({ part }) => part))).toEqual(new Set(['message_events_start']))
    await expect(addStep(db, idOf(9), 'sent')).rejects.toMatchObject({ code: '23503' })
    await expect(addStep(db, idOf(1), 'unheard of')).rejects.toMatchObject({ code: '23514' })
  })

  it('G-27 messages that were cancelled before count as such on their days, and no longer as failed', async () => {
    const { db } = database
    const counts = await sql`
      select day::text, state, n from message_counts where shop_id = ${CANCELLED_SHOP} order by day, state`.execute(
      db,
    )
    expect(counts.rows).toEqual([
      { day: '-infinity', state: 'CANCELLED', n: 3 },
      { day: '-infinity', state: 'ERROR', n: 1 },
      { day: '2026-09-01', state: 'CANCELLED', n: 3 },
      { day: '2026-09-01', state: 'ERROR', n: 1 },
    ])
    for (const table of ['shop_days', 'template_days']) {
      const days = await sql`
        select day::text, failed from ${sql.table(table)} where shop_id = ${CANCELLED_SHOP} order by day`.execute(
        db,
      )
      expect(days.rows).toEqual([
        { day: '2026-09-01', failed: 0 },
        { day: '2026-09-02', failed: 1 },
      ])
    }
  })

  it('G-60 keys have the end that they were issued with', async () => {
    const { rows } = await sql<{ isSame: boolean }>`
      select own_end is not distinct from expires_at as "isSame"
      from api_keys
      where shop_id = ${KEYS_SHOP}`.execute(database.db)
    expect(rows).toEqual([{ isSame: true }, { isSame: true }])
  })

  it('G-70 an area with many slots gets one, whose stamp is larger than their sum', async () => {
    const { rows } = await sql<{ area: string; slots: number; isGrown: boolean; sum: number }>`
      select area, count(*) as slots, sum(stamp) > 400 as "isGrown", sum(stamp)::bigint as sum
      from change_stamps
      where shop_id = ${SLOTS_SHOP}
      group by area
      order by area`.execute(database.db)
    expect(rows.map(({ area, slots, isGrown }) => [area, slots, isGrown])).toEqual([
      ['news', 5, false],
      ['sales', 1, true],
    ])
    expect(rows[0]!.sum).toBe(50)
  })

  it('G-126 products that an entry of stock names are stocked; those that were only sold, returned or never touched are not', async () => {
    const { db } = database
    const of = async () => {
      const { rows } = await sql<{ is_stocked: boolean }>`
        select is_stocked from product_stock where shop_id = ${STOCKED_SHOP} order by product_id`.execute(db)
      return rows.map((row) => row.is_stocked)
    }
    expect(await of()).toEqual([true, true, false, false])
    await sql`
      insert into products (shop_id, id, name, slug, price, search, sku_drafts, created_at, updated_at)
      values (${STOCKED_SHOP}, ${idOf(9)}, 'A', 'moi', 1, 'a', '{}', now(), now())`.execute(db)
    await sql`insert into product_stock (shop_id, product_id) values (${STOCKED_SHOP}, ${idOf(9)})`.execute(
      db,
    )
    expect((await of()).at(-1)).toBe(false)
  })

  it('G-33 texts with ð, as older Vietnamese texts write đ, are found by d', async () => {
    const { rows } = await sql<{ search: string }>`
      select search from customers where shop_id = ${LETTERS_SHOP} order by id`.execute(database.db)
    expect(rows.map(({ search }) => search)).toEqual(['do van dat 84912', 'lan'])
  })
})
