import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Role } from './rules.ts'

export type InvitationRow = {
  shop_id: ObjectId
  id: ObjectId
  email: string
  role: Role
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
  created_at: Date
  /** Whether only the address receives the link. */
  proves_address: boolean
}

/** An invitation as its link shows it, with what is known of its address. */
export type LinkedInvitation = InvitationRow & {
  shop_name: string
  is_open: boolean
  has_account: boolean
  is_proved: boolean
  /** Whether the address accepted an invitation of this shop before. */
  is_known_here: boolean
}

const invitationColumns = sql`shop_id, id, email, role, expires_at, accepted_at, revoked_at, created_at, proves_address`

export async function insertInvitation(
  trx: Db,
  shopId: ObjectId,
  invitation: {
    id: ObjectId
    hash: Buffer
    email: string
    role: Role
    provesAddress: boolean
    /** Null: with the operator's token. */
    invitedBy: ObjectId | null
    expiresAt: Date
    now: Date
  },
): Promise<InvitationRow> {
  const { rows } = await sql<InvitationRow>`
    insert into invitations (shop_id, id, hash, email, role, proves_address, invited_by, expires_at, created_at)
    values (${shopId}, ${invitation.id}, ${invitation.hash}, ${invitation.email}, ${invitation.role},
      ${invitation.provesAddress}, ${invitation.invitedBy}, ${invitation.expiresAt}, ${invitation.now})
    returning ${invitationColumns}`.execute(trx)
  return rows[0]!
}

/**
 * Whether the invitation `i` can still be accepted: it is neither accepted nor revoked nor expired, and who made it is still an
 * owner of the shop or an operator, so that a removed owner cannot come back by a link made before.
 */
function isOpen(now: Date) {
  return sql`(i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now} and (
    i.invited_by is null
    or exists (select from members m where m.shop_id = i.shop_id and m.user_id = i.invited_by and m.role = 'owner')
    or exists (select from users u where u.id = i.invited_by and u.is_operator)))`
}

/** How many invitations the shop has made since `from`, also those that have ended, and how many of them to this address. */
export async function countInvitations(
  trx: Db,
  shopId: ObjectId,
  email: string,
  from: Date,
): Promise<{ ofShop: number; ofAddress: number }> {
  const { rows } = await sql<{ ofShop: number; ofAddress: number }>`
    select count(*)::integer as "ofShop", (count(*) filter (where email = ${email}))::integer as "ofAddress"
    from invitations
    where shop_id = ${shopId} and created_at > ${from}`.execute(trx)
  return rows[0]!
}

/** The invitations that can still be accepted, newest first. */
export async function listOpenInvitations(db: Db, shopId: ObjectId, now: Date): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns}
    from invitations i
    where i.shop_id = ${shopId} and ${isOpen(now)}
    order by i.created_at desc, i.id desc
    limit 1000`.execute(db)
  return rows
}

/** An invitation by its link's hash, with the shop's name; the link determines the shop. */
export async function findInvitation(db: Db, hash: Buffer, now: Date): Promise<LinkedInvitation | undefined> {
  const { rows } = await sql<LinkedInvitation>`
    select i.shop_id, i.id, i.email, i.role, i.expires_at, i.accepted_at, i.revoked_at, i.created_at,
      i.proves_address, s.name as shop_name, ${isOpen(now)} as is_open, u.id is not null as has_account,
      coalesce(u.email_verified, false) as is_proved,
      exists (
        select 1 from invitations e
        where e.shop_id = i.shop_id and e.email = i.email and e.accepted_at is not null
      ) as is_known_here
    from invitations i
    join shops s on s.id = i.shop_id
    left join users u on u.email = i.email
    where i.hash = ${hash}`.execute(db)
  return rows[0]
}

/** Marks an invitation as accepted, once: `undefined` if it can no longer be accepted. */
export async function updateInvitationAccepted(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  now: Date,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    update invitations i
    set accepted_at = ${now}
    where i.shop_id = ${shopId} and i.id = ${id} and ${isOpen(now)}
    returning ${invitationColumns}`.execute(trx)
  return rows[0]
}

export async function updateInvitationRevoked(
  trx: Db,
  shopId: ObjectId,
  id: ObjectId,
  now: Date,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    update invitations
    set revoked_at = coalesce(revoked_at, ${now})
    where shop_id = ${shopId} and id = ${id} and accepted_at is null
    returning ${invitationColumns}`.execute(trx)
  return rows[0]
}

/** Revokes every open invitation of an address to the shop. @returns how many. */
export async function revokeInvitationsOf(
  trx: Trx,
  shopId: ObjectId,
  email: string,
  now: Date,
): Promise<number> {
  const { rows } = await sql`
    update invitations
    set revoked_at = ${now}
    where shop_id = ${shopId} and email = ${email} and accepted_at is null and revoked_at is null
    returning id`.execute(trx)
  return rows.length
}
