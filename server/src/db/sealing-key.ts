import { hkdfSync } from 'node:crypto'
import { sql } from 'kysely'
import type { SealingKeys, SecretBox } from '../lib/secrets/secret-box.ts'
import type { Db } from './client.ts'
import { DatabaseUnusable } from './unusable.ts'

/**
 * Checks that one of the process's keys is the one that sealed the database's secrets: without it, every send, event
 * and delivery would fail. The first process stores its key's fingerprint, provided that this key opens the existing
 * secrets.
 * @throws DatabaseUnusable when no key is the right one.
 */
export async function assertSealingKey(db: Db, keys: SealingKeys, secrets: SecretBox): Promise<void> {
  const fingerprint = fingerprintOf(keys[0])
  const known = (await findFingerprint(db)) ?? (await leaveFingerprint(db, fingerprint, secrets))
  if (known !== undefined && keys.some((key) => fingerprintOf(key) === known)) return
  throw new DatabaseUnusable(
    'SECRETS_KEY is not the key with which this database’s secrets are sealed: set that key, or put it into DATA_DIR/secrets-key.',
  )
}

/** Whether this database's secrets are sealed with one of the keys; undefined for a database that no process has used yet. */
export async function isSealedWith(db: Db, keys: readonly Buffer[]): Promise<boolean | undefined> {
  const known = await findFingerprint(db)
  return known === undefined ? undefined : keys.some((key) => fingerprintOf(key) === known)
}

/** The one of the keys that sealed the database's secrets; the first key if the database knows none of them. */
export async function keyInUse(db: Db, keys: SealingKeys): Promise<Buffer> {
  const known = await findFingerprint(db)
  return keys.find((key) => fingerprintOf(key) === known) ?? keys[0]
}

/** Records `key` as the one that seals the database's secrets from now on. */
export async function updateFingerprint(db: Db, key: Buffer): Promise<void> {
  await sql`
    insert into sealing_key (fingerprint)
    values (${fingerprintOf(key)})
    on conflict (is_the_one) do update set fingerprint = excluded.fingerprint, set_at = now()`.execute(db)
}

/** The fingerprint of a key, which does not reveal it: the key has 256 random bits, and the fingerprint is a one-way hash. */
export function fingerprintOf(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'shopbell fingerprint of SECRETS_KEY', 16)).toString('hex')
}

async function findFingerprint(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from sealing_key`.execute(db)
  return rows[0]?.fingerprint
}

/**
 * Stores the fingerprint if none is stored.
 * @returns the stored fingerprint, which may be that of a concurrent process; undefined if the key opens no secret.
 */
async function leaveFingerprint(
  db: Db,
  fingerprint: string,
  secrets: SecretBox,
): Promise<string | undefined> {
  const sealed = await findSealed(db)
  if (sealed !== undefined && !canOpen(secrets, sealed)) return undefined
  await sql`insert into sealing_key (fingerprint) values (${fingerprint}) on conflict do nothing`.execute(db)
  return findFingerprint(db)
}

/** Finds one secret of any shop, for a database that was used before fingerprints were stored. */
async function findSealed(db: Db): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select shop_id, coalesce(refresh_token, access_token, secret_key) as sealed
    from official_accounts
    where coalesce(refresh_token, access_token, secret_key) is not null
    union all
    select shop_id, secret
    from webhook_endpoints
    where deleted_at is null
    union all
    select null, coalesce(app_secret, oa_secret_key)
    from platform_apps
    where coalesce(app_secret, oa_secret_key) is not null
    limit 1`.execute(db)
  return rows[0]?.sealed
}

function canOpen(secrets: SecretBox, sealed: Buffer): boolean {
  try {
    secrets.open(sealed)
    return true
  } catch {
    return false
  }
}
