import { sql } from 'kysely'
import type { Trx } from '../db/client.ts'
import { OWN_EDIT } from '../lib/edit.ts'
import type { ObjectId } from '../lib/object-id.ts'
import { fold } from '../lib/text/fold.ts'
import { customerSearch } from '../modules/customers/rules.ts'
import { computeAmounts } from '../modules/orders/amounts.ts'
import { changeOrderStatus } from '../modules/orders/change-status.ts'
import { createPosOrder } from '../modules/orders/create-pos-order.ts'
import { ORDER_STATUSES, type OrderStatus } from '../modules/orders/rules.ts'
import { type DemoCatalogue, type DemoSku, demoUnitCost } from './catalogue.ts'
import { orderMoments } from './moments.ts'
import type { DemoCustomer } from './people.ts'
import type { Seeding } from './seeding.ts'

const ORDERS = 300
const DAYS = 60
const STEP_MS = { mini_app: 10 * 3_600_000, mini_pos: 4 * 60_000 }

const SHIPPING_FEE = 25_000
const REASON = 'Khách đổi ý'

/** The index of a status is the number of status changes of an order from the mini app. */
const STEPS: OrderStatus[] = ORDER_STATUSES.filter((status) => status !== 'cancelled')
const RECENT: Record<'mini_app' | 'mini_pos', OrderStatus[]> = {
  mini_app: STEPS,
  mini_pos: ['pending', 'confirmed', 'completed', 'completed'],
}
const PAST: OrderStatus[] = [
  'delivered',
  ...Array.from({ length: 9 }, () => 'completed' as const),
  'cancelled',
  'cancelled',
]

/** A planned order: what was bought, when, and its status. */
type DemoOrder = {
  n: number
  id: ObjectId
  at: Date
  platform: 'mini_app' | 'mini_pos'
  status: OrderStatus
  changes: number
  changedAt: Date
  customer: DemoCustomer | undefined
  lines: { sku: DemoSku; quantity: number; discount: number }[]
  discount: number
}

/**
 * Seeds orders of the last two months in every status, from the mini app and the counter, with their stock. Counter
 * orders are created, paid and advanced by the operations. Those of the mini app are inserted as rows: no operation of
 * ours creates them, and at 15 ms an order the first start would take 4 s longer.
 */
export async function seedOrders(
  seeding: Seeding,
  catalogue: DemoCatalogue,
  customers: DemoCustomer[],
): Promise<void> {
  const { trx, shopId } = seeding
  const orders = orderMoments(seeding.now, ORDERS, DAYS).map((moment, n) =>
    planOrder(n, moment, seeding, catalogue, customers),
  )
  await insertOrdersOfApp(
    seeding,
    orders.filter((order) => order.platform === 'mini_app'),
  )
  // The planner does not know the new rows yet: without this a sale takes twice as long.
  await sql`analyze orders, order_items, order_reservations, stock, product_stock, skus, products, customers`.execute(
    trx,
  )
  for (const order of orders) if (order.platform === 'mini_pos') await sellAtCounter(seeding, order)
  await setOrderNumber(trx, shopId, ORDERS)
}

function planOrder(
  n: number,
  moment: Date,
  { ids, now, random }: Seeding,
  catalogue: DemoCatalogue,
  customers: DemoCustomer[],
): DemoOrder {
  const at = new Date(moment.getTime() - random(300_000))
  const platform = random(5) === 0 ? 'mini_pos' : 'mini_app'
  const isRecent = n > ORDERS * 0.8
  const statuses = isRecent ? RECENT[platform] : PAST
  const status = statuses[random(statuses.length)]!
  const changes = status === 'cancelled' ? 1 : STEPS.indexOf(status)
  const skus = new Set(
    Array.from({ length: 1 + random(3) }, () => catalogue.skus[random(catalogue.skus.length)]!),
  )
  return {
    n,
    id: ids.next(),
    at,
    platform,
    status,
    changes,
    changedAt: new Date(Math.min(at.getTime() + changes * STEP_MS[platform], now.getTime())),
    customer: platform === 'mini_pos' && random(2) === 0 ? undefined : customers[random(customers.length)]!,
    lines: [...skus].map((sku) => ({
      sku,
      quantity: 1 + random(2),
      discount: random(4) === 0 ? 10_000 : 0,
    })),
    discount: random(5) === 0 ? 20_000 : 0,
  }
}

