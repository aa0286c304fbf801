import { toPercent } from '../../lib/amounts/vat.ts'
import { TOTAL_CAP } from '../../lib/lists/total.ts'
import { presentWho } from '../../lib/who.ts'
import type { PosPreview } from './create-pos-order.ts'
import { ORDER_STATUSES, type OrderStatus } from './rules.ts'
import type { OrderDetailRow, OrderItemJson, OrderTimeline, OrderWithItems, TimelineRow } from './sql/read.ts'
import type { OrderSums } from './sql/sums.ts'

/** The number of orders of each status, and the six that E12's `meta` repeats; a status without orders counts 0 (G-44). */
export function presentStatusCounts(counts: Record<string, number>) {
  const orderCountByStatus = Object.fromEntries(
    ORDER_STATUSES.map((status) => [status, counts[status] ?? 0]),
  ) as Record<OrderStatus, number>
  const {
    pending,
    confirmed,
    ready_to_ship: readyToShip,
    shipping,
    delivered,
    cancelled,
  } = orderCountByStatus
  return { orderCountByStatus, meta: { pending, confirmed, readyToShip, shipping, delivered, cancelled } }
}

/** The sums of a filter (G-122), none if there were too many orders to add up. */
export function presentSums({ n, amount, owed }: OrderSums) {
  const isCut = n > TOTAL_CAP
  return {
    orders: Math.min(n, TOTAL_CAP),
    isCut,
    amount: isCut ? null : amount,
    owed: isCut ? null : owed,
  }
}

/** An order as E13 and E14 show it: `userId` is the customer's id, `user` the customer. */
export function presentOrderDetail(row: OrderDetailRow) {
  const { customer, shop_address: shopAddress, user_address: address } = row
  return {
    ...presentOrder(row),
    userId: row.customer_id,
    user: customer && {
      _id: customer.id,
      email: customer.email,
      phone: customer.phone,
      fullName: customer.fullName,
      avatar: customer.avatar,
      id: customer.id,
    },
    shopAddress: shopAddress && { _id: shopAddress.id, name: shopAddress.name, id: shopAddress.id },
    adminUser: row.admin_user,
    gatewayPayments: row.payments.map((payment) => ({
      _id: payment.id,
      id: payment.id,
      orderId: row.id,
      amount: payment.amount,
      method: payment.method,
      note: payment.note,
      createdAt: isoInstant(payment.createdAt),
    })),
    reasonCancel: row.reason_cancel,
    userAddress: address && {
      name: address.name ?? '',
      phone: address.phone ?? '',
      city: address.city ?? '',
      district: address.district ?? '',
      ward: address.ward ?? '',
      addressDetail: address.addressDetail ?? '',
    },
    collab: row.collab,
    referrerFullName: row.referrer_full_name,
  }
}

/** The amounts of an order that is only previewed (G-45), and their division over lines and VAT rates. */
export function presentPreview({ skus, priced }: PosPreview) {
  const { amounts } = priced
  return {
    originPrice: amounts.originPrice,
    discount: amounts.discount,
    shippingFee: priced.shippingFee,
    price: amounts.price,
    untaxedPrice: amounts.untaxedPrice,
    paidAmount: priced.paidAmount,
    isPaid: priced.isPaid,
    paymentStatus: priced.paymentStatus,
    orderItems: priced.lines.map((line, index) => {
      const { vatBasisPoints, originPrice, discount, discountShare, gross, net, tax } = amounts.lines[index]!
      const vat = toPercent(vatBasisPoints)
      const { name, quantity, price } = line
      const skuId = skus[index]!.id
      return { skuId, name, quantity, price, vat, originPrice, discount, discountShare, gross, net, tax }
    }),
    vatRates: amounts.perRate.map(({ vatBasisPoints, gross, net, tax }) => ({
      vat: toPercent(vatBasisPoints),
      gross,
      net,
      tax,
    })),
  }
}

/** What happened to an order, and who sold it (G-40). */
export function presentTimeline({ steps, sold_by: soldBy, sent_by: sentBy }: OrderTimeline) {
  return { data: steps.map(presentTimelineStep), soldBy: presentWho(soldBy), sentBy: presentWho(sentBy) }
}

/** An event of an order's timeline. */
function presentTimelineStep({ kind, detail, by: author, created_at: createdAt }: TimelineRow) {
  const at = isoInstant(createdAt)
  const by = presentWho(author)
  if (kind === 'created') return { type: 'created' as const, at, by, status: detail.status ?? null }
  if (kind === 'status') {
    const { from, to, reason } = detail
    return { type: 'status_changed' as const, at, by, from, to, ...(reason ? { reasonCancel: reason } : {}) }
  }
  if (detail.to !== undefined) {
    const { from, to, note } = detail
    return { type: 'payment_method_changed' as const, at, by, from, to, note }
  }
  if (kind === 'return') {
    const { returnId, quantity, amount, note } = detail
    return { type: 'returned' as const, at, by, returnId, quantity, amount, note }
  }
  const { paymentId, amount, method, note } = detail
  return { type: 'payment' as const, at, by, paymentId, amount, method, note }
}

function presentOrder(row: OrderWithItems) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    code: row.code,
    shippingMethod: row.shipping_method,
    addressId: row.address_id,
    shopAddressId: row.shop_address_id,
    shopId: row.shop_id,
    price: row.price,
    discount: row.discount,
    originPrice: row.origin_price,
    discountShipping: row.discount_shipping,
    flashSaleDiscount: row.flash_sale_discount,
    shippingFee: row.shipping_fee,
    loyaltyDiscount: row.loyalty_discount,
    pointDiscountPrice: row.point_discount_price,
    points: row.points,
    paidAmount: row.paid_amount,
    ...(row.returned_amount === 0 ? {} : { returnedAmount: row.returned_amount }),
    ...(row.untaxed_price === null ? {} : { untaxedPrice: row.untaxed_price }),
    isPaid: row.is_paid,
    isSynced: row.is_synced,
    isVAT: row.is_vat,
    status: row.status,
    paymentStatus: row.payment_status,
    invoiceStatus: row.invoice_status,
    paymentMethod: row.payment_method,
    note: row.note,
    ...(row.reference === null ? {} : { reference: row.reference }),
    search: row.search,
    platform: row.platform,
    sOrderId: row.s_order_id,
    table: row.order_table,
    orderItems: row.items.map((item) => presentItem(item, row.id)),
    createdAt: isoInstant(row.created_at),
    updatedAt: isoInstant(row.updated_at),
  }
}

function presentItem(item: OrderItemJson, orderId: string) {
  const { sku } = item
  return {
    _id: item.id,
    id: item.id,
    orderId,
    skuId: sku.id,
    quantity: item.quantity,
    price: item.price,
    discount: item.discount,
    vat: toPercent(item.vatBasisPoints),
    listSubItem: item.listSubItem,
    name: item.name,
    status: item.status,
    sku: {
      _id: sku.id,
      id: sku.id,
      name: sku.name,
      price: sku.price,
      originPrice: sku.originPrice,
      images: sku.images,
      itemId: sku.item.id,
      sku: sku.code,
      barcode: sku.barcode,
      variantOptionIDs: sku.variantOptionIds,
      variantOptions: sku.variantOptions.map((option) => ({
        _id: option.id,
        id: option.id,
        name: option.name,
        itemVariantId: option.groupId,
        isActive: option.isActive,
        position: option.position,
      })),
      item: { _id: sku.item.id, id: sku.item.id, name: sku.item.name, images: sku.item.images },
    },
  }
}

function isoInstant(text: string): string {
  return new Date(text).toISOString()
}
