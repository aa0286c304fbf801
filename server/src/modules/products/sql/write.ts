import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { freeSlug } from '../../../db/fragments/free-slug-sql.ts'
import { hasValues, type NewValues, setValues } from '../../../db/fragments/new-values-sql.ts'
import { joinSteps, type Step } from '../../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { KnownSlug, NewGroup, NewSku, ProductCode, SkuDrafts } from '../rules.ts'
import { type ProductRow, storedColumns, subItemGroupIds, totalColumns } from './columns.ts'
import {
  codesInOrder,
  insertStock,
  insertTotals,
  isNotOwn,
  productEvent,
  step,
  updateDefaultSku,
  updatedAt,
} from './write-steps.ts'

export type NewProduct = {
  id: ObjectId
  name: string
  description: string
  images: string[]
  price: number
  originPrice: number | null
  itemSku: string
  barcode: string
  vatBasisPoints: number
  status: 'active' | 'inactive'
  categoryId: ObjectId | null
  slugBase: string
  search: string
  skuDrafts: SkuDrafts
  by: ObjectId | null
  now: Date
}

/** The fields that an update sets; undefined fields keep their value. */
export type ProductChanges = {
  name: string | undefined
  search: string | undefined
  aliasName: string | undefined
  description: string | undefined
  price: number | undefined
  originPrice: number | null | undefined
  vatBasisPoints: number | undefined
  categoryId: ObjectId | null | undefined
  status: 'active' | 'inactive' | undefined
  images: string[] | undefined
  itemSku: string | undefined
  barcode: string | undefined
  slug: { base: string; isNew: boolean }
  /** Whether the caller sent no field. Such an update counts as a change, unlike one that sends what the product has already. */
  isEmpty: boolean
  updatedBy: ObjectId | null
  now: Date
}

export type UpdateColumns = {
  sku_drafts: SkuDrafts
  tags: unknown[]
  custom_price_id: string | null
  updated_by: string | null
}

const updateColumns = sql.raw('p.sku_drafts, p.tags, p.custom_price_id, p.updated_by')

/** The written row, or the code that another product of the shop has. Neither is set if a concurrent write won. */
export type Written<Row> = { taken: undefined; row: Row | undefined } | { taken: ProductCode; row: undefined }

type TakenColumns = { taken_kind: ProductCode['kind'] | null; taken_code: string | null }

/**
 * Inserts a product with its codes, groups, options and SKUs, each SKU with a row in the default warehouse (E10). One
 * statement. `row` is undefined if a product created at the same moment took the slug: the next attempt finds another.
 * @throws a unique violation of `product_codes` when a code was taken at the same moment, a foreign key violation of
 *   `products_shop_id_category_id_fkey` when the category is not the shop's.
 */
export async function insertProduct(
  db: Db,
  shopId: ObjectId,
  product: NewProduct,
  groups: NewGroup[],
  skus: NewSku[],
  codes: ProductCode[],
): Promise<Written<ProductRow>> {
  const { rows } = await sql<TakenColumns & ProductRow>`
    with ${joinSteps(
      readCodes(codes),
      findTaken(shopId),
      insertRow(shopId, product),
      insertCodes,
      insertGroups(groups),
      insertOptions(groups),
      insertSkus(skus),
      insertStock,
      insertTotals,
      productEvent(shopId, 'product.created', product.now),
    )}
    select taken.kind as taken_kind, taken.code as taken_code, ${storedColumns}, ${totalColumns},
      null::jsonb as sub_item_group_ids
    from (select) one
    left join ${step.taken} on true
    left join ${step.p} on true
    cross join (
      select 0::bigint as stock_quantity, 0::bigint as total_quantity, 0::bigint as reserved_quantity
    ) totals`.execute(db)
  return written(rows[0]!)
}

function readCodes(codes: ProductCode[]): Step {
  return sql`${step.code} as materialized (
      select n.kind, n.code, n.at
      from jsonb_to_recordset(${codesInOrder(codes)}::jsonb) as n (kind text, code text, at integer)
    )`
}

/** The first of the codes that another product has; if there is one, nothing is written. */
function findTaken(shopId: ObjectId): Step {
  return sql`${step.taken} as materialized (
      select n.kind, n.code
      from ${step.code} n
      join product_codes c on c.shop_id = ${shopId} and c.kind = n.kind and c.folded = fold_code(n.code)
      order by n.at
      limit 1
    )`
}

