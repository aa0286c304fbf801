import { sql } from 'kysely'
import { fold } from '../lib/fold.ts'
import { computeAmounts } from '../modules/orders/amounts.ts'
import type { DemoCatalogue } from './catalogue.ts'
import type { DemoCustomer } from './people.ts'
import type { Seeding } from './seeding.ts'

const ORDERS = 300
const DAYS = 60
const DAY_MS = 86_400_000
const STEP_MS = { mini_app: 10 * 3_600_000, mini_pos: 4 * 60_000 }

/** By its place here an order has been changed as often. */
const STEPS = ['pending', 'confirmed', 'processing', 'ready_to_ship', 'shipping', 'delivered', 'completed']
const RECENT = { mini_app: STEPS, mini_pos: ['pending', 'confirmed', 'completed', 'completed'] }
const PAST = ['delivered', ...Array.from({ length: 9 }, () => 'completed'), 'cancelled', 'cancelled']

/** Orders of the last two months in every status, from the mini app and the counter, with their stock. */
export async function seedOrders(
  seeding: Seeding,
  catalogue: DemoCatalogue,
  customers: DemoCustomer[],
): Promise<void> {
  const { trx, shopId, ids, now, random } = seeding
  const orders = Array.from({ length: ORDERS }, (_, n) => order(n))

  function order(n: number) {
    const id = ids.next()
    const at = new Date(
      now.getTime() - Math.floor(((ORDERS - n) * DAYS * DAY_MS) / ORDERS) + random(3_600_000),
    )
    const platform = random(3) === 0 ? 'mini_pos' : 'mini_app'
    const isRecent = n > ORDERS * 0.8
    const statuses = isRecent ? RECENT[platform] : PAST
    const status = statuses[random(statuses.length)]!
    const changes = status === 'cancelled' ? 1 : STEPS.indexOf(status)
    const changedAt = Math.min(at.getTime() + changes * STEP_MS[platform], now.getTime())
    const customer =
      platform === 'mini_pos' && random(2) === 0 ? undefined : customers[random(customers.length)]!
    const skus = new Set(
      Array.from({ length: 1 + random(3) }, () => catalogue.skus[random(catalogue.skus.length)]!),
    )
    const lines = [...skus].map((sku) => {
      return {
        sku,
        quantity: 1 + random(2),
        price: sku.price,
        discount: random(4) === 0 ? 10_000 : 0,
        vatBasisPoints: sku.vatBasisPoints,
      }
    })
    const shippingFee = platform === 'mini_app' ? 25_000 : 0
    const amounts = computeAmounts(lines, { discount: random(5) === 0 ? 20_000 : 0, shippingFee })
    const isPaid = status === 'completed' || (platform === 'mini_pos' && status !== 'cancelled')
    const code = `DH${n + 1}`
    return {
      id,
      version: changes,
      payment_id: ids.next(),
      code,
      customer_id: customer?.id ?? null,
      price: amounts.price,
      discount: amounts.discount,
      origin_price: amounts.originPrice,
      untaxed_price: amounts.untaxedPrice,
      shipping_fee: shippingFee,
      shipping_method: platform === 'mini_app' ? 'delivery' : 'pickup',
      paid_amount: isPaid ? amounts.price : 0,
      is_paid: isPaid,
      payment_status: isPaid ? 'paid' : 'not_paid',
      payment_method: platform === 'mini_pos' ? 'cash' : random(2) === 0 ? 'cod' : 'transfer',
      status,
      platform,
      reason_cancel: status === 'cancelled' ? 'Khách đổi ý' : '',
      user_address:
        platform === 'mini_app' && customer !== undefined
          ? {
              name: customer.fullName,
              phone: customer.phone,
              city: 'Hà Nội',
              district: 'Ba Đình',
              ward: 'Ngọc Hà',
              addressDetail: `Số ${1 + random(200)} Đội Cấn`,
            }
          : null,
      search: [
        code,
        customer?.fullName ?? '',
        customer?.phone ?? '',
        customer === undefined ? '' : `0${customer.phone.slice(2)}`,
      ]
        .map(fold)
        .filter((part) => part !== '')
        .join(' '),
      created_at: at.toISOString(),
      updated_at: new Date(changedAt).toISOString(),
      items: lines.map((line, position) => ({
        id: ids.next(),
        order_id: id,
        sku_id: line.sku.skuId,
        name: line.sku.name,
        quantity: line.quantity,
        price: line.price,
        discount: amounts.lines[position]!.discount,
        vat_basis_points: line.vatBasisPoints,
        position,
        status,
        movement_id: ids.next(),
      })),
    }
  }

  await sql`
    insert into orders (shop_id, id, version, code, customer_id, price, discount, origin_price, untaxed_price, shipping_fee,
      shipping_method, paid_amount, is_paid, payment_status, payment_method, status, platform, reason_cancel,
      user_address, search, created_at, updated_at)
    select ${shopId}, o.id, o.version, o.code, o.customer_id, o.price, o.discount, o.origin_price, o.untaxed_price, o.shipping_fee,
      o.shipping_method, o.paid_amount, o.is_paid, o.payment_status, o.payment_method, 'pending', o.platform,
      o.reason_cancel, o.user_address, o.search, o.created_at, o.updated_at
    from jsonb_to_recordset(${JSON.stringify(orders.map(({ items: _, ...rest }) => rest))}::jsonb) as o (id text,
      version integer, code text, customer_id text, price bigint, discount bigint, origin_price bigint, untaxed_price bigint,
      shipping_fee bigint, shipping_method text, paid_amount bigint, is_paid boolean, payment_status text,
      payment_method text, platform text, reason_cancel text, user_address jsonb, search text,
      created_at timestamptz, updated_at timestamptz)`.execute(trx)
  // In a second step, so that their timelines have it.
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
      position, status)
    select ${shopId}, i.id, i.order_id, i.sku_id, i.name, i.quantity, i.price, i.discount,
      i.vat_basis_points, i.position, i.status
    from jsonb_to_recordset(${items}::jsonb) as i (id text, order_id text, sku_id text, name text, quantity integer,
      price bigint, discount bigint, vat_basis_points integer, position integer, status text)`.execute(trx)
  await seedStockOfOrders(seeding, catalogue, items)
  await sql`
    insert into gateway_payments (shop_id, id, order_id, amount, method, created_at)
    select ${shopId}, o.payment_id, o.id, o.paid_amount, o.payment_method,
      case o.payment_method when 'cod' then o.updated_at else o.created_at end
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as o (id text, payment_id text, paid_amount bigint,
      payment_method text, created_at timestamptz, updated_at timestamptz)
    where o.paid_amount > 0`.execute(trx)
  await sql`
    insert into shop_counters (shop_id, name, value)
    values (${shopId}, 'order_number', ${ORDERS})
    on conflict (shop_id, name) do update set value = excluded.value`.execute(trx)
}

/** Open orders keep their pieces reserved, completed ones have taken them out (G-43). */
async function seedStockOfOrders(
  { trx, shopId }: Seeding,
  catalogue: DemoCatalogue,
  items: string,
): Promise<void> {
  const item = sql`jsonb_to_recordset(${items}::jsonb) as i (order_id text, sku_id text, quantity bigint, status text,
    movement_id text, taken_at timestamptz)`
  await sql`
    insert into order_reservations (shop_id, order_id, sku_id, warehouse_id, quantity)
    select ${shopId}, i.order_id, i.sku_id, ${catalogue.warehouseId}, sum(i.quantity)
    from ${item}
    where i.status not in ('completed', 'cancelled')
    group by i.order_id, i.sku_id`.execute(trx)
  await sql`
    insert into stock_movements (shop_id, id, sku_id, warehouse_id, type, quantity, order_id, created_at)
    select ${shopId}, i.movement_id, i.sku_id, ${catalogue.warehouseId}, 'order', -i.quantity, i.order_id, i.taken_at
    from ${item}
    where i.status = 'completed'`.execute(trx)
  await sql`
    update stock t
    set reserved = (select coalesce(sum(r.quantity), 0) from order_reservations r
        where r.shop_id = t.shop_id and r.sku_id = t.sku_id and r.warehouse_id = t.warehouse_id),
      quantity = (select coalesce(sum(m.quantity), 0) from stock_movements m
        where m.shop_id = t.shop_id and m.sku_id = t.sku_id and m.warehouse_id = t.warehouse_id)
    where t.shop_id = ${shopId} and t.warehouse_id = ${catalogue.warehouseId}`.execute(trx)
  await sql`
    update products p
    set total_quantity = s.quantity, reserved_quantity = s.reserved
    from (
      select k.product_id, sum(t.quantity) as quantity, sum(t.reserved) as reserved
      from stock t
      join skus k on k.shop_id = t.shop_id and k.id = t.sku_id
      where t.shop_id = ${shopId}
      group by k.product_id
    ) s
    where p.shop_id = ${shopId} and p.id = s.product_id`.execute(trx)
}
