import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'
import type { ObjectId } from '../../lib/object-id.ts'

export type NewClaim = {
  key: string
  /** SHA-256 of method, path and body. */
  requestHash: Buffer
  /** For the record that the request creates, unless an earlier attempt has one. */
  resourceId: ObjectId
  /** The request that claims. */
  requestId: ObjectId
  lockedUntil: Date
  expiresAt: Date
  now: Date
}

/** `etag` is that of the record, if the response has one (G-71); `isSealed`: the body is encrypted. */
export type StoredAnswer = { status: number; body: string; isSealed: boolean; etag: string | null }

/**
 * The result of a claim (G-10): it succeeded, with an earlier attempt's id if `resourceId` is not the one offered; or the request
 * has a response; or it is in progress until `lockedUntil`; or the key belongs to another request.
 */
export type ClaimOutcome =
  | { outcome: 'claimed'; resourceId: ObjectId }
  | ({ outcome: 'answered' } & StoredAnswer)
  | { outcome: 'in-progress'; lockedUntil: Date }
  | { outcome: 'other-request' }

type ClaimRow = {
  is_claimed: boolean
  is_same: boolean
  resource_id: ObjectId
  locked_until: Date | null
  status: number | null
  body: string | null
  is_sealed: boolean
  etag: string | null
}

/**
 * Claims a key for a request: a new key, an expired one, or one whose holder's lease is over, then with that holder's resource
 * id. One statement; of any number of concurrent claims, one succeeds. @returns undefined if another request claimed the key at
 * the same moment: call again.
 */
export async function claimKey(db: Db, shopId: ObjectId, claim: NewClaim): Promise<ClaimOutcome | undefined> {
  const { rows } = await sql<ClaimRow>`
    with claimed as (
      insert into idempotency_keys as k
        (shop_id, key, request_hash, resource_id, claimed_by, locked_until, expires_at)
      values (${shopId}, ${claim.key}, ${claim.requestHash}, ${claim.resourceId}, ${claim.requestId},
        ${claim.lockedUntil}::timestamptz, ${claim.expiresAt}::timestamptz)
      on conflict (shop_id, key) do update
      set request_hash = excluded.request_hash, claimed_by = excluded.claimed_by,
        locked_until = excluded.locked_until, status = null, body = null, is_sealed = false, etag = null,
        resource_id = case when k.expires_at <= ${claim.now} then excluded.resource_id else k.resource_id end,
        is_done = k.is_done and k.expires_at > ${claim.now},
        expires_at = case when k.expires_at <= ${claim.now} then excluded.expires_at else k.expires_at end
      where k.expires_at <= ${claim.now}
        or (k.locked_until <= ${claim.now} and k.request_hash = excluded.request_hash)
      returning true as is_claimed, true as is_same, resource_id, locked_until, status, body, is_sealed, etag
    )
    select is_claimed, is_same, resource_id, locked_until, status, body, is_sealed, etag
    from claimed
    union all
    select false, k.request_hash = ${claim.requestHash}, k.resource_id, k.locked_until, k.status, k.body,
      k.is_sealed, k.etag
    from idempotency_keys k
    where k.shop_id = ${shopId} and k.key = ${claim.key} and not exists (select from claimed)`.execute(db)
  const row = rows[0]
  if (row === undefined) return undefined
  if (row.is_claimed) return { outcome: 'claimed', resourceId: row.resource_id }
  if (!row.is_same) return { outcome: 'other-request' }
  if (row.status !== null) {
    const { status, is_sealed: isSealed, etag } = row
    return { outcome: 'answered', status, body: row.body!, isSealed, etag }
  }
  return { outcome: 'in-progress', lockedUntil: row.locked_until! }
}

/**
 * Notes, in the transaction of a change that creates no record with the key's id, that the request has made it (G-10). The row
 * stays locked until the transaction ends, so another attempt waits. Without a key there is nothing to note.
 * @returns false if an earlier attempt has already made the change.
 */
export async function noteDone(
  trx: Trx,
  shopId: ObjectId,
  claim: { key: string; resourceId: ObjectId } | undefined,
): Promise<boolean> {
  if (claim === undefined) return true
  const { rows } = await sql`
    update idempotency_keys
    set is_done = true
    where shop_id = ${shopId} and key = ${claim.key} and resource_id = ${claim.resourceId} and not is_done
    returning key`.execute(trx)
  return rows.length > 0
}

type Held = { key: string; requestId: ObjectId }

/**
 * Stores the response to the request that holds the claim. Does nothing if another request has taken the claim over.
 */
export async function updateAnswered(
  db: Db,
  shopId: ObjectId,
  { key, requestId }: Held,
  answer: StoredAnswer,
): Promise<void> {
  await sql`
    update idempotency_keys
    set status = ${answer.status}, body = ${answer.body}, is_sealed = ${answer.isSealed}, etag = ${answer.etag},
      locked_until = null
    where shop_id = ${shopId} and key = ${key} and claimed_by = ${requestId} and status is null`.execute(db)
}

/** Lets the next attempt begin immediately, with the same resource id. */
export async function releaseClaim(
  db: Db,
  shopId: ObjectId,
  { key, requestId }: Held,
  now: Date,
): Promise<void> {
  await sql`
    update idempotency_keys
    set locked_until = ${now}
    where shop_id = ${shopId} and key = ${key} and claimed_by = ${requestId} and status is null`.execute(db)
}

/** Deletes a key, as if it had never been used. */
export async function deleteClaim(db: Db, shopId: ObjectId, { key, requestId }: Held): Promise<void> {
  await sql`
    delete from idempotency_keys
    where shop_id = ${shopId} and key = ${key} and claimed_by = ${requestId} and status is null`.execute(db)
}

/** Ends the leases of all shops. Only for a database that no other process uses, so that the holders no longer run. */
export async function releaseAllClaims(db: Db, now: Date): Promise<void> {
  await sql`
    update idempotency_keys
    set locked_until = ${now}
    where (shop_id, key) in (select shop_id, key from idempotency_keys where locked_until > ${now})`.execute(
    db,
  )
}

/**
 * Deletes up to `limit` keys of all shops that have expired. Index idempotency_keys_expired. Several processes may
 * run it at once. @returns their number.
 */
export async function deleteExpiredKeys(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select shop_id, key
      from idempotency_keys
      where expires_at <= ${before}
      order by expires_at
      limit ${limit}
      for update skip locked
    )
    delete from idempotency_keys
    where (shop_id, key) in (select shop_id, key from due)
    returning key`.execute(db)
  return rows.length
}