function insertRow(shopId: ObjectId, product: NewProduct): Step {
  const slug = freeSlug('products', shopId, product.id, product.slugBase)
  return sql`${step.p} as (
      insert into products as p (shop_id, id, name, description, images, price, origin_price, item_sku, barcode,
        vat_basis_points, status, category_id, slug, slug_base, search, sku_drafts, updated_by, created_at, updated_at)
      select ${shopId}, ${product.id}, ${product.name}, ${product.description},
        ${JSON.stringify(product.images)}::jsonb, ${product.price}::bigint, ${product.originPrice}::bigint,
        ${product.itemSku}, ${product.barcode}, ${product.vatBasisPoints}::integer, ${product.status}, ${product.categoryId},
        ${slug}, ${product.slugBase}, ${product.search}, ${JSON.stringify(product.skuDrafts)}::jsonb, ${product.by}, ${product.now}::timestamptz,
        ${product.now}::timestamptz
      where not exists (select from ${step.taken})
      on conflict (shop_id, slug) where deleted_at is null do nothing
      returning ${storedColumns}
    )`
}

const insertCodes: Step = sql`${step.new_code} as (
      insert into product_codes (shop_id, kind, code, product_id)
      select p.shop_id, n.kind, n.code, p.id
      from ${step.p}, ${step.code} n
      order by n.kind, n.code
    )`

function insertGroups(groups: NewGroup[]): Step {
  return sql`${step.new_group} as (
      insert into variant_groups (shop_id, id, product_id, name, position, created_at, updated_at)
      select p.shop_id, n.id, p.id, n.name, n.position, p.created_at, p.created_at
      from ${step.p}, jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as n (id text, name text, position integer)
    )`
}

function insertOptions(groups: NewGroup[]): Step {
  const options = groups.flatMap((group) =>
    group.options.map((option) => ({ ...option, group_id: group.id })),
  )
  return sql`${step.new_option} as (
      insert into variant_options (shop_id, id, group_id, name, position)
      select p.shop_id, n.id, n.group_id, n.name, n.position
      from ${step.p}, jsonb_to_recordset(${JSON.stringify(options)}::jsonb)
        as n (id text, group_id text, name text, position integer)
    )`
}

function insertSkus(skus: NewSku[]): Step {
  return sql`${step.new_sku} as (
      insert into skus (shop_id, id, product_id, name, price, origin_price, code, barcode, variant_option_ids,
        position, is_default, created_at, updated_at)
      select p.shop_id, n.id, p.id, n.name, n.price, n.origin_price, n.code, n.barcode, n.variant_option_ids,
        n.position, n.is_default, p.created_at, p.created_at
      from ${step.p}, jsonb_to_recordset(${JSON.stringify(skus)}::jsonb) as n (id text, name text, price bigint,
        origin_price bigint, code text, barcode text, variant_option_ids text[], position integer,
        is_default boolean)
      returning shop_id, id
    )`
}

