import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { MOST_PIECE_BYTES, rowsWithin } from '../../db/fragments/rows-within-sql.ts'
import { matchesAll } from '../../db/fragments/search-sql.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { searchPattern, searchWords } from '../../lib/text/search-pattern.ts'
import type { ProductCode } from '../products/rules.ts'
import { conditionsOf, type ProductFilter } from '../products/sql/filter.ts'
import { codesFrom } from '../products/sql/search.ts'
import type { KnownProduct, KnownSku } from './format/wanted-product.ts'

/**
 * The columns of a {@link KnownProduct}, for the alias `p`; children are read as in the products module's
 * `childColumns`. `ofSku` adds to the columns of each SKU, for the alias `s`.
 */
const knownColumns = (ofSku = { columns: '', join: '' }) =>
  sql.raw(`p.id, p.slug, p.slug_base, p.name, p.alias_name, p.description, p.category_id, p.status, p.vat_basis_points,
      p.images, p.price, p.origin_price, p.item_sku, p.barcode, (
        select coalesce(json_agg(k), '[]')
        from (
          select s.id, s.name, s.price, s.origin_price, s.code, s.barcode, s.variant_option_ids, s.is_default${ofSku.columns}
          from skus s${ofSku.join}
          where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active
          order by s.position
        ) k
      ) as skus, (
        select coalesce(json_agg(v), '[]')
        from (
          select g.id, g.name, (
            select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name) order by o.position), '[]')
            from variant_options o
            where o.shop_id = g.shop_id and o.group_id = g.id and o.is_active
          ) as options
          from variant_groups g
          where g.shop_id = p.shop_id and g.product_id = p.id and g.is_active
          order by g.position
        ) v
      ) as groups`)

const longBytes = sql.raw(`octet_length(found.description) + octet_length(found.images::text)
      + octet_length(found.skus::text) + octet_length(found.groups::text)`)

/** The stock of each SKU in all warehouses together, for the alias `s`. */
const STOCK = {
  columns: ', t.quantity, t.available',
  join: `
          cross join lateral (
            select coalesce(sum(t.quantity), 0) as quantity, coalesce(sum(t.quantity - t.reserved), 0) as available
            from stock t
            where t.shop_id = s.shop_id and t.sku_id = s.id
          ) t`,
}
/** The pieces of a SKU, and those of them that are not reserved. */
type SkuStock = { quantity: number; available: number }

/** A product of an export; `cursor` is its place, `is_cut` whether fewer products fit into the piece than it was to have. */
export type ExportedProduct = Omit<KnownProduct, 'skus'> & {
  skus: (KnownSku & Partial<SkuStock>)[]
  cursor: string
  is_cut: boolean
}

/**
 * The next `limit` products of a filter (E8's) after a place in the list, or as many as fit, oldest first. One statement, an index
 * range of `products_by_created` from that place on. With `hasStock`, each SKU has its stock.
 */
export async function listProductsAfter(
  db: Db,
  shopId: ObjectId,
  filter: ProductFilter,
  after: { cursor: string; id: ObjectId } | undefined,
  { limit, hasStock }: { limit: number; hasStock: boolean },
): Promise<ExportedProduct[]> {
  const conditions = [conditionsOf(shopId, filter, sql`p.price`), ...found(shopId, filter.search)]
  if (after !== undefined)
    conditions.push(sql`(p.created_at, p.id) > (${after.cursor}::timestamptz, ${after.id})`)
  const row = sql`
      select ${hasStock ? knownColumns(STOCK) : knownColumns()}, p.created_at::text as cursor
      from products p
      where p.shop_id = ${shopId} and p.id = numbered.id
      limit 1`
  const { rows } = await sql<ExportedProduct>`
    with recursive ids as materialized (
      select p.id, p.created_at
      from products p
      where ${sql.join(conditions, sql` and `)}
      order by p.created_at, p.id
      limit ${limit}
    ), ${rowsWithin(sql`ids.created_at, ids.id`, row, longBytes, MOST_PIECE_BYTES)}
    select within.*, (select count(*) from ids) > max(place) over () as is_cut
    from within
    where place > 0
    order by place`.execute(db)
  return rows
}

function found(shopId: ObjectId, search: string | undefined): RawBuilder<unknown>[] {
  const words = searchWords(search ?? '')
  if (search === undefined || words.length === 0) return []
  const inName = matchesAll(sql`p.search`, words.map(searchPattern))
  return [sql`((${inName}) or p.id in (select c.product_id ${codesFrom(shopId, search.trim())}))`]
}

/** The largest number of active groups that a product of the shop has. */
export async function countMostGroups(db: Db, shopId: ObjectId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(max(n), 0) as n
    from (
      select count(*) as n
      from variant_groups
      where shop_id = ${shopId} and is_active
      group by product_id
    ) counted`.execute(db)
  return rows[0]!.n
}

/**
 * Makes PostgreSQL plan the statements of this transaction each time they run: a plan cached while the tables were
 * empty might read whole tables.
 */
export async function planAtEachUse(trx: Db): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
}

export type Keys = { ids: ObjectId[]; codes: string[]; slugs: string[] }
export type KeyRow = { kind: 'id' | 'code' | 'slug'; key: string; product_id: ObjectId }

/** The products that have these ids, SKU codes or slugs, each with the key as given. Retired products are left out. */
export async function findKeys(db: Db, shopId: ObjectId, keys: Keys): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select 'id' as kind, p.id as key, p.id as product_id
    from products p
    where p.shop_id = ${shopId} and p.id = any (${keys.ids}::text[]) and p.deleted_at is null
    union all
    (
      select distinct on (n.code) 'code', n.code, c.product_id
      from unnest(${keys.codes}::text[]) as n (code)
      join product_codes c on c.shop_id = ${shopId} and c.kind = 'sku' and c.folded = fold_code(n.code)
      order by n.code, c.code = n.code desc, c.is_duplicate
    )
    union all
    select 'slug', p.slug, p.id
    from products p
    where p.shop_id = ${shopId} and p.slug = any (${keys.slugs}::text[]) and p.deleted_at is null`.execute(db)
  return rows
}

