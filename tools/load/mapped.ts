// A list of products as a careful hand-written service makes it: two prepared statements, whose rows it maps in JavaScript to the
// wire's fields. No key, no limit, no validation. bench:reads refuses to run unless the response has the service's content.

type Row = Record<string, unknown>
export type Query = (name: string, text: string, values: unknown[]) => Promise<Row[]>

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

const iso = (instant: unknown) => (instant as Date).toISOString()
const number = (value: unknown) => (value === null ? null : Number(value))

/** A page of a shop's products with their SKUs, as E8 sends it with `select=skus`. */
export async function listMapped(query: Query, shop: string, page: number, limit: number) {
  const rows = await query('products', PRODUCTS, [shop, limit, (page - 1) * limit])
  const skus = await query('skus', SKUS, [shop, rows.map(({ id }) => id)])
  const byProduct = new Map<unknown, ReturnType<typeof sku>[]>()
  for (const row of skus) {
    const list = byProduct.get(row.product_id)
    if (list === undefined) byProduct.set(row.product_id, [sku(row)])
    else list.push(sku(row))
  }
  const total = Number(rows[0]?.total ?? 0)
  return {
    success: true,
    data: {
      products: rows.map((row) => ({ ...product(row), skus: byProduct.get(row.id) ?? [] })),
      meta: { total, totalPages: Math.ceil(total / limit), currentPage: page, limit },
    },
  }
}

function product(row: Row) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    type: 'product',
    name: row.name,
    description: row.description,
    images: row.images,
    price: Number(row.price),
    originPrice: number(row.origin_price),
    itemSku: row.item_sku,
    barcode: row.barcode,
    vat: Number(row.vat_basis_points) / 100,
    status: row.status,
    shopId: row.shop_id,
    categoryId: row.category_id,
    slug: row.slug,
    aliasName: row.alias_name,
    stock_quantity: Number(row.stock_quantity),
    totalRating: row.total_rating,
    totalReview: row.total_review,
    sortOrder: row.sort_order ?? 0,
    isNullSortOrder: row.sort_order === null,
    reservedQuantity: Number(row.reserved_quantity),
    totalQuantity: Number(row.total_quantity),
    virtualSold: row.virtual_sold,
    canBook: row.can_book,
    isCustomerInquiry: row.is_customer_inquiry,
    platform: row.platform,
    search: row.search,
    subItemsGroupIds: [],
    configs: row.configs,
    hashtags: row.hashtags,
    collectionIDs: row.collection_ids,
    brandProductIds: row.brand_product_ids,
    fakeReviewIds: row.fake_review_ids,
    comboItems: row.combo_items,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

function sku(row: Row) {
  return {
    _id: row.id,
    id: row.id,
    name: row.name,
    price: Number(row.price),
    originPrice: number(row.origin_price),
    stock_quantity: row.stock_quantity,
    itemId: row.product_id,
    shopId: row.shop_id,
    status: 'active',
    isActive: row.is_active,
    sku: row.code,
    barcode: row.barcode,
    variantOptionIDs: row.variant_option_ids,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
