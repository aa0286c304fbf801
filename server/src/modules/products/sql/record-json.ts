import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import {
  boolean,
  compact,
  constant,
  type Fields,
  instant,
  jsonArray,
  jsonObject,
  number,
  numberOrNull,
  percent,
  plain,
  plainOrNull,
  text,
  textOrNull,
  texts,
  unlessNull,
  written,
} from '../../../db/fragments/json-text-sql.ts'
import type { categoryRecord, productRecord } from '../record-schema.ts'
import type { Children } from './columns.ts'

// E8's records, written by the database (decision 0050). The compiler rejects a set of fields that differs from the
// schema's; listed-records.test.ts compares the records with those that are read one by one.

type Product = Static<typeof productRecord>
type Part = 'skuDrafts' | 'skus' | 'itemVariants' | 'category' | 'wholesalePrices' | 'subItemsGroups'
type Sku = NonNullable<Product['skus']>[number]
type Variant = NonNullable<Product['itemVariants']>[number]

/** `p` is the product, `totals` its row of `product_stock`. */
const own: Fields<Omit<Product, Part>> = {
  _id: plain('p.id'),
  id: plain('p.id'),
  __v: number('p.version'),
  type: constant('product'),
  name: text('p.name'),
  description: text('p.description'),
  images: compact('p.images'),
  price: number('p.price'),
  originPrice: numberOrNull('p.origin_price'),
  itemSku: text('p.item_sku'),
  barcode: text('p.barcode'),
  vat: percent('p.vat_basis_points'),
  status: plain('p.status'),
  shopId: plain('p.shop_id'),
  categoryId: plainOrNull('p.category_id'),
  slug: text('p.slug'),
  aliasName: text('p.alias_name'),
  stock_quantity: number('totals.stock_quantity'),
  totalRating: number('p.total_rating'),
  totalReview: number('p.total_review'),
  sortOrder: number('coalesce(p.sort_order, 0)'),
  isNullSortOrder: boolean('p.sort_order is null'),
  reservedQuantity: number('totals.reserved_quantity'),
  totalQuantity: number('totals.total_quantity'),
  virtualSold: number('p.virtual_sold'),
  canBook: boolean('p.can_book'),
  isCustomerInquiry: boolean('p.is_customer_inquiry'),
  platform: text('p.platform'),
  sProductId: unlessNull('p.s_product_id', text('p.s_product_id')),
  storeId: unlessNull('p.store_id', text('p.store_id')),
  search: text('p.search'),
  subItemsGroupIds: jsonArray(`
      select to_json(g.id)::text as json
      from sub_item_groups g
      where g.shop_id = p.shop_id and g.product_id = p.id
      order by g.position`),
  configs: compact('p.configs'),
  hashtags: compact('p.hashtags'),
  collectionIDs: compact('p.collection_ids'),
  brandProductIds: compact('p.brand_product_ids'),
  fakeReviewIds: compact('p.fake_review_ids'),
  comboItems: compact('p.combo_items'),
  createdAt: instant('p.created_at'),
  updatedAt: instant('p.updated_at'),
}

/** `s` is the SKU, `p` its product. */
const sku: Fields<Omit<Sku, 'images' | 'warehouseStock'>> = {
  _id: plain('s.id'),
  id: plain('s.id'),
  name: text('s.name'),
  price: number('s.price'),
  originPrice: numberOrNull('s.origin_price'),
  stock_quantity: number(`(
        select coalesce(sum(t.quantity - t.reserved), 0)
        from stock t
        where t.shop_id = s.shop_id and t.sku_id = s.id
      )`),
  itemId: plain('p.id'),
  shopId: plain('p.shop_id'),
  // Only active SKUs are shown.
  status: constant('active'),
  isActive: boolean('s.is_active'),
  sku: text('s.code'),
  barcode: text('s.barcode'),
  variantOptionIDs: texts('s.variant_option_ids'),
  createdAt: instant('s.created_at'),
  updatedAt: instant('s.updated_at'),
}

