import { type RawBuilder, sql } from 'kysely'
import { pino } from 'pino'
import type { Config } from '../../config.ts'
import { type Db, openPostgres, type Trx } from '../../db/client.ts'
import { lockDataDir } from '../../db/embedded/lock.ts'
import { differencesOf, type Facts, findFacts, findTableFacts, listTables } from '../../db/facts.ts'
import { findForeignTable, migrate, newestApplied } from '../../db/migrations/migrate.ts'
import { newestSchema, numberOf } from '../../db/migrations/migration-files.ts'
import { DatabaseUnreachable } from '../../db/unreachable.ts'
import { startJobs } from '../../jobs/queue.ts'
import { hasDatabase } from '../cli/checks-of-machine.ts'
import { CliError } from '../cli/cli.ts'
import { withEmbedded } from './make-backup.ts'

/** The number of rows that one statement copies. */
const BATCH = 1_000
/** Each database has its own record of migrations, with its own times. */
const NOT_COPIED = 'public.schema_migrations'
/** The migrations insert a row into this table. */
const NEVER_EMPTY = 'public.platform_pace'
/** Only the jobs of the job queue are copied; it creates its other tables itself. */
const JOBS = 'pgboss.job'

/**
 * Copies the embedded database to an empty PostgreSQL database, in one transaction that ends by comparing every table.
 * The embedded database is not changed. The service must be stopped.
 * @returns the facts that both databases have in common.
 * @throws CliError, DataDirBusy, DatabaseUnreachable, with no rows copied.
 */
export async function moveToPostgres(config: Config, to: string): Promise<Facts> {
  const { dataDir, databaseUrl, timings } = config
  if (databaseUrl !== undefined)
    throw new CliError(
      'DATABASE_URL is set: leave it out, because the embedded database in DATA_DIR is moved',
    )
  if (!hasDatabase(dataDir))
    throw new CliError(`${dataDir} holds no database: set DATA_DIR to the service's folder`)
  const lock = lockDataDir(dataDir)
  const target = openPostgres(to, { max: 1 })
  try {
    return await withEmbedded(`${dataDir}/pg`, async ({ db: source }) => {
      const newest = numberOf((await newestApplied(source))!)
      if (newest !== newestSchema())
        throw new CliError(
          `The database is at schema ${newest}, this Shopbell at ${newestSchema()}: run "shopbell migrate" first`,
        )
      await assertEmpty(target.db).catch((error) => {
        throw error instanceof CliError ? error : new DatabaseUnreachable(to, error)
      })
      await migrate(target)
      // Creates the job queue's tables.
      const jobs = await startJobs(target, { url: to, timings, log: pino({ level: 'warn' }) })
      await jobs.stop()
      return target.db.transaction().execute((trx) => copyAll(source, trx))
    })
  } finally {
    await target.close()
    lock.release()
  }
}

/** Refuses a target that has rows. Tables without rows are allowed, because a failed move leaves them. */
async function assertEmpty(db: Db): Promise<void> {
  const foreign = await findForeignTable(db)
  if (foreign !== undefined)
    throw new CliError(
      `The target is another program's database (it has the table ${foreign}): give an empty database; nothing was changed`,
    )
  for (const name of [...(await listTables(db, 'public')), ...(await jobTable(db))]) {
    if (name === NOT_COPIED || name === NEVER_EMPTY) continue
    if ((await findTableFacts(db, name)).rows > 0)
      throw new CliError(
        `The target is not empty (${name} has rows): give an empty database; nothing was changed`,
      )
  }
}

async function jobTable(db: Db): Promise<string[]> {
  return (await listTables(db, 'pgboss')).filter((name) => name === JOBS)
}

async function copyAll(source: Db, trx: Trx): Promise<Facts> {
  const tables = (await listTables(source, 'public')).filter((name) => name !== NOT_COPIED)
  const addKeys = await dropForeignKeys(trx)
  for (const name of tables) {
    // Rows that triggers wrote are copied like all others.
    await sql`alter table ${table(name)} disable trigger user`.execute(trx)
    await sql`delete from ${table(name)}`.execute(trx)
    await copyTable(source, trx, name)
    await sql`alter table ${table(name)} enable trigger user`.execute(trx)
  }
  for (const add of addKeys) await sql.raw(add).execute(trx)
  for (const name of await jobTable(source)) await copyTable(source, trx, name)
  const ours = onlyCopied(await findFacts(source))
  const differences = differencesOf(ours, onlyCopied(await findFacts(trx)))
  if (differences.length > 0)
    throw new CliError(`The copy differs from the embedded database (${differences[0]}): nothing was moved`)
  return ours
}

function onlyCopied({ tables, ledgerDifferences }: Facts): Facts {
  const copied = Object.entries(tables).filter(
    ([name]) => name === JOBS || (name.startsWith('public.') && name !== NOT_COPIED),
  )
  return { tables: Object.fromEntries(copied), ledgerDifferences }
}

/**
 * Drops the foreign keys, so that tables can be copied in any order.
 * @returns the statements that add the keys again, which checks all rows.
 */
async function dropForeignKeys(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ drop: string; add: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
    order by conname`.execute(trx)
  for (const { drop } of rows) await sql.raw(drop).execute(trx)
  return rows.map(({ add }) => add)
}

/** Copies a table's rows as JSON text, so that neither side parses its numbers. */
async function copyTable(source: Db, trx: Trx, name: string): Promise<void> {
  const columns = await listColumns(trx, name)
  const listed = sql.join(columns.map(({ column }) => sql.id(column)))
  await source.transaction().execute(async (reading) => {
    await sql`declare moved no scroll cursor for select to_json(t)::text as row from ${table(name)} t`.execute(
      reading,
    )
    for (;;) {
      const { rows } = await sql<{ row: string }>`fetch ${sql.lit(BATCH)} from moved`.execute(reading)
      if (rows.length === 0) return
      await sql`
        insert into ${table(name)} (${listed}) overriding system value
        select ${listed}
        from json_populate_recordset(null::${table(name)}, ${`[${rows.map(({ row }) => row).join(',')}]`}::json)`.execute(
        trx,
      )
    }
  })
  for (const { column, sequence } of columns) {
    if (sequence === null) continue
    await sql`
      select setval(${sequence}::regclass, max(${sql.id(column)}))
      from ${table(name)}
      having max(${sql.id(column)}) is not null`.execute(trx)
  }
}

async function listColumns(db: Db, name: string): Promise<{ column: string; sequence: string | null }[]> {
  const { rows } = await sql<{ column: string; sequence: string | null }>`
    select attname as column,
      pg_get_serial_sequence(${name}::text, attname) as sequence
    from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(db)
  return rows
}

function table(name: string): RawBuilder<unknown> {
  return sql.id(...name.split('.'))
}
