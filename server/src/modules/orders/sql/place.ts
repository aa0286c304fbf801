import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { joinSteps, type Step } from '../../../db/fragments/steps-sql.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { openShiftOf } from '../../shifts/sql.ts'
import { type AddedEvent, addShopEvents } from '../../webhooks/outbox/sql.ts'
import { lockBuyer, lockSkus, lockStock, lockTotals, step } from './place-locks.ts'
import { type OrderRow, orderColumns } from './read.ts'

/** An order to place; money in đồng. Its lines are in the caller's order. */
export type PosOrderDraft = {
  id: ObjectId
  customerId: ObjectId | undefined
  /** Where all pieces come from; undefined: any warehouse. */
  warehouseId: ObjectId | undefined
  originPrice: number
  discount: number
  shippingFee: number
  price: number
  untaxedPrice: number
  paidAmount: number
  isPaid: boolean
  paymentStatus: string
  paymentMethod: string
  note: string
  reference: string | undefined
  paymentId: ObjectId
  /** The key or member that sold it. */
  sellerId: ObjectId | null
  /** The key or member that places it. */
  by: ObjectId | null
  /** When it was sold, if that was earlier: its payment belongs to no shift that was opened since. */
  soldAt: Date | undefined
  /** What it and its payment are dated. */
  createdAt: Date
  items: {
    id: ObjectId
    skuId: ObjectId
    productId: ObjectId
    name: string
    quantity: number
    price: number
    discount: number
    vatBasisPoints: number
  }[]
  now: Date
}

export type Placed =
  | { order: OrderRow; shortages: [] }
  | { order: null; shortages: { skuId: ObjectId; wanted: number; available: number }[] }

/**
 * Numbers, inserts and reserves a point-of-sale order (E14, G-43), or does nothing if the shop denies overselling and a SKU is
 * short; then every short SKU is returned. If there is neither an order nor a shortage, a SKU was retired or deleted since it was
 * read (G-37), or the named warehouse was. One statement.
 *
 * Correct at READ COMMITTED: `held` waits for the stock rows and reads what it has locked, not the snapshot; the updates find the
 * same newest rows, since nobody else can have changed them since. After the locks of `place-locks.ts` come the shop's order
 * number and (by trigger, at the statement's end) the order counters. Each step reads from the one before, which makes them run
 * in this order.
 */
export async function insertPosOrder(db: Db, shopId: ObjectId, order: PosOrderDraft): Promise<Placed> {
  const skuIds = [...new Set(order.items.map((item) => item.skuId))]
  const productIds = [...new Set(order.items.map((item) => item.productId))]
  const { rows } = await sql<Placed>`
    with ${joinSteps(
      readLines(order),
      sumWanted,
      lockBuyer(shopId, order.customerId),
      lockStock(shopId, skuIds, order.warehouseId),
      lockTotals(shopId, productIds),
      lockSkus(shopId, skuIds),
      takeFromWarehouses(shopId),
      findShortages(shopId),
      takeNumber(shopId, skuIds.length, order.warehouseId),
      insertOrder(shopId, order),
      insertItems(shopId),
      insertReservations,
      reserveStock(shopId),
      reserveTotals(shopId),
      insertPayment(shopId, order),
      recordEvents(shopId, order),
    )}
    select (select to_json(placed) from ${step.placed}) as order, coalesce((
      select json_agg(json_build_object('skuId', sku_id, 'wanted', wanted, 'available', available))
      from ${step.short}
    ), '[]') as shortages`.execute(db)
  return rows[0]!
}

/**
 * Adds the stock rows of SKUs that a warehouse never had, so that a sale can take its pieces from there (G-43). The warehouse is
 * locked against its deletion until they are. One statement.
 */
export async function addStockRows(
  db: Db,
  shopId: ObjectId,
  skuIds: ObjectId[],
  warehouseId: ObjectId,
): Promise<void> {
  await sql`
    with warehouse as materialized (
      select id
      from warehouses
      where shop_id = ${shopId} and id = ${warehouseId}
      for key share
    )
    insert into stock (shop_id, sku_id, warehouse_id)
    select s.shop_id, s.id, warehouse.id
    from skus s, warehouse
    where s.shop_id = ${shopId} and s.id = any (${skuIds}::text[])
      and not exists (
        select from stock t where t.shop_id = s.shop_id and t.sku_id = s.id and t.warehouse_id = warehouse.id
      )
    order by s.id
    on conflict do nothing`.execute(db)
}

