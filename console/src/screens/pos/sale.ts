import { randomId } from '@shopbell/client'
import type { Sellable } from './find-sellables.ts'

export type SaleLine = {
  skuId: string
  name: string
  code: string
  /** One piece with VAT, in đồng. */
  price: number
  /** What is free in all warehouses when it was added. */
  stock: number
  quantity: number
  /** Taken off the line, in đồng. */
  discount: number
}

export type SaleCustomer = { _id: string; fullName: string; phone: string }
export const METHODS = ['cash', 'transfer', 'card'] as const
export type Method = (typeof METHODS)[number]

/** A sale at the counter, as far as it has come. Kept in the session's storage, so that a reload loses nothing. */
export type Sale = {
  /** Its `Idempotency-Key`: however often it is sent, it is one sale. */
  key: string
  lines: SaleLine[]
  /** The line that the keyboard changes. */
  chosen: number
  discount: number
  customer: SaleCustomer | null
  method: Method
  isPaid: boolean
  /** Whether the customer takes the goods along: the order is completed at once. */
  isHandedOver: boolean
  /** Cash the customer gave, in đồng; null: exactly the price. */
  given: number | null
  /** What was sent and not answered for sure. It can only be sent again as it is. */
  sent: SentOrder | null
}

export type OrderBody = {
  orderItems: { id: string; quantity: number; price: number; discount: number }[]
  discount: number
  userId?: string
  paymentMethod: string
  isPaid: boolean
}
export type SentOrder = { body: OrderBody & { total: number } }

export type SaleChange =
  | { type: 'add'; sellable: Sellable; quantity: number }
  | { type: 'line'; index: number; change: Partial<Pick<SaleLine, 'quantity' | 'discount'>> }
  | { type: 'remove'; index: number }
  | { type: 'choose'; index: number }
  | { type: 'set'; change: Partial<Pick<Sale, SettablePart>> }
  | { type: 'sent'; sent: SentOrder }
  /** Surely not sold: it may be changed, and what is sent next is another request. */
  | { type: 'refused' }
  | { type: 'new' }
type SettablePart = 'discount' | 'customer' | 'method' | 'isPaid' | 'isHandedOver' | 'given'

const MAX_QUANTITY = 1_000_000

export function newSale(): Sale {
  return {
    key: randomId(),
    lines: [],
    chosen: 0,
    discount: 0,
    customer: null,
    method: 'cash',
    isPaid: true,
    isHandedOver: true,
    given: null,
    sent: null,
  }
}

/** The sale after a change; pieces of one SKU are one line. What was sent without an answer takes no change. */
export function changeSale(sale: Sale, change: SaleChange): Sale {
  if (change.type === 'new') return newSale()
  if (change.type === 'refused') return { ...sale, key: randomId(), sent: null }
  if (sale.sent !== null) return sale
  switch (change.type) {
    case 'add':
      return added(sale, change.sellable, change.quantity)
    case 'line': {
      const lines = sale.lines.map((line, at) => (at === change.index ? { ...line, ...change.change } : line))
      return { ...sale, lines: lines.map(bounded) }
    }
    case 'remove': {
      const lines = sale.lines.filter((_, at) => at !== change.index)
      return { ...sale, lines, chosen: Math.max(0, Math.min(sale.chosen, lines.length - 1)) }
    }
    case 'choose':
      return { ...sale, chosen: Math.max(0, Math.min(change.index, sale.lines.length - 1)) }
    case 'set':
      return { ...sale, ...change.change }
    case 'sent':
      return { ...sale, sent: change.sent }
  }
}

function added(sale: Sale, sellable: Sellable, quantity: number): Sale {
  const known = sale.lines.findIndex((line) => line.skuId === sellable.skuId)
  if (known === -1) {
    const lines = [...sale.lines, { ...sellable, quantity, discount: 0 }]
    return { ...sale, lines, chosen: lines.length - 1 }
  }
  const lines = sale.lines.map((line, at) =>
    at === known ? bounded({ ...line, quantity: line.quantity + quantity }) : line,
  )
  return { ...sale, lines, chosen: known }
}

function bounded(line: SaleLine): SaleLine {
  const quantity = Math.max(1, Math.min(MAX_QUANTITY, Math.round(line.quantity) || 1))
  return { ...line, quantity, discount: Math.max(0, Math.min(line.discount, quantity * line.price)) }
}

/** What the service is asked for. */
export function bodyOf(sale: Sale): OrderBody {
  return {
    orderItems: sale.lines.map(({ skuId, quantity, price, discount }) => ({
      id: skuId,
      quantity,
      price,
      discount,
    })),
    discount: sale.discount,
    ...(sale.customer === null ? {} : { userId: sale.customer._id }),
    paymentMethod: sale.method,
    isPaid: sale.isPaid,
  }
}

const NOTES = [10_000, 50_000, 100_000, 200_000, 500_000]

/** What a customer may well hand over for a price: it, or the next round sums above it. At most four. */
export function likelyCash(priceVnd: number): number[] {
  const sums = NOTES.map((note) => Math.ceil(priceVnd / note) * note)
  return [...new Set([priceVnd, ...sums])].sort((a, b) => a - b).slice(0, 4)
}
