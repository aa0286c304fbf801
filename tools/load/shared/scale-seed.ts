import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../server/src/db/client.ts'
import { createIds } from '../../../server/src/lib/object-id.ts'
import { hashApiKey, keyPrefix, newApiKey } from '../../../server/src/modules/access/keys/rules.ts'

/** `rows`: how many products, orders and messages each the shop has; it has a third as many customers. */
export type ScaleShop = { shopId: string; apiKey: string; rows: number }

/** The names of goods, with how many of a hundred products begin with each. */
const GOODS: [name: string, folded: string, share: number][] = [
  ['Áo thun', 'ao thun', 40],
  ['Quần jean', 'quan jean', 8],
  ['Chén sứ', 'chen su', 20],
  ['Bình gốm', 'binh gom', 20],
  ['Khăn lụa', 'khan lua', 12],
]
const SURNAMES: [name: string, folded: string, share: number][] = [
  ['Nguyễn Văn', 'nguyen van', 28],
  ['Trần Thị', 'tran thi', 22],
  ['Lê Hoàng', 'le hoang', 20],
  ['Phạm Minh', 'pham minh', 20],
  ['Vũ Thu', 'vu thu', 10],
]
/** One product in this many has a word that no other has. */
const RARE_EVERY = 5_000

/**
 * Fills an empty migrated database with shops of these sizes, over a year, with bulk statements: triggers keep the
 * counters. Names repeat as in a real shop: two products of five are called "Áo", one in 5,000 contains "tơ tằm".
 */
export async function seedScale(db: Db, sizes: number[]): Promise<ScaleShop[]> {
  const shops: ScaleShop[] = []
  for (const [index, rows] of sizes.entries()) shops.push(await seedShop(db, index, rows))
  await sql`vacuum analyze`.execute(db)
  return shops
}

