import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Oversell } from '../../shops/sql.ts'
import type { Role } from './rules.ts'

export type MemberRow = { user_id: ObjectId; name: string; email: string; role: Role; created_at: Date }

export type InvitationRow = {
  shop_id: ObjectId
  id: ObjectId
  email: string
  role: Role
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
  created_at: Date
  /** Whether the link reaches nobody but the address. */
  proves_address: boolean
}

/** An invitation as its link shows it, with what is known of its address. */
export type LinkedInvitation = InvitationRow & {
  shop_name: string
  has_account: boolean
  is_proved: boolean
  /** Whether the address took an invitation of this shop before. */
  is_known_here: boolean
}

export type UserRow = {
  id: ObjectId
  name: string
  email: string
  is_operator: boolean
  /** Whether the password was set by a link that reached nobody but the address (0017). */
  is_proved: boolean
}

const userColumns = sql`id, name, email, is_operator, email_verified as is_proved`

/** A person, with the password they sign in with; null: none, until a link sets one. One statement. */
export async function insertUser(
  trx: Db,
  user: { id: ObjectId; name: string; email: string; isOperator: boolean; isProved: boolean; now: Date },
  account: { id: ObjectId; passwordHash: string | null },
): Promise<void> {
  await sql`
    with person as (
      insert into users (id, name, email, email_verified, is_operator, created_at, updated_at)
      values (${user.id}, ${user.name}, ${user.email}, ${user.isProved}, ${user.isOperator}, ${user.now}, ${user.now})
      returning id
    )
    insert into accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    select ${account.id}, id, id, 'credential', ${account.passwordHash}, ${user.now}, ${user.now}
    from person`.execute(trx)
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from users
    where email = ${email}`.execute(db)
  return rows[0]
}

/** The people who are operators, by e-mail; at most 1,000. */
export async function listOperators(db: Db): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from users
    where is_operator
    order by email
    limit 1000`.execute(db)
  return rows
}

/** Makes a person an operator over all shops, or takes that away; undefined when there was nothing to change. */
export async function updateIsOperator(
  db: Db,
  userId: ObjectId,
  isOperator: boolean,
  now: Date,
): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    update users
    set is_operator = ${isOperator}, updated_at = ${now}
    where id = ${userId} and is_operator <> ${isOperator}
    returning ${userColumns}`.execute(db)
  return rows[0]
}

/** People by id, locked in the order of their ids: who changes one of them decides on what stays so. */
export async function lockUsers(trx: Trx, userIds: ObjectId[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from users
    where id = any(${userIds}::text[])
    order by id
    for update`.execute(trx)
  return rows
}

/** Whether a person is an operator, which then stays so until the transaction ends. */
export async function holdOperator(trx: Trx, userId: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from users
    where id = ${userId} and is_operator
    for share`.execute(trx)
  return rows.length > 0
}

/** Whether a person is an owner of the shop, which then stays so until the transaction ends. */
export async function holdOwner(trx: Trx, shopId: ObjectId, userId: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from members
    where shop_id = ${shopId} and user_id = ${userId} and role = 'owner'
    for share`.execute(trx)
  return rows.length > 0
}

export type MemberShopRow = { id: ObjectId; name: string; language: 'vi' | 'en'; role: Role }

/** The shops that a person belongs to, by name. Index members_by_user. */
export async function listShopsOfUser(db: Db, userId: ObjectId): Promise<MemberShopRow[]> {
  // By the person, who may be in several shops.
  const { rows } = await sql<MemberShopRow>`
    select s.id, s.name, s.language, m.role
    from members m
    join shops s on s.id = m.shop_id
    where m.user_id = ${userId}
    order by s.name, s.id
    limit 1000`.execute(db)
  return rows
}

