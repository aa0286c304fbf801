import { sql } from 'kysely'
import type { Db } from '../../../server/src/db/client.ts'
import { createIds } from '../../../server/src/lib/object-id.ts'
import { hashApiKey, keyPrefix, newApiKey } from '../../../server/src/modules/access/keys/rules.ts'

export type BenchShop = {
  shopId: string
  apiKey: string
  productIds: string[]
  skuIds: string[]
  orderIds: string[]
}

export type Size = {
  shops: number
  products: number
  orders: number
  smallProducts: number
  smallOrders: number
  /** Of each SKU, of which every product has two; 100 if it is missing. */
  pieces?: number
}

export const SIZE: Size = { shops: 100, products: 10_000, orders: 10_000, smallProducts: 20, smallOrders: 20 }

/** `prefix` (12 hex characters) and a number as an object id, in SQL. */
function numbered(prefix: string, n: ReturnType<typeof sql.ref> | ReturnType<typeof sql.raw>) {
  return sql`(${prefix}::text || lpad(to_hex(${n}), 12, '0'))`
}

/**
 * Fills an empty migrated database: the first shop has the full catalogue (two SKUs per product) and orders, each other
 * shop a small one. Bulk statements; every counter and code is written as the service would.
 */
export async function seed(db: Db, size: Size = SIZE): Promise<BenchShop[]> {
  const ids = createIds()
  const shops: BenchShop[] = []
  for (let i = 0; i < size.shops; i++) {
    const products = i === 0 ? size.products : size.smallProducts
    const orders = i === 0 ? size.orders : size.smallOrders
    shops.push(await seedShop(db, ids.next(), i, { products, orders, pieces: size.pieces ?? 100 }))
  }
  await sql`analyze`.execute(db)
  return shops
}

