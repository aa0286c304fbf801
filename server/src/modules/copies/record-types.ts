import type { Db } from '../../db/client.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Scope } from '../access/keys/rules.ts'
import { copyCustomers } from '../customers/copy-customers.ts'
import { customerRecord } from '../customers/schema.ts'
import { copyStock } from '../inventory/copy-stock.ts'
import { skuStockRecord } from '../inventory/schema.ts'
import { copyNews } from '../news/copy-news.ts'
import { newsWithItemsRecord } from '../news/schema.ts'
import { copyOrders } from '../orders/copy-orders.ts'
import { orderDetail } from '../orders/schema.ts'
import { copyProducts } from '../products/copy-products.ts'
import { productRecord } from '../products/record-schema.ts'

/** The types of records of which a partner may keep a copy, with the wire shape of each (G-66, G-67). */
export const RECORD_TYPES = {
  product: { record: productRecord, scope: 'catalogue', atOnce: 50, read: copyProducts },
  stock: { record: skuStockRecord, scope: 'catalogue', atOnce: 100, read: copyStock },
  order: { record: orderDetail, scope: 'orders', atOnce: 100, read: copyOrders },
  customer: { record: customerRecord, scope: 'orders', atOnce: 100, read: copyCustomers },
  news: { record: newsWithItemsRecord, scope: 'content', atOnce: 20, read: copyNews },
} satisfies Record<
  string,
  {
    record: object
    /** The scope that a key needs to read them, unless it has `read`. */
    scope: Scope
    /** How many are read together, fewer of a type whose records may be long, so that no reading holds up the process. */
    atOnce: number
    /**
     * The first of the records that fit together, in the order of `ids` or of their own ids; none only if there is none. So fewer
     * than were asked for may be read although there are more.
     */
    read(db: Db, shopId: ObjectId, copied: Copied): Promise<{ _id: ObjectId }[]>
  }
>

export type RecordType = keyof typeof RECORD_TYPES

export const TYPE_NAMES = Object.keys(RECORD_TYPES) as RecordType[]

/** A record of any type, as its `read` returns it. */
export type CopiedRecord = Awaited<ReturnType<(typeof RECORD_TYPES)[RecordType]['read']>>[number]

/** The scope that a key lacks for records of a type; undefined when it may read them. */
export function missingScope(type: RecordType, held: readonly Scope[]): Scope | undefined {
  const { scope } = RECORD_TYPES[type]
  return held.includes('read') || held.includes(scope) ? undefined : scope
}
