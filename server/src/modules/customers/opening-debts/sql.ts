import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'

/** In đồng; `paid_amount` is at most `amount`. */
export type OpeningDebtRow = { amount: number; paid_amount: number }

/** The opening debt of a customer who is locked. */
export async function findOpeningDebt(
  trx: Db,
  shopId: ObjectId,
  customerId: ObjectId,
): Promise<OpeningDebtRow | undefined> {
  const { rows } = await sql<OpeningDebtRow>`
    select amount, paid_amount
    from opening_debts
    where shop_id = ${shopId} and customer_id = ${customerId}`.execute(trx)
  return rows[0]
}

/**
 * Records or corrects the opening debt of a customer who is locked, with an entry in opening_debt_entries. The same amount again
 * changes nothing.
 * @throws the check violation of `opening_debts_paid_check` for an amount below what was paid.
 */
export async function putOpeningDebt(
  trx: Db,
  shopId: ObjectId,
  customerId: ObjectId,
  { amount, by, now }: { amount: number; by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    insert into opening_debts as d (shop_id, customer_id, amount, recorded_by, recorded_at)
    values (${shopId}, ${customerId}, ${amount}, ${by}, ${now})
    on conflict (shop_id, customer_id) do update
    set amount = excluded.amount, version = d.version + 1, recorded_by = excluded.recorded_by,
      recorded_at = excluded.recorded_at
    where d.amount <> excluded.amount`.execute(trx)
}
