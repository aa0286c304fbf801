import type { Db } from '../../db/client.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentSkuStock } from './present.ts'
import { listCopiedStock } from './sql/copied.ts'

/** The stock of SKUs in all warehouses (G-66, G-67); retired SKUs are left out. */
export async function copyStock(db: Db, shopId: ObjectId, copied: Copied) {
  return (await listCopiedStock(db, shopId, copied)).map(presentSkuStock)
}
