import { randomBytes } from 'node:crypto'
import { invalidField } from '../../../errors.ts'
import { sha256 } from '../../../lib/secrets/sha256.ts'
import type { Scope } from '../keys/rules.ts'

/** From the most rights to the fewest. */
export const ROLES = ['owner', 'staff', 'viewer'] as const
export type Role = (typeof ROLES)[number]

export const INVITATION_DAYS = 7

/** The scopes of a role; a role is a set of the same scopes that keys have (G-60). */
export function scopesOfRole(role: Role): readonly Scope[] {
  const staff = ['read', 'catalogue', 'orders', 'content', 'messages'] as const
  if (role === 'owner') return [...staff, 'wallet']
  return role === 'staff' ? staff : ['read']
}

/**
 * Whether a role may see what the shop's goods cost and what its sales bring (G-38). Staff sell, receive and count without seeing
 * it, and an operator who visits the shop does not see it either.
 */
export function seesCosts(role: Role): boolean {
  return role === 'owner'
}

/** Whether a role may close other people's shifts and move their cash (G-40). */
export function hasAllShifts(role: Role): boolean {
  return role === 'owner'
}

/**
 * What accepting an invitation requires (0017): a name and password for a new account, signing in to the existing one,
 * or first proving the address of that one. A link that only the address received replaces an account whose address was
 * not proved: the person who registered the address before loses it.
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

/** A shop's invitations within 24 hours: each may be an email that carries the shop's name, so they must not become a flood. */
export const INVITATIONS_A_DAY = { ofShop: 50, ofAddress: 3 }

/** Whether a member with role `has` would lose rights with the role `given`. */
export function isLower(given: Role, has: Role): boolean {
  return ROLES.indexOf(given) > ROLES.indexOf(has)
}

/** The text of an invitation's link: 192 random bits. */
export function newInvitationToken(): string {
  return randomBytes(24).toString('base64url')
}

/** The stored form of an invitation's token. */
export function hashInvitation(token: string): Buffer {
  return sha256(token)
}

/** The form of address that the sign-in library accepts; nobody could sign in with any other. */
const EMAIL = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/

/**
 * An email as it is stored and compared.
 * @throws ValidationError for an address that cannot sign in.
 */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!EMAIL.test(email)) throw invalidField(['email'], 'string.email')
  return email
}
