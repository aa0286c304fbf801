import { createHash, randomBytes } from 'node:crypto'
import { invalidField } from '../../../errors.ts'
import type { Scope } from '../keys/rules.ts'

/** From the most to the least that one may do. */
export const ROLES = ['owner', 'staff', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const INVITATION_DAYS = 7

/** What a member may do through the API, in a key's terms: a role is a set of scopes (G-60). */
export function scopesOfRole(role: Role): readonly Scope[] {
  const staff = ['read', 'catalogue', 'orders', 'content', 'messages'] as const
  if (role === 'owner') return [...staff, 'wallet']
  return role === 'staff' ? staff : ['read']
}

/**
 * What accepting an invitation takes (0017): a name and password for a new account, signing in to the existing one, or
 * first proving the address of that one. A link that only the address received replaces an account whose address was
 * not proved: whoever registered the address before loses it.
 */
export function acceptanceStep(
  invitation: { provesAddress: boolean; isKnownHere: boolean },
  account: { isProved: boolean } | undefined,
): 'new-account' | 'sign-in' | 'prove-first' {
  if (account === undefined) return 'new-account'
  if (account.isProved) return 'sign-in'
  if (invitation.provesAddress) return 'new-account'
  return invitation.isKnownHere ? 'sign-in' : 'prove-first'
}

/** Whether a member of role `has` would lose something by the role `given`. */
export function isLower(given: Role, has: Role): boolean {
  return ROLES.indexOf(given) > ROLES.indexOf(has)
}

/** The text of an invitation's link: 192 random bits. */
export function newInvitationToken(): string {
  return randomBytes(24).toString('base64url')
}

/** What is stored of an invitation. */
export function hashInvitation(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** What the sign-in's library takes: with any other address nobody would ever get in. */
const EMAIL = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/

/**
 * An e-mail as it is stored and compared.
 * @throws ValidationError for one that cannot sign in.
 */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!EMAIL.test(email)) throw invalidField(['email'], 'string.email')
  return email
}
