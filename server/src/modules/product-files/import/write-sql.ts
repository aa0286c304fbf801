import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { joinSteps } from '../../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { NewGroup, NewSku, ProductCode, SkuDrafts } from '../../products/rules.ts'
import {
  insertStock,
  insertTotals,
  productEvent,
  step,
  updateDefaultSku,
  updatedAt,
} from '../../products/sql/write-steps.ts'

/** A product to write; the statement sets the times. */
export type BulkProduct = {
  id: ObjectId
  name: string
  alias_name: string
  description: string
  images: string[]
  price: number
  origin_price: number | null
  item_sku: string
  barcode: string
  vat_basis_points: number
  status: 'active' | 'inactive'
  category_id: ObjectId | null
  slug: string
  slug_base: string
  search: string
}
export type NewBulkProduct = BulkProduct & {
  sku_drafts: SkuDrafts
  groups: NewGroup[]
  skus: NewSku[]
  codes: ProductCode[]
}

const productFields =
  sql.raw(`id text, name text, alias_name text, description text, images jsonb, price bigint,
        origin_price bigint, item_sku text, barcode text, vat_basis_points integer, status text, category_id text, slug text,
        slug_base text, search text, sku_drafts jsonb`)

/**
 * Inserts new products with all their parts, as `insertProduct` does for one (E10). Their slugs and codes must be free.
 * One statement for some hundred products.
 * @throws unique violations of `products_shop_id_slug_key` and of `product_codes` when one was taken at the same
 *   moment, a foreign key violation of `products_shop_id_category_id_fkey` if a category was deleted.
 */
export async function insertProducts(
  trx: Db,
  shopId: ObjectId,
  products: NewBulkProduct[],
  { by, now }: { by: ObjectId | null; now: Date },
): Promise<void> {
  if (products.length === 0) return
  const of = <T>(list: (product: NewBulkProduct) => T[]) =>
    JSON.stringify(
      products.flatMap((product) => list(product).map((one) => ({ ...one, product_id: product.id }))),
    )
  const rows = products.map(({ groups: _g, skus: _s, codes: _c, ...row }) => row)
  const options = of((product) =>
    product.groups.flatMap((group) => group.options.map((option) => ({ ...option, group_id: group.id }))),
  )
  await sql`
    with ${step.p} as (
      insert into products as p (shop_id, id, name, alias_name, description, images, price, origin_price, item_sku,
        barcode, vat_basis_points, status, category_id, slug, slug_base, search, sku_drafts, updated_by, created_at, updated_at)
      select ${shopId}, n.id, n.name, n.alias_name, n.description, n.images, n.price, n.origin_price, n.item_sku,
        n.barcode, n.vat_basis_points, n.status, n.category_id, n.slug, n.slug_base, n.search, n.sku_drafts, ${by}, ${now}::timestamptz,
        ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (${productFields})
      returning p.*
    ), ${step.new_code} as (
      insert into product_codes (shop_id, kind, code, product_id)
      select ${shopId}, n.kind, n.code, n.product_id
      from jsonb_to_recordset(${of(({ codes }) => codes)}::jsonb) as n (kind text, code text, product_id text)
      order by n.kind, n.code
    ), ${step.new_group} as (
      insert into variant_groups (shop_id, id, product_id, name, position, created_at, updated_at)
      select ${shopId}, n.id, n.product_id, n.name, n.position, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${of(({ groups }) => groups)}::jsonb)
        as n (id text, product_id text, name text, position integer)
    ), ${step.new_option} as (
      insert into variant_options (shop_id, id, group_id, name, position)
      select ${shopId}, n.id, n.group_id, n.name, n.position
      from jsonb_to_recordset(${options}::jsonb) as n (id text, group_id text, name text, position integer)
    ), ${step.new_sku} as (
      insert into skus (shop_id, id, product_id, name, price, origin_price, code, barcode, variant_option_ids,
        position, is_default, created_at, updated_at)
      select ${shopId}, n.id, n.product_id, n.name, n.price, n.origin_price, n.code, n.barcode,
        n.variant_option_ids, n.position, n.is_default, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${of(({ skus }) => skus)}::jsonb) as n (id text, product_id text, name text,
        price bigint, origin_price bigint, code text, barcode text, variant_option_ids text[], position integer,
        is_default boolean)
      returning shop_id, id
    ), ${joinSteps(insertStock, insertTotals, productEvent(shopId, 'product.created', now))}
    select from ${step.p}`.execute(trx)
}

