import type { Deps } from '../../deps.ts'
import type { Edit } from '../../lib/edit.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import { assertVersion } from '../concurrent-edits/assert-version.ts'
import { renameOrders } from '../orders/sql/read.ts'
import { recordOpeningDebt } from './opening-debts/record.ts'
import { type CustomerFields, customerSearch, storedFields, storedPhone } from './rules.ts'
import { type CustomerRow, lockCustomer, updateCustomer } from './sql.ts'

/**
 * Changes the given fields of a customer (G-46, G-124) and, when the name or the phone changes, the text by which the customer's orders
 * are found (E12), in one transaction.
 * @returns the changed customer; undefined when the shop has none with this id.
 * @throws ValidationError as `storedFields`; RecordChanged; Refused as `recordOpeningDebt`; the unique violation of the phone as `updateCustomer`.
 */
export async function changeCustomer(
  deps: Pick<Deps, 'db' | 'clock'>,
  shopId: ObjectId,
  id: ObjectId,
  { phone: typed, openingDebt, ...given }: Partial<CustomerFields> & { openingDebt?: number },
  edit: Edit,
): Promise<CustomerRow | undefined> {
  const changes = storedFields(given, deps.clock.now())
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockCustomer(trx, shopId, id)
    if (before === undefined) return undefined
    await assertVersion(trx, shopId, 'customers', before, edit)
    const fullName = changes.fullName ?? before.full_name
    // A foreign number is shown without its plus, so as it is shown it would not be valid.
    const isSame = typed === undefined || typed === before.phone
    const phone = isSame ? before.phone : storedPhone(typed)
    const search = customerSearch(fullName, phone)
    const row = await updateCustomer(trx, shopId, {
      id,
      fullName,
      phone,
      email: changes.email ?? before.email,
      birthday: changes.birthday ?? before.birthday ?? '',
      avatar: changes.avatar ?? before.avatar,
      note: changes.note ?? before.note,
      search,
      now: deps.clock.now(),
      by: edit.by,
    })
    if (openingDebt !== undefined) {
      await recordOpeningDebt(trx, shopId, id, { amount: openingDebt, by: edit.by, now: deps.clock.now() })
    }
    if (fullName !== before.full_name || phone !== before.phone) await renameOrders(trx, shopId, id, search)
    return row
  })
}
