import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Oversell } from '../shops/sql.ts'

export type KeyRow = {
  id: ObjectId
  name: string
  prefix: string
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
  created_at: Date
}

export type KeyOwner = {
  shop_id: ObjectId
  id: ObjectId
  language: 'vi' | 'en'
  oversell: Oversell
  expires_at: Date | null
  last_used_at: Date | null
}

/** The shop behind a key that is not revoked, by the key's SHA-256; expiry is the caller's to check. */
export async function findKeyByHash(db: Db, hash: Buffer): Promise<KeyOwner | undefined> {
  const { rows } = await sql<KeyOwner>`
    select k.shop_id, k.id, s.language, s.oversell, k.expires_at, k.last_used_at
    from api_keys k
    join shops s on s.id = k.shop_id
    where k.hash = ${hash} and k.revoked_at is null`.execute(db)
  return rows[0]
}

/** Notes that a key was used (G-60: at most once a minute, the caller counts). */
export async function touchKey(db: Db, shopId: ObjectId, keyId: ObjectId, now: Date): Promise<void> {
  await sql`
    update api_keys
    set last_used_at = ${now}
    where shop_id = ${shopId} and id = ${keyId}`.execute(db)
}

export async function insertKey(
  db: Db,
  shopId: ObjectId,
  key: { id: ObjectId; name: string; prefix: string; hash: Buffer; expiresAt: Date | undefined; now: Date },
): Promise<KeyRow> {
  const { rows } = await sql<KeyRow>`
    insert into api_keys (shop_id, id, name, prefix, hash, expires_at, created_at)
    values (${shopId}, ${key.id}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.expiresAt ?? null}, ${key.now})
    returning id, name, prefix, expires_at, last_used_at, revoked_at, created_at`.execute(db)
  return rows[0]!
}

/** Revokes a key; revoking it again changes nothing. `undefined` when the shop has no such key. */
export async function revokeKey(
  db: Db,
  shopId: ObjectId,
  keyId: ObjectId,
  now: Date,
): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`
    update api_keys
    set revoked_at = coalesce(revoked_at, ${now})
    where shop_id = ${shopId} and id = ${keyId}
    returning id, name, prefix, expires_at, last_used_at, revoked_at, created_at`.execute(db)
  return rows[0]
}