/** A counter sale, paid in cash unless it was cancelled, moved to its status. */
async function sellAtCounter({ trx, shopId, at }: Seeding, order: DemoOrder): Promise<void> {
  const { n, id, status, customer, discount } = order
  const asked = {
    orderItems: order.lines.map(({ sku, ...line }) => ({ id: sku.skuId, ...line })),
    discount,
    isPaid: status !== 'cancelled',
    paymentMethod: 'cash',
    ...(customer === undefined ? {} : { userId: customer.id }),
  }
  // An order's number is its position among all orders.
  await setOrderNumber(trx, shopId, n)
  await createPosOrder(at(order.at), shopId, asked, id, { sellerId: null, by: null })
  if (status === 'pending') return
  const reason = status === 'cancelled' ? { reasonCancel: REASON } : {}
  await changeOrderStatus(at(order.changedAt), shopId, id, { status, ...reason }, OWN_EDIT, undefined)
}

async function setOrderNumber(trx: Trx, shopId: ObjectId, number: number): Promise<void> {
  await sql`
    insert into shop_counters (shop_id, name, value)
    values (${shopId}, 'order_number', ${number})
    on conflict (shop_id, name) do update set value = excluded.value`.execute(trx)
}

function rowOfApp({ ids, random }: Seeding, order: DemoOrder) {
  const { n, id, status, customer } = order
  const lines = order.lines.map(({ sku, ...line }) => ({
    ...line,
    price: sku.price,
    vatBasisPoints: sku.vatBasisPoints,
  }))
  const amounts = computeAmounts(lines, { discount: order.discount, shippingFee: SHIPPING_FEE })
  const isPaid = status === 'completed'
  const code = `DH${n + 1}`
  return {
    id,
    version: order.changes,
    payment_id: ids.next(),
    code,
    customer_id: customer!.id,
    price: amounts.price,
    discount: amounts.discount,
    origin_price: amounts.originPrice,
    untaxed_price: amounts.untaxedPrice,
    shipping_fee: SHIPPING_FEE,
    paid_amount: isPaid ? amounts.price : 0,
    is_paid: isPaid,
    payment_status: isPaid ? 'paid' : 'not_paid',
    payment_method: random(2) === 0 ? 'cod' : 'transfer',
    status,
    reason_cancel: status === 'cancelled' ? REASON : '',
    user_address: {
      name: customer!.fullName,
      phone: customer!.phone,
      city: 'Hà Nội',
      district: 'Ba Đình',
      ward: 'Ngọc Hà',
      addressDetail: `Số ${1 + random(200)} Đội Cấn`,
    },
    search: `${fold(code)} ${customerSearch(customer!.fullName, customer!.phone)}`,
    created_at: order.at.toISOString(),
    updated_at: order.changedAt.toISOString(),
    items: order.lines.map(({ sku, quantity }, position) => ({
      id: ids.next(),
      order_id: id,
      sku_id: sku.skuId,
      name: sku.name,
      quantity,
      price: sku.price,
      unit_cost: demoUnitCost(sku.price),
      discount: amounts.lines[position]!.discount,
      vat_basis_points: sku.vatBasisPoints,
      position,
      status,
      movement_id: ids.next(),
    })),
  }
}

