import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { type Database, type Db, openPostgres } from '../../db/client.ts'
import { DataDirBusy, lockDataDir } from '../../db/embedded/lock.ts'
import { differencesOf, findFacts } from '../../db/facts.ts'
import { newestApplied } from '../../db/migrations/migrate.ts'
import { numberOf } from '../../db/migrations/migration-files.ts'
import { keepParts } from '../../db/parts/parts-sql.ts'
import { fingerprintOf, isSealedWith } from '../../db/sealing-key.ts'
import { assertRoomForSnapshot, copyFiles, findTotals, type Totals } from '../../db/snapshot.ts'
import { DatabaseUnreachable } from '../../db/unreachable.ts'
import type { SealingKeys } from '../../lib/secrets/secret-box.ts'
import { hasDatabase } from '../cli/checks-of-machine.ts'
import { type Cli, CliError } from '../cli/cli.ts'
import { VERSION } from '../cli/version.ts'
import { assertNewFile } from '../cli/write-file.ts'
import { findSealingKeys, SECRET_FILES } from '../config/own-secrets.ts'
import { type Manifest, pack, readManifest, unpack } from './archive.ts'
import { copyKeepsakes, countFiles } from './data-folder.ts'
import { countDumped, dump, missingInDump } from './postgres-tools.ts'

const UNFINISHED = '.unfinished-'

type Staged = Pick<Manifest, 'kind' | 'schema' | 'facts'>

/**
 * Writes a backup of the database, the images and the secrets to a new file that only its owner can read. It is written
 * under another name, unpacked again and compared with the database before it gets its final name.
 * @throws CliError, with no files left behind.
 */
