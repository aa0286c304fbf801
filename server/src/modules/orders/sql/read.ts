import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { copiedOrder, copiedRows } from '../../../db/fragments/copied-sql.ts'
import { firstImages } from '../../../db/fragments/first-images-sql.ts'
import { MOST_PIECE_BYTES, rowsWithin } from '../../../db/fragments/rows-within-sql.ts'
import { whoOf } from '../../../db/fragments/who-sql.ts'
import type { Copied } from '../../../lib/lists/copied.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Who } from '../../../lib/who.ts'

export type VariantOptionJson = {
  id: ObjectId
  name: string
  groupId: ObjectId
  isActive: boolean
  position: number
}

export type SkuJson = {
  id: ObjectId
  name: string
  price: number
  originPrice: number | null
  images: string[]
  code: string
  barcode: string
  variantOptionIds: ObjectId[]
  variantOptions: VariantOptionJson[]
  item: { id: ObjectId; name: string; images: string[] }
}

export type OrderItemJson = {
  id: ObjectId
  name: string
  quantity: number
  price: number
  discount: number
  vatBasisPoints: number
  status: string
  listSubItem: unknown[]
  sku: SkuJson
}

export type CustomerJson = { id: ObjectId; email: string; phone: string; fullName: string; avatar: string }

export type PaymentJson = { id: ObjectId; amount: number; method: string; note: string; createdAt: string }

