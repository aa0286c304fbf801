import type { Db, Trx } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import type { Ids, ObjectId } from '../../lib/object-id.ts'
import type { ChildRows, Children, ProductRow } from './sql/columns.ts'
import { findProduct } from './sql/list.ts'
import { lockProduct, touchProduct } from './variants/sql.ts'

export type ChangeContext = { ids: Ids; now: Date; children: Children }
export type WholeProduct = ProductRow & ChildRows

/** Changes the parts of a product while it is locked, so that two concurrent replacements happen one after the other. @throws NotFound */
export async function changeLockedProduct(
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
