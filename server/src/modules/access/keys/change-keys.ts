import type { Trx } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { NotFound, Refused } from '../../../errors.ts'
import type { Edit } from '../../../lib/edit.ts'
import type { ObjectId } from '../../../lib/object-id.ts'
import type { Origin } from '../../audit/rules.ts'
import { insertAuditEntry } from '../../audit/sql.ts'
import { assertVersion } from '../../concurrent-edits/assert-version.ts'
import { lockRight } from '../members/lock-right.ts'
import { hashApiKey, keyPrefix, keyScopes, newApiKey, type Scope } from './rules.ts'
import {
  insertKey,
  type KeyRow,
  lockKey,
  updateExpiry,
  updateMaxPerMinute,
  updateRevoked,
  updateRevokedOf,
} from './sql.ts'

type Parts = Pick<Deps, 'db' | 'ids' | 'clock'>

/** A new key with its text, which is not stored. */
export type IssuedKey = { key: KeyRow; apiKey: string }

type AskedKey = {
  name: string
  scopes: Scope[] | undefined
  expiresAt: Date | undefined
  maxPerMinute: number | null
}

/** Issues an API key, with its audit entry (G-60). */
export async function issueKey(
  { ids, clock }: Pick<Parts, 'ids' | 'clock'>,
  trx: Trx,
  shopId: ObjectId,
  asked: AskedKey,
  origin: Origin,
): Promise<IssuedKey> {
  await lockRight(trx, origin, shopId)
  const issued = await makeKey({ ids, clock }, trx, shopId, asked, origin)
  const { id, name, scopes, expires_at: expiresAt, max_per_minute: maxPerMinute } = issued.key
  await insertAuditEntry(trx, shopId, {
    id: ids.next(),
    origin,
    action: 'key.create',
    target: { keyId: id },
    detail: { name, scopes, expiresAt, ...(maxPerMinute !== null && { maxPerMinute }) },
    now: clock.now(),
  })
  return issued
}

/**
 * Replaces a key with a new one of the same name, scopes and share of the limit; the old one still works for `overlapSeconds`
 * (G-60). Unless `expiresAt` is given, the new one
 * has the expiry that the old one was issued with, even if the old one is in its overlap.
 * @throws NotFound; Refused KEY_ENDED when the key is revoked or has expired.
 */
export async function rotateKey(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  keyId: ObjectId,
  asked: { overlapSeconds: number; expiresAt: Date | undefined },
  origin: Origin,
): Promise<IssuedKey> {
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin, shopId)
    const now = clock.now()
    const old = await lockKey(trx, shopId, keyId)
    if (old === undefined) throw new NotFound('key')
    const { name, scopes, expires_at: oldEnd, max_per_minute: maxPerMinute } = old
    if (old.revoked_at !== null || (oldEnd !== null && oldEnd <= now)) throw new Refused('KEY_ENDED')
    const expiresAt = asked.expiresAt ?? old.own_end ?? undefined
    const issued = await makeKey(
      { ids, clock },
      trx,
      shopId,
      { name, scopes, expiresAt, maxPerMinute },
      origin,
    )
    await updateExpiry(trx, shopId, keyId, new Date(now.getTime() + asked.overlapSeconds * 1000))
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'key.rotate',
      target: { keyId, newKeyId: issued.key.id },
      detail: { overlapSeconds: asked.overlapSeconds, expiresAt: issued.key.expires_at },
      now,
    })
    return issued
  })
}

/**
 * Changes how many of its shop's requests a minute a key may use (G-07), with its audit entry unless nothing changes.
 * @throws NotFound; RecordChanged (G-71)
 */
export async function changeKeyShare(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  keyId: ObjectId,
  maxPerMinute: number | null,
  edit: Edit,
  origin: Origin,
): Promise<KeyRow> {
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin, shopId)
    const before = await lockKey(trx, shopId, keyId)
    if (before === undefined) throw new NotFound('key')
    await assertVersion(trx, shopId, 'key_shares', before, edit)
    if (before.max_per_minute === maxPerMinute) return before
    const now = clock.now()
    const changed = await updateMaxPerMinute(trx, shopId, keyId, { maxPerMinute, by: edit.by, now })
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'key.update',
      target: { keyId },
      detail: { maxPerMinute: [before.max_per_minute, maxPerMinute] },
      now,
    })
    return changed
  })
}

/**
 * Revokes a key; revoking it again changes nothing and is not recorded again (G-60).
 * @throws NotFound
 */
export async function revokeKey(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  keyId: ObjectId,
  origin: Origin,
): Promise<KeyRow> {
  return db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, shopId, keyId)
    if (key === undefined) throw new NotFound('key')
    if (key.revoked_at !== null) return key
    const now = clock.now()
    const revoked = await updateRevoked(trx, shopId, keyId, now)
    await insertAuditEntry(trx, shopId, {
      id: ids.next(),
      origin,
      action: 'key.revoke',
      target: { keyId },
      detail: { name: key.name },
      now,
    })
    return revoked
  })
}

/**
 * Revokes all keys that a person issued, since that person has seen them (G-60). @returns those that were not revoked
 * before.
 */
export async function revokeKeysOf(
  { db, ids, clock }: Parts,
  shopId: ObjectId,
  userId: ObjectId,
  origin: Origin,
): Promise<KeyRow[]> {
  return db.transaction().execute(async (trx) => {
    await lockRight(trx, origin, shopId)
    const now = clock.now()
    const keys = await updateRevokedOf(trx, shopId, userId, now)
    for (const { id, name } of keys) {
      await insertAuditEntry(trx, shopId, {
        id: ids.next(),
        origin,
        action: 'key.revoke',
        target: { keyId: id },
        detail: { name },
        now,
      })
    }
    return keys
  })
}

async function makeKey(
  { ids, clock }: Pick<Parts, 'ids' | 'clock'>,
  trx: Trx,
  shopId: ObjectId,
  asked: AskedKey,
  origin: Origin,
): Promise<IssuedKey> {
  const apiKey = newApiKey()
  const key = await insertKey(trx, shopId, {
    id: ids.next(),
    name: asked.name,
    prefix: keyPrefix(apiKey),
    hash: hashApiKey(apiKey),
    scopes: keyScopes(asked.scopes),
    maxPerMinute: asked.maxPerMinute,
    expiresAt: asked.expiresAt,
    issuedBy: origin.actor === 'member' ? origin.actorId : undefined,
    now: clock.now(),
  })
  return { key, apiKey }
}
