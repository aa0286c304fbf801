import { sql } from 'kysely'
import type { Db } from '../../src/db/client.ts'
import { newSecret } from '../../src/modules/webhooks/endpoints/rules.ts'
import { type Service, unusedId } from './service.ts'

const RECORDS = [
  'category',
  'product',
  'sku',
  'wholesalePrice',
  'subItemsGroup',
  'subItem',
  'warehouse',
  'entry',
  'supplier',
  'customer',
  'order',
  'orderItem',
  'shift',
  'article',
  'template',
  'approvedTemplate',
  'unfinishedTemplate',
  'newsDraft',
  'audience',
  'message',
  'batch',
  'import',
  'export',
  'officialAccount',
  'webhook',
  'event',
  'consent',
] as const

/** `platformNumber` is the approved template's name on the platform, which can replace its id in E5 to E7 (G-20). */
export type RecordName = (typeof RECORDS)[number] | 'shop' | 'platformNumber'
export type ShopRecords = Record<RecordName, string>

/** Inserts one record of every kind into the database, linked to each other. Returns their ids by kind. */
export async function insertShopRecords(running: Service, shopId: string): Promise<ShopRecords> {
  const { db } = running.database
  const made = Object.fromEntries(RECORDS.map((name) => [name, unusedId()])) as ShopRecords
  const { rows } = await sql<{ id: string }>`
    select id from warehouses where shop_id = ${shopId} and is_default`.execute(db)
  const platformNumber = `9${Number.parseInt(made.approvedTemplate.slice(-12), 16)}`
  const ids: ShopRecords = { ...made, shop: shopId, warehouse: rows[0]!.id, platformNumber }
  await insertCatalogue(db, ids)
  await insertSales(db, ids)
  await sql`
    insert into shifts (shop_id, id, opened_by, opened_at, opening_cash)
    values (${shopId}, ${ids.shift}, ${unusedId()}, now(), 0)`.execute(db)
  await sql`
    insert into inventory_entries (shop_id, id, type, warehouse_id, supplier, created_at)
    values (${shopId}, ${ids.entry}, 'receive', ${ids.warehouse}, 'Vườn hoa', now())`.execute(db)
  await sql`
    insert into sku_costs (shop_id, sku_id, value, pieces, updated_at)
    values (${shopId}, ${ids.sku}, 60000, 2, now())`.execute(db)
  await sql`
    insert into suppliers (shop_id, id, name, search, last_received_at)
    values (${shopId}, ${ids.supplier}, 'Vườn hoa', 'vuon hoa', now())`.execute(db)
  await insertMessaging(db, ids)
  await sql`
    insert into unfinished_templates (shop_id, id, name, content, created_at, updated_at)
    values (${shopId}, ${ids.unfinishedTemplate}, 'Hoa về', '{}', now(), now())`.execute(db)
  await sql`
    insert into news_drafts (shop_id, id, title, content, slug, meta_description, status, images, cta, item_ids, created_at, updated_at)
    values (${shopId}, ${ids.newsDraft}, 'Hoa về', '<p>Hoa</p>', '', '', 'active', '[]', '[]', '[]', now(), now())`.execute(
    db,
  )
  await sql`
    insert into audiences (shop_id, id, name, folded_name, match, conditions, created_at, updated_at)
    values (${shopId}, ${ids.audience}, 'Khách mua hoa', 'khach mua hoa', 'all',
      ${JSON.stringify([{ kind: 'bought', productIds: [ids.product] }])}::jsonb, now(), now())`.execute(db)
  await insertWebhook(running, ids)
  await sql`
    insert into news (shop_id, id, title, content, short_content, slug, search, created_at, updated_at)
    values (${shopId}, ${ids.article}, 'Bài', '<p>Bài</p>', 'Bài', 'bai', 'bai', now(), now())`.execute(db)
  await sql`
    insert into news_items (shop_id, news_id, product_id)
    values (${shopId}, ${ids.article}, ${ids.product})`.execute(db)
  return ids
}