async function seedShop(
  db: Db,
  shopId: string,
  index: number,
  { products, orders, pieces }: { products: number; orders: number; pieces: number },
): Promise<BenchShop> {
  const apiKey = newApiKey()
  const own = index.toString(16).padStart(4, '0')
  const [warehouse, product, sku, group, option, customer, order, item] = [
    'a0',
    'b0',
    'c0',
    'd0',
    'e0',
    'f0',
    'f1',
    'f2',
  ].map((kind) => `66${kind}${own}0000`) as [string, string, string, string, string, string, string, string]
  const g = sql.raw('g')
  const warehouseId = `${warehouse}000000000001`
  await sql`insert into shops (id, name, created_at, updated_at) values (${shopId}, ${`Shop ${index}`}, now(), now())`.execute(
    db,
  )
  await sql`
    insert into api_keys (shop_id, id, name, prefix, hash, created_at)
    values (${shopId}, ${`${warehouse}000000000002`}, 'bench', ${keyPrefix(apiKey)}, ${hashApiKey(apiKey)}, now())`.execute(
    db,
  )
  await sql`insert into wallets (shop_id) values (${shopId})`.execute(db)
  await sql`
    insert into warehouses (shop_id, id, name, is_default, created_at, updated_at)
    values (${shopId}, ${warehouseId}, 'Kho chính', true, now(), now())`.execute(db)
  await sql`
    insert into products (shop_id, id, name, description, images, price, origin_price, item_sku, vat_basis_points, slug, slug_base,
      search, sku_drafts, created_at, updated_at)
    select ${shopId}, ${numbered(product, g)}, 'Áo thun cổ tròn ' || g, '<p>Vải cotton mềm, thoáng mát</p>',
      '["https://images.example/ao-thun.jpg"]', 90000 + g % 400 * 1000, 120000 + g % 400 * 1000, 'AT' || g, 800,
      'ao-thun-co-tron-' || g, 'ao-thun-co-tron-' || g, 'ao thun co tron ' || g,
      jsonb_build_object('variants', '[]'::jsonb, 'skus', '[]'::jsonb),
      now() - (${products}::int - g) * interval '1 minute', now() - (${products}::int - g) * interval '1 minute'
    from generate_series(1, ${products}::int) g`.execute(db)
  await sql`
    insert into product_stock (shop_id, product_id, total_quantity)
    select ${shopId}, ${numbered(product, g)}, ${pieces * 2}::int
    from generate_series(1, ${products}::int) g`.execute(db)
  await sql`
    insert into product_codes (shop_id, kind, code, product_id)
    select ${shopId}, 'sku', 'AT' || g, ${numbered(product, g)}
    from generate_series(1, ${products}::int) g`.execute(db)
  await sql`
    insert into variant_groups (shop_id, id, product_id, name, position, created_at, updated_at)
    select ${shopId}, ${numbered(group, g)}, ${numbered(product, g)}, 'Màu', 0, now(), now()
    from generate_series(1, ${products}::int) g`.execute(db)
  const half = sql.raw('(g + 1) / 2')
  await sql`
    insert into variant_options (shop_id, id, group_id, name, position)
    select ${shopId}, ${numbered(option, g)}, ${numbered(group, half)}, case g % 2 when 1 then 'Đỏ' else 'Xanh' end, g % 2
    from generate_series(1, ${products * 2}::int) g`.execute(db)
  await sql`
    insert into skus (shop_id, id, product_id, name, price, origin_price, code, variant_option_ids, position, created_at,
      updated_at)
    select ${shopId}, ${numbered(sku, g)}, ${numbered(product, half)}, case g % 2 when 1 then 'Đỏ' else 'Xanh' end,
      90000 + g % 400 * 1000, 120000 + g % 400 * 1000, 'AT' || (g + 1) / 2 || '-' || g % 2,
      array[${numbered(option, g)}], g % 2, now(), now()
    from generate_series(1, ${products * 2}::int) g`.execute(db)
  await sql`
    insert into stock (shop_id, sku_id, warehouse_id, quantity)
    select ${shopId}, ${numbered(sku, g)}, ${warehouseId}, ${pieces}::int
    from generate_series(1, ${products * 2}::int) g`.execute(db)
  await sql`
    insert into customers (shop_id, id, full_name, phone, search, created_at, updated_at)
    select ${shopId}, ${numbered(customer, g)}, 'Nguyễn Văn ' || g, '8490' || lpad(g::text, 7, '0'),
      'nguyen van ' || g || ' 8490' || lpad(g::text, 7, '0'), now(), now()
    from generate_series(1, 50) g`.execute(db)
  const buyer = sql.raw('1 + g % 50')
  await sql`
    insert into orders (shop_id, id, code, customer_id, price, origin_price, untaxed_price, status, payment_method, search,
      platform, created_at, updated_at)
    select ${shopId}, ${numbered(order, g)}, 'DH' || g, ${numbered(customer, buyer)}, 200000, 200000, 185185,
      (array['pending', 'confirmed', 'processing', 'ready_to_ship', 'shipping', 'delivered', 'completed',
        'cancelled'])[1 + g % 8],
      (array['cash', 'transfer'])[1 + g % 2], 'dh' || g || ' nguyen van ' || 1 + g % 50,
      (array['mini_pos', 'mini_app'])[1 + g % 2],
      now() - (${orders}::int - g) * interval '5 minutes', now() - (${orders}::int - g) * interval '5 minutes'
    from generate_series(1, ${orders}::int) g`.execute(db)
  await sql`
    insert into shop_counters (shop_id, name, value)
    values (${shopId}, 'order_number', ${orders})`.execute(db)
  const ordered = sql.raw(`1 + g % ${products * 2}`)
  await sql`
    insert into order_items (shop_id, id, order_id, sku_id, name, quantity, price, vat_basis_points, position)
    select ${shopId}, ${numbered(item, g)}, ${numbered(order, half)}, ${numbered(sku, ordered)}, 'Áo thun', 1, 100000, 800, g % 2
    from generate_series(1, ${orders * 2}::int) g`.execute(db)
  const list = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, n) => prefix + (n + 1).toString(16).padStart(12, '0'))
  return {
    shopId,
    apiKey,
    productIds: list(product, products),
    skuIds: list(sku, products * 2),
    orderIds: list(order, orders),
  }
}
