import { type TotalMeta, type TotalMode, totalMeta } from '../../lib/lists/total.ts'
import type { CustomerRow, FoundCustomers, ListedCustomer } from './sql.ts'

export function presentCustomer(row: CustomerRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    shopId: row.shop_id,
    fullName: row.full_name,
    phone: row.phone,
    email: row.email,
    birthday: row.birthday ?? '',
    avatar: row.avatar,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** With `debt`, if it was asked for. */
export function presentListedCustomer({ debt, ...row }: ListedCustomer) {
  return debt === undefined ? presentCustomer(row) : { ...presentCustomer(row), debt }
}

/**
 * What a list says about all that it found. The number of those who owe something is known whenever their debts are, so it has no cap
 * of its own.
 */
export function foundMeta(
  mode: TotalMode,
  { matches, debt }: Pick<FoundCustomers, 'matches' | 'debt'>,
  limit: number,
): TotalMeta & { isCut?: boolean; debt?: number | null } {
  if (debt === undefined) return totalMeta(mode, matches, limit)
  const { n, isCut } = matches
  return { ...totalMeta(mode, matches, limit, n), isCut, debt: isCut ? null : debt }
}
