import { randomId } from '@shopbell/client'
import { type Discount, discountVnd, isAbove, NO_DISCOUNT } from './payment/discount.ts'
import {
  type PaidBy,
  type Paying,
  paidBy,
  type SecondPayment,
  type Taken,
  takenNow,
} from './payment/taken-payments.ts'

/** A SKU in the form in which the counter sells it. */
export type Sellable = {
  skuId: string
  name: string
  code: string
  price: number
  stock: number
  /** Wholesale prices per piece, which the counter offers. */
  tiers?: Tier[]
}

export type Tier = { minQuantity: number; price: number }

export type SaleLine = {
  skuId: string
  name: string
  code: string
  /** The price of one piece with VAT, in đồng. */
  price: number
  /** The normal price of one piece, if another price was chosen. */
  retailPrice?: number
  tiers?: Tier[]
  /** The quantity that was available when the line was added, in the counter's warehouse or in all. */
  stock: number
  quantity: number
  /** The discount on the line's price × quantity. */
  discount: Discount
}

export type SaleCustomer = { _id: string; fullName: string; phone: string }
/** One sale at the counter. It is kept in the session storage, so a reload loses nothing. */
export type Sale = Paying & {
  id: string
  /** The number in the name of its tab. */
  number: number
  /**
   * Its `Idempotency-Key`, so that sending it repeatedly creates only one order. Null until the button is pressed: the
   * browser copies open sales into a duplicated tab, and there they are other sales.
   */
  key: string | null
  lines: SaleLine[]
  /** The line that the keyboard changes. */
  chosen: number
  /** The discount on the sum of the lines. */
  discount: Discount
  customer: SaleCustomer | null
  /** Whether the customer takes the goods now. If so, the order is completed immediately. */
  isHandedOver: boolean
  /** The cash that the customer gave, in đồng; null means exactly what is paid now. */
  given: number | null
  /** Set from the press of the button until the response: the content of the sale is then fixed. */
  isSelling?: boolean
  /** The request whose outcome is unknown. It can only be sent again unchanged. */
  sent: SentOrder | null
  /**
   * Scans made before the button was pressed, but found after it. They go into the next sale, which is the one in front
   * if this one is not, or into this one if it is not sold.
   */
  late?: LateScan[]
}

/** A sale whose button was pressed. */
export type PressedSale = Sale & { key: string }

export type LateScan = { sellable: Sellable; quantity: number }

/** The data that decides an order's price. */
export type GoodsBody = {
  orderItems: { id: string; quantity: number; price: number; discount: number }[]
  discount: number
  userId?: string
}
export type OrderBody = GoodsBody &
  PaidBy['body'] & { total: number; note?: string; reference?: string; warehouseId?: string }
/** `rest`: the payment that follows the order's creation. `atMs`: when the order was first sent. */
export type SentOrder = { body: OrderBody; rest: SecondPayment | undefined; atMs: number }

export type SaleChange =
  | { type: 'add'; sellable: Sellable; quantity: number }
  | { type: 'line'; index: number; change: Partial<Pick<SaleLine, 'quantity' | 'discount' | 'price'>> }
  | { type: 'remove'; index: number }
  | { type: 'choose'; index: number }
  | { type: 'set'; change: Partial<Pick<Sale, SettablePart>> }
  /** The button was pressed. */
  | { type: 'selling' }
  | { type: 'sent'; sent: SentOrder }
  /** The response came, or none will. */
  | { type: 'settled' }
  /** The page was reloaded, so nothing waits for the response. */
  | { type: 'reloaded' }
  /** Definitely not sold: the sale may be changed, and is then sent as another request. */
  | { type: 'refused' }
  | { type: 'new' }
type SettablePart =
  | 'discount'
  | 'customer'
  | 'method'
  | 'paying'
  | 'part'
  | 'cashPart'
  | 'isHandedOver'
  | 'given'

const MAX_QUANTITY = 1_000_000

/** Whether nothing was begun. */
export function isEmpty({ lines, customer, sent }: Sale): boolean {
  return lines.length === 0 && customer === null && sent === null
}

/** An empty sale, or one that begins with scans that came too late for the sale before. */
export function newSale(number: number, scans: LateScan[] = []): Sale {
  return withScans(emptySale(number), scans)
}

function emptySale(number: number): Sale {
  return {
    id: randomId(),
    number,
    key: null,
    lines: [],
    chosen: 0,
    discount: NO_DISCOUNT,
    customer: null,
    method: 'cash',
    paying: 'all',
    part: null,
    cashPart: null,
    isHandedOver: true,
    given: null,
    sent: null,
  }
}

/**
 * The sale after a change. Pieces of one SKU are one line. After the button was pressed, and while the outcome is
 * unknown, a sale cannot change: scans that are found meanwhile are kept for afterwards.
 */
