import { type RawBuilder, sql } from 'kysely'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Selected, SkuDrafts } from '../rules.ts'

export type ProductRow = {
  id: ObjectId
  shop_id: ObjectId
  version: number
  name: string
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
  alias_name: string
  stock_quantity: number
  total_quantity: number
  reserved_quantity: number
  total_rating: number
  total_review: number
  sort_order: number | null
  can_book: boolean
  is_customer_inquiry: boolean
  virtual_sold: number
  platform: string
  s_product_id: string | null
  store_id: string | null
  search: string
  configs: unknown[]
  hashtags: unknown[]
  collection_ids: unknown[]
  brand_product_ids: unknown[]
  fake_review_ids: unknown[]
  combo_items: unknown[]
  sub_item_group_ids: ObjectId[] | null
  created_at: Date
  updated_at: Date
}

/** Times inside children are ISO texts as PostgreSQL writes them into JSON. */
export type SkuRow = {
  id: ObjectId
  name: string
  price: number
  origin_price: number | null
  code: string
  barcode: string
  images: string[]
  variant_option_ids: ObjectId[]
  is_active: boolean
  created_at: string
  updated_at: string
  stock_quantity: number
  warehouse?: { quantity: number; reserved: number } | null
}

export type GroupRow = {
  id: ObjectId
  name: string
  position: number
  created_at: string
  updated_at: string
  options: { id: ObjectId; name: string; position: number }[] | null
}

export type CategoryRow = {
  id: ObjectId
  version: number
  name: string
  slug: string
  description: string
  image: string
  parent_id: ObjectId | null
  sort_order: number
  created_at: string
  updated_at: string
}

export type WholesalePriceRow = { id: ObjectId; sku_id: ObjectId; min_quantity: number; price: number }

export type SubItemGroupRow = {
  id: ObjectId
  name: string
  is_required: boolean
  max_select: number
  items: { id: ObjectId; name: string; price: number }[] | null
}

/** The children that a read adds to a product; null means none. */
export type ChildRows = {
  sku_drafts?: SkuDrafts
  skus?: SkuRow[] | null
  variant_groups?: GroupRow[] | null
  category?: CategoryRow | null
  wholesale_prices?: WholesalePriceRow[] | null
  sub_item_groups?: SubItemGroupRow[] | null
}

/** The children that a read fetches. `variants` fetches the SKUs too, because the options refer to them. */
export type Children = { select: Selected; skuDrafts: boolean; warehouseId: ObjectId | undefined }

/** The columns of a {@link ProductRow} that are stored in `products`, for the alias `p`. */
export const storedColumns = sql.raw(`p.id, p.shop_id, p.version, p.name, p.description, p.images, p.price,
    p.origin_price, p.item_sku, p.barcode, p.vat_basis_points, p.status, p.category_id, p.slug, p.alias_name,
    p.total_rating, p.total_review, p.sort_order, p.can_book,
    p.is_customer_inquiry, p.virtual_sold, p.platform, p.s_product_id, p.store_id, p.search, p.configs,
    p.hashtags, p.collection_ids, p.brand_product_ids, p.fake_review_ids, p.combo_items, p.created_at,
    p.updated_at`)

/** A product's stock totals from its row of `product_stock`, for the alias `totals`. */
export const totalColumns = sql.raw('totals.stock_quantity, totals.total_quantity, totals.reserved_quantity')

/** The data of a product's event (G-62), for the alias `p`. */
export const productEventData = sql.raw(`jsonb_build_object('productId', p.id, 'name', p.name, 'slug', p.slug,
          'itemSku', p.item_sku, 'status', p.status, 'price', p.price)`)

/** The remaining column of a {@link ProductRow}; read it in the outermost select. */
export const subItemGroupIds = sql.raw(`(
      select json_agg(g.id order by g.position)
      from sub_item_groups g
      where g.shop_id = p.shop_id and g.product_id = p.id
    ) as sub_item_group_ids`)

/**
 * The children of the products `p`, as further columns. Each is a subquery of the select list, so it runs once for each
 * product shown, over its own index, whatever number of products the planner expects. The innermost `order by` follows
 * an index, so nothing is sorted.
 */
export function childColumns(children: Children): RawBuilder<unknown> {
  const { select, warehouseId } = children
  const columns = [
    ...(children.skuDrafts ? [sql`p.sku_drafts`] : []),
    ...(select.skus || select.variants || warehouseId !== undefined ? [skus(warehouseId)] : []),
    ...(select.variants ? [variantGroups] : []),
    ...(select.category ? [category] : []),
    ...(select.wholesalePrices ? [wholesalePrices] : []),
    ...(select.subItemsGroups ? [subItemGroups] : []),
  ]
  return columns.length === 0 ? sql`` : sql`, ${sql.join(columns)}`
}

function skus(warehouseId: ObjectId | undefined): RawBuilder<unknown> {
  const warehouse =
    warehouseId === undefined
      ? sql``
      : sql`, (
          select row_to_json(w)
          from (
            select t.quantity, t.reserved
            from stock t
            where t.shop_id = s.shop_id and t.sku_id = s.id and t.warehouse_id = ${warehouseId}
          ) w
        ) as warehouse`
  return sql`(
      select json_agg(k)
      from (
        select s.id, s.name, s.price, s.origin_price, s.code, s.barcode, s.images, s.variant_option_ids,
          s.is_active, s.created_at, s.updated_at, (
            select coalesce(sum(t.quantity - t.reserved), 0)
            from stock t
            where t.shop_id = s.shop_id and t.sku_id = s.id
          ) as stock_quantity${warehouse}
        from skus s
        where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active
        order by s.position
      ) k
    ) as skus`
}

const variantGroups = sql.raw(`(
      select json_agg(v)
      from (
        select g.id, g.name, g.position, g.created_at, g.updated_at, (
            select json_agg(c)
            from (
              select o.id, o.name, o.position
              from variant_options o
              where o.shop_id = g.shop_id and o.group_id = g.id and o.is_active
              order by o.position
            ) c
          ) as options
        from variant_groups g
        where g.shop_id = p.shop_id and g.product_id = p.id and g.is_active
        order by g.position
      ) v
    ) as variant_groups`)

const category = sql.raw(`(
      select row_to_json(c)
      from (
        select k.id, k.version, k.name, k.slug, k.description, k.image, k.parent_id, k.sort_order, k.created_at,
          k.updated_at
        from categories k
        where k.shop_id = p.shop_id and k.id = p.category_id
      ) c
    ) as category`)

const wholesalePrices = sql.raw(`(
      select json_agg(w)
      from (
        select n.id, n.sku_id, n.min_quantity, n.price
        from skus s
        join wholesale_prices n on n.shop_id = s.shop_id and n.sku_id = s.id
        where s.shop_id = p.shop_id and s.product_id = p.id and s.is_active
        order by s.position, s.id, n.min_quantity
      ) w
    ) as wholesale_prices`)

const subItemGroups = sql.raw(`(
      select json_agg(v)
      from (
        select g.id, g.name, g.is_required, g.max_select, (
            select json_agg(c)
            from (
              select i.id, i.name, i.price
              from sub_items i
              where i.shop_id = g.shop_id and i.group_id = g.id
              order by i.position
            ) c
          ) as items
        from sub_item_groups g
        where g.shop_id = p.shop_id and g.product_id = p.id
        order by g.position
      ) v
    ) as sub_item_groups`)
