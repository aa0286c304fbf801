import { sql } from 'kysely'
import type { Db, Trx } from '../../db/client.ts'

/** The operator's app on the platform; its secrets are sealed. */
export type PlatformAppRow = {
  app_id: string
  name: string
  /** The app secret, sent with token requests. */
  app_secret: Uint8Array | null
  /** The keys that events are signed with: the current one and the one before it. */
  oa_secret_key: Uint8Array | null
  previous_oa_secret_key: Uint8Array | null
  created_at: Date
  updated_at: Date
}

export type ListedAppRow = PlatformAppRow & { accounts: number }

const columns = sql`app_id, name, app_secret, oa_secret_key, previous_oa_secret_key, created_at, updated_at`

/** The app, locked until the transaction ends. */
export async function lockPlatformApp(trx: Trx, appId: string): Promise<PlatformAppRow | undefined> {
  const { rows } = await sql<PlatformAppRow>`
    select ${columns}
    from platform_apps
    where app_id = ${appId}
    for update`.execute(trx)
  return rows[0]
}

/** Inserts or overwrites an app. Of two concurrent inserts, the second one overwrites the first. */
export async function upsertPlatformApp(
  trx: Trx,
  app: {
    appId: string
    name: string
    appSecret: Uint8Array | null
    oaSecretKey: Uint8Array | null
    previousOaSecretKey: Uint8Array | null
    now: Date
  },
): Promise<PlatformAppRow> {
  const { rows } = await sql<PlatformAppRow>`
    insert into platform_apps (app_id, name, app_secret, oa_secret_key, previous_oa_secret_key, created_at, updated_at)
    values (${app.appId}, ${app.name}, ${app.appSecret}, ${app.oaSecretKey}, ${app.previousOaSecretKey}, ${app.now},
      ${app.now})
    on conflict (app_id) do update
    set name = excluded.name, app_secret = excluded.app_secret, oa_secret_key = excluded.oa_secret_key,
      previous_oa_secret_key = excluded.previous_oa_secret_key, updated_at = excluded.updated_at
    returning ${columns}`.execute(trx)
  return rows[0]!
}

/**
 * All apps in the order of their creation, each with the number of official accounts of all shops that refer to it; at
 * most 100.
 */
export async function listPlatformApps(db: Db): Promise<ListedAppRow[]> {
  const { rows } = await sql<ListedAppRow>`
    select ${columns},
      (select count(*)::integer from official_accounts oa where oa.app_id = platform_apps.app_id) as accounts
    from platform_apps
    order by created_at, app_id
    limit 100`.execute(db)
  return rows
}

/** How many official accounts of all shops refer to the app. */
export async function countAccountsOfApp(db: Db, appId: string): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    select count(*)::integer as accounts
    from official_accounts oa
    where oa.app_id = ${appId}`.execute(db)
  return rows[0]!.accounts
}

export async function deletePlatformApp(trx: Trx, appId: string): Promise<void> {
  await sql`delete from platform_apps where app_id = ${appId}`.execute(trx)
}
