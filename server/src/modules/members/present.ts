import type { InvitationRow, MemberRow, UserRow } from './sql.ts'

export function presentMember(row: MemberRow) {
  return {
    _id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  }
}

export function presentOperator({ id, name, email }: UserRow) {
  return { _id: id, name, email }
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
