import type { Db } from '../../../db/client.ts'
import { NotFound } from '../../../errors.ts'
import type { Edit } from '../../../lib/edit.ts'
import type { Ids, ObjectId } from '../../../lib/object-id.ts'
import { assertVersion } from '../../concurrent-edits/assert-version.ts'
import type { ChildRows, Children, ProductRow } from '../sql/columns.ts'
import { findProduct } from '../sql/read.ts'
import { withStoredCodes } from '../stored-codes.ts'
import { writeProduct } from '../write-product.ts'
import { planVariants, type SentVariants } from './rules.ts'
import { findTakenCode, findVariants, lockIdleSkus, lockProduct, writeVariants } from './sql.ts'

/**
 * Replaces a product's groups and SKUs with those of the body (G-37), by the rules of `planVariants`. Concurrent
 * replacements run one after the other. Only the product's lock is waited for.
 * @returns the product after the change, with the requested `children`.
 * @throws NotFound; RecordChanged; ValidationError (G-31); Refused ITEM_SKU_TAKEN or BARCODE_TAKEN (G-39). Nothing is
 *   changed then.
 */
export async function replaceVariants(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  sent: SentVariants,
  context: { ids: Ids; now: Date; edit: Edit; children: Children },
): Promise<ProductRow & ChildRows> {
  const stored = { ...sent, skus: sent.skus.map(withStoredCodes) }
  return writeProduct(() =>
    db.transaction().execute(async (trx) => {
      const product = await lockProduct(trx, shopId, id)
      if (product === undefined) throw new NotFound('product')
      await assertVersion(trx, shopId, 'products', product, context.edit)
      const idle = await lockIdleSkus(trx, shopId, id)
      const known = await findVariants(trx, shopId, id, idle)
      const { name, price, origin_price, item_sku: itemSku, barcode } = product
      const takeover = {
        name,
        price,
        itemSku,
        barcode,
        ...(origin_price !== null && { originPrice: origin_price }),
      }
      const plan = planVariants(takeover, stored, known, context.ids.next)
      const taken = await findTakenCode(trx, shopId, id, plan.codes)
      if (taken !== undefined) return { taken, row: undefined }
      await writeVariants(trx, shopId, id, plan, { by: context.edit.by, now: context.now })
      return { taken: undefined, row: await findProduct(trx, shopId, id, context.children) }
    }),
  )
}