async function insertCatalogue(db: Db, ids: ShopRecords): Promise<void> {
  await sql`
    insert into categories (shop_id, id, name, slug, created_at, updated_at)
    values (${ids.shop}, ${ids.category}, 'Hoa', 'hoa', now(), now())`.execute(db)
  await sql`
    insert into products (shop_id, id, name, price, category_id, slug, search, sku_drafts, created_at,
      updated_at)
    values (${ids.shop}, ${ids.product}, 'Hoa hồng', 50000, ${ids.category}, 'hoa-hong', 'hoa hong',
      '{"variants": [], "skus": []}', now(), now())`.execute(db)
  await sql`
    insert into product_stock (shop_id, product_id, total_quantity)
    values (${ids.shop}, ${ids.product}, 5)`.execute(db)
  await sql`
    insert into skus (shop_id, id, product_id, name, price, created_at, updated_at)
    values (${ids.shop}, ${ids.sku}, ${ids.product}, 'Hoa hồng', 50000, now(), now())`.execute(db)
  await sql`
    insert into wholesale_prices (shop_id, id, sku_id, min_quantity, price)
    values (${ids.shop}, ${ids.wholesalePrice}, ${ids.sku}, 10, 40000)`.execute(db)
  await sql`
    insert into sub_item_groups (shop_id, id, product_id, name)
    values (${ids.shop}, ${ids.subItemsGroup}, ${ids.product}, 'Gói')`.execute(db)
  await sql`
    insert into sub_items (shop_id, id, group_id, name)
    values (${ids.shop}, ${ids.subItem}, ${ids.subItemsGroup}, 'Giấy')`.execute(db)
  await sql`
    insert into stock (shop_id, sku_id, warehouse_id, quantity)
    values (${ids.shop}, ${ids.sku}, ${ids.warehouse}, 5)`.execute(db)
  await sql`
    insert into product_imports (shop_id, id, upload_id, format, mode, is_dry_run, language, created_at, updated_at)
    values (${ids.shop}, ${ids.import}, ${unusedId()}, 'csv', 'each-row', false, 'en', now(), now())`.execute(
    db,
  )
  await sql`
    insert into record_exports (shop_id, id, type, cursor, created_at)
    values (${ids.shop}, ${ids.export}, 'product', '', now())`.execute(db)
  await sql`
    insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, created_at)
    values (${ids.shop}, ${unusedId()}, ${ids.sku}, ${ids.warehouse}, 'receive', 5, now())`.execute(db)
}

async function insertSales(db: Db, ids: ShopRecords): Promise<void> {
  await sql`
    insert into consents (shop_id, id, channel, recipient, status, source, said_at, actor, actor_id, created_at)
    values (${ids.shop}, ${ids.consent}, 'phone', '84912345678', 'granted', 'quầy', now(), 'key', ${ids.shop},
      now())`.execute(db)
  await sql`
    insert into customers (shop_id, id, full_name, search, created_at, updated_at)
    values (${ids.shop}, ${ids.customer}, 'Lan', 'lan', now(), now())`.execute(db)
  await sql`
    insert into orders (shop_id, id, code, customer_id, price, origin_price, status, search, platform, created_at,
      updated_at)
    values (${ids.shop}, ${ids.order}, 'CU1', ${ids.customer}, 50000, 50000, 'pending', 'cu1', 'mini_pos', now(),
      now())`.execute(db)
  await sql`
    insert into order_items (shop_id, id, order_id, sku_id, name, quantity, price, position)
    values (${ids.shop}, ${ids.orderItem}, ${ids.order}, ${ids.sku}, 'Hoa hồng', 1, 50000, 0)`.execute(db)
}

