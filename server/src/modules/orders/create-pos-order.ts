import { sqlProblem } from '../../db/client.ts'
import { DatabaseBusy } from '../../db/share.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, Refused } from '../../errors.ts'
import { isObjectId, normalizeObjectId, type ObjectId } from '../../lib/object-id.ts'
import { unknownReference } from '../inventory/rules.ts'
import { type AskedOrder, dateOfSale, outOfStock, type PricedOrder, priceOrder } from './rules.ts'
import type { Taken } from './seller.ts'
import { addStockRows, insertPosOrder } from './sql/place.ts'
import { type CustomerJson, findOrderParties, type OrderDetailRow, type SkuJson } from './sql/read.ts'

/** A validated body of E14. */
export type PosOrder = AskedOrder & {
  userId?: string
  warehouseId?: string
  note?: string
  reference?: string
}

/** An order as it would be placed: each line's SKU by index, and its amounts in đồng. */
export type PosPreview = {
  customer: CustomerJson | null
  /** Undefined if the order names none. */
  warehouseId: ObjectId | undefined
  skus: SkuJson[]
  priced: PricedOrder
}

/**
 * The amounts of a point-of-sale order, without placing it (G-45). One round trip.
 * @throws ValidationError for an id that names no SKU, customer or warehouse of the shop (G-41); as `priceOrder`.
 */
export async function previewPosOrder(
  deps: Pick<Deps, 'db'>,
  shopId: ObjectId,
  asked: PosOrder,
): Promise<PosPreview> {
  const customerId = asked.userId === undefined ? undefined : normalizeObjectId(asked.userId)
  const named = asked.warehouseId === undefined ? undefined : normalizeObjectId(asked.warehouseId)
  const lineIds = asked.orderItems.map((item) => normalizeObjectId(item.id))
  // An id of another form cannot match, so the database is asked only about well-formed ids.
  const { customer, warehouseId, sellables } = await findOrderParties(
    deps.db,
    shopId,
    [...new Set(lineIds.filter(isObjectId))],
    lineIds.length,
    customerId !== undefined && isObjectId(customerId) ? customerId : undefined,
    named !== undefined && isObjectId(named) ? named : undefined,
  )
  if (customerId !== undefined && customer === null) {
    throw invalidField(['userId'], 'shop.unknown', { kind: 'customer' })
  }
  if (named !== undefined && warehouseId === null) throw unknownReference(['warehouseId'], 'warehouse')
  const byId = new Map(sellables.map((sellable) => [sellable.asked, sellable]))
  const lines = lineIds.map((id, index) => {
    const found = byId.get(id)
    if (found !== undefined) return found
    throw invalidField(['orderItems', index, 'id'], 'order.sellable')
  })
  const priced = priceOrder(
    asked,
    lines.map(({ sku, vatBasisPoints }) => ({
      name: sku.name,
      price: sku.price,
      vatBasisPoints,
      productName: sku.item.name,
    })),
  )
  return { customer, warehouseId: warehouseId ?? undefined, skus: lines.map((line) => line.sku), priced }
}

/** PostgreSQL's state for a number that does not fit its column. */
const OUT_OF_RANGE = '22003'

/** An attempt fails if one of its SKUs is changed at that moment, or is new to a named warehouse; so many in a row are unlikely. */
const MAX_TRIES = 5

/**
 * Places a point-of-sale order (E14) in the name of its seller: two round trips; the second writes everything or nothing. Goods that a
 * named warehouse never had need another try.
 * @throws as `previewPosOrder`; Refused OUT_OF_STOCK naming every short SKU when the shop denies overselling (G-43);
 *   DatabaseBusy if its SKUs change at every attempt.
 */
export async function createPosOrder(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  asked: PosOrder,
  orderId: ObjectId,
  taken: Taken,
): Promise<OrderDetailRow> {
  for (let n = 0; n < MAX_TRIES; n++) {
    const order = await tryPosOrder(deps, shopId, asked, orderId, taken)
    if (order !== undefined) return order
  }
  throw new DatabaseBusy(shopId, 'the SKUs of an order changed at every try')
}

/**
 * Undefined if a SKU was retired or deleted since it was read: the next attempt does not find it, and the error names it. Also if a named
 * warehouse had no row for a SKU: the next attempt finds the one that was added.
 */
async function tryPosOrder(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  asked: PosOrder,
  orderId: ObjectId,
  taken: Taken,
): Promise<OrderDetailRow | undefined> {
  const { customer, warehouseId, skus, priced } = await previewPosOrder(deps, shopId, asked)
  const { amounts, paidAmount, paymentMethod } = priced
  const items = priced.lines.map((line, index) => ({
    ...line,
    id: deps.ids.next(),
    skuId: skus[index]!.id,
    productId: skus[index]!.item.id,
    discount: amounts.lines[index]!.discount,
    vatBasisPoints: amounts.lines[index]!.vatBasisPoints,
  }))
  const paymentId = deps.ids.next()
  const now = deps.clock.now()
  const createdAt = dateOfSale(taken.soldAt, now)
  const { order, shortages } = await insertPosOrder(deps.db, shopId, {
    id: orderId,
    customerId: customer?.id,
    warehouseId,
    originPrice: amounts.originPrice,
    discount: amounts.discount,
    shippingFee: priced.shippingFee,
    price: amounts.price,
    untaxedPrice: amounts.untaxedPrice,
    paidAmount,
    isPaid: priced.isPaid,
    paymentStatus: priced.paymentStatus,
    paymentMethod,
    note: asked.note ?? '',
    reference: asked.reference,
    paymentId,
    ...taken,
    soldAt: taken.soldAt,
    createdAt,
    items,
    now,
  }).catch((error) => {
    // The sum of the day's sales no longer fits.
    throw sqlProblem(error)?.state === OUT_OF_RANGE ? new Refused('AMOUNT_TOO_LARGE') : error
  })
  if (order === null) {
    if (shortages.length === 0) {
      const skuIds = [...new Set(items.map(({ skuId }) => skuId))]
      if (warehouseId !== undefined) await addStockRows(deps.db, shopId, skuIds, warehouseId)
      return undefined
    }
    throw outOfStock(shortages.map((short) => ({ ...short, name: lineNameOf(short.skuId) })))
  }
  return {
    ...order,
    items: items.map((item, index) => ({ ...item, status: 'pending', listSubItem: [], sku: skus[index]! })),
    customer,
    reason_cancel: '',
    admin_user: null,
    user_address: null,
    collab: null,
    referrer_full_name: '',
    shop_address: null,
    payments:
      paidAmount === 0
        ? []
        : [
            {
              id: paymentId,
              amount: paidAmount,
              method: paymentMethod,
              note: '',
              createdAt: createdAt.toISOString(),
            },
          ],
  }

  function lineNameOf(skuId: ObjectId): string {
    return items.find((item) => item.skuId === skuId)!.name
  }
}