export async function makeBackup(
  config: Config,
  cli: Cli,
  { file, hasKey }: { file: string; hasKey: boolean },
): Promise<{ manifest: Manifest; bytes: number }> {
  const target = resolve(file)
  assertNewFile(target)
  const folder = dirname(target)
  if (!existsSync(folder)) throw new CliError(`${folder} does not exist: create it, or choose another folder`)
  process.umask(0o077)
  removeUnfinished(target)
  const stage = mkdtempSync(`${target}${UNFINISHED}${process.pid}-`)
  try {
    const found = findSealingKeys(config)
    const sealingKeys = found === 'unusable' ? undefined : found
    const isEmbedded = config.databaseUrl === undefined
    const staged = isEmbedded
      ? await stageEmbedded(config, cli, stage, sealingKeys)
      : await stagePostgres(config.databaseUrl!, stage, sealingKeys)
    copyKeepsakes(config.dataDir, join(stage, 'secrets'))
    if (hasKey && sealingKeys !== undefined) {
      const text = sealingKeys.map((key) => key.toString('hex')).join(',')
      writeFileSync(join(stage, 'secrets', SECRET_FILES.secretsKey), `${text}\n`)
    }
    const images = config.s3 === undefined ? countFiles(join(config.dataDir, 'images')) : 0
    const manifest: Manifest = {
      format: 1,
      version: VERSION,
      ...staged,
      madeAt: new Date().toISOString(),
      sealingKey: sealingKeys === undefined ? '' : fingerprintOf(sealingKeys[0]),
      hasSealingKey: hasKey && sealingKeys !== undefined,
      images,
    }
    writeFileSync(join(stage, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
    const archive = join(stage, 'archive')
    await pack(archive, [
      [stage, 'manifest.json'],
      [stage, 'secrets'],
      [stage, isEmbedded ? 'pg' : 'database.dump'],
      ...(images > 0 ? [[config.dataDir, 'images'] as [string, string]] : []),
    ])
    await verify(archive, join(stage, 'check'), manifest)
    chmodSync(archive, 0o600)
    renameSync(archive, target)
    return { manifest, bytes: statSync(target).size }
  } finally {
    rmSync(stage, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Removes unfinished files that backups to this target left when their process died. */
function removeUnfinished(target: string): void {
  const begin = `${basename(target)}${UNFINISHED}`
  for (const name of readdirSync(dirname(target))) {
    const pid = Number(name.startsWith(begin) ? name.slice(begin.length).split('-')[0] : Number.NaN)
    if (pid > 0 && !isRunning(pid)) rmSync(join(dirname(target), name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Copies the files of the embedded database. The running service does it, or this process if none is running. */
async function stageEmbedded(
  { dataDir }: Config,
  cli: Cli,
  stage: string,
  sealingKeys: SealingKeys | undefined,
): Promise<Staged> {
  if (!hasDatabase(dataDir))
    throw new CliError(`${dataDir} holds no database: set DATA_DIR to the service's folder, or DATABASE_URL`)
  const totals = await copyDatabase(dataDir, cli, stage)
  return withEmbedded(join(stage, 'pg'), async (database) => {
    if (totals !== undefined) {
      const copied = await findTotals(database.db)
      if (JSON.stringify(copied) !== JSON.stringify(totals))
        throw new CliError('The copy differs from the running database: nothing was written, try again')
    }
    return { kind: 'embedded', ...(await readDatabase(database.db, sealingKeys)) }
  })
}

/**
 * Copies the database's files to the folder `stage`.
 * @returns the running service's totals at the moment of the copy; undefined if this process made the copy.
 */
async function copyDatabase(dataDir: string, cli: Cli, stage: string): Promise<Totals | undefined> {
  let lock: { release(): void }
  try {
    lock = lockDataDir(dataDir)
  } catch (error) {
    if (!(error instanceof DataDirBusy)) throw error
    return askForSnapshot(dataDir, cli, stage)
  }
  try {
    await copyFiles(join(dataDir, 'pg'), stage)
  } finally {
    lock.release()
  }
  return undefined
}

async function askForSnapshot(dataDir: string, cli: Cli, stage: string): Promise<Totals> {
  // The service checks it too, but its response does not name folders.
  assertRoomForSnapshot(dataDir)
  const { folder, totals } = (await cli.call('POST', '/snapshots')).data as {
    folder: string | null
    totals: Totals
  }
  const snapshot = join(dataDir, folder ?? 'none')
  if (folder === null || !existsSync(snapshot))
    throw new CliError(
      `The service at ${cli.url()} uses another data folder than ${dataDir}: set DATA_DIR or --url`,
    )
  try {
    await copyFiles(join(snapshot, 'pg'), stage)
  } finally {
    rmSync(snapshot, { recursive: true, force: true, maxRetries: 3 })
  }
  return totals
}

/** Dumps PostgreSQL in one snapshot, in which its rows are also counted. */
async function stagePostgres(
  databaseUrl: string,
  stage: string,
  sealingKeys: SealingKeys | undefined,
): Promise<Staged> {
  const database = openPostgres(databaseUrl, { max: 1 })
  try {
    await sql`select 1`.execute(database.db).catch((error) => {
      throw new DatabaseUnreachable(databaseUrl, error)
    })
    await assertOurs(database.db)
    const transaction = database.db.transaction().setIsolationLevel('repeatable read')
    return await transaction.execute(async (trx) => {
      // Before the snapshot is taken: a part that is dropped after the snapshot would be missing from the dump.
      await keepParts(trx)
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(trx)
      const read = await readDatabase(trx, sealingKeys)
      await dump(databaseUrl, rows[0]!.id, join(stage, 'database.dump'))
      return { kind: 'postgres', ...read }
    })
  } finally {
    await database.close()
  }
}

async function assertOurs(db: Db): Promise<void> {
  const { rows } = await sql<{ isOurs: boolean }>`
    select to_regclass('public.schema_migrations') is not null as "isOurs"`.execute(db)
  if (!rows[0]!.isOurs) throw new CliError('This is not a Shopbell database: correct DATABASE_URL')
}

async function readDatabase(
  db: Db,
  sealingKeys: SealingKeys | undefined,
): Promise<Pick<Staged, 'schema' | 'facts'>> {
  await assertOurs(db)
  if ((await isSealedWith(db, sealingKeys ?? [])) === false)
    throw new CliError(
      'The key with which this database’s secrets are sealed is missing: set SECRETS_KEY, or DATA_DIR to the folder with it',
    )
  const newest = await newestApplied(db)
  return { schema: numberOf(newest!), facts: await findFacts(db) }
}

/** Unpacks the archive and compares its content with what was counted. */
async function verify(archive: string, folder: string, expected: Manifest): Promise<void> {
  mkdirSync(folder)
  await readManifest(archive)
  await unpack(archive, folder)
  const differences = await differencesIn(folder, expected)
  const images = countFiles(join(folder, 'images'))
  if (images < expected.images) differences.push(`${images} images instead of ${expected.images}`)
  if (differences.length > 0)
    throw new CliError(
      `The backup differs from the database (${differences[0]}): nothing was written, try again`,
    )
}

async function differencesIn(folder: string, { kind, facts }: Manifest): Promise<string[]> {
  if (kind === 'postgres') return missingInDump(facts, await countDumped(join(folder, 'database.dump')))
  return withEmbedded(join(folder, 'pg'), async ({ db }) => differencesOf(facts, await findFacts(db)))
}

/** Opens an embedded database that no other process uses, and closes it after `work`. */
export async function withEmbedded<T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> {
  const { openEmbedded } = await import('../../db/embedded/embedded.ts')
  const database = await openEmbedded(folder)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
