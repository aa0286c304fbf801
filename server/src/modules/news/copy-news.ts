import type { Db } from '../../db/client.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentNewsWithItems } from './present.ts'
import { listCopiedNews } from './sql.ts'

/** Articles with their attached products (G-66, G-67). */
export async function copyNews(db: Db, shopId: ObjectId, copied: Copied) {
  return (await listCopiedNews(db, shopId, copied)).map(presentNewsWithItems)
}
