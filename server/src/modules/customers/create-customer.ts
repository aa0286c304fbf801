import type { Deps } from '../../deps.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { recordOpeningDebt } from './opening-debts/record.ts'
import { type CustomerFields, customerSearch, storedFields } from './rules.ts'
import { type CustomerRow, insertCustomer } from './sql.ts'

/** A customer as a caller gives them; `openingDebt` in đồng, 0 for none. */
export type CustomerGiven = Pick<CustomerFields, 'fullName'> &
  Partial<CustomerFields> & { id: ObjectId; openingDebt: number; by: ObjectId | null }

/**
 * Creates a customer and records what they owed before their first order here, in one transaction (G-46, G-124).
 * @throws ValidationError as `storedFields`; the unique violation of the phone as `insertCustomer`.
 */
export async function createCustomer(
  deps: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  { id, openingDebt: amount, by, ...given }: CustomerGiven,
): Promise<CustomerRow> {
  const now = deps.clock.now()
  const draft = {
    phone: '',
    email: '',
    birthday: '',
    avatar: '',
    note: '',
    ...storedFields(given, now),
    id,
    now,
  }
  const search = customerSearch(draft.fullName, draft.phone)
  if (amount === 0) return insertCustomer(deps.db, shopId, { ...draft, search })
  return deps.db.transaction().execute(async (trx) => {
    const row = await insertCustomer(trx, shopId, { ...draft, search })
    await recordOpeningDebt(trx, shopId, id, { amount, by, now })
    return row
  })
}
