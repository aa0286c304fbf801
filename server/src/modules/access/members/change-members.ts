import type { Trx } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField, NotFound, Refused, Unauthorized } from '../../../errors.ts'
import type { Edit } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Origin } from '../../audit/rules.ts'
import { insertAuditEntry } from '../../audit/sql.ts'
import { assertVersion } from '../../concurrent-edits/assert-version.ts'
import { replacePassword } from '../passwords/sql.ts'
import { findUserByEmail, insertUser, lockAddress, lockUsers, updateUserName } from '../users-sql.ts'
import {
  countInvitations,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  type LinkedInvitation,
  revokeInvitationsOf,
  updateInvitationAccepted,
  updateInvitationRevoked,
} from './invitations-sql.ts'
import { lockRight } from './lock-right.ts'
import {
  acceptanceStep,
  hashInvitation,
  INVITATION_DAYS,
  INVITATIONS_A_DAY,
  isLower,
  newInvitationToken,
  normalEmail,
  type Role,
} from './rules.ts'
import { deleteMember, findMember, findRoleOf, lockOwners, type MemberRow, upsertMember } from './sql.ts'

const DAY_MS = 86_400_000

type Parts = Pick<Deps, 'db' | 'ids' | 'clock'>

/**
 * Invites a person to a shop; the link works once, within a week. `provesAddress`: only the address receives the link, by mail or
 * from the operator (0017). @returns the invitation and the link's token, which is not stored.
 * A member can be invited to a higher role only. @throws Refused ALREADY_MEMBER, TOO_MANY_INVITATIONS.
 */
export async function inviteMember(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  asked: { email: string; role: Role; provesAddress: boolean },
  origin: Origin,
): Promise<{ invitation: InvitationRow; token: string }> {
  const now = clock.now()
  const token = newInvitationToken()
  const email = normalEmail(asked.email)
  const invitation = await db.transaction().execute(async (trx) => {
    await lockRight(trx, origin, shopId)
    const has = await findRoleOf(trx, shopId, email)
    if (has !== undefined && !isLower(has, asked.role)) throw new Refused('ALREADY_MEMBER', { email })
    const made = await countInvitations(trx, shopId, email, new Date(now.getTime() - DAY_MS))
    if (made.ofShop >= INVITATIONS_A_DAY.ofShop || made.ofAddress >= INVITATIONS_A_DAY.ofAddress) {
      throw new Refused('TOO_MANY_INVITATIONS', INVITATIONS_A_DAY)
    }
    const row = await insertInvitation(trx, shopId, {
      id: ids.next(),
      hash: hashInvitation(token),
      email,
      role: asked.role,
      provesAddress: asked.provesAddress,
      invitedBy: origin.actor === 'member' ? origin.actorId : null,
      expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
      now,
    })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'member.invite',
      target: { invitationId: row.id },
      detail: { email, role: asked.role },
      now,
    })
    return row
  })
  return { invitation, token }
}

/** Revokes an invitation. @throws NotFound, also if it was accepted already. */
export async function revokeInvitation(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  id: ObjectId,
  origin: Origin,
): Promise<InvitationRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const row = await updateInvitationRevoked(trx, shopId, id, now)
    if (row === undefined) throw new NotFound('invitation')
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'member.uninvite',
      target: { invitationId: id },
      detail: { email: row.email },
      now,
    })
    return row
  })
}

/** Whoever accepts an invitation: a signed-in person, or one who gives a name and password for a new account. */
export type Invited = {
  userId: ObjectId | undefined
  name: string | undefined
  passwordHash: string | undefined
}

/** What accepting this invitation requires, given what is known of its address now. */
export function acceptanceStepOf(found: LinkedInvitation): ReturnType<typeof acceptanceStep> {
  const { proves_address: provesAddress, is_known_here: isKnownHere } = found
  return acceptanceStep(
    { provesAddress, isKnownHere },
    found.has_account ? { isProved: found.is_proved } : undefined,
  )
}

