import type { CustomerRow, ListedCustomer } from './sql.ts'

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
