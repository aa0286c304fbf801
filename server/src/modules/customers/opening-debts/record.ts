import type { Db } from '../../../db/client.ts'
import { Refused } from '../../../errors.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { findOpeningDebt, putOpeningDebt } from './sql.ts'

/**
 * Records what a customer owed before the shop's first order here, or corrects it (G-124). The customer is locked or new. 0 for a
 * customer without an opening debt records nothing.
 * @throws Refused OPENING_DEBT_PAID for an amount below what was paid of it.
 */
export async function recordOpeningDebt(
  trx: Db,
  shopId: ObjectId,
  customerId: ObjectId,
  given: { amount: number; by: ObjectId | null; now: Date },
): Promise<void> {
  const before = await findOpeningDebt(trx, shopId, customerId)
  if (before === undefined && given.amount === 0) return
  if (before !== undefined && given.amount < before.paid_amount) {
    throw new Refused('OPENING_DEBT_PAID', { amount: given.amount, paid: before.paid_amount })
  }
  await putOpeningDebt(trx, shopId, customerId, given)
}
