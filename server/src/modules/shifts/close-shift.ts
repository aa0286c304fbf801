import type { Deps } from '../../deps.ts'
import { NotFound, Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Claim } from '../idempotency/hook.ts'
import { noteDone } from '../idempotency/sql.ts'
import { assertExpected, expectedCash } from './rules.ts'
import { findShift, lockShift, updateClosed } from './sql.ts'

/**
 * Closes a shift with the counted cash (G-40). Payments that began earlier are waited for and summed; later ones belong
 * to no shift, or to the next one. Does nothing if an earlier attempt with its key closed the shift (G-10).
 * @throws NotFound; Refused SHIFT_CLOSED; as `assertExpected`.
 */
export async function closeShift(
  deps: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  id: ObjectId,
  asked: { countedCash: number; expectedCash: number; note: string; by: ObjectId },
  claim: Claim | undefined,
): Promise<void> {
  return deps.db.transaction().execute(async (trx) => {
    if (!(await noteDone(trx, shopId, claim))) return
    const locked = await lockShift(trx, shopId, id)
    if (locked === undefined) throw new NotFound('shift')
    if (locked.closed_at !== null) throw new Refused('SHIFT_CLOSED')
    const row = (await findShift(trx, shopId, id))!
    const expected = expectedCash({
      openingCash: row.opening_cash,
      cashIn: row.cash_in,
      cashOut: row.cash_out,
      methods: row.methods,
    })
    assertExpected(asked.expectedCash, expected)
    await updateClosed(trx, shopId, id, { ...asked, expectedCash: expected, now: deps.clock.now() })
  })
}
