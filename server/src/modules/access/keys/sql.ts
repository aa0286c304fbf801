import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { microseconds, pageOf, rowsAfter } from '../../../db/fragments/keyset-sql.ts'
import type { Keyset, Place } from '../../../lib/lists/place.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Oversell } from '../../shops/sql.ts'
import type { Scope } from './rules.ts'

export type KeyRow = {
  id: ObjectId
  /** Counts the changes of its share of the limit (G-71). */
  version: number
  name: string
  prefix: string
  scopes: Scope[]
  max_per_minute: number | null
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  created_at: Date
}

export type KeyOwner = {
  shop_id: ObjectId
  id: ObjectId
  scopes: Scope[]
  max_per_minute: number | null
  language: 'vi' | 'en'
  oversell: Oversell
  is_suspended: boolean
  expires_at: Date | null
  last_used_at: Date | null
}

export type NewKey = {
  id: ObjectId
  name: string
  prefix: string
  hash: Buffer
  scopes: Scope[]
  /** The most of its shop's requests a minute that it may use; null: all. */
  maxPerMinute: number | null
  expiresAt: Date | undefined
  /** The person who is shown the key; undefined: it was issued with the operator's token. */
  issuedBy: ObjectId | undefined
  now: Date
}

const columns = sql`id, version, name, prefix, scopes, max_per_minute, expires_at, last_used_at, revoked_at, created_at`

/** The shop of a key that is not revoked, by the key's SHA-256; the caller checks the expiry. */
export async function findKeyByHash(db: Db, hash: Buffer): Promise<KeyOwner | undefined> {
  const { rows } = await sql<KeyOwner>`
    select k.shop_id, k.id, k.scopes, k.max_per_minute, s.language, s.oversell, s.suspended_at is not null as is_suspended,
      k.expires_at, k.last_used_at
    from api_keys k
    join shops s on s.id = k.shop_id
    where k.hash = ${hash} and k.revoked_at is null`.execute(db)
  return rows[0]
}

/** Records that a key was used, unless another process has done so since `before` (G-60: at most once a minute). */
export async function touchKey(
  db: Db,
  shopId: ObjectId,
  keyId: ObjectId,
  now: Date,
  before: Date,
): Promise<void> {
  await sql`
    update api_keys
    set last_used_at = ${now}
    where shop_id = ${shopId} and id = ${keyId} and (last_used_at is null or last_used_at <= ${before})`.execute(
    db,
  )
}

export async function insertKey(db: Db, shopId: ObjectId, key: NewKey): Promise<KeyRow> {
  const { rows } = await sql<KeyRow>`
    insert into api_keys (shop_id, id, name, prefix, hash, scopes, max_per_minute, expires_at, own_end, issued_by,
      created_at)
    values (${shopId}, ${key.id}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.scopes}::text[],
      ${key.maxPerMinute}, ${key.expiresAt ?? null}, ${key.expiresAt ?? null}, ${key.issuedBy ?? null}, ${key.now})
    returning ${columns}`.execute(db)
  return rows[0]!
}

/** One page of a shop's keys, newest first, including ended ones. Index api_keys_by_created. */
export async function listKeys(
  db: Db,
  shopId: ObjectId,
  ids: ObjectId[] | undefined,
  { limit, offset, after }: Place,
): Promise<{ keys: KeyRow[]; hasMore: boolean; last: Keyset | undefined }> {
  const among = ids === undefined ? sql`` : sql` and id = any(${ids}::text[])`
  const { rows } = await sql<KeyRow & { cursor_key: number }>`
    select ${columns}, ${microseconds(sql`created_at`)} as cursor_key
    from api_keys
    where shop_id = ${shopId}${among}${rowsAfter(sql`created_at`, sql`id`, after)}
    order by created_at desc, id desc
    limit ${limit + 1}
    offset ${offset}`.execute(db)
  const { page: keys, hasMore, last } = pageOf(rows, limit)
  return { keys, hasMore, last }
}

export async function findKey(db: Db, shopId: ObjectId, keyId: ObjectId): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    select ${columns}
    from api_keys
    where shop_id = ${shopId} and id = ${keyId}`.execute(db)
  return rows[0]
}

/** `own_end`: the expiry that it was issued with. */
type LockedKey = KeyRow & { own_end: Date | null }

/** The key, locked until the transaction ends. */
export async function lockKey(trx: Db, shopId: ObjectId, keyId: ObjectId): Promise<LockedKey | undefined> {
  const { rows } = await sql<LockedKey>`
    select ${columns}, own_end
    from api_keys
    where shop_id = ${shopId} and id = ${keyId}
    for update`.execute(trx)
  return rows[0]
}

/** Ends a key at `end`, unless it ends earlier. */
export async function updateExpiry(trx: Db, shopId: ObjectId, keyId: ObjectId, end: Date): Promise<void> {
  await sql`
    update api_keys
    set expires_at = least(expires_at, ${end})
    where shop_id = ${shopId} and id = ${keyId}`.execute(trx)
}

export async function updateMaxPerMinute(
  trx: Db,
  shopId: ObjectId,
  keyId: ObjectId,
  { maxPerMinute, by, now }: { maxPerMinute: number | null; by: ObjectId | null; now: Date },
): Promise<KeyRow> {
  const { rows } = await sql<KeyRow>`
    update api_keys
    set max_per_minute = ${maxPerMinute}, version = version + 1, updated_at = ${now}, updated_by = ${by}
    where shop_id = ${shopId} and id = ${keyId}
    returning ${columns}`.execute(trx)
  return rows[0]!
}

export async function updateRevoked(trx: Db, shopId: ObjectId, keyId: ObjectId, now: Date): Promise<KeyRow> {
  const { rows } = await sql<KeyRow>`
    update api_keys
    set revoked_at = ${now}
    where shop_id = ${shopId} and id = ${keyId}
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/** The keys that a person issued and that still work, newest first; at most 1,000. Index api_keys_by_issuer. */
export async function listUsableKeysOf(
  db: Db,
  shopId: ObjectId,
  userId: ObjectId,
  now: Date,
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${columns}
    from api_keys
    where shop_id = ${shopId} and issued_by = ${userId} and revoked_at is null
      and (expires_at is null or expires_at > ${now})
    order by created_at desc, id desc
    limit 1000`.execute(db)
  return rows
}

/** Revokes every key that a person issued. @returns those that were not revoked yet. */
export async function updateRevokedOf(
  db: Db,
  shopId: ObjectId,
  userId: ObjectId,
  now: Date,
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    update api_keys
    set revoked_at = ${now}
    where shop_id = ${shopId} and issued_by = ${userId} and revoked_at is null
    returning ${columns}`.execute(db)
  return rows
}
