import { sql } from 'kysely'
import type { SealingKeys, SecretBox } from '../lib/secrets/secret-box.ts'
import type { Db } from './client.ts'
import { updateFingerprint } from './sealing-key.ts'

/**
 * The tables with sealed secrets, which are bytes or base64 text. `of` is a boolean column; only rows where it is true
 * have secrets.
 */
const SEALED: readonly Sealed[] = [
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
  { table: 'former_sms_senders', key: ['shop_id', 'keys_id'], columns: ['keys'] },
  { table: 'webhook_endpoints', key: ['shop_id', 'id'], columns: ['secret', 'old_secret'] },
  { table: 'account_connects', key: ['shop_id', 'state_hash'], columns: ['verifier'] },
  { table: 'idempotency_keys', key: ['shop_id', 'key'], columns: ['body'], of: 'is_sealed' },
]
type Sealed = { table: string; key: readonly string[]; columns: readonly string[]; of?: string }

const STEP = 200

/**
 * Reseals with the first key every secret that another key sealed, one row per transaction, so that the other keys are
 * no longer needed. Then records the first key as the database's key. If interrupted, it can be run again.
 * @returns the number of resealed rows.
 */
export async function resealSecrets(db: Db, keys: SealingKeys, secrets: SecretBox): Promise<number> {
  let resealed = 0
  for (const sealed of SEALED) {
    for (let after: Value[] | undefined; ; ) {
      const rows = await listSealed(db, sealed, after)
      for (const row of rows) {
        if (changesOf(sealed, row, secrets).length === 0) continue
        resealed += await db.transaction().execute((trx) => resealRow(trx, sealed, row, secrets))
      }
      if (rows.length < STEP) break
      const last = rows.at(-1)!
      after = sealed.key.map((name) => last[name]!)
    }
  }
  await updateFingerprint(db, keys[0])
  return resealed
}

type Value = string | Uint8Array | null
type Row = Record<string, Value>

async function listSealed(
  db: Db,
  { table, key, columns, of }: Sealed,
  after: Value[] | undefined,
): Promise<Row[]> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const behind = after === undefined ? sql`true` : sql`(${keys}) > (${sql.join(after)})`
  const { rows } = await sql<Row>`
    select ${keys}, ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(table)}
    where ${behind} and ${condition(of)}
    order by ${keys}
    limit ${STEP}`.execute(db)
  return rows
}

const condition = (of: string | undefined) => (of === undefined ? sql`true` : sql.ref(of))

/** Reads the row again before resealing it: it may have been sealed or deleted meanwhile. */
async function resealRow(trx: Db, sealed: Sealed, row: Row, secrets: SecretBox): Promise<number> {
  const { table, key, columns, of } = sealed
  const isRow = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  )
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}
    from ${sql.table(table)}
    where ${isRow} and ${condition(of)}
    for no key update`.execute(trx)
  const changes = rows[0] === undefined ? [] : changesOf(sealed, rows[0], secrets)
  if (changes.length === 0) return 0
  await sql`
    update ${sql.table(table)}
    set ${sql.join(changes.map(([name, value]) => sql`${sql.ref(name)} = ${value}`))}
    where ${isRow}`.execute(trx)
  return 1
}

/** The columns of a row that another key sealed, resealed with the first key. Empty bytes mean a deleted secret. */
function changesOf({ columns }: Sealed, row: Row, secrets: SecretBox): [name: string, value: Value][] {
  return columns.flatMap((name): [string, Value][] => {
    const value = row[name]
    if (value == null || value.length === 0) return []
    const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : value
    if (secrets.isSealedAnew(bytes)) return []
    const sealed = secrets.seal(secrets.open(bytes))
    return [[name, typeof value === 'string' ? sealed.toString('base64') : sealed]]
  })
}
