import Fastify from 'fastify'
import pg from 'pg'
import { openEmbedded } from '../../../server/src/db/embedded/embedded.ts'
import { listMapped, type Query } from './mapped.ts'

// The best that a hand-written service could do in the same process model: Fastify and one prepared statement, whose
// rows are sent unchanged. No key, no limit, no validation. The statement returns the wire names.

const E8 = `
  with page as (
    select * from products where shop_id = $1 and deleted_at is null order by created_at desc, id desc limit $2 offset $3
  )
  select p.id as "_id", p.id, p.version as "__v", 'product' as type, p.name, p.description, p.images, p.price,
    p.origin_price as "originPrice", p.item_sku as "itemSku", p.barcode, p.vat_basis_points / 100.0 as vat, p.status, p.shop_id as "shopId",
    p.category_id as "categoryId", p.slug, p.alias_name as "aliasName", t.stock_quantity, p.total_rating as "totalRating",
    p.total_review as "totalReview", p.sort_order as "sortOrder", t.reserved_quantity as "reservedQuantity",
    t.total_quantity as "totalQuantity", p.virtual_sold as "virtualSold", p.sort_order is null as "isNullSortOrder",
    p.can_book as "canBook", p.is_customer_inquiry as "isCustomerInquiry", p.platform, p.search, p.configs, p.hashtags,
    p.collection_ids as "collectionIDs", p.brand_product_ids as "brandProductIds", p.fake_review_ids as "fakeReviewIds",
    p.combo_items as "comboItems", '[]'::jsonb as "subItemsGroupIds", p.created_at as "createdAt",
    p.updated_at as "updatedAt",
    (select sum(n) from product_counts c where c.shop_id = $1) as total,
    (select json_agg(json_build_object('_id', s.id, 'id', s.id, 'name', s.name, 'price', s.price,
        'originPrice', s.origin_price, 'stock_quantity',
        (select sum(quantity - reserved) from stock t where t.shop_id = s.shop_id and t.sku_id = s.id),
        'itemId', s.product_id, 'shopId', s.shop_id, 'status', 'active', 'isActive', s.is_active, 'sku', s.code,
        'barcode', s.barcode, 'variantOptionIDs', s.variant_option_ids, 'createdAt', s.created_at,
        'updatedAt', s.updated_at) order by s.position)
      from skus s where s.shop_id = $1 and s.product_id = p.id and s.is_active) as skus,
    (select json_agg(json_build_object('_id', g.id, 'id', g.id, 'name', g.name, 'itemId', g.product_id, 'isActive',
        g.is_active, 'position', g.position, 'createdAt', g.created_at, 'updatedAt', g.updated_at,
        'itemVariantOptions',
        (select json_agg(json_build_object('_id', o.id, 'id', o.id, 'name', o.name, 'itemVariantId', o.group_id,
            'isActive', o.is_active, 'position', o.position, 'skuIDs',
            (select json_agg(s.id) from skus s where s.shop_id = $1 and s.product_id = p.id
              and o.id::text = any (s.variant_option_ids))) order by o.position)
          from variant_options o where o.shop_id = $1 and o.group_id = g.id)) order by g.position)
      from variant_groups g where g.shop_id = $1 and g.product_id = p.id) as "itemVariants"
  from page p
  cross join lateral (select * from product_stock t where t.shop_id = $1 and t.product_id = p.id limit 1) t
  order by p.created_at desc, p.id desc`

