import type { KeyRow } from '../keys/sql.ts'
import type { UserRow } from '../users-sql.ts'
import type { InvitationRow } from './invitations-sql.ts'
import type { MemberRow, MemberShopRow } from './sql.ts'

export function presentMember(row: MemberRow) {
  return {
    _id: row.user_id,
    __v: row.version,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  }
}

export function presentOperator({ id, name, email }: UserRow) {
  return { _id: id, name, email }
}

/** A key that a removed member issued, as the response to the removal lists it. */
export function presentIssuedKey(row: KeyRow) {
  return {
    _id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

export function presentInvitation(row: InvitationRow) {
  return {
    _id: row.id,
    email: row.email,
    role: row.role,
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

/** One of the shops that a signed-in person works in, with what its counter prints and shows. */
export function presentOwnShop(row: MemberShopRow & { visitUntil: string | null }) {
  const { bankBin: bin, bankNumber: number, bankHolder: holder } = row
  return {
    _id: row.id,
    name: row.name,
    role: row.role,
    language: row.language,
    lowStockAt: row.lowStockAt,
    profile: {
      address: row.address,
      phone: row.phone,
      taxCode: row.taxCode,
      printNote: row.printNote,
      printPaper: row.printPaper,
      bank: bin === null || number === null || holder === null ? null : { bin, number, holder },
    },
    visitUntil: row.visitUntil,
  }
}