function readLines({ items }: PosOrderDraft): Step {
  const lines = items.map((item, position) => ({
    id: item.id,
    sku_id: item.skuId,
    product_id: item.productId,
    name: item.name,
    quantity: item.quantity,
    price: item.price,
    discount: item.discount,
    vat_basis_points: item.vatBasisPoints,
    position,
  }))
  return sql`${step.lines} as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (id text, sku_id text, product_id text,
        name text, quantity integer, price bigint, discount bigint, vat_basis_points integer, position integer)
    )`
}

/** The total number of pieces of each SKU over all lines. */
const sumWanted: Step = sql`${step.wanted} as (
      select sku_id, sum(quantity)::bigint as n
      from ${step.lines}
      group by sku_id
    )`

/**
 * How many pieces of each SKU come from each of its warehouses: from the default one first, then by id, up to the available stock
 * of each. If the shop allows overselling, the missing pieces are reserved in the first warehouse.
 */
function takeFromWarehouses(shopId: ObjectId): Step {
  return sql`${step.ranked} as (
      select h.sku_id, h.warehouse_id, wanted.n as wanted, greatest(h.available, 0) as free,
        row_number() over (partition by h.sku_id order by w.is_default desc, h.warehouse_id) as place
      from ${step.held} h
      join ${step.wanted} on wanted.sku_id = h.sku_id
      join warehouses w on w.shop_id = ${shopId} and w.id = h.warehouse_id
    ), ${step.filled} as (
      select sku_id, warehouse_id, place, wanted, free, sum(free) over by_place - free as free_before,
        sum(free) over (partition by sku_id) as free_in_all
      from ${step.ranked}
      window by_place as (partition by sku_id order by place)
    ), ${step.taken} as materialized (
      select sku_id, warehouse_id,
        (least(free, greatest(wanted - free_before, 0))
          + case when place = 1 then greatest(wanted - free_in_all, 0) else 0 end)::bigint as n
      from ${step.filled}
    )`
}

/** The SKUs that are short; none if the shop allows overselling. */
function findShortages(shopId: ObjectId): Step {
  return sql`${step.short} as materialized (
      select wanted.sku_id, wanted.n as wanted, greatest(coalesce(sum(h.available), 0), 0)::bigint as available
      from ${step.wanted}
      left join ${step.held} h on h.sku_id = wanted.sku_id
      where (select oversell from shops where id = ${shopId}) = 'deny'
      group by wanted.sku_id, wanted.n
      having wanted.n > coalesce(sum(h.available), 0)
    )`
}

/** The next order number. No row, and so no order, when a SKU is short or no longer for sale, or a named warehouse has no row for it. */
function takeNumber(shopId: ObjectId, skuCount: number, warehouseId: ObjectId | undefined): Step {
  const isHeld =
    warehouseId === undefined ? sql`` : sql` and (select count(*) from ${step.held}) = ${skuCount}`
  return sql`${step.numbered} as (
      insert into shop_counters as c (shop_id, name, value)
      select ${shopId}, 'order_number', 1
      where not exists (select from ${step.short}) and (select count(*) from ${step.sold}) = ${skuCount}${isHeld}
      on conflict (shop_id, name) do update set value = c.value + 1
      returning c.value
    )`
}

function insertOrder(shopId: ObjectId, order: PosOrderDraft): Step {
  return sql`${step.placed} as (
      insert into orders as o (shop_id, id, code, customer_id, origin_price, discount, shipping_fee, price,
        untaxed_price, paid_amount, is_paid, payment_status, payment_method, note, reference, status,
        platform, search, sold_by, sent_by, updated_by, created_at, updated_at)
      select ${shopId}, ${order.id}, 'DH' || value, ${order.customerId ?? null}, ${order.originPrice}::bigint,
        ${order.discount}::bigint, ${order.shippingFee}::bigint, ${order.price}::bigint,
        ${order.untaxedPrice}::bigint, ${order.paidAmount}::bigint, ${order.isPaid}::boolean,
        ${order.paymentStatus}, ${order.paymentMethod}, ${order.note}, ${order.reference ?? null},
        'pending', 'mini_pos',
        concat_ws(' ', 'dh' || value, (select search from ${step.buyer}), lower(${order.reference ?? null}::text)),
        ${order.sellerId}, ${order.sellerId === order.by ? null : order.by}, ${order.by}, ${order.createdAt}::timestamptz,
        ${order.now}::timestamptz
      from ${step.numbered}
      returning ${orderColumns}
    )`
}

