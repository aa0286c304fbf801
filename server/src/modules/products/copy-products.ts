import type { Db } from '../../db/client.ts'
import type { Copied } from '../../lib/lists/copied.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { presentProduct, type Shown } from './present.ts'
import { noneSelected } from './rules.ts'
import { listCopiedProducts } from './sql/copied.ts'

const SHOWN: Shown = {
  select: {
    ...noneSelected(),
    skus: true,
    skuImages: true,
    variants: true,
    wholesalePrices: true,
    subItemsGroups: true,
  },
  skuDrafts: true,
  warehouseId: undefined,
}

/** Products as E9 shows them, with all parts except the category, which is copied as a separate record (G-66, G-67). */
export async function copyProducts(db: Db, shopId: ObjectId, copied: Copied) {
  const rows = await listCopiedProducts(db, shopId, copied, SHOWN)
  return rows.map((row) => presentProduct(row, SHOWN))
}
