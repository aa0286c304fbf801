import { sql } from 'kysely'
import type { SealingKeys, SecretBox } from '../lib/secrets/secret-box.ts'
import type { Db } from './client.ts'
import { updateFingerprint } from './sealing-key.ts'

/** The tables with sealed secrets that stay; what lives for a day at most is not resealed. */
const SEALED = [
  {
    table: 'official_accounts',
    key: ['shop_id', 'id'],
    columns: ['secret_key', 'access_token', 'refresh_token'],
  },
  {
    table: 'platform_apps',
    key: ['app_id'],
    columns: ['app_secret', 'oa_secret_key', 'previous_oa_secret_key'],
  },
  { table: 'sms_senders', key: ['shop_id'], columns: ['keys'] },
  { table: 'webhook_endpoints', key: ['shop_id', 'id'], columns: ['secret', 'old_secret'] },
] as const
type Sealed = (typeof SEALED)[number]

const STEP = 200

/**
 * Seals every secret that the first key did not seal with it, a row a transaction, so that the other keys are no longer needed;
 * then the database knows the first key for its own. Ended in the middle, it can be run again. @returns how many rows.
 */
export async function resealSecrets(db: Db, keys: SealingKeys, secrets: SecretBox): Promise<number> {
  let resealed = 0
  for (const sealed of SEALED) {
    for (let after: string[] | undefined; ; ) {
      const rows = await listSealed(db, sealed, after)
      for (const row of rows) {
        if (changesOf(sealed, row, secrets).length === 0) continue
        resealed += await db.transaction().execute((trx) => resealRow(trx, sealed, row, secrets))
      }
      if (rows.length < STEP) break
      const last = rows.at(-1)!
      after = sealed.key.map((name) => String(last[name]))
    }
  }
  await updateFingerprint(db, keys[0])
  return resealed
}

type Row = Record<string, string | Uint8Array | null>

async function listSealed(
  db: Db,
  { table, key, columns }: Sealed,
  after: string[] | undefined,
): Promise<Row[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const behind = after === undefined ? sql`true` : sql`(${keys}) > (${sql.join(after)})`
  const { rows } = await sql<Row>`
    select ${keys}, ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(table)}
    where ${behind}
    order by ${keys}
    limit ${STEP}`.execute(db)
  return rows
}

/** As the row is now: it may have been sealed meanwhile, or be gone. */
async function resealRow(trx: Db, sealed: Sealed, row: Row, secrets: SecretBox): Promise<number> {
  const { table, key, columns } = sealed
  const isRow = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(table)}
    where ${isRow}
    for no key update`.execute(trx)
  const changes = rows[0] === undefined ? [] : changesOf(sealed, rows[0], secrets)
  if (changes.length === 0) return 0
  await sql`
    update ${sql.table(table)}
    set ${sql.join(changes.map(([name, bytes]) => sql`${sql.ref(name)} = ${bytes}::bytea`))}
    where ${isRow}`.execute(trx)
  return 1
}

/** The columns of a row that another key sealed, sealed with the first one; empty bytes are of what was deleted. */
function changesOf({ columns }: Sealed, row: Row, secrets: SecretBox): [name: string, bytes: Buffer][] {
  return columns.flatMap((name): [string, Buffer][] => {
    const bytes = row[name]
    if (!(bytes instanceof Uint8Array) || bytes.length === 0 || secrets.isSealedAnew(bytes)) return []
    return [[name, secrets.seal(secrets.open(bytes))]]
  })
}
