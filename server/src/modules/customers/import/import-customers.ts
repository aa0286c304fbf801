import { isUniqueViolation } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { PHONE_CONSTRAINT } from '../sql.ts'
import { type GivenRow, type RowProblem, readRows } from './rules.ts'
import { awaitImports, type ImportCounts, storeRows } from './sql.ts'

/** How often the rows are tried if somebody else takes one of their numbers at the same moment. */
const MAX_ATTEMPTS = 5

/** Ends a transaction whose writes are not wanted. */
class DryRun extends Error {
  readonly counts: ImportCounts

  constructor(counts: ImportCounts) {
    super('dry run')
    this.counts = counts
  }
}

/**
 * Stores customers and what they owed before their first order here (G-125), all rows without a problem in one transaction; the
 * same rows again change nothing. A dry run only says what would be done.
 */
export async function importCustomers(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shopId: ObjectId,
  given: readonly GivenRow[],
  { dryRun, by }: { dryRun: boolean; by: ObjectId | null },
): Promise<ImportCounts & { problems: RowProblem[] }> {
  const now = deps.clock.now()
  const { rows, problems } = readRows(given, now)
  const withIds = rows.map((row) => ({ ...row, id: deps.ids.next() }))
  for (let attempt = 1; ; attempt += 1) {
    try {
      const counts = await deps.db.transaction().execute(async (trx) => {
        await awaitImports(trx, shopId)
        const done = await storeRows(trx, shopId, withIds, { by, now })
        if (dryRun) throw new DryRun(done)
        return done
      })
      return { ...counts, problems }
    } catch (error) {
      if (error instanceof DryRun) return { ...error.counts, problems }
      if (!isUniqueViolation(error, PHONE_CONSTRAINT) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