export function changeSale(sale: Sale, change: SaleChange): Sale {
  const { late = [] } = sale
  switch (change.type) {
    case 'new':
      return newSale(sale.number, late)
    case 'refused':
      return released({ ...sale, key: null, sent: null })
    case 'settled':
      return sale.sent === null ? released({ ...sale, key: null }) : { ...sale, isSelling: false }
    case 'reloaded': {
      const open = changeSale(sale, { type: 'settled' })
      // The page may have stored the sale as waiting, and been closed before it closed the sale.
      return sale.isSelling ? { ...open, key: sale.key } : open
    }
    case 'selling':
      return sale.isSelling ? sale : { ...sale, key: sale.key ?? randomId(), isSelling: true }
    case 'add': {
      const { sellable, quantity } = change
      return isDecided(sale)
        ? { ...sale, late: [...late, { sellable, quantity }] }
        : added(sale, sellable, quantity)
    }
  }
  if (sale.sent !== null || (sale.isSelling && change.type !== 'sent')) return sale
  switch (change.type) {
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

/** Whether the content of a sale is fixed: it is being sold, or may be sold already. */
export function isDecided({ sent, isSelling }: Pick<Sale, 'sent' | 'isSelling'>): boolean {
  return sent !== null || isSelling === true
}

/** A sale that may be changed again, with the scans found meanwhile. */
function released(sale: Sale): Sale {
  return withScans({ ...sale, isSelling: false, late: [] }, sale.late ?? [])
}

function withScans(sale: Sale, scans: LateScan[]): Sale {
  return scans.reduce((filled, { sellable, quantity }) => added(filled, sellable, quantity), sale)
}

function added(sale: Sale, sellable: Sellable, quantity: number): Sale {
  const known = sale.lines.findIndex((line) => line.skuId === sellable.skuId)
  if (known === -1) {
    const line = { ...sellable, retailPrice: sellable.price, quantity, discount: NO_DISCOUNT }
    const lines = [...sale.lines, line]
    return { ...sale, lines, chosen: lines.length - 1 }
  }
  const lines = sale.lines.map((line, at) =>
    at === known ? bounded({ ...line, quantity: line.quantity + quantity }) : line,
  )
  return { ...sale, lines, chosen: known }
}

function bounded(line: SaleLine): SaleLine {
  const quantity = Math.max(1, Math.min(MAX_QUANTITY, Math.round(line.quantity) || 1))
  return { ...line, quantity }
}

/** The name of a sale before it has an order's code: on the slip during an outage, and in a transfer. */
export function slipCode({ id }: Pick<Sale, 'id'>): string {
  return `T-${id.slice(0, 6).toUpperCase()}`
}

/**
 * The price for a line's quantity, if the line has another: that of the highest wholesale tier that it reaches, which
 * applies from `from` pieces on, or below all tiers the price of a single piece. A tier that is not cheaper than a single
 * piece, as after a price cut, is not offered.
 */
export function offeredPrice(line: SaleLine): { price: number; from: number | undefined } | undefined {
  const single = line.retailPrice ?? line.price
  const reached = (line.tiers ?? [])
    .filter((tier) => tier.minQuantity <= line.quantity && tier.price < single)
    .toSorted((a, b) => b.minQuantity - a.minQuantity)[0]
  const price = reached?.price ?? single
  return price === line.price ? undefined : { price, from: reached?.minQuantity }
}

/** So many pieces above the stock are likely a slip of the hand. */
const UNLIKELY_ABOVE = 100

/** Whether a line sells so much more than there is that the quantity is likely wrong. A stock below 0 counts as none. */
export function isFarAboveStock({ quantity, stock }: SaleLine): boolean {
  return quantity - Math.max(0, stock) >= UNLIKELY_ABOVE
}

/** The discount on a line, in đồng. */
export function lineDiscount({ price, quantity, discount }: SaleLine): number {
  return discountVnd(discount, price * quantity)
}

/** Whether the discount on a line is more than it costs. */
export function isLineGivenAway({ price, quantity, discount }: SaleLine): boolean {
  return isAbove(discount, price * quantity)
}

/** A line's price × quantity less its discount, in đồng. */
export function lineAmount(line: SaleLine): number {
  return line.price * line.quantity - lineDiscount(line)
}

/** The discount on the whole sale, in đồng. A percentage applies to the lines after their own discounts. */
export function saleDiscount({ lines, discount }: Pick<Sale, 'lines' | 'discount'>): number {
  return discountVnd(
    discount,
    lines.reduce((sum, line) => sum + lineAmount(line), 0),
  )
}

/** The price of the goods after all discounts, in đồng. */
export function goodsSum(sale: Sale): number {
  return sale.lines.reduce((sum, line) => sum + lineAmount(line), 0) - saleDiscount(sale)
}

/** The goods of a sale in the form for the service. */
export function goodsBody(sale: Sale): GoodsBody {
  return {
    orderItems: sale.lines.map((line) => ({
      id: line.skuId,
      quantity: line.quantity,
      price: line.price,
      discount: lineDiscount(line),
    })),
    discount: saleDiscount(sale),
    ...(sale.customer === null ? {} : { userId: sale.customer._id }),
  }
}

/** The cash that a customer gave and the change, in đồng. */
export type Cash = { given: number; change: number }

/** A sale with this price as it can be sent, and the cash and change. Undefined while its payment does not fit the price. */
export function settled(
  sale: Sale,
  priceVnd: number,
): { paid: PaidBy; taken: Taken[]; cash: Cash | undefined } | undefined {
  const taken = takenNow(sale, priceVnd)
  if (taken === undefined) return undefined
  const paid = paidBy(sale, taken)
  const due = sale.method === 'cash' ? taken[0]?.vnd : undefined
  if (due === undefined) return { paid, taken, cash: undefined }
  const given = sale.given ?? due
  return given < due ? undefined : { paid, taken, cash: { given, change: given - due } }
}

const NOTES = [10_000, 50_000, 100_000, 200_000, 500_000]

/** Likely amounts of cash for a price: the price itself and the next round amounts above it. At most four. */
export function likelyCash(priceVnd: number): number[] {
  const sums = NOTES.map((note) => Math.ceil(priceVnd / note) * note)
  return [...new Set([priceVnd, ...sums])].sort((a, b) => a - b).slice(0, 4)
}