/** Fields added by `select=skuImages` and by `warehouseId`; `asked_warehouse.id` is the requested warehouse. */
const moreOfSku: Fields<Pick<Required<Sku>, 'images' | 'warehouseStock'>> = {
  images: compact('s.images'),
  warehouseStock: written(`(
        select ${jsonObject({
          warehouseId: plain('asked_warehouse.id'),
          quantity: number('coalesce(sum(t.quantity), 0)'),
          reserved: number('coalesce(sum(t.reserved), 0)'),
          available: number('coalesce(sum(t.quantity - t.reserved), 0)'),
        })}
        from stock t
        where t.shop_id = s.shop_id and t.sku_id = s.id and t.warehouse_id = asked_warehouse.id
      )`),
}

/** `g` is the group, `p` its product. */
const variant: Fields<Variant> = {
  _id: plain('g.id'),
  id: plain('g.id'),
  name: text('g.name'),
  itemId: plain('p.id'),
  isActive: boolean('true'),
  position: number('g.position'),
  createdAt: instant('g.created_at'),
  updatedAt: instant('g.updated_at'),
  itemVariantOptions: jsonArray(`
      select ${jsonObject({
        _id: plain('o.id'),
        id: plain('o.id'),
        name: text('o.name'),
        itemVariantId: plain('g.id'),
        isActive: boolean('true'),
        position: number('o.position'),
        skuIDs: jsonArray(`
          select to_json(s.id)::text as json
          from skus s
          where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active and o.id::text = any(s.variant_option_ids)
          order by s.position`),
      } satisfies Fields<Variant['itemVariantOptions'][number]>)} as json
      from variant_options o
      where o.shop_id = g.shop_id and o.group_id = g.id and o.is_active
      order by o.position`),
}

const category: Fields<Static<typeof categoryRecord>> = {
  _id: plain('k.id'),
  id: plain('k.id'),
  __v: number('k.version'),
  shopId: plain('k.shop_id'),
  name: text('k.name'),
  slug: text('k.slug'),
  description: text('k.description'),
  image: text('k.image'),
  parentId: textOrNull('k.parent_id'),
  sortOrder: number('k.sort_order'),
  createdAt: instant('k.created_at'),
  updatedAt: instant('k.updated_at'),
}

const wholesalePrices = jsonArray(`
      select ${jsonObject({
        _id: plain('n.id'),
        skuId: plain('n.sku_id'),
        minQuantity: number('n.min_quantity'),
        price: number('n.price'),
      } satisfies Fields<NonNullable<Product['wholesalePrices']>[number]>)} as json
      from skus s
      join wholesale_prices n on n.shop_id = s.shop_id and n.sku_id = s.id
      where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active
      order by s.position, s.id, n.min_quantity`)

type SubItemsGroup = NonNullable<Product['subItemsGroups']>[number]
const subItemsGroups = jsonArray(`
      select ${jsonObject({
        _id: plain('g.id'),
        name: text('g.name'),
        isRequired: boolean('g.is_required'),
        maxSelect: number('g.max_select'),
        subItems: jsonArray(`
          select ${jsonObject({
            _id: plain('i.id'),
            name: text('i.name'),
            price: number('i.price'),
          } satisfies Fields<SubItemsGroup['subItems'][number]>)} as json
          from sub_items i
          where i.shop_id = g.shop_id and i.group_id = g.id
          order by i.position`),
      } satisfies Fields<SubItemsGroup>)} as json
      from sub_item_groups g
      where g.shop_id = p.shop_id and g.product_id = p.id
      order by g.position`)

/** The record as JSON text, and about how many bytes it has. */
export type ListedProduct = { record: RawBuilder<string>; bytes: RawBuilder<number> }

const statements = new Map<string, ListedProduct>()

/**
 * A product of the list with the parts shown. `p` is the product, `totals` its stock totals, `asked_warehouse` the requested
 * warehouse.
 */
export function listedProduct({ select, skuDrafts, warehouseId }: Children): ListedProduct {
  const shown = { select, skuDrafts, hasWarehouse: warehouseId !== undefined }
  const name = JSON.stringify(shown)
  const listed = statements.get(name) ?? {
    record: sql.raw<string>(recordOf(shown)),
    bytes: sql.raw<number>(bytesOf(shown)),
  }
  statements.set(name, listed)
  return listed
}

