import type { Deps } from '../../deps.ts'
import { invalidField, NotFound, Refused } from '../../errors.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Origin } from '../audit/rules.ts'
import { insertAuditEntry } from '../audit/sql.ts'
import { holdRight } from './hold-right.ts'
import { hashInvitation, INVITATION_DAYS, newInvitationToken, normalEmail, type Role } from './rules.ts'
import {
  deleteMember,
  findInvitation,
  findMember,
  findUserByEmail,
  type InvitationRow,
  insertInvitation,
  insertUser,
  lockOwners,
  type MemberRow,
  takeInvitation,
  updateInvitationRevoked,
  upsertMember,
} from './sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock'>

/**
 * Invites somebody into a shop; whoever has the link may take it, once, within a week.
 * @returns the invitation and the link's token, which is not kept.
 */
export async function inviteMember(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  asked: { email: string; role: Role },
  origin: Origin,
): Promise<{ invitation: InvitationRow; token: string }> {
  const now = clock.now()
  const token = newInvitationToken()
  const email = normalEmail(asked.email)
  const invitation = await db.transaction().execute(async (trx) => {
    await holdRight(trx, origin, shopId)
    const row = await insertInvitation(trx, shopId, {
      id: ids.next(),
      hash: hashInvitation(token),
      email,
      role: asked.role,
      expiresAt: new Date(now.getTime() + INVITATION_DAYS * 86_400_000),
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

/** Takes an invitation back. @throws NotFound also when it was taken already. */
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

/**
 * Takes an invitation: its e-mail becomes a member with its role, and an account where it has none.
 * @throws NotFound when it is unknown, taken, revoked or too old; ValidationError where a new account lacks its name
 * or password.
 */
export async function acceptInvitation(
  { db, ids, clock }: Parts,
  token: string,
  account: { name: string | undefined; passwordHash: string | undefined },
  from: { requestId: ObjectId; address: string },
): Promise<{ email: string }> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const found = await findInvitation(trx, hashInvitation(token))
    const invitation = found && (await takeInvitation(trx, found.shop_id, found.id, now))
    if (invitation === undefined) throw new NotFound('invitation')
    const { shop_id: shopId, email, role } = invitation
    let userId = (await findUserByEmail(trx, email))?.id
    if (userId === undefined) {
      const { name, passwordHash } = account
      if (name === undefined) throw invalidField(['name'], 'is required')
      if (passwordHash === undefined) throw invalidField(['password'], 'is required')
      userId = ids.next()
      await insertUser(
        trx,
        { id: userId, name, email, isOperator: false, now },
        { id: ids.next(), passwordHash },
      )
    }
    await upsertMember(trx, shopId, { userId, role, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin: { actor: 'member', actorId: userId, ...from },
      action: 'member.join',
      target: { userId, invitationId: invitation.id },
      detail: { email, role },
      now,
    })
    return { email }
  })
}

/**
 * Gives a member another role, or with `role` undefined removes them.
 * @throws NotFound; Refused LAST_OWNER when the shop would be left without one.
 */
export async function changeMember(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  userId: ObjectId,
  role: Role | undefined,
  origin: Origin,
): Promise<MemberRow> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const owners = await lockOwners(trx, shopId)
    await holdRight(trx, origin, shopId)
    const member = await findMember(trx, shopId, userId)
    if (member === undefined) throw new NotFound('member')
    if (role !== 'owner' && owners.length === 1 && owners[0] === userId) throw new Refused('LAST_OWNER')
    if (role === undefined) await deleteMember(trx, shopId, userId)
    else await upsertMember(trx, shopId, { userId, role, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: role === undefined ? 'member.remove' : 'member.update',
      target: { userId },
      detail: role === undefined ? { email: member.email } : { role: [member.role, role] },
      now,
    })
    return { ...member, role: role ?? member.role }
  })
}
