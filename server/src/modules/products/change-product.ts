import type { Db, Trx } from '../../db/client.ts'
import { NotFound } from '../../errors.ts'
import type { Edit } from '../../lib/edit.ts'
import type { Ids, ObjectId } from '../../lib/object-id.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import { noteReplacedPart, type ReplacedPart } from './history/sql.ts'
import type { ChildRows, Children, ProductRow } from './sql/columns.ts'
import { findProduct } from './sql/read.ts'
import { lockProduct, touchProduct } from './variants/sql.ts'

export type ChangeContext = { ids: Ids; now: Date; edit: Edit; children: Children }
export type WholeProduct = ProductRow & ChildRows

/** Replaces a part of a product while it is locked, so that two concurrent replacements happen one after the other. @throws NotFound; RecordChanged */
export async function changeLockedProduct(
  db: Db,
  shopId: ObjectId,
  id: ObjectId,
  part: ReplacedPart,
  context: ChangeContext,
  change: (trx: Trx) => Promise<void>,
): Promise<WholeProduct> {
  return db.transaction().execute(async (trx) => {
    const product = await lockProduct(trx, shopId, id)
    if (product === undefined) throw new NotFound('product')
    await assertVersion(trx, shopId, 'products', product, context.edit)
    await change(trx)
    const who = { by: context.edit.by, now: context.now }
    await touchProduct(trx, shopId, id, who)
    await noteReplacedPart(trx, shopId, id, part, who)
    return (await findProduct(trx, shopId, id, context.children))!
  })
}
