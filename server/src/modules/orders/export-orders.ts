import type { Db } from '../../db/client.ts'
import { type ExportFile, exportChunks } from '../../http/formats/export-chunks.ts'
import type { Language } from '../../http/language.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { type ExportedOrder, listOrdersAfter } from './sql/export.ts'
import type { OrderFilter } from './sql/list.ts'

/** About 150 KB of text; a statement returns fewer if they are long. */
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
  'returnedAmount',
  'lineDiscounts',
  'payments',
] as const

const FILE: ExportFile<(typeof COLUMNS)[number]> = {
  columns: COLUMNS,
  ids: ['id', 'customerId', 'soldById'],
  headings: ({ orders }) => orders,
  words: ({ orderStatus, paymentStatus, paymentMethod, platform }) => ({
    status: orderStatus,
    paymentStatus,
    paymentMethod,
    payments: paymentMethod,
    platform,
  }),
}

/**
 * The orders of a filter as CSV, newest first, a chunk of lines at a time (G-40): UTF-8 with a byte order mark, CRLF, texts in
 * quotes. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. With `labels` it is written for
 * people (G-121). Orders created in the meantime are not included; between two chunks nothing is locked or open in the database.
 */
export function exportOrders(
  db: Db,
  shopId: ObjectId,
  filter: OrderFilter,
  labels: Language | undefined,
): AsyncGenerator<string, void> {
  return exportChunks(FILE, labels, {
    read: (after: ExportedOrder | undefined) => listOrdersAfter(db, shopId, filter, after, CHUNK),
    linesOf: (row: ExportedOrder) => [lineOf(row)],
    hasMore: (rows) => rows.length === CHUNK || rows.at(-1)?.is_cut === true,
  })
}

function lineOf(row: ExportedOrder) {
  return {
    id: row.id,
    code: row.code,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    status: row.status,
    paymentStatus: row.payment_status,
    paymentMethod: row.payment_method,
    isPaid: row.is_paid,
    paidAmount: row.paid_amount,
    price: row.price,
    originPrice: row.origin_price,
    discount: row.discount,
    shippingFee: row.shipping_fee,
    untaxedPrice: row.untaxed_price,
    platform: row.platform,
    customerId: row.customer_id,
    customerName: row.customer_name,
    customerPhone: row.customer_phone,
    note: row.note,
    reasonCancel: row.reason_cancel,
    items: row.items
      .map(({ quantity, name, code, price }) => `${quantity} x ${name}${code && ` [${code}]`} @ ${price}`)
      .join('; '),
    soldById: row.sold_by,
    soldByName: row.seller?.name ?? null,
    returnedAmount: row.returned_amount,
    lineDiscounts: row.line_discounts,
    payments: row.payments.map(({ method, amount }) => ({ word: method, amount })),
  }
}
