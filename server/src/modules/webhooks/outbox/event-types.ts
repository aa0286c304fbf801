import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { literals } from '../../../http/validation/validate.ts'

const id = Type.String({ pattern: '^[0-9a-f]{24}$' })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const vnd = Type.Integer({ description: 'đồng' })
const closed = { additionalProperties: false }

const product = Type.Object(
  {
    productId: id,
    name: Type.String(),
    slug: Type.String(),
    itemSku: Type.String(),
    status: literals(['active', 'inactive']),
    price: vnd,
  },
  closed,
)

/** Of an event, beside its data. */
export const eventSequence = Type.Integer({
  description: 'Of two events of one record, the greater tells of the later change',
})

const message = {
  messageId: id,
  templateId: id,
  channel: literals(['phone', 'uid']),
  isSample: Type.Boolean(),
}

/**
 * The `data` of each type of event (G-62): what a receiver needs to decide whether to read the record. Fields may be
 * added, never removed. It contains no phone number, no secret and no value of a message's params.
 */
export const eventData = {
  'order.created': Type.Object(
    {
      orderId: id,
      code: Type.String(),
      status: Type.String(),
      price: vnd,
      paidAmount: vnd,
      paymentStatus: Type.String(),
      customerId: orNull(id),
      platform: Type.String(),
    },
    closed,
  ),
  'order.status_changed': Type.Object(
    {
      orderId: id,
      code: Type.String(),
      from: Type.String(),
      to: Type.String(),
      reasonCancel: Type.String({ description: 'Empty unless it was cancelled' }),
    },
    closed,
  ),
  // Sent when nothing is owed for the order any more: by a payment, or by a return that lowers it (G-123). An order sends it once,
  // unless money is given back in between.
  'order.paid': Type.Object(
    {
      orderId: id,
      code: Type.String(),
      price: vnd,
      paidAmount: vnd,
      paymentMethod: Type.String(),
      returnedAmount: Type.Optional(
        Type.Integer({
          description: 'What the order costs less than `price` because of returns, if it does',
        }),
      ),
    },
    closed,
  ),
  // Goods that the customer brought back (G-123). `amount`: what the order costs less.
  'order.returned': Type.Object(
    {
      orderId: id,
      code: Type.String(),
      returnId: id,
      amount: vnd,
      refundAmount: vnd,
      isPaid: Type.Boolean({ description: 'Whether nothing is owed for the order now' }),
    },
    closed,
  ),
  'product.created': product,
  'product.updated': product,
  // One event per change of stock, with all SKUs that it moved: at most 1,000 items; `isCut` when there were more.
  'stock.changed': Type.Object(
    {
      reason: Type.String({
        description: 'reserve, take, free, receive, issue, count, transfer, return or import',
      }),
      orderId: orNull(id),
      items: Type.Array(
        Type.Object(
          {
            productId: id,
            skuId: id,
            warehouseId: id,
            quantity: Type.Integer(),
            reserved: Type.Integer(),
          },
          closed,
        ),
      ),
      isCut: Type.Boolean(),
    },
    closed,
  ),
  'news.updated': Type.Object(
    {
      newsId: id,
      title: Type.String(),
      slug: Type.String(),
      status: literals(['active', 'inactive']),
      change: literals(['created', 'updated', 'items', 'deleted']),
    },
    closed,
  ),
  'template.status_changed': Type.Object(
    {
      templateId: id,
      from: Type.String(),
      to: Type.String(),
      reason: orNull(Type.String()),
      platformTemplateId: orNull(Type.String()),
    },
    closed,
  ),
  // The platform has accepted the message. `isLate`: it did so after the fee was released (decision 0006).
  'message.received': Type.Object(
    { ...message, sessionId: Type.String(), fee: vnd, isLate: Type.Boolean() },
    closed,
  ),
  // The message reached the phone.
  'message.delivered': Type.Object(
    { ...message, sessionId: Type.String(), deliveredAt: Type.String({ format: 'date-time' }) },
    closed,
  ),
  // The fee is released. `errorCode`: the platform's number, or NOT_SENT, CANCELLED, OPTED_OUT, OTP_EXPIRED,
  // UNKNOWN_RELEASED, NOT_DELIVERED.
  'message.failed': Type.Object({ ...message, errorCode: Type.String() }, closed),
  'wallet.low': Type.Object({ balance: vnd, held: vnd, lowBelow: vnd }, closed),
  // The account's tokens are no longer renewed. `stopsAt`: the time until which it can still send, null if unknown; may
  // be in the past.
  'official_account.disconnected': Type.Object(
    {
      accountId: id,
      oaId: Type.String(),
      name: Type.String(),
      stopsAt: orNull(Type.String({ format: 'date-time' })),
    },
    closed,
  ),
  // Requested by the shop, for one endpoint.
  'webhook.test': Type.Object({ endpointId: id }, closed),
} satisfies Record<string, TObject>

export type EventType = keyof typeof eventData

/** All types that are listed or delivered. */
export const ALL_EVENT_TYPES = Object.keys(eventData) as EventType[]

/** The types an endpoint can ask for. */
export const EVENT_TYPES = ALL_EVENT_TYPES.filter((type) => type !== 'webhook.test')

/** An event to be written; `at` is when the change happened. */
export type ShopEvent = {
  [T in EventType]: { type: T; data: Static<(typeof eventData)[T]>; at: Date }
}[EventType]
