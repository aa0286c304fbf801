import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Oversell } from '../shops/sql.ts'
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
}

export type UserRow = { id: ObjectId; name: string; email: string; is_operator: boolean }

/** A person, with the password they sign in with. One statement. */
export async function insertUser(
  trx: Db,
  user: { id: ObjectId; name: string; email: string; isOperator: boolean; now: Date },
  account: { id: ObjectId; passwordHash: string },
): Promise<void> {
  await sql`
    with person as (
      insert into users (id, name, email, email_verified, is_operator, created_at, updated_at)
      values (${user.id}, ${user.name}, ${user.email}, true, ${user.isOperator}, ${user.now}, ${user.now})
      returning id
    )
    insert into accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    select ${account.id}, id, id, 'credential', ${account.passwordHash}, ${user.now}, ${user.now}
    from person`.execute(trx)
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select id, name, email, is_operator
    from users
    where email = ${email}`.execute(db)
  return rows[0]
}

/** The people who are operators, by e-mail; at most 1,000. */
export async function listOperators(db: Db): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select id, name, email, is_operator
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
    returning id, name, email, is_operator`.execute(db)
  return rows[0]
}

/** People by id, locked in the order of their ids: who changes one of them decides on what stays so. */
export async function lockUsers(trx: Trx, userIds: ObjectId[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select id, name, email, is_operator
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

const invitationColumns = sql`shop_id, id, email, role, expires_at, accepted_at, revoked_at, created_at`

export async function insertInvitation(
  trx: Db,
  shopId: ObjectId,
  invitation: { id: ObjectId; hash: Buffer; email: string; role: Role; expiresAt: Date; now: Date },
): Promise<InvitationRow> {
  const { rows } = await sql<InvitationRow>`
    insert into invitations (shop_id, id, hash, email, role, expires_at, created_at)
    values (${shopId}, ${invitation.id}, ${invitation.hash}, ${invitation.email}, ${invitation.role},
      ${invitation.expiresAt}, ${invitation.now})
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
export async function findInvitation(
  db: Db,
  hash: Buffer,
): Promise<(InvitationRow & { shop_name: string; has_account: boolean }) | undefined> {
  const { rows } = await sql<InvitationRow & { shop_name: string; has_account: boolean }>`
    select i.shop_id, i.id, i.email, i.role, i.expires_at, i.accepted_at, i.revoked_at, i.created_at,
      s.name as shop_name, exists (select 1 from users u where u.email = i.email) as has_account
    from invitations i
    join shops s on s.id = i.shop_id
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