type ShownParts = Pick<Children, 'select' | 'skuDrafts'> & { hasWarehouse: boolean }

function recordOf({ select, skuDrafts, hasWarehouse }: ShownParts): string {
  const skus = jsonArray(`
      select ${jsonObject({
        ...sku,
        ...(select.skuImages && { images: moreOfSku.images }),
        ...(hasWarehouse && { warehouseStock: moreOfSku.warehouseStock }),
      })} as json
      from skus s
      where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active
      order by s.position`)
  const itemVariants = jsonArray(`
      select ${jsonObject(variant)} as json
      from variant_groups g
      where g.shop_id = p.shop_id and g.product_id = p.id and g.is_active
      order by g.position`)
  const shownCategory = written(`(
      select ${jsonObject(category)}
      from categories k
      where k.shop_id = p.shop_id and k.id = p.category_id
    )`)
  return jsonObject({
    ...own,
    ...(skuDrafts && { skuDrafts: compact('p.sku_drafts') }),
    ...(select.skus && { skus }),
    ...(select.variants && { itemVariants }),
    ...(select.category && { category: shownCategory }),
    ...(select.wholesalePrices && { wholesalePrices }),
    ...(select.subItemsGroups && { subItemsGroups }),
  } satisfies Partial<Fields<Product>>)
}

/** About what a record, SKU, tier, option and so on have beside their long texts and lists, in bytes. */
const FIXED_BYTES = 1_500
const FIXED_SKU_BYTES = 500
const FIXED_PART_BYTES = 150
const ID_BYTES = 27

/**
 * About how many bytes the record has: what its long texts and lists take, and so much for the rest of each part. It is far cheaper
 * than the record itself, so that no page is written that is too large to be sent (decision 0060).
 */
function bytesOf({ select, skuDrafts, hasWarehouse }: ShownParts): string {
  const written = (text: string) => `octet_length(to_json(${text})::text)`
  const sumOf = (each: string, rows: string) => `coalesce((
      select sum(${each})
      from ${rows}
    ), 0)`
  const ofSkus = (each: string) =>
    sumOf(each, 'skus s where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active')
  const ids = `${ID_BYTES} * coalesce(cardinality(s.variant_option_ids), 0)`
  const sku = [
    FIXED_SKU_BYTES,
    written('s.name'),
    ids,
    ...(select.skuImages ? ['octet_length(s.images::text)'] : []),
  ]
  const parts = [
    FIXED_BYTES,
    written('p.description'),
    'octet_length(p.images::text)',
    ...(skuDrafts ? ['coalesce(octet_length(p.sku_drafts::text), 0)'] : []),
    ...(select.skus || hasWarehouse ? [ofSkus(sku.join(' + '))] : []),
    ...(select.variants
      ? [
          ofSkus(ids),
          sumOf(
            `${FIXED_PART_BYTES} + ${written('o.name')}`,
            `variant_groups g
      join variant_options o on o.shop_id = g.shop_id and o.group_id = g.id and o.is_active
      where g.shop_id = p.shop_id and g.product_id = p.id and g.is_active`,
          ),
        ]
      : []),
    ...(select.category
      ? [sumOf(written('k.description'), 'categories k where k.shop_id = p.shop_id and k.id = p.category_id')]
      : []),
    ...(select.wholesalePrices
      ? [
          sumOf(
            String(FIXED_PART_BYTES),
            `skus s
      join wholesale_prices n on n.shop_id = s.shop_id and n.sku_id = s.id
      where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active`,
          ),
        ]
      : []),
    ...(select.subItemsGroups
      ? [
          sumOf(
            `${FIXED_PART_BYTES} + ${written('i.name')}`,
            `sub_item_groups g
      join sub_items i on i.shop_id = g.shop_id and i.group_id = g.id
      where g.shop_id = p.shop_id and g.product_id = p.id`,
          ),
        ]
      : []),
  ]
  return parts.join(' + ')
}
