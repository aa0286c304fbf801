import type { Deps } from '../../../deps.ts'
import { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { MAX_OPEN_IMPORTS } from './rules.ts'
import { insertImport, lockOpenImports, type NewImport } from './sql.ts'

/**
 * Accepts an import of a stored upload (G-37). The import and its job are created in one transaction.
 * @throws Refused TOO_MANY_IMPORTS.
 */
export async function acceptImport(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  shopId: ObjectId,
  made: NewImport,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await lockOpenImports(trx, shopId)) >= MAX_OPEN_IMPORTS) {
      throw new Refused('TOO_MANY_IMPORTS', { most: MAX_OPEN_IMPORTS })
    }
    await insertImport(trx, shopId, made)
    await jobs.send(trx, 'import-products', { shopId, importId: made.id })
  })
}
