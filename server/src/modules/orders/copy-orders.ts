import type { Db } from '../../db/client.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentOrderDetail } from './present.ts'
import { listCopiedOrders } from './sql/read.ts'

/** Orders as E13 shows them (G-66, G-67). */
export async function copyOrders(db: Db, shopId: ObjectId, copied: Copied) {
  return (await listCopiedOrders(db, shopId, copied)).map(presentOrderDetail)
}