async function insertMessaging(db: Db, ids: ShopRecords): Promise<void> {
  await sql`
    insert into official_accounts (shop_id, id, oa_id, name, created_at, updated_at)
    values (${ids.shop}, ${ids.officialAccount}, ${ids.officialAccount}, 'OA', now(), now())`.execute(db)
  for (const template of [ids.template, ids.approvedTemplate]) {
    const isApproved = template === ids.approvedTemplate
    await sql`
      insert into templates (shop_id, id, oa_id, name, title, tag, template_type, image_type, content_blocks,
        is_custom_params, search, status, is_sync, platform_template_id, price_phone, price_uid, checked_at,
        created_at, updated_at)
      values (${ids.shop}, ${template}, ${ids.officialAccount}, 'Mẫu', 'Mẫu', '1', 'custom', 'logo', '[]', true,
        'mau', ${isApproved ? 'ENABLE' : 'DRAFT'}, ${isApproved}, ${isApproved ? ids.platformNumber : null}, 0, 0, now(),
        now(), now())`.execute(db)
  }
  await sql`
    insert into message_batches (shop_id, id, template_id, oa_id, channels, priority, accepted, refused_count, refused,
      is_open, due_at, created_at, updated_at)
    values (${ids.shop}, ${ids.batch}, ${ids.approvedTemplate}, ${ids.officialAccount}, '{phone}', 1, 1, 0, '[]', true,
      now() + interval '1 hour', now(), now())`.execute(db)
  await sql`
    insert into messages (shop_id, id, batch_id, template_id, platform_template_id, oa_id, channel, phone, params, state,
      fee, created_at, updated_at)
    values (${ids.shop}, ${unusedId()}, ${ids.batch}, ${ids.approvedTemplate}, ${ids.platformNumber},
      ${ids.officialAccount}, 'phone', '84912345678', '{}', 'QUEUED', 0, now(), now())`.execute(db)
  await sql`
    insert into messages (shop_id, id, batch_id, template_id, platform_template_id, oa_id, channel, phone, params, state, fee,
      session_id, created_at, updated_at)
    values (${ids.shop}, ${ids.message}, ${ids.batch}, ${ids.approvedTemplate}, ${ids.platformNumber},
      ${ids.officialAccount}, 'phone', '84912345678', '{}', 'RECEIVED', 0, 's1', now(), now())`.execute(db)
}

/** Enabled only after its event, so that nothing is delivered and the rows stay unchanged. */
async function insertWebhook({ database: { db }, deps }: Service, ids: ShopRecords): Promise<void> {
  await sql`
    insert into webhook_endpoints (shop_id, id, url, events, secret, disabled_at, disabled_reason, created_at, updated_at)
    values (${ids.shop}, ${ids.webhook}, 'https://hooks.example.com/', '{wallet.low}', ${deps.secrets.seal(newSecret())}, now(),
      'requested', now(), now())`.execute(db)
  await sql`
    insert into shop_events (shop_id, id, type, data, created_at)
    values (${ids.shop}, ${ids.event}, 'wallet.low', '{}', now())`.execute(db)
  await sql`
    insert into webhook_deliveries (shop_id, endpoint_id, event_id, state, due_at, created_at)
    values (${ids.shop}, ${ids.webhook}, ${ids.event}, 'delivered', now(), now())
    on conflict do nothing`.execute(db)
  await sql`delete from webhook_outbox where shop_id = ${ids.shop}`.execute(db)
  await sql`
    update webhook_endpoints
    set disabled_at = null, disabled_reason = null
    where shop_id = ${ids.shop}`.execute(db)
}

/** The tables with rows of shops, the same in all databases of a run. */
let tables: string[] | undefined

/** All data of a shop in the database, as text. If it is equal before and after, nothing has changed. */
export async function snapshotShop(running: Service, shopId: string): Promise<Record<string, string[]>> {
  const { db } = running.database
  tables ??= (
    await sql<{ name: string }>`
      select c.table_name as name
      from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'public' and c.column_name = 'shop_id' and t.table_type = 'BASE TABLE'
        and not (select relispartition from pg_class p where p.oid = c.table_name::regclass)
      order by c.table_name`.execute(db)
  ).rows.map(({ name }) => name)
  // In one statement: one per table would take half the time of the tests that compare shops.
  const ofEach = tables.map(
    (name) => sql`
      select ${sql.lit(name)} as name, to_jsonb(t)::text as row
      from ${sql.table(name)} t
      where t.shop_id = ${shopId}`,
  )
  const { rows } = await sql<{ name: string; row: string }>`
    ${sql.join(ofEach, sql` union all `)}
    order by name, row`.execute(db)
  const snapshot: Record<string, string[]> = Object.fromEntries(tables.map((name) => [name, []]))
  for (const { name, row } of rows) snapshot[name]!.push(row)
  return snapshot
}