const E12 = `
  with page as (
    select * from orders where shop_id = $1 order by created_at desc, id desc limit $2 offset $3
  )
  select o.id as "_id", o.id, o.version as "__v", o.code, o.shipping_method as "shippingMethod", o.price, o.discount,
    o.origin_price as "originPrice", o.untaxed_price as "untaxedPrice", o.shipping_fee as "shippingFee", o.status,
    o.payment_status as "paymentStatus", o.payment_method as "paymentMethod", o.note, o.search, o.platform,
    o.paid_amount as "paidAmount", o.is_paid as "isPaid", o.shop_id as "shopId", o.created_at as "createdAt",
    o.updated_at as "updatedAt",
    json_build_object('_id', c.id, 'id', c.id, 'phone', c.phone, 'fullName', c.full_name, 'avatar', c.avatar) as "userId",
    (select json_object_agg(status, n) from (select status, sum(n) as n from order_counts
      where shop_id = $1 and day = '-infinity' group by status) counts) as "orderCountByStatus",
    (select json_agg(json_build_object('_id', i.id, 'id', i.id, 'orderId', i.order_id, 'skuId', i.sku_id, 'quantity',
        i.quantity, 'price', i.price, 'name', i.name, 'status', i.status, 'listSubItem', i.list_sub_item, 'sku',
        json_build_object('_id', s.id, 'id', s.id, 'name', s.name, 'price', s.price, 'originPrice', s.origin_price,
          'images', s.images, 'itemId', s.product_id, 'sku', s.code, 'barcode', s.barcode, 'variantOptionIDs',
          s.variant_option_ids, 'variantOptions',
          (select coalesce(json_agg(json_build_object('_id', v.id, 'id', v.id, 'name', v.name)), '[]')
            from variant_options v where v.shop_id = $1 and v.id = any (s.variant_option_ids)),
          'item', json_build_object('_id', p.id, 'id', p.id, 'name', p.name, 'images', p.images))) order by i.position)
      from order_items i
      join skus s on s.shop_id = $1 and s.id = i.sku_id
      join products p on p.shop_id = $1 and p.id = s.product_id
      where i.shop_id = $1 and i.order_id = o.id) as "orderItems"
  from page o
  left join customers c on c.shop_id = $1 and c.id = o.customer_id
  order by o.created_at desc, o.id desc`

async function connect(): Promise<Query> {
  const url = process.env.BENCH_REFERENCE_URL
  if (url !== undefined) {
    const pool = new pg.Pool({
      connectionString: url,
      max: 20,
      application_name: 'shopbell',
      options: '-c timezone=UTC -c jit=off',
    })
    return async (name, text, values) => (await pool.query({ name, text, values })).rows
  }
  const { pglite } = await openEmbedded(process.env.BENCH_REFERENCE_FOLDER!)
  return async (_name, text, values) => (await pglite!.query<Record<string, unknown>>(text, values)).rows
}

type PageQuery = { Querystring: { shop: string; page: string; limit: string } }

const query = await connect()
const app = Fastify()

app.get<PageQuery>('/e8', async (request) => {
  const { shop, page, limit } = request.query
  const rows = await query('e8', E8, [shop, Number(limit), (Number(page) - 1) * Number(limit)])
  const total = Number(rows[0]?.total ?? 0)
  for (const row of rows) delete row.total
  return {
    success: true,
    data: { products: rows, meta: { total, totalPages: 1, currentPage: Number(page), limit: Number(limit) } },
  }
})

app.get<PageQuery>('/mapped', async (request) => {
  const { shop, page, limit } = request.query
  return listMapped(query, shop, Number(page), Number(limit))
})

app.get<PageQuery>('/e12', async (request) => {
  const { shop, page, limit } = request.query
  const rows = await query('e12', E12, [shop, Number(limit), (Number(page) - 1) * Number(limit)])
  const orderCountByStatus = rows[0]?.orderCountByStatus
  for (const row of rows) delete row.orderCountByStatus
  return {
    success: true,
    data: { orders: rows, orderCountByStatus, meta: { page: Number(page), limit: Number(limit) } },
  }
})

let bytes = ''
app.post<{ Body: { text: string } }>('/bytes', { bodyLimit: 10_000_000 }, async (request) => {
  bytes = request.body.text
  return { length: bytes.length }
})
app.get('/bytes', async (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes))

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`ready at ${url}\n`)
process.once('SIGTERM', () => process.exit(0))
