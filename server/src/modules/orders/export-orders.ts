import type { Db } from '../../db/client.ts'
import { csvLines } from '../../lib/csv.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { type ExportedOrder, listOrdersAfter } from './sql/export.ts'
import type { OrderFilter } from './sql/list.ts'

/** About 150 KB of text. */
const CHUNK = 500

const COLUMNS = [
  'id',
  'code',
  'createdAt',
  'updatedAt',
  'status',
  'paymentStatus',
  'paymentMethod',
  'isPaid',
  'paidAmount',
  'price',
  'originPrice',
  'discount',
  'shippingFee',
  'untaxedPrice',
  'platform',
  'customerId',
  'customerName',
  'customerPhone',
  'note',
  'reasonCancel',
  'items',
  'soldById',
  'soldByName',
] as const

/**
 * The orders of a filter as CSV, newest first, a chunk of lines at a time (G-40): UTF-8 with a byte order mark, CRLF, texts in
 * quotes. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. Orders created in the meantime
 * are not included; between two chunks nothing is locked or open in the database.
 */
export async function* exportOrders(
  db: Db,
  shopId: ObjectId,
  filter: OrderFilter,
): AsyncGenerator<string, void> {
  let rows = await listOrdersAfter(db, shopId, filter, undefined, CHUNK)
  yield csvLines(COLUMNS, rows.map(lineOf), { header: true })
  while (rows.length === CHUNK) {
    rows = await listOrdersAfter(db, shopId, filter, rows.at(-1), CHUNK)
    if (rows.length > 0) yield csvLines(COLUMNS, rows.map(lineOf))
  }
}

type Line = Record<(typeof COLUMNS)[number], string | number>

function lineOf(row: ExportedOrder): Line {
  return {
    id: row.id,
    code: row.code,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status: row.status,
    paymentStatus: row.payment_status,
    paymentMethod: row.payment_method,
    isPaid: String(row.is_paid),
    paidAmount: row.paid_amount,
    price: row.price,
    originPrice: row.origin_price,
    discount: row.discount,
    shippingFee: row.shipping_fee,
    untaxedPrice: row.untaxed_price ?? '',
    platform: row.platform,
    customerId: row.customer_id ?? '',
    customerName: row.customer_name ?? '',
    customerPhone: row.customer_phone ?? '',
    note: row.note,
    reasonCancel: row.reason_cancel,
    items: row.items
      .map(({ quantity, name, code, price }) => `${quantity} x ${name}${code && ` [${code}]`} @ ${price}`)
      .join('; '),
    soldById: row.sold_by ?? '',
    soldByName: row.seller?.name ?? '',
  }
}