async function seedShop(db: Db, index: number, rows: number): Promise<ScaleShop> {
  const run = async (statement: RawBuilder<unknown>) => {
    await statement.execute(db)
    // Foreign keys are checked with a plan cached in the session; if it was made while a table was small, it reads the
    // whole table.
    await sql`analyze`.execute(db)
  }
  const apiKey = newApiKey()
  const shopId = createIds().next()
  const id = (kind: string, n = sql.raw('g')) =>
    sql`(${`66${kind}${index.toString(16).padStart(4, '0')}0000`}::text || lpad(to_hex(${n}), 12, '0'))`
  const count = sql.lit(rows)
  const customers = Math.max(Math.floor(rows / 3), 1)
  const at = sql`now() - (${count} - g) * interval '365 days' / ${count}`

  await run(
    sql`insert into shops (id, name, created_at, updated_at) values (${shopId}, ${`Shop ${index}`}, now(), now())`,
  )
  await run(sql`
    insert into api_keys (shop_id, id, name, prefix, hash, created_at)
    values (${shopId}, ${id('a0', sql.raw('2'))}, 'scale', ${keyPrefix(apiKey)}, ${hashApiKey(apiKey)}, now())`)
  await run(sql`insert into wallets (shop_id) values (${shopId})`)
  await run(sql`
    insert into warehouses (shop_id, id, name, is_default, created_at, updated_at)
    values (${shopId}, ${id('a1', sql.raw('1'))}, 'Kho chính', true, now(), now())`)
  await run(sql`
    insert into products (shop_id, id, name, price, item_sku, vat_basis_points, slug, slug_base, search,
      sku_drafts, created_at, updated_at)
    select ${shopId}, ${id('b0')}, ${one(GOODS, 'name')} || rare || ' ' || g, 90000 + g % 400 * 1000, 'AT' || g, 800,
      'p-' || g, 'p-' || g, ${one(GOODS, 'folded')} || folded_rare || ' ' || g,
      '{"variants": [], "skus": []}', ${at}, ${at}
    from generate_series(1, ${count}) g,
      lateral (select case when g % ${sql.lit(RARE_EVERY)} = 7 then ' tơ tằm' else '' end as rare,
        case when g % ${sql.lit(RARE_EVERY)} = 7 then ' to tam' else '' end as folded_rare) r`)
  await run(sql`
    insert into product_stock (shop_id, product_id, total_quantity)
    select ${shopId}, ${id('b0')}, 100 from generate_series(1, ${count}) g`)
  await run(sql`
    insert into product_codes (shop_id, kind, code, product_id)
    select ${shopId}, 'sku', 'AT' || g, ${id('b0')} from generate_series(1, ${count}) g`)
  await run(sql`
    insert into skus (shop_id, id, product_id, name, price, code, variant_option_ids, position, is_default, created_at, updated_at)
    select ${shopId}, ${id('c0')}, ${id('b0')}, '', 90000 + g % 400 * 1000, 'AT' || g, array[]::text[], 0, true, ${at}, ${at}
    from generate_series(1, ${count}) g`)
  await run(sql`
    insert into stock (shop_id, sku_id, warehouse_id, quantity)
    select ${shopId}, ${id('c0')}, ${id('a1', sql.raw('1'))}, 100 from generate_series(1, ${count}) g`)
  await run(sql`
    insert into customers (shop_id, id, full_name, phone, search, created_at, updated_at)
    select ${shopId}, ${id('f0')}, ${one(SURNAMES, 'name')} || ' ' || g, ${phone()},
      ${one(SURNAMES, 'folded')} || ' ' || g || ' ' || ${phone()} || ' 0' || substr(${phone()}, 3), ${at}, ${at}
    from generate_series(1, ${sql.lit(customers)}) g`)
  await run(sql`
    insert into orders (shop_id, id, code, customer_id, price, origin_price, untaxed_price, status, payment_method, search,
      platform, created_at, updated_at)
    select ${shopId}, ${id('f1')}, 'DH' || g, c.id, 200000, 200000, 185185,
      (array['pending', 'confirmed', 'processing', 'ready_to_ship', 'shipping', 'delivered', 'completed', 'completed',
        'completed', 'cancelled'])[1 + g % 10],
      (array['cash', 'transfer'])[1 + g % 2], 'dh' || g || ' ' || c.search, (array['mini_pos', 'mini_app'])[1 + g % 2],
      ${at}, ${at}
    from generate_series(1, ${count}) g
    join customers c on c.shop_id = ${shopId} and c.id = ${id('f0', sql.raw(`(1 + g % ${customers})`))}`)
  await run(sql`
    insert into order_items (shop_id, id, order_id, sku_id, name, quantity, price, vat_basis_points, position)
    select ${shopId}, ${id('f2')}, ${id('f1')}, ${id('c0')}, 'Áo thun', 1, 100000, 800, 0
    from generate_series(1, ${count}) g`)
  await run(sql`insert into shop_counters (shop_id, name, value) values (${shopId}, 'order_number', ${count})
    on conflict (shop_id, name) do update set value = excluded.value`)
  await run(sql`
    insert into wallet_entries (shop_id, id, type, amount, held_change, balance_after, held_after, created_at)
    select ${shopId}, ${id('f4')}, 'top_up', 1000, 0, 1000 * g, 0, ${at}
    from generate_series(1, ${count}) g`)
  await run(sql`update wallets set balance = ${sql.lit(rows * 1000)} where shop_id = ${shopId}`)
  return { shopId, apiKey, rows }
}

/** The column of the row that `g` selects, by the rows' shares; the rows are scattered over the numbers. */
function one(list: [string, string, number][], column: 'name' | 'folded') {
  let upTo = 0
  const cases = list.map(([name, folded, share]) => {
    upTo += share
    return sql`when g * 37 % 100 < ${sql.lit(upTo)} then ${sql.lit(column === 'name' ? name : folded)}`
  })
  return sql`(case ${sql.join(cases, sql` `)} end)`
}

function phone() {
  return sql`('849' || lpad((g::bigint * 7919 % 100000000)::text, 8, '0'))`
}
