import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import { pageOf, rowsAfter } from '../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../lib/lists/place.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type UserRow = {
  id: ObjectId
  name: string
  email: string
  is_operator: boolean
  /** Whether the password was set by a link that only the address received (0017). */
  is_proved: boolean
}

const userColumns = sql`id, name, email, is_operator, email_verified as is_proved`

/** Adds a person and their password; null: none, until a link sets one. One statement. */
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

/**
 * Locks an email address until the transaction ends: a concurrent transaction that would create its account waits, and
 * then finds it.
 */
export async function lockAddress(trx: Trx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`.execute(trx)
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from users
    where email = ${email}`.execute(db)
  return rows[0]
}

/** One page of the operators, by email. */
export async function listOperators(
  db: Db,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ operators: UserRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  const { rows } = await sql<UserRow & { cursor_key: string }>`
    select ${userColumns}, email as cursor_key
    from users
    where is_operator${among}${rowsAfter(sql`email`, sql`id`, after, { direction: 'asc', kind: 'text' })}
    order by email, id
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: operators, hasMore, last } = pageOf(rows, limit)
  return { operators, hasMore, last }
}

/** Makes a person an operator over all shops, or removes that right; undefined if there was nothing to change. */
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

/** People by id, locked in the order of their ids: decisions based on these rows stay valid until the transaction ends. */
export async function lockUsers(trx: Trx, userIds: ObjectId[]): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select ${userColumns}
    from users
    where id = any(${userIds}::text[])
    order by id
    for update`.execute(trx)
  return rows
}

/** Whether a person is an operator; if so, the account is locked until the transaction ends. */
export async function lockOperator(trx: Trx, userId: ObjectId): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from users
    where id = ${userId} and is_operator
    for share`.execute(trx)
  return rows.length > 0
}

export async function updateUserName(trx: Trx, userId: ObjectId, name: string, now: Date): Promise<void> {
  await sql`
    update users
    set name = ${name}, updated_at = ${now}
    where id = ${userId}`.execute(trx)
}

/** Deletes people with their accounts, sessions and memberships. @returns how many. */
export async function deleteUsers(trx: Trx, userIds: ObjectId[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from users
    where id = any(${userIds}::text[])`.execute(trx)
  return Number(numAffectedRows)
}
