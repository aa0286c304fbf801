import type { Db } from '../../db/client.ts'
import { findForeignTable, newestApplied } from '../../db/migrations/migrate.ts'
import { newestSchema, numberOf } from '../../db/migrations/migration-files.ts'
import { isSealedWith } from '../../db/sealing-key.ts'
import { findDatabaseFacts, findDatabaseTime, findOldestJobWait, findOldestWaits } from './checks-sql.ts'

/** One finding of `shopbell doctor`: `says` is the state, `advice` what to do if it is wrong. */
export type Check = { name: string; isOk: boolean; says: string; advice: string | null }

export const fine = (name: string, says: string): Check => ({ name, isOk: true, says, advice: null })
export const wrong = (name: string, says: string, advice: string): Check => ({
  name,
  isOk: false,
  says,
  advice,
})

const OLDEST_POSTGRES = 15
/**
 * Processes follow the database's clock (decision 0021); a larger difference means that one of the two is set wrong.
 */
const MAX_SKEW_MS = 5_000
/** If work has been due for longer, it is not being done: the intervals of all queues are far shorter. */
const MAX_WAIT_SECONDS = 300

/** What to do where PostgreSQL runs, but refuses this connection, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'correct the role in DATABASE_URL, or create it and let pg_hba.conf admit it',
  '28P01': 'correct the role and the password in DATABASE_URL',
  '3D000': 'create the database, or correct its name in DATABASE_URL',
  '42501': 'grant the role of DATABASE_URL this right, or make it the owner of the database',
}

/**
 * Checks the database: version, clock, time zone, schema, sealing key (if `sealingKeys` are known) and the age of its
 * queues. Changes nothing. Stops at the first finding that makes the next checks impossible.
 */
export async function checkDatabase(db: Db, sealingKeys: readonly Buffer[] | undefined): Promise<Check[]> {
  let facts: Awaited<ReturnType<typeof findDatabaseFacts>>
  try {
    facts = await findDatabaseFacts(db)
  } catch (error) {
    const why = (error instanceof Error && error.message) || 'it does not respond'
    const { code = '' } = error as { code?: string }
    return [wrong('database', why, ADVICE[code] ?? 'start PostgreSQL, or correct DATABASE_URL')]
  }
  const askedAt = Date.now()
  const skewMs = (await findDatabaseTime(db)).getTime() - (askedAt + Date.now()) / 2
  const checks = [versionCheck(facts.version, facts.isReadOnly), clockCheck('clock', 'the database', skewMs)]
  checks.push(
    facts.timeZone === 'UTC' && facts.knowsVietnam
      ? fine('time zone', 'UTC; Asia/Ho_Chi_Minh is known')
      : wrong(
          'time zone',
          `the database’s session has ${facts.timeZone}, Asia/Ho_Chi_Minh is ${facts.knowsVietnam ? '' : 'not '}known`,
          'install the time zones of PostgreSQL, and remove a TimeZone set for the role or database',
        ),
  )
  const newest = facts.hasSchema ? await newestApplied(db) : undefined
  const foreign = facts.hasSchema ? undefined : await findForeignTable(db)
  checks.push(foreign === undefined ? schemaCheck(newest) : foreignCheck(foreign))
  if (newest === undefined || numberOf(newest) !== newestSchema()) return checks
  if (sealingKeys !== undefined) checks.push(sealingCheck(await isSealedWith(db, sealingKeys)))
  return [...checks, ...(await queueChecks(db, facts.hasJobs))]
}

function versionCheck(version: string, isReadOnly: boolean): Check {
  const says = `PostgreSQL ${version}`
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    return wrong('database', says, `upgrade it to ${OLDEST_POSTGRES} or newer`)
  if (isReadOnly)
    return wrong('database', `${says}, read-only`, 'connect to the primary, or end its read-only mode')
  return fine('database', says)
}

/** Checks whether the clock of `whose` agrees with this machine's clock, which is `skewMs` behind it. */
export function clockCheck(name: string, whose: string, skewMs: number, maxMs = MAX_SKEW_MS): Check {
  const seconds = Math.abs(skewMs / 1000).toFixed(1)
  const says = `${whose} is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`
  return Math.abs(skewMs) <= maxMs ? fine(name, says) : wrong(name, says, 'set both by NTP')
}

function foreignCheck(table: string): Check {
  const says = `none: the database belongs to another program (it has the table ${table})`
  return wrong('migrations', says, 'set DATABASE_URL to an empty database')
}

function schemaCheck(newest: string | undefined): Check {
  const ours = newestSchema()
  if (newest === undefined)
    return fine('migrations', `none applied yet; the first start applies them up to ${ours}`)
  const theirs = numberOf(newest)
  if (theirs === ours) return fine('migrations', `at ${theirs}, the newest`)
  if (theirs < ours)
    return wrong(
      'migrations',
      `at ${theirs}, this Shopbell has ${ours}`,
      'run "shopbell migrate", or start the service',
    )
  return wrong(
    'migrations',
    `at ${theirs}, this Shopbell knows ${ours} only`,
    'use the version that migrated it, or a later one',
  )
}

function sealingCheck(isSealed: boolean | undefined): Check {
  const name = 'sealing key'
  if (isSealed === false)
    return wrong(
      name,
      'this database’s secrets are sealed with another key',
      'set SECRETS_KEY to that key, or put it into DATA_DIR/secrets-key',
    )
  return fine(name, isSealed === undefined ? 'the database has none yet' : 'opens this database’s secrets')
}

async function queueChecks(db: Db, hasJobs: boolean): Promise<Check[]> {
  const { batches, unknown, sms, platformEvents } = await findOldestWaits(db)
  const jobs = hasJobs ? await findOldestJobWait(db) : null
  const ages = { batches, 'unknown outcomes': unknown, SMS: sms, 'platform events': platformEvents, jobs }
  return Object.entries(ages).map(([name, seconds]) => {
    const says =
      seconds === null || seconds < 1 ? 'nothing is overdue' : `the oldest has been due for ${seconds} s`
    return (seconds ?? 0) <= MAX_WAIT_SECONDS
      ? fine(name, says)
      : wrong(name, says, 'start a process with ROLE=all or ROLE=worker, and read its log')
  })
}