/** A changed SKU of a product. */
export type BulkSku = Pick<NewSku, 'id' | 'name' | 'price' | 'origin_price' | 'code' | 'barcode'>
export type ChangedProduct = BulkProduct & {
  skus: BulkSku[]
  /** All codes of the product and its SKUs after the change; undefined if they do not change. */
  codes: ProductCode[] | undefined
}

/**
 * Updates locked products together with their SKUs, codes and default SKUs, as `updateProduct` does (E11, G-30). Two
 * statements for all of them. A code that one product gives up is not available to others in the same file.
 * @throws as {@link insertProducts}
 */
export async function updateProducts(
  trx: Db,
  shopId: ObjectId,
  products: ChangedProduct[],
  context: { by: ObjectId | null; now: Date },
): Promise<void> {
  if (products.length === 0) return
  const { by, now } = context
  const rows = products.map(({ skus: _s, codes: _c, ...row }) => row)
  const skus = products.flatMap((product) => product.skus)
  await sql`
    with ${step.p} as (
      update products p
      set version = p.version + 1, name = n.name, search = n.search, slug = n.slug, slug_base = n.slug_base, alias_name = n.alias_name,
        description = n.description, price = n.price, origin_price = n.origin_price, vat_basis_points = n.vat_basis_points,
        category_id = n.category_id, status = n.status, images = n.images, item_sku = n.item_sku,
        barcode = n.barcode, updated_by = ${by}, updated_at = ${updatedAt(now)}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (${productFields})
      where p.shop_id = ${shopId} and p.id = n.id
      returning p.*
    ), ${updateDefaultSku(shopId)}, ${step.changed_sku} as (
      update skus s
      set name = n.name, price = n.price, origin_price = n.origin_price, code = n.code, barcode = n.barcode,
        updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(skus)}::jsonb)
        as n (id text, name text, price bigint, origin_price bigint, code text, barcode text)
      where s.shop_id = ${shopId} and s.id = n.id
    ), ${productEvent(shopId, 'product.updated', now)}
    select from ${step.p}`.execute(trx)
  await replaceCodesOfAll(trx, shopId, products)
}

async function replaceCodesOfAll(trx: Db, shopId: ObjectId, products: ChangedProduct[]): Promise<void> {
  const changed = products.filter((product) => product.codes !== undefined)
  if (changed.length === 0) return
  const ids = changed.map((product) => product.id)
  const codes = JSON.stringify(
    changed.flatMap(({ id, codes }) => codes!.map((code) => ({ ...code, product_id: id }))),
  )
  await sql`
    delete from product_codes c
    where c.shop_id = ${shopId} and c.product_id = any (${ids}::text[]) and not exists (
      select
      from jsonb_to_recordset(${codes}::jsonb) as n (kind text, code text, product_id text)
      where n.kind = c.kind and fold_code(n.code) = c.folded and n.product_id = c.product_id
    )`.execute(trx)
  await sql`
    insert into product_codes (shop_id, kind, code, product_id)
    select ${shopId}, n.kind, n.code, n.product_id
    from jsonb_to_recordset(${codes}::jsonb) as n (kind text, code text, product_id text)
    where not exists (
      select
      from product_codes c
      where c.shop_id = ${shopId} and c.kind = n.kind and c.folded = fold_code(n.code)
        and c.product_id = n.product_id
    )
    order by n.kind, n.code`.execute(trx)
}