/** An order's own columns, as JSON: instants are texts with an offset. */
export type OrderRow = {
  shop_id: ObjectId
  id: ObjectId
  version: number
  code: string
  shipping_method: string
  address_id: string | null
  shop_address_id: ObjectId | null
  customer_id: ObjectId | null
  price: number
  discount: number
  origin_price: number
  discount_shipping: number
  flash_sale_discount: number
  shipping_fee: number
  loyalty_discount: number
  point_discount_price: number
  points: number
  paid_amount: number
  returned_amount: number
  untaxed_price: number | null
  is_paid: boolean
  is_synced: boolean
  is_vat: boolean
  status: string
  payment_status: string
  invoice_status: string
  payment_method: string
  note: string
  reference: string | null
  search: string
  platform: string
  s_order_id: string
  order_table: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

export type OrderWithItems = OrderRow & { items: OrderItemJson[]; customer: CustomerJson | null }

export type OrderDetailRow = OrderWithItems & {
  reason_cancel: string
  admin_user: Record<string, unknown> | null
  user_address: Record<string, string> | null
  collab: Record<string, unknown> | null
  referrer_full_name: string
  shop_address: { id: ObjectId; name: string } | null
  payments: PaymentJson[]
}

/** The columns of {@link OrderRow}; the order is `o`. */
export const orderColumns = sql`o.shop_id, o.id, o.version, o.code, o.shipping_method, o.address_id,
  o.shop_address_id, o.customer_id, o.price, o.discount, o.origin_price, o.discount_shipping,
  o.flash_sale_discount, o.shipping_fee, o.loyalty_discount, o.point_discount_price, o.points, o.paid_amount,
  o.returned_amount, o.untaxed_price, o.is_paid, o.is_synced, o.is_vat, o.status, o.payment_status, o.invoice_status,
  o.payment_method, o.note, o.reference, o.search, o.platform, o.s_order_id, o.order_table, o.created_at, o.updated_at`

/** The further columns of {@link OrderDetailRow}; the order is `o`. */
const detailColumns = sql`o.reason_cancel, o.admin_user, o.user_address, o.collab, o.referrer_full_name`

/** A {@link SkuJson}; the SKU is `s`, its product `p`; the order has `i.lines` lines. */
const skuJson = sql`json_build_object(
  'id', s.id,
  'name', s.name,
  'price', s.price,
  'originPrice', s.origin_price,
  'images', ${sql.raw(firstImages('s.images', 'i.lines'))},
  'code', s.code,
  'barcode', s.barcode,
  'variantOptionIds', to_json(s.variant_option_ids),
  'variantOptions', (
    select coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'groupId', v.group_id,
      'isActive', v.is_active, 'position', v.position) order by array_position(s.variant_option_ids, v.id::text)), '[]')
    from variant_options v
    where v.shop_id = s.shop_id and v.id = any (s.variant_option_ids)
  ),
  'item', json_build_object('id', p.id, 'name', p.name, 'images', ${sql.raw(firstImages('p.images', 'i.lines'))})
)`

/** The order's {@link OrderItemJson}s as one JSON array; the order is `o`. */
const itemsOfOrder = sql`(
  select coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'quantity', i.quantity,
    'price', i.price, 'discount', i.discount, 'vatBasisPoints', i.vat_basis_points, 'status', i.status,
    'listSubItem', i.list_sub_item, 'sku', ${skuJson}) order by i.position), '[]')
  from (
    select l.*, count(*) over () as lines
    from order_items l
    where l.shop_id = o.shop_id and l.order_id = o.id
  ) as i
  join skus s on s.shop_id = i.shop_id and s.id = i.sku_id
  join products p on p.shop_id = s.shop_id and p.id = s.product_id
)`

const customerJson = sql`json_build_object('id', c.id, 'email', c.email, 'phone', c.phone,
  'fullName', c.full_name, 'avatar', c.avatar)`

/** The order's {@link CustomerJson}, or null for a walk-in; the order is `o`. */
const customerOfOrder = sql`(
  select ${customerJson}
  from customers c
  where c.shop_id = o.shop_id and c.id = o.customer_id
)`

/** All columns of {@link OrderDetailRow}; the order is `o`. */
const wholeOrder = sql`${orderColumns}, ${detailColumns},
        ${itemsOfOrder} as items,
        ${customerOfOrder} as customer,
        (
          select json_build_object('id', a.id, 'name', a.name)
          from shop_addresses a
          where a.shop_id = o.shop_id and a.id = o.shop_address_id
        ) as shop_address,
        (
          select coalesce(json_agg(json_build_object('id', g.id, 'amount', g.amount, 'method', g.method,
            'note', g.note, 'createdAt', g.created_at) order by g.created_at, g.id), '[]')
          from gateway_payments g
          where g.shop_id = o.shop_id and g.order_id = o.id
        ) as payments`

/** One order with its items, customer, shop address and payments (E13). One statement. */
export async function findOrder(db: Db, shopId: ObjectId, id: ObjectId): Promise<OrderDetailRow | undefined> {
  const { rows } = await sql<{ document: OrderDetailRow }>`
    select to_json(found) as document
    from (
      select ${wholeOrder}
      from orders o
      where o.shop_id = ${shopId} and o.id = ${id}
    ) as found`.execute(db)
  return rows[0]?.document
}

/** The first of the orders of a shop by id that fit, each as {@link findOrder} gives it (G-66, G-67). One statement. */
export async function listCopiedOrders(db: Db, shopId: ObjectId, copied: Copied): Promise<OrderDetailRow[]> {
  const record = sql`
      select to_json(whole)::text as record
      from (
        select ${wholeOrder}
        from orders o
        where o.shop_id = ${shopId} and o.id = numbered.id
        limit 1
      ) as whole`
  const { rows } = await sql<{ document: OrderDetailRow }>`
    with recursive ids as materialized (
      select o.id
      from orders o
      where o.shop_id = ${shopId}
      ${copiedRows(sql`o.id`, copied)}
    ), ${rowsWithin(copiedOrder(sql`ids.id`, copied), record, sql`octet_length(found.record)`, MOST_PIECE_BYTES)}
    select record::json as document
    from within
    where place > 0
    order by place`.execute(db)
  return rows.map(({ document }) => document)
}

/** The records that a point-of-sale order names: the customer, and for each id the SKU with its product's VAT rate. */
export type OrderParties = {
  customer: CustomerJson | null
  warehouseId: ObjectId | null
  sellables: { asked: ObjectId; sku: SkuJson; vatBasisPoints: number }[]
}

/**
 * The SKUs that `ids` name (G-41): an active SKU by its own id or, if the id is a product's, its only active SKU; an id that
 * names none is missing from the result. Images are those that an order of `lines` lines shows. And the customer and the warehouse, null when there
 * is none.
 *
 * PostgreSQL plans it once per connection, not at each sale (`planned-once.test.ts`): it expects 100 ids of a JSON array, however many
 * there are, so no plan for certain ids seems cheaper; `limit 1` leaves look-ups by key as the only plan.
 */
export async function findOrderParties(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[],
  lines: number,
  customerId: ObjectId | undefined,
  warehouseId: ObjectId | undefined,
): Promise<OrderParties> {
  const { rows } = await sql<OrderParties>`
    select (
      select id
      from warehouses
      where shop_id = ${shopId} and id = ${warehouseId ?? null}
    ) as "warehouseId", (
      select ${customerJson}
      from customers c
      where c.shop_id = ${shopId} and c.id = ${customerId ?? null}
    ) as customer, (
      select coalesce(json_agg(json_build_object('asked', asked.id, 'vatBasisPoints', found.vat_basis_points, 'sku', found.sku)), '[]')
      from json_array_elements_text(${JSON.stringify(ids)}::json) as asked (id)
      cross join lateral (
        select own.id::text as id
        from skus own
        where own.shop_id = ${shopId} and own.id = asked.id and own.is_active
        union all
        select min(sole.id::text)
        from skus sole
        where sole.shop_id = ${shopId} and sole.product_id = asked.id and sole.is_active
        having count(*) = 1
      ) as named
      cross join lateral (
        select p.vat_basis_points, ${skuJson} as sku
        from skus s
        join products p on p.shop_id = s.shop_id and p.id = s.product_id
        cross join (select ${lines}::bigint as lines) as i
        where s.shop_id = ${shopId} and s.id = named.id
        limit 1
      ) as found
    ) as sellables`.execute(db)
  return rows[0]!
}

/** Writes the customer's new search text into all of the customer's orders (E12 `search`). */
export async function renameOrders(
  trx: Db,
  shopId: ObjectId,
  customerId: ObjectId,
  customerSearch: string,
): Promise<void> {
  await sql`
    update orders
    set search = concat_ws(' ', lower(code), ${customerSearch}::text, lower(reference))
    where shop_id = ${shopId} and customer_id = ${customerId}`.execute(trx)
}

export type TimelineRow = {
  kind: 'created' | 'status' | 'payment' | 'return'
  detail: {
    status?: string | null
    from?: string
    to?: string
    reason?: string
    paymentId?: ObjectId
    returnId?: ObjectId
    quantity?: number
    amount?: number
    method?: string
    note?: string
  }
  by: Who | null
  /** ISO 8601 with an offset. */
  created_at: string
}

/** The most events that a timeline shows. */
const MOST_STEPS = 1000

export type OrderTimeline = {
  steps: TimelineRow[]
  /** Null where it was not recorded. */
  sold_by: Who | null
  /** Null unless somebody else sent it. */
  sent_by: Who | null
}

/** The timeline of an order, the oldest first; undefined when there is no such order. One statement. */
export async function listTimeline(
  db: Db,
  shopId: ObjectId,
  orderId: ObjectId,
): Promise<OrderTimeline | undefined> {
  const { rows } = await sql<OrderTimeline>`
    select (
      select coalesce(json_agg(to_json(step)), '[]')
      from (
        select e.kind, e.detail, ${whoOf(sql`e.shop_id`, sql`e.by_id`)} as by, e.created_at
        from order_events e
        where e.shop_id = o.shop_id and e.order_id = o.id
        order by e.id
        limit ${MOST_STEPS}
      ) as step
    ) as steps,
      ${whoOf(sql`o.shop_id`, sql`o.sold_by`)} as sold_by,
      ${whoOf(sql`o.shop_id`, sql`o.sent_by`)} as sent_by
    from orders o
    where o.shop_id = ${shopId} and o.id = ${orderId}`.execute(db)
  return rows[0]
}