/**
 * Locks products against other changes until the transaction ends, always in the same order. They can still be sold.
 */
export async function lockProducts(trx: Db, shopId: ObjectId, ids: ObjectId[]): Promise<void> {
  await sql`
    select p.id
    from products p
    where p.shop_id = ${shopId} and p.id = any (${ids}::text[])
    order by p.id
    for no key update`.execute(trx)
}

/**
 * Locks the totals of locked products until the transaction ends, so that these products cannot be sold. The totals are
 * locked in the order that orders use; orders lock the totals first and then the SKUs.
 * @throws, unless it `waits`, when another transaction holds one of them.
 */
export async function lockTotals(
  trx: Db,
  shopId: ObjectId,
  ids: ObjectId[],
  { waits }: { waits: boolean },
): Promise<void> {
  await sql`
    select t.product_id
    from product_stock t
    where t.shop_id = ${shopId} and t.product_id = any (${ids}::text[])
    order by t.product_id
    for no key update${waits ? sql`` : sql` nowait`}`.execute(trx)
}

/** The id of the named warehouse, or without one of the default warehouse; undefined if the shop does not have it. */
export async function findStockedWarehouse(
  db: Db,
  shopId: ObjectId,
  id: ObjectId | null,
): Promise<ObjectId | undefined> {
  const { rows } = await sql<{ id: ObjectId }>`
    select id
    from warehouses
    where shop_id = ${shopId} and ${id === null ? sql`is_default` : sql`id = ${id}`}`.execute(db)
  return rows[0]?.id
}

/** Which of the SKUs have stock or movements in the warehouse. */
export async function listStocked(
  db: Db,
  shopId: ObjectId,
  warehouseId: ObjectId,
  skuIds: ObjectId[],
): Promise<ObjectId[]> {
  const { rows } = await sql<{ id: ObjectId }>`
    select named.id
    from unnest(${skuIds}::text[]) as named (id)
    where exists (
      select
      from stock t
      where t.shop_id = ${shopId} and t.sku_id = named.id and t.warehouse_id = ${warehouseId}
        and (t.quantity <> 0 or t.reserved <> 0)
    ) or exists (
      select
      from stock_movements m
      where m.shop_id = ${shopId} and m.sku_id = named.id and m.warehouse_id = ${warehouseId}
    )`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks the stock of SKUs in a warehouse until the transaction ends.
 * @throws when another transaction holds one of them.
 */
export async function holdStock(
  trx: Db,
  shopId: ObjectId,
  warehouseId: ObjectId,
  skuIds: ObjectId[],
): Promise<void> {
  await sql`
    select t.sku_id
    from stock t
    where t.shop_id = ${shopId} and t.sku_id = any (${skuIds}::text[]) and t.warehouse_id = ${warehouseId}
    order by t.sku_id
    for no key update nowait`.execute(trx)
}

/** The products with these ids in their current state. */
export async function listKnown(db: Db, shopId: ObjectId, ids: ObjectId[]): Promise<KnownProduct[]> {
  const { rows } = await sql<KnownProduct>`
    select ${knownColumns()}
    from products p
    where p.shop_id = ${shopId} and p.id = any (${ids}::text[]) and p.deleted_at is null`.execute(db)
  return rows
}

/** Which products have these codes, with the codes as given (G-39). */
export async function listTakenCodes(
  db: Db,
  shopId: ObjectId,
  codes: ProductCode[],
): Promise<(ProductCode & { product_id: ObjectId })[]> {
  const { rows } = await sql<ProductCode & { product_id: ObjectId }>`
    select n.kind, n.code, c.product_id
    from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as n (kind text, code text)
    join product_codes c on c.shop_id = ${shopId} and c.kind = n.kind and c.folded = fold_code(n.code)`.execute(
    db,
  )
  return rows
}

/** The given slugs that products of the shop already have. */
export async function listTakenSlugs(db: Db, shopId: ObjectId, slugs: string[]): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select p.slug
    from products p
    where p.shop_id = ${shopId} and p.slug = any (${slugs}::text[]) and p.deleted_at is null`.execute(db)
  return rows.map((row) => row.slug)
}

/** All categories of the shop, at most MAX_CATEGORIES. */
export async function listCategoryNames(
  db: Db,
  shopId: ObjectId,
): Promise<{ id: ObjectId; name: string; parent_id: ObjectId | null }[]> {
  const { rows } = await sql<{ id: ObjectId; name: string; parent_id: ObjectId | null }>`
    select id, name, parent_id
    from categories
    where shop_id = ${shopId}`.execute(db)
  return rows
}