/**
 * Each line stores the current average cost of a piece, read without a lock: a sale never waits for goods received (decision
 * 0038).
 */
function insertItems(shopId: ObjectId): Step {
  return sql`${step.items} as (
      insert into order_items
        (shop_id, id, order_id, sku_id, name, quantity, price, discount, vat_basis_points, position, unit_cost)
      select placed.shop_id, line.id, placed.id, line.sku_id, line.name, line.quantity, line.price, line.discount,
        line.vat_basis_points, line.position, (
          select c.unit_cost
          from sku_costs c
          where c.shop_id = ${shopId} and c.sku_id = line.sku_id
        )
      from ${step.placed}, ${step.lines} line
    )`
}

const insertReservations: Step = sql`${step.reservations} as (
      insert into order_reservations (shop_id, order_id, sku_id, warehouse_id, quantity)
      select placed.shop_id, placed.id, taken.sku_id, taken.warehouse_id, taken.n
      from ${step.placed}, ${step.taken}
      where taken.n > 0
    )`

function reserveStock(shopId: ObjectId): Step {
  return sql`${step.reserved_stock} as (
      update stock
      set reserved = reserved + taken.n
      from ${step.placed}, ${step.taken}
      where stock.shop_id = ${shopId} and stock.sku_id = taken.sku_id
        and stock.warehouse_id = taken.warehouse_id and taken.n > 0
      returning stock.sku_id, stock.warehouse_id, stock.quantity, stock.reserved
    )`
}

function reserveTotals(shopId: ObjectId): Step {
  return sql`${step.reserved_totals} as (
      update product_stock t
      set reserved_quantity = reserved_quantity + part.n
      from ${step.placed}, (
        select skus.product_id, sum(taken.n)::bigint as n
        from ${step.taken}
        join skus on skus.shop_id = ${shopId} and skus.id = taken.sku_id
        group by skus.product_id
      ) as part
      where t.shop_id = ${shopId} and t.product_id = part.product_id
    )`
}

/** The payment is recorded in the open shift of whoever took it. */
function insertPayment(shopId: ObjectId, { paymentId, sellerId, soldAt }: PosOrderDraft): Step {
  return sql`${step.shift} as materialized (${openShiftOf(shopId, sellerId, soldAt)}
    ), ${step.payment} as (
      insert into gateway_payments (shop_id, id, order_id, amount, method, taken_by, shift_id, created_at)
      select shop_id, ${paymentId}, id, paid_amount, payment_method, ${sellerId}, (select id from ${step.shift}), created_at
      from ${step.placed}
      where paid_amount > 0
    )`
}

/** The events that the order was created, that it was paid, and that its goods were reserved (G-62), in this order. */
function recordEvents(shopId: ObjectId, { now }: PosOrderDraft): Step {
  return addShopEvents('events', shopId, [createdEvent, paidEvent, stockEvent(shopId)], now)
}

const createdEvent: AddedEvent = {
  type: 'order.created',
  data: sql`jsonb_build_object('orderId', id, 'code', code, 'status', status, 'price', price,
          'paidAmount', paid_amount, 'paymentStatus', payment_status, 'customerId', customer_id, 'platform', platform)`,
  from: step.placed,
}

const paidEvent: AddedEvent = {
  type: 'order.paid',
  data: sql`jsonb_build_object('orderId', id, 'code', code, 'price', price, 'paidAmount', paid_amount,
          'paymentMethod', payment_method)`,
  from: sql`${step.placed} where is_paid`,
}

function stockEvent(shopId: ObjectId): AddedEvent {
  return {
    type: 'stock.changed',
    data: sql`jsonb_build_object('reason', 'reserve', 'orderId', (select id from ${step.placed}), 'isCut', false,
          'items', jsonb_agg(jsonb_build_object('productId', skus.product_id, 'skuId', skus.id,
            'warehouseId', s.warehouse_id, 'quantity', s.quantity, 'reserved', s.reserved)
            order by skus.id, s.warehouse_id))`,
    from: sql`${step.reserved_stock} s
        join skus on skus.shop_id = ${shopId} and skus.id = s.sku_id
        having count(*) > 0`,
  }
}