async function insertOrdersOfApp(seeding: Seeding, planned: DemoOrder[]): Promise<void> {
  const { trx, shopId } = seeding
  const orders = planned.map((order) => rowOfApp(seeding, order))
  await sql`
    insert into orders (shop_id, id, version, code, customer_id, price, discount, origin_price, untaxed_price, shipping_fee,
      shipping_method, paid_amount, is_paid, payment_status, payment_method, status, platform, reason_cancel,
      user_address, search, created_at, updated_at)
    select ${shopId}, o.id, o.version, o.code, o.customer_id, o.price, o.discount, o.origin_price, o.untaxed_price, o.shipping_fee,
      'delivery', o.paid_amount, o.is_paid, o.payment_status, o.payment_method, 'pending', 'mini_app',
      o.reason_cancel, o.user_address, o.search, o.created_at, o.updated_at
    from jsonb_to_recordset(${JSON.stringify(orders.map(({ items: _, ...rest }) => rest))}::jsonb) as o (id text,
      version integer, code text, customer_id text, price bigint, discount bigint, origin_price bigint, untaxed_price bigint,
      shipping_fee bigint, paid_amount bigint, is_paid boolean, payment_status text, payment_method text,
      reason_cancel text, user_address jsonb, search text, created_at timestamptz, updated_at timestamptz)`.execute(
    trx,
  )
  // The status is set in a second step, so that the orders' timelines show it.
  await sql`
    update orders o
    set status = n.status
    from jsonb_to_recordset(${JSON.stringify(orders.map(({ id: own, status }) => ({ id: own, status })))}::jsonb)
      as n (id text, status text)
    where o.shop_id = ${shopId} and o.id = n.id and n.status <> 'pending'`.execute(trx)
  const items = JSON.stringify(
    orders.flatMap((one) => one.items.map((item) => ({ ...item, taken_at: one.updated_at }))),
  )
  await sql`
    insert into order_items (shop_id, id, order_id, sku_id, name, quantity, price, discount, vat_basis_points,
      position, status, unit_cost)
    select ${shopId}, i.id, i.order_id, i.sku_id, i.name, i.quantity, i.price, i.discount,
      i.vat_basis_points, i.position, i.status, i.unit_cost
    from jsonb_to_recordset(${items}::jsonb) as i (id text, order_id text, sku_id text, name text, quantity integer,
      price bigint, discount bigint, vat_basis_points integer, position integer, status text, unit_cost bigint)`.execute(
    trx,
  )
  await insertStockOfApp(seeding, items)
  await sql`
    insert into gateway_payments (shop_id, id, order_id, amount, method, created_at)
    select ${shopId}, o.payment_id, o.id, o.paid_amount, o.payment_method,
      case o.payment_method when 'cod' then o.updated_at else o.created_at end
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as o (id text, payment_id text, paid_amount bigint,
      payment_method text, created_at timestamptz, updated_at timestamptz)
    where o.paid_amount > 0`.execute(trx)
}

/** Open orders keep their pieces reserved; completed ones have taken them out of stock (G-43). */
async function insertStockOfApp({ trx, shopId, warehouseId }: Seeding, items: string): Promise<void> {
  const item = sql`jsonb_to_recordset(${items}::jsonb) as i (order_id text, sku_id text, quantity bigint, status text,
    movement_id text, taken_at timestamptz)`
  await sql`
    insert into order_reservations (shop_id, order_id, sku_id, warehouse_id, quantity)
    select ${shopId}, i.order_id, i.sku_id, ${warehouseId}, sum(i.quantity)
    from ${item}
    where i.status not in ('completed', 'cancelled')
    group by i.order_id, i.sku_id`.execute(trx)
  await sql`
    insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, order_id, created_at)
    select ${shopId}, i.movement_id, i.sku_id, ${warehouseId}, 'order', -i.quantity, i.order_id, i.taken_at
    from ${item}
    where i.status = 'completed'`.execute(trx)
  await sql`
    update stock t
    set reserved = (select coalesce(sum(r.quantity), 0) from order_reservations r
        where r.shop_id = t.shop_id and r.sku_id = t.sku_id and r.warehouse_id = t.warehouse_id),
      quantity = (select coalesce(sum(m.quantity), 0) from stock_movements m
        where m.shop_id = t.shop_id and m.sku_id = t.sku_id and m.warehouse_id = t.warehouse_id)
    where t.shop_id = ${shopId} and t.warehouse_id = ${warehouseId}`.execute(trx)
  await sql`
    update product_stock t
    set total_quantity = s.quantity, reserved_quantity = s.reserved
    from (
      select k.product_id, sum(t.quantity) as quantity, sum(t.reserved) as reserved
      from stock t
      join skus k on k.shop_id = t.shop_id and k.id = t.sku_id
      where t.shop_id = ${shopId}
      group by k.product_id
    ) s
    where t.shop_id = ${shopId} and t.product_id = s.product_id`.execute(trx)
}
