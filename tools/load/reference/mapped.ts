import { presentProduct } from '../../../server/src/modules/products/present.ts'
import type { ProductRow, SkuRow } from '../../../server/src/modules/products/sql/columns.ts'

// A list of products as a careful hand-written service makes it: two prepared statements, whose rows become the wire's fields in
// JavaScript, with the service's own presenter. No key, no limit, no validation. bench:reads refuses to run unless the response has
// the content of the service's.

export type Query = (name: string, text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

const PRODUCTS = `
  select p.*, t.stock_quantity, t.reserved_quantity, t.total_quantity,
    (select coalesce(sum(n), 0) from product_counts c where c.shop_id = $1)::int as total
  from (
    select *
    from products
    where shop_id = $1 and deleted_at is null
    order by created_at desc, id desc
    limit $2 offset $3
  ) as p
  cross join lateral (select * from product_stock t where t.shop_id = $1 and t.product_id = p.id limit 1) as t
  order by p.created_at desc, p.id desc`

const SKUS = `
  select s.*, (
      select coalesce(sum(t.quantity - t.reserved), 0)
      from stock t
      where t.shop_id = $1 and t.sku_id = s.id
    )::int as stock_quantity
  from skus s
  where s.shop_id = $1 and s.product_id = any ($2::text[]) and s.is_active
  order by s.product_id, s.position`

const SHOWN = {
  select: {
    skus: true,
    skuImages: false,
    variants: false,
    category: false,
    wholesalePrices: false,
    subItemsGroups: false,
  },
  skuDrafts: false,
  warehouseId: undefined,
}

/** A page of a shop's products with their SKUs, as E8 sends it with `select=skus`. */
export async function listMapped(query: Query, shop: string, page: number, limit: number) {
  const rows = (await query('products', PRODUCTS, [shop, limit, (page - 1) * limit])) as (ProductRow & {
    total: number
  })[]
  const ids = rows.map(({ id }) => id)
  const skus = Map.groupBy(
    (await query('skus', SKUS, [shop, ids])) as (SkuRow & { product_id: string })[],
    (sku) => sku.product_id,
  )
  const total = rows[0]?.total ?? 0
  return {
    success: true,
    data: {
      products: rows.map((row) => presentProduct({ ...row, skus: skus.get(row.id) ?? [] }, SHOWN)),
      meta: { total, totalPages: Math.ceil(total / limit), currentPage: page, limit },
    },
  }
}
