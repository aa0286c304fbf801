import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { type Database, openPostgres } from '../../db/client.ts'
import { lockDataDir } from '../../db/embedded/lock.ts'
import { differencesOf, findFacts, listTables } from '../../db/facts.ts'
import { newestSchema } from '../../db/migrations/migration-files.ts'
import { fingerprintOf } from '../../db/sealing-key.ts'
import { DatabaseUnreachable } from '../../db/unreachable.ts'
import { CliError } from '../cli/cli.ts'
import { findSealingKeys } from '../config/own-secrets.ts'
import { unfinishedRestore } from '../unfinished-restore.ts'
import { type Manifest, readManifest, unpack } from './archive.ts'
import { assertFree, packedSealingKeys, putInPlace } from './data-folder.ts'
import { withEmbedded } from './make-backup.ts'
import { restoreDump } from './postgres-tools.ts'

/** A file that is written last into the unpacked backup. It holds the backup's manifest. */
const UNPACKED = 'unpacked'

/**
 * Restores a backup into an empty data folder and, for a backup of PostgreSQL, an empty database. The backup is first
 * unpacked and compared, and moved to its place at the end. After a kill, run it again with the same file: it continues
 * where it stopped.
 * @throws CliError, DataDirBusy, DatabaseUnreachable, with nothing changed.
 */
export async function restoreBackup(config: Config, file: string): Promise<Manifest> {
  const { dataDir, databaseUrl } = config
  const manifest = await readManifest(file)
  assertUsable(manifest, file, databaseUrl)
  process.umask(0o077)
  const unfinished = unfinishedRestore(dataDir)
  // Checked before anything is removed, so that the restore can continue with the right key.
  if (config.secretsKeys !== undefined && isUnpackedOf(unfinished, manifest))
    assertKey(config, unfinished, manifest)
  const lock = lockDataDir(dataDir)
  let state: 'unpacking' | 'placing' | 'done' = 'unpacking'
  try {
    const isUnpacked = isUnpackedOf(unfinished, manifest)
    if (!isUnpacked) {
      assertFree(dataDir)
      rmSync(unfinished, { recursive: true, force: true })
      mkdirSync(unfinished)
    }
    const database = databaseUrl === undefined ? undefined : openPostgres(databaseUrl, { max: 1 })
    try {
      const isFilled = isUnpacked && database !== undefined && (await isFilledWith(database, manifest))
      if (database !== undefined && !isFilled) await assertEmpty(database, databaseUrl!)
      if (!isUnpacked) {
        await unpack(file, unfinished)
        assertKey(config, unfinished, manifest)
        if (database === undefined) await assertSame(unfinished, manifest)
        writeFileSync(join(unfinished, UNPACKED), JSON.stringify(manifest))
      }
      if (database !== undefined && !isFilled)
        await fillPostgres(database, databaseUrl!, unfinished, manifest)
    } finally {
      await database?.close()
    }
    state = 'placing'
    putInPlace(unfinished, dataDir)
    state = 'done'
  } finally {
    if (state !== 'placing') rmSync(unfinished, { recursive: true, force: true, maxRetries: 3 })
    if (state === 'unpacking') lock.releaseAndRemove()
    else lock.release()
  }
  return manifest
}

/** Whether an earlier restore of this backup ended after all of it was unpacked and compared. */
function isUnpackedOf(unfinished: string, manifest: Manifest): boolean {
  const mark = join(unfinished, UNPACKED)
  return existsSync(mark) && readFileSync(mark, 'utf8') === JSON.stringify(manifest)
}

/** Whether the database already holds the backup's data, because an earlier restore ended after filling it. */
async function isFilledWith({ db }: Database, { facts }: Manifest): Promise<boolean> {
  const tables = await listTables(db, 'public')
  return tables.length > 0 && differencesOf(facts, await findFacts(db)).length === 0
}

function assertUsable(
  { schema, version, kind }: Manifest,
  file: string,
  databaseUrl: string | undefined,
): void {
  if (schema > newestSchema())
    throw new CliError(
      `${file} is of Shopbell ${version}, schema ${schema}; this version’s schema is ${newestSchema()}: restore it with that version or a later one`,
    )
  if (kind === 'postgres' && databaseUrl === undefined)
    throw new CliError(`${file} is a backup of PostgreSQL: set DATABASE_URL to an empty database`)
  if (kind === 'embedded' && databaseUrl !== undefined)
    throw new CliError(
      `${file} is a backup of an embedded database: restore it without DATABASE_URL, then use "shopbell move --to"`,
    )
}

async function assertEmpty({ db }: Database, databaseUrl: string): Promise<void> {
  const tables = await Promise.all([listTables(db, 'public'), listTables(db, 'pgboss')]).catch((error) => {
    throw new DatabaseUnreachable(databaseUrl, error)
  })
  const [first] = tables.flat()
  if (first !== undefined)
    throw new CliError(
      `The database of DATABASE_URL is not empty (it has ${first}): set it to an empty one; nothing was changed`,
    )
}

/** Checks that the key in the backup or in the setting opens the database's secrets. */
function assertKey(config: Config, unpacked: string, { sealingKey }: Manifest): void {
  if (sealingKey === '') return
  const { secretsKeys, dataDir } = config
  const given = secretsKeys === undefined ? undefined : findSealingKeys({ secretsKeys, dataDir })
  const keys = given ?? packedSealingKeys(join(unpacked, 'secrets'))
  if (keys === undefined || keys === 'unusable')
    throw new CliError('The backup was made without its sealing key: set SECRETS_KEY to that key')
  if (!keys.some((key) => fingerprintOf(key) === sealingKey))
    throw new CliError(
      'SECRETS_KEY is not the key of this backup: set that key, or leave SECRETS_KEY out if the backup contains it',
    )
}

async function assertSame(unpacked: string, manifest: Manifest): Promise<void> {
  const differences = await withEmbedded(join(unpacked, 'pg'), async ({ db }) =>
    differencesOf(manifest.facts, await findFacts(db)),
  )
  refuseDifferences(differences)
}

async function fillPostgres(
  database: Database,
  databaseUrl: string,
  unpacked: string,
  manifest: Manifest,
): Promise<void> {
  await restoreDump(databaseUrl, join(unpacked, 'database.dump')).catch(async (error: unknown) => {
    // When a restore is killed, its pg_restore continues. This one waited for it and then failed, because the database
    // already had the rows.
    if (!(await isFilledWith(database, manifest))) throw error
  })
  const differences = differencesOf(manifest.facts, await findFacts(database.db))
  if (differences.length > 0) {
    // The database was empty before.
    await sql`drop schema pgboss cascade`.execute(database.db)
    await sql`drop schema public cascade`.execute(database.db)
    await sql`create schema public`.execute(database.db)
  }
  refuseDifferences(differences)
}

function refuseDifferences(differences: string[]): void {
  if (differences.length === 0) return
  throw new CliError(
    `The backup’s contents do not match its description (${differences[0]}): use another one; nothing was changed`,
  )
}