export async function listMembers(db: Db, shopId: ObjectId): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select m.user_id, u.name, u.email, m.role, m.created_at
    from members m
    join users u on u.id = m.user_id
    where m.shop_id = ${shopId}
    order by m.created_at, m.user_id
    limit 1000`.execute(db)
  return rows
}

/** The shop's members that are owners, locked: who changes one decides alone whether an owner is left. */
export async function lockOwners(trx: Trx, shopId: ObjectId): Promise<ObjectId[]> {
  const { rows } = await sql<{ user_id: ObjectId }>`
    select user_id
    from members
    where shop_id = ${shopId} and role = 'owner'
    order by user_id
    for update`.execute(trx)
  return rows.map((row) => row.user_id)
}

export async function findMember(db: Db, shopId: ObjectId, userId: ObjectId): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select m.user_id, u.name, u.email, m.role, m.created_at
    from members m
    join users u on u.id = m.user_id
    where m.shop_id = ${shopId} and m.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** A member with this role, whether new or there already. */
export async function upsertMember(
  trx: Db,
  shopId: ObjectId,
  member: { userId: ObjectId; role: Role; now: Date },
): Promise<void> {
  await sql`
    insert into members (shop_id, user_id, role, created_at, updated_at)
    values (${shopId}, ${member.userId}, ${member.role}, ${member.now}, ${member.now})
    on conflict (shop_id, user_id) do update set role = excluded.role, updated_at = excluded.updated_at`.execute(
    trx,
  )
}

export async function deleteMember(trx: Db, shopId: ObjectId, userId: ObjectId): Promise<void> {
  await sql`
    delete from members
    where shop_id = ${shopId} and user_id = ${userId}`.execute(trx)
}

export type MemberShop = {
  id: ObjectId
  role: Role
  language: 'vi' | 'en'
  oversell: Oversell
}

/** What a request by a person in a shop goes by; `undefined` when they do not belong to it. */
export async function findMemberShop(
  db: Db,
  shopId: ObjectId,
  userId: ObjectId,
): Promise<MemberShop | undefined> {
  const { rows } = await sql<MemberShop>`
    select s.id, m.role, s.language, s.oversell
    from members m
    join shops s on s.id = m.shop_id
    where m.shop_id = ${shopId} and m.user_id = ${userId}`.execute(db)
  return rows[0]
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
    expiresAt: Date
    now: Date
  },
): Promise<InvitationRow> {
  const { rows } = await sql<InvitationRow>`
    insert into invitations (shop_id, id, hash, email, role, proves_address, expires_at, created_at)
    values (${shopId}, ${invitation.id}, ${invitation.hash}, ${invitation.email}, ${invitation.role},
      ${invitation.provesAddress}, ${invitation.expiresAt}, ${invitation.now})
    returning ${invitationColumns}`.execute(trx)
  return rows[0]!
}

/** The invitations that can still be taken, newest first. */
export async function listOpenInvitations(db: Db, shopId: ObjectId, now: Date): Promise<InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${invitationColumns}
    from invitations
    where shop_id = ${shopId} and accepted_at is null and revoked_at is null and expires_at > ${now}
    order by created_at desc, id desc
    limit 1000`.execute(db)
  return rows
}

/** An invitation by its link, with the shop's name; the shop is the link's to tell. */
export async function findInvitation(db: Db, hash: Buffer): Promise<LinkedInvitation | undefined> {
  const { rows } = await sql<LinkedInvitation>`
    select i.shop_id, i.id, i.email, i.role, i.expires_at, i.accepted_at, i.revoked_at, i.created_at,
      i.proves_address, s.name as shop_name, u.id is not null as has_account,
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

/** Takes an invitation, once: `undefined` when it is taken, revoked or too old. */
export async function takeInvitation(
  trx: Trx,
  shopId: ObjectId,
  id: ObjectId,
  now: Date,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    update invitations
    set accepted_at = ${now}
    where shop_id = ${shopId} and id = ${id}
      and accepted_at is null and revoked_at is null and expires_at > ${now}
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

/** Deletes up to `limit` sessions that ended before. @returns how many. Index sessions_by_expiry. */
export async function deleteExpiredSessions(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from sessions
    where id in (
      select id
      from sessions
      where expires_at < ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    returning id`.execute(db)
  return rows.length
}

/** Deletes up to `limit` links to set a password that ended before. @returns how many. Index verifications_by_expiry. */
export async function deleteExpiredVerifications(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from verifications
    where id in (
      select id
      from verifications
      where expires_at < ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    returning id`.execute(db)
  return rows.length
}

/** Takes back every open invitation of an address into the shop. @returns how many. */
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

export async function updateUserName(trx: Trx, userId: ObjectId, name: string, now: Date): Promise<void> {
  await sql`
    update users
    set name = ${name}, updated_at = ${now}
    where id = ${userId}`.execute(trx)
}
