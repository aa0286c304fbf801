import { type Member, memberValues } from './rules.ts'
import type { AudienceRow } from './sql.ts'

export function presentAudience(row: AudienceRow) {
  return {
    _id: row.id,
    id: row.id,
    __v: row.version,
    name: row.name,
    match: row.match,
    conditions: row.conditions,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentMember(member: Member) {
  return { _id: member.id, fullName: member.fullName, phone: member.phone, values: memberValues(member) }
}
