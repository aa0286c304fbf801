import { Type } from 'typebox'
import { labels } from '../../http/formats/csv.ts'
import { cursorFields, exportedIds, placeFields } from '../../http/list-place.ts'
import {
  ignoredShopId,
  paging,
  queryId,
  sortType,
  totalFields,
  totalMode,
} from '../../http/validation/fields.ts'
import { literals, searchText } from '../../http/validation/validate.ts'
import { who } from '../../http/validation/who.ts'
import { ORDER_SORTS, ORDER_STATUSES } from './rules.ts'

export const MAX_MONEY = 9_000_000_000_000
export const money = (description?: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_MONEY, ...(description === undefined ? {} : { description }) })
const nullable = { text: Type.Union([Type.String(), Type.Null()]) }
/** A record whose fields the contract does not show. */
const unshown = Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'] })

const filters = {
  status: Type.Optional(Type.String({ description: '`complete` is read as `completed`' })),
  startDate: Type.Optional(
    Type.String({ minLength: 1, description: 'ISO 8601; createdAt at or after it, in UTC' }),
  ),
  endDate: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'ISO 8601; createdAt at or before it, in UTC. A bare date is midnight UTC and misses the later orders of that day',
    }),
  ),
  customerId: Type.Optional(queryId()),
  paymentMethod: Type.Optional(Type.String()),
  paymentStatus: Type.Optional(
    Type.String({
      description:
        '`not_paid`, `partially_paid` or `paid`; `owed`: something is still owed, so neither cancelled nor paid',
    }),
  ),
  platform: Type.Optional(Type.String()),
  soldBy: Type.Optional(queryId('Only orders sold by this member or key')),
  hasSeller: Type.Optional(
    Type.Boolean({ description: '`false`: only orders whose seller was not recorded' }),
  ),
  productId: Type.Optional(queryId('Only orders with this product')),
  cancelled: Type.Optional(
    Type.Boolean({ description: '`false`: without cancelled orders; `true`: only these' }),
  ),
  search: Type.Optional(
    searchText(200, 'Words of the order code, the customer name, the phone or the reference'),
  ),
}

export const listOrdersQuery = Type.Object({
  ...paging(10, 100, null),
  ...placeFields,
  total: totalMode,
  ...filters,
  select: Type.Optional(
    literals(['soldBy'], { description: '`soldBy`: each order also has `soldBy`, who sold it' }),
  ),
  sortBy: literals(ORDER_SORTS, { default: 'createdAt' }),
  sortType,
})

export const exportOrdersQuery = Type.Object({ ids: exportedIds, labels, ...filters })

export const sumOrdersQuery = Type.Object({ ids: exportedIds, ...filters })

const sum = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

export const orderSums = Type.Object({
  orders: Type.Integer({ description: 'How many orders match, at most 10000' }),
  isCut: Type.Boolean({ description: 'Whether more orders match; then there are no sums' }),
  amount: sum('The sum of their `price`, less what was returned, in đồng'),
  owed: sum('What is still owed for them, in đồng'),
})

export const statusBody = Type.Object(
  {
    status: literals([...ORDER_STATUSES, 'complete'], { description: '`complete` is read as `completed`' }),
    reasonCancel: Type.Optional(Type.String({ maxLength: 1000, description: 'Only with `cancelled`' })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const paymentBody = Type.Object(
  {
    paidAmount: money('Total paid, at most the price'),
    paymentMethod: Type.Optional(
      Type.String({
        maxLength: 50,
        description: "Any text; becomes the order's. Default: the order's",
      }),
    ),
    note: Type.Optional(Type.String({ maxLength: 1000, description: 'Kept with the payment record' })),
    shopId: ignoredShopId,
  },
  { additionalProperties: false },
)

export const timelineStep = Type.Object({
  type: literals(['created', 'status_changed', 'payment', 'payment_method_changed', 'returned']),
  at: Type.String(),
  by: who('Null: not recorded'),
  status: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'Of `created`; null if unknown' }),
  ),
  from: Type.Optional(Type.String({ description: 'Of `status_changed` and `payment_method_changed`' })),
  to: Type.Optional(Type.String()),
  reasonCancel: Type.Optional(Type.String()),
  paymentId: Type.Optional(Type.String({ description: 'Of `payment`' })),
  returnId: Type.Optional(Type.String({ description: 'Of `returned`' })),
  quantity: Type.Optional(Type.Integer({ description: 'Pieces, of `returned`' })),
  amount: Type.Optional(
    Type.Integer({
      description: 'In đồng; negative for a refund. Of `returned`: what the order costs less',
    }),
  ),
  method: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
})

export const timelineAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Array(timelineStep, {
    description: 'None of the order’s creation, or none at all, once the timeline’s retention has ended',
  }),
  soldBy: who('Who sold it, also after the timeline’s retention; null: not recorded'),
  sentBy: who('Who sent a sale that somebody else had made (`x-sold-by`); null: who sold it'),
})

const skuRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  originPrice: Type.Union([Type.Number(), Type.Null()]),
  images: Type.Array(Type.String()),
  itemId: Type.String(),
  sku: Type.String({ description: 'SKU code' }),
  barcode: Type.String(),
  variantOptionIDs: Type.Array(Type.String()),
  variantOptions: Type.Array(
    Type.Object({
      _id: Type.String(),
      id: Type.String(),
      name: Type.String(),
      itemVariantId: Type.String(),
      isActive: Type.Boolean(),
      position: Type.Number(),
    }),
  ),
  item: Type.Object({
    _id: Type.String(),
    id: Type.String(),
    name: Type.String(),
    images: Type.Array(Type.String()),
  }),
})

export const orderItemRecord = Type.Object({
  _id: Type.String(),
  id: Type.String(),
  orderId: Type.String(),
  skuId: Type.String(),
  quantity: Type.Number(),
  price: Type.Number(),
  discount: Type.Number(),
  vat: Type.Number(),
  listSubItem: Type.Array(Type.Unknown()),
  name: Type.String(),
  status: Type.String(),
  sku: skuRecord,
})

const orderFields = {
  _id: Type.String(),
  id: Type.String(),
  __v: Type.Integer(),
  code: Type.String(),
  shippingMethod: Type.String(),
  addressId: nullable.text,
  shopAddressId: nullable.text,
  shopId: Type.String(),
  price: Type.Number(),
  discount: Type.Number(),
  originPrice: Type.Number(),
  discountShipping: Type.Number(),
  flashSaleDiscount: Type.Number(),
  shippingFee: Type.Number(),
  loyaltyDiscount: Type.Number(),
  pointDiscountPrice: Type.Number(),
  points: Type.Number(),
  paidAmount: Type.Number(),
  returnedAmount: Type.Optional(
    Type.Number({ description: 'What was returned of it, in đồng (G-123); only if something was' }),
  ),
  untaxedPrice: Type.Optional(Type.Number({ description: 'Only on orders of the point of sale (E14)' })),
  isPaid: Type.Boolean(),
  isSynced: Type.Boolean(),
  isVAT: Type.Boolean(),
  status: Type.String(),
  paymentStatus: Type.String(),
  invoiceStatus: Type.String(),
  paymentMethod: Type.String(),
  note: Type.String(),
  reference: Type.Optional(Type.String({ description: 'As E14 was given it' })),
  search: Type.String(),
  platform: Type.String(),
  sOrderId: Type.String(),
  table: unshown,
  orderItems: Type.Array(orderItemRecord),
  createdAt: Type.String(),
  updatedAt: Type.String(),
}

export const listedOrder = Type.Object({
  ...orderFields,
  userId: Type.Union([
    Type.Object({
      _id: Type.String(),
      phone: Type.String(),
      fullName: Type.String(),
      avatar: Type.String(),
      id: Type.String(),
    }),
    Type.Null(),
  ]),
  soldBy: Type.Optional(
    who('Only with `select=soldBy`. Null if it was not recorded, or if the id no longer exists'),
  ),
})

export const orderDetail = Type.Object({
  ...orderFields,
  userId: nullable.text,
  user: Type.Union([
    Type.Object({
      _id: Type.String(),
      email: Type.String(),
      phone: Type.String(),
      fullName: Type.String(),
      avatar: Type.String(),
      id: Type.String(),
    }),
    Type.Null(),
  ]),
  shopAddress: Type.Union([
    Type.Object({ _id: Type.String(), name: Type.String(), id: Type.String() }),
    Type.Null(),
  ]),
  adminUser: unshown,
  gatewayPayments: Type.Array(
    Type.Object({
      _id: Type.String(),
      id: Type.String(),
      orderId: Type.String(),
      amount: Type.Number(),
      method: Type.String(),
      note: Type.String(),
      createdAt: Type.String(),
    }),
  ),
  reasonCancel: Type.String(),
  userAddress: Type.Union([
    Type.Object({
      name: Type.String(),
      phone: Type.String(),
      city: Type.String(),
      district: Type.String(),
      ward: Type.String(),
      addressDetail: Type.String(),
    }),
    Type.Null(),
  ]),
  collab: unshown,
  referrerFullName: Type.String(),
})

export const listOrdersAnswer = Type.Object({
  success: Type.Boolean(),
  data: Type.Object({
    orders: Type.Array(listedOrder),
    orderCountByStatus: Type.Record(Type.String(), Type.Number(), {
      description: 'Every status with its number of orders, applying all filters except `status`',
    }),
    meta: Type.Object({
      page: Type.Number(),
      limit: Type.Number(),
      ...totalFields,
      ...cursorFields,
      pending: Type.Number(),
      confirmed: Type.Number(),
      readyToShip: Type.Number(),
      shipping: Type.Number(),
      delivered: Type.Number(),
      cancelled: Type.Number(),
    }),
  }),
})
