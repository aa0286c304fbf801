import { sql } from 'kysely'
import type { Db, Trx } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import { type Oversell, type ShopProfile, shopProfile } from '../../shops/sql.ts'
import type { Role } from './rules.ts'

export type MemberRow = {
  user_id: ObjectId
  /** Counts the changes of the role (G-71). */
  version: number
  name: string
  email: string
  role: Role
  created_at: Date
}

/** Whether a person is an owner of the shop; if so, the membership is locked until the transaction ends. */
export async function lockOwner(trx: Trx, shopId: ObjectId, userId: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from members
    where shop_id = ${shopId} and user_id = ${userId} and role = 'owner'
    for share`.execute(trx)
  return rows.length > 0
}

export type MemberShopRow = ShopProfile & {
  id: ObjectId
  name: string
  language: 'vi' | 'en'
  lowStockAt: number
  role: Role
}

/** The shops that a person belongs to, by name. Index members_by_user. */
export async function listShopsOfUser(db: Db, userId: ObjectId): Promise<MemberShopRow[]> {
  // Selects by person, who may be in several shops.
  const { rows } = await sql<MemberShopRow>`
    select s.id, s.name, s.language, s.low_stock_at as "lowStockAt", m.role, ${shopProfile(sql`s`)}
    from members m
    join shops s on s.id = m.shop_id
    where m.user_id = ${userId}
    order by s.name, s.id
    limit 1000`.execute(db)
  return rows
}

/** One page of a shop's members, in the order they joined. */
export async function listMembers(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ members: MemberRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and m.user_id = any(${ids}::text[])`
  const { rows } = await sql<MemberRow & { id: ObjectId; cursor_key: number }>`
    select m.user_id, m.version, u.name, u.email, m.role, m.created_at, m.user_id as id,
      ${microseconds(sql`m.created_at`)} as cursor_key
    from members m
    join users u on u.id = m.user_id
    where m.shop_id = ${shopId}${among}${rowsAfter(sql`m.created_at`, sql`m.user_id`, after, { direction: 'asc' })}
    order by m.created_at, m.user_id
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: members, hasMore, last } = pageOf(rows, limit)
  return { members, hasMore, last }
}

/** The shop's members that are owners, locked, so that concurrent changes cannot leave the shop without an owner. */
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
    select m.user_id, m.version, u.name, u.email, m.role, m.created_at
    from members m
    join users u on u.id = m.user_id
    where m.shop_id = ${shopId} and m.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** The role of the member with this address, in normal form. */
export async function findRoleOf(trx: Trx, shopId: ObjectId, email: string): Promise<Role | undefined> {
  const { rows } = await sql<{ role: Role }>`
    select m.role
    from members m
    join users u on u.id = m.user_id
    where m.shop_id = ${shopId} and u.email = ${email}`.execute(trx)
  return rows[0]?.role
}

/** Gives a person this role in the shop, whether they are a member already or not. */
export async function upsertMember(
  trx: Db,
  shopId: ObjectId,
  member: { userId: ObjectId; role: Role; by: ObjectId | null; now: Date },
): Promise<void> {
  await sql`
    insert into members (shop_id, user_id, role, created_at, updated_at, updated_by)
    values (${shopId}, ${member.userId}, ${member.role}, ${member.now}, ${member.now}, ${member.by})
    on conflict (shop_id, user_id) do update
    set role = excluded.role, version = members.version + 1, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`.execute(trx)
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
  isSuspended: boolean
}

/** The shop and role that a person's request acts with; `undefined` when they do not belong to it. */
export async function findMemberShop(
  db: Db,
  shopId: ObjectId,
  userId: ObjectId,
): Promise<MemberShop | undefined> {
  const { rows } = await sql<MemberShop>`
    select s.id, m.role, s.language, s.oversell, s.suspended_at is not null as "isSuspended"
    from members m
    join shops s on s.id = m.shop_id
    where m.shop_id = ${shopId} and m.user_id = ${userId}`.execute(db)
  return rows[0]
}

/** Up to `limit` members of the shop who are in no other shop and are not operators. */
export async function listUsersOfShopAlone(db: Db, shopId: ObjectId, limit: number): Promise<ObjectId[]> {
  const { rows } = await sql<{ user_id: ObjectId }>`
    select m.user_id
    from members m
    join users u on u.id = m.user_id and not u.is_operator
    where m.shop_id = ${shopId}
      and not exists (select from members others where others.user_id = m.user_id and others.shop_id <> ${shopId})
    order by m.user_id
    limit ${limit}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}