/**
 * Accepts an invitation: the person with its email becomes a member with its role. They get an account if there is none, or none
 * whose address is proved (0017). @returns the member. @throws NotFound when the invitation is unknown, accepted, revoked or
 * expired; ValidationError if a new account lacks its name or password; Unauthorized if the account of the address is not signed
 * in; Refused ADDRESS_NOT_PROVED; Refused ROLE_HIGHER for a member who has more rights already.
 */
export async function acceptInvitation(
  { db, ids, clock }: Parts,
  token: string,
  invited: Invited,
  from: { requestId: ObjectId; address: string },
): Promise<{ userId: ObjectId; email: string }> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const found = await findInvitation(trx, hashInvitation(token), now)
    if (found !== undefined) await lockOwners(trx, found.shop_id)
    const invitation = found && (await updateInvitationAccepted(trx, found.shop_id, found.id, now))
    if (invitation === undefined) throw new NotFound('invitation')
    const { shop_id: shopId, email, role } = invitation
    const userId = await accountOf({ trx, ids, now }, found!, invited)
    const has = (await findMember(trx, shopId, userId))?.role
    if (has !== undefined && isLower(role, has)) throw new Refused('ROLE_HIGHER')
    await upsertMember(trx, shopId, { userId, role, by: userId, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin: { actor: 'member', actorId: userId, ...from },
      action: 'member.join',
      target: { userId, invitationId: invitation.id },
      detail: { email, role },
      now,
    })
    return { userId, email }
  })
}

/** The account that accepts an invitation: that of the signed-in person, a new one, or the address's replaced one. */
async function accountOf(
  { trx, ids, now }: { trx: Trx; ids: Parts['ids']; now: Date },
  invitation: LinkedInvitation,
  { userId, name, passwordHash }: Invited,
): Promise<ObjectId> {
  const { email, proves_address: isProved } = invitation
  await lockAddress(trx, email)
  const known = await findUserByEmail(trx, email)
  const [user] = known === undefined ? [] : await lockUsers(trx, [known.id])
  const step = acceptanceStepOf({
    ...invitation,
    has_account: user !== undefined,
    is_proved: user?.is_proved ?? false,
  })
  if (step === 'prove-first') throw new Refused('ADDRESS_NOT_PROVED')
  if (step === 'sign-in') {
    if (user!.id !== userId) throw new Unauthorized('session')
    return user!.id
  }
  if (name === undefined) throw invalidField(['name'], 'any.required')
  if (passwordHash === undefined) throw invalidField(['password'], 'any.required')
  if (user !== undefined) {
    await updateUserName(trx, user.id, name, now)
    await replacePassword(trx, user.id, { hash: passwordHash, isProved, now })
    return user.id
  }
  const id = ids.next()
  await insertUser(
    trx,
    { id, name, email, isOperator: false, isProved, now },
    { id: ids.next(), passwordHash },
  )
  return id
}

/**
 * Gives a member another role, or if `role` is undefined removes them. With fewer rights their open invitations are revoked.
 * @throws NotFound; Refused LAST_OWNER if the shop would have no owner left; RecordChanged (G-71).
 */
export async function changeMember(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  userId: ObjectId,
  role: Role | undefined,
  edit: Edit,
  origin: Origin,
): Promise<MemberRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const owners = await lockOwners(trx, shopId)
    await lockRight(trx, origin, shopId)
    const member = await findMember(trx, shopId, userId)
    if (member === undefined) throw new NotFound('member')
    if (role !== 'owner' && owners.length === 1 && owners[0] === userId) throw new Refused('LAST_OWNER')
    await assertVersion(trx, shopId, 'member_roles', { id: userId, version: member.version }, edit)
    // Revoked before the member is changed, so that this waits for an acceptance in progress.
    if (role === undefined || isLower(role, member.role)) {
      await revokeInvitationsOf(trx, shopId, member.email, now)
    }
    if (role === undefined) await deleteMember(trx, shopId, userId)
    else await upsertMember(trx, shopId, { userId, role, by: edit.by, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: role === undefined ? 'member.remove' : 'member.update',
      target: { userId },
      detail: role === undefined ? { email: member.email } : { role: [member.role, role] },
      now,
    })
    return role === undefined ? member : { ...member, role, version: member.version + 1 }
  })
}