/** The fields that an update depends on: the name and the slug that it has, and the version that was read. */
export async function findProductToUpdate(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
): Promise<({ version: number; name: string } & KnownSlug) | undefined> {
  const { rows } = await sql<{ version: number; name: string } & KnownSlug>`
    select version, name, slug, slug_base
    from products
    where shop_id = ${shopId} and id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

/**
 * Updates a product that is still at `version`, together with its codes and its default SKU (E11, G-30). One statement.
 * An update with the values that the product has already writes nothing and returns it as it is (G-00). `row` is undefined if the
 * version has changed.
 * @throws unique violations of `products_shop_id_slug_key` and of `product_codes` when the slug or a code was taken at
 *   the same moment, a foreign key violation of `products_shop_id_category_id_fkey` when the category is not the
 *   shop's.
 */
export async function updateProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  version: number,
  changes: ProductChanges,
): Promise<Written<ProductRow & UpdateColumns>> {
  const values = newValues(shopId, id, changes)
  const { rows } = await sql<TakenColumns & ProductRow & UpdateColumns>`
    with ${joinSteps(
      findTakenByOthers(shopId, id, changes),
      findSame(shopId, id, version, values, changes),
      updateRow(shopId, id, version, values, changes),
      updateDefaultSku(shopId),
      collectCodes(shopId),
      deleteLeftCodes(shopId),
      insertAddedCodes(shopId),
      productEvent(shopId, 'product.updated', changes.now),
    )}
    select taken.kind as taken_kind, taken.code as taken_code, p.*, ${totalColumns}, ${subItemGroupIds}
    from (select) one
    left join ${step.taken} on true
    left join (select * from ${step.p} union all select * from ${step.same}) p on true
    left join product_stock totals on totals.shop_id = ${shopId} and totals.product_id = p.id`.execute(db)
  return written(rows[0]!)
}

/**
 * The first of the new codes that another product has and this one does not have already. If there is one, nothing is
 * written.
 */
function findTakenByOthers(shopId: ObjectId, id: ObjectId, { itemSku, barcode }: ProductChanges): Step {
  return sql`${step.taken} as materialized (
      select n.kind, n.code
      from (values (1, 'sku', ${itemSku ?? null}::text), (2, 'barcode', ${barcode ?? null}::text)) as n (at, kind, code)
      join product_codes c on c.shop_id = ${shopId} and c.kind = n.kind and c.folded = fold_code(n.code)
      where c.product_id <> ${id} and ${isNotOwn(shopId, id)}
      order by n.at
      limit 1
    )`
}

/** The columns that an update sets, except those of every change. */
function newValues(shopId: ObjectId, id: ObjectId, changes: ProductChanges): NewValues {
  const { slug } = changes
  const text = (value: string | undefined) => (value === undefined ? undefined : sql`${value}::text`)
  return {
    name: text(changes.name),
    search: text(changes.search),
    alias_name: text(changes.aliasName),
    description: text(changes.description),
    price: changes.price === undefined ? undefined : sql`${changes.price}::bigint`,
    origin_price: changes.originPrice === undefined ? undefined : sql`${changes.originPrice}::bigint`,
    vat_basis_points:
      changes.vatBasisPoints === undefined ? undefined : sql`${changes.vatBasisPoints}::integer`,
    category_id: changes.categoryId === undefined ? undefined : sql`${changes.categoryId}::text`,
    status: text(changes.status),
    images: changes.images === undefined ? undefined : sql`${JSON.stringify(changes.images)}::jsonb`,
    item_sku: text(changes.itemSku),
    barcode: text(changes.barcode),
    slug_base: text(slug.base),
    slug: slug.isNew ? freeSlug('products', shopId, id, slug.base) : undefined,
  }
}

/** The product as it is, if it is still at `version` and has all new values already: then nothing is written. */
function findSame(
  shopId: ObjectId,
  id: ObjectId,
  version: number,
  values: NewValues,
  { isEmpty }: ProductChanges,
): Step {
  return sql`${step.same} as materialized (
      select ${storedColumns}, ${updateColumns}
      from products p
      where p.shop_id = ${shopId} and p.id = ${id} and p.version = ${version} and p.deleted_at is null
        and not ${isEmpty}::boolean and ${hasValues('p', values)}
    )`
}

function updateRow(
  shopId: ObjectId,
  id: ObjectId,
  version: number,
  values: NewValues,
  { updatedBy, now }: ProductChanges,
): Step {
  return sql`${step.p} as (
      update products p
      set ${setValues(values)}, version = p.version + 1, updated_by = ${updatedBy}, updated_at = ${updatedAt(now)}
      where p.shop_id = ${shopId} and p.id = ${id} and p.version = ${version} and p.deleted_at is null
        and not exists (select from ${step.taken}) and not exists (select from ${step.same})
      returning ${storedColumns}, ${updateColumns}
    )`
}

/** The codes that the product and its SKUs have after the update. The default SKU has the product's codes. */
function collectCodes(shopId: ObjectId): Step {
  return sql`${step.kept} as materialized (
      select distinct on (n.kind, fold_code(n.code)) n.kind, n.code, fold_code(n.code) as folded
      from (
        select 'sku' as kind, p.item_sku as code from ${step.p}
        union
        select 'barcode', p.barcode from ${step.p}
        union
        select o.kind, o.code
        from ${step.p}
        join skus s on s.shop_id = ${shopId} and s.product_id = p.id and not s.is_default and s.is_active
        cross join lateral (values ('sku', s.code), ('barcode', s.barcode)) as o (kind, code)
      ) n
      where n.code <> ''
    )`
}

function deleteLeftCodes(shopId: ObjectId): Step {
  return sql`${step.dropped} as (
      delete from product_codes c
      using ${step.p}
      where c.shop_id = ${shopId} and c.product_id = p.id
        and not exists (select from ${step.kept} k where k.kind = c.kind and k.folded = c.folded)
    )`
}

function insertAddedCodes(shopId: ObjectId): Step {
  return sql`${step.added} as (
      insert into product_codes (shop_id, kind, code, product_id)
      select p.shop_id, k.kind, k.code, p.id
      from ${step.p}, ${step.kept} k
      where not exists (
        select
        from product_codes c
        where c.shop_id = ${shopId} and c.kind = k.kind and c.folded = k.folded and c.product_id = p.id
      )
      order by k.kind, k.code
    )`
}

function written<Row extends { id: ObjectId }>(row: TakenColumns & Row): Written<Row> {
  if (row.taken_kind !== null && row.taken_code !== null) {
    return { taken: { kind: row.taken_kind, code: row.taken_code }, row: undefined }
  }
  return { taken: undefined, row: row.id === null ? undefined : row }
}
