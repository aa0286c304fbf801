import type { Db, Trx } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import type { Ids, ObjectId } from '../../lib/object-id.ts'
import type { ChildRows, Children, ProductRow } from './sql/columns.ts'
import { findProduct } from './sql/list.ts'
import { lockProduct, touchProduct } from './variants/sql.ts'

export type ChangeContext = { ids: Ids; now: Date; children: Children }
export type WholeProduct = ProductRow & ChildRows

/** Changes what belongs to a product under its lock, so that of two replacements at once one comes after the other, whole. @throws NotFound */
export async function changeProductWhole(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  context: ChangeContext,
  change: (trx: Trx) => Promise<void>,
): Promise<WholeProduct> {
  return db.transaction().execute(async (trx) => {
    if ((await lockProduct(trx, shopId, id)) === undefined) throw new NotFound('product')
    await change(trx)
    await touchProduct(trx, shopId, id, context.now)
    return (await findProduct(trx, shopId, id, context.children))!
  })
}
