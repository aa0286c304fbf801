import { createHash } from 'node:crypto'
import type { PGlite } from '@electric-sql/pglite'
import {
  Kysely,
  type LogEvent,
  PGliteDialect,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { WaitLimits } from '../config.ts'
import { noteStatement } from '../lib/spans.ts'
import { keepLoopTurning } from './embedded/loop-turns.ts'
import { prepareStatements } from './embedded/prepare-statements.ts'
import { createLender, DatabaseBusy, noteCommit } from './share.ts'

/**
 * Where a statement runs: the pool or a transaction. It is the first argument of every SQL function. Statements are
 * `sql` templates with their row type; there are no table types.
 */
export type Db = Kysely<unknown>
export type Trx = Transaction<unknown>

export type Database = {
  db: Db
  /** The same data over separate connections, for slow work: imports, exports, reports and retention. */
  slow: Db
  kind: 'postgres' | 'embedded'
  /** Runs a script of several statements without parameters, for migrations. */
  execScript(text: string): Promise<void>
  /** Whether the last attempted write was refused (see {@link isWriteRefused}). If so, http/health.ts attempts another. */
  writes: { areRefused: boolean }
  /** The embedded instance, for the job queue, which shares it. */
  pglite: PGlite | undefined
  /** The folder of the embedded database's files. */
  folder: string | undefined
  close(): Promise<void>
}

// Reads int8 as a number: checks keep money and counters below 2^53. Timestamps are read as `Date`.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** How long a statement waits for a connection before the caller gets 503. */
export const CONNECT_TIMEOUT_MS = 3_000
/**
 * The second of two waiters for a row waits twice: first in the queue for the row, then for the transaction that holds
 * it. `lock_timeout` limits each wait separately.
 */
const WAITS_FOR_A_ROW = 2
/** How long a caller may wait for a connection in addition to its waits for a row. */
const CONNECTION_WAIT_MS = 1_000
const SHORTEST_LOCK_WAIT_MS = 50

const KEEP_ALIVE = ' -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3'

/**
 * Marks a statement whose best plan depends on its values, as a search's depends on how often its words occur. It is
 * planned at each call. A generic plan would read a whole index of the shop in addition to the one of the words.
 */
const PLANNED = '/* planned anew */'
export const planned = sql.raw(PLANNED)

function isPlanned(text: string): boolean {
  return text.trimStart().startsWith(PLANNED)
}

/** A connection that was opened while the database was read-only may stay read-only afterwards, so it is not reused. */
class Client extends pg.Client {
  isReadOnly = false

  // biome-ignore lint/suspicious/noExplicitAny: one body under each of pg's six overloads, whose results share no type
  override query(config: any, values?: any, callback?: any): any {
    if (config === 'commit') noteCommit()
    const result = super.query(config, values, callback) as unknown
    if (result instanceof Promise) {
      result.catch((error) => {
        if (sqlProblem(error)?.state === READ_ONLY) this.isReadOnly = true
      })
    }
    return result
  }
}

/**
 * Prepares each parametrised statement once per connection, under a name made from its text, because the statements of
 * lists cost more to plan than to run. There are few distinct texts, because filters only choose among fixed parts.
 * Statements that begin with {@link planned} are not prepared.
 */
class PreparingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: one body under each of pg's six overloads, whose results share no type
  override query(config: any, values?: any, callback?: any): any {
    return typeof config === 'string' && Array.isArray(values) && values.length > 0 && !isPlanned(config)
      ? super.query({ name: statementName(config), text: config, values }, callback)
      : super.query(config, values, callback)
  }
}

const names = new LRUCache<string, string>({ max: 5_000 })

function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}

/** The time-outs as options of a new connection, which need no round trip. */
export function limitOptions({ lockMs, statementMs, idleInTransactionMs }: WaitLimits): string {
  return ` -c lock_timeout=${lockMs} -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`
}

/**
 * Opens a pool on PostgreSQL. An idle connection that breaks is dropped, and the next statement opens a new one.
 * - `isKeptAlive`: idle connections stay open, and the server ends those of a vanished machine within seconds.
 * - `limits`: the pool's connections are shared among the shops (share.ts); without it nothing is limited.
 * - `isPooled`: the address is a pooler's, which gives out a connection for one transaction only, so no statement is
 *   prepared and no session setting is made (pooler.ts).
 */
export function openPostgres(
  url: string,
  options: {
    max?: number
    isKeptAlive?: boolean
    isPooled?: boolean
    limits?: WaitLimits
    onError?: (error: Error) => void
  } = {},
): Database {
  const { max = 20, limits, isPooled = false } = options
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'shopbell',
    ...(isPooled
      ? {}
      : {
          options: `-c timezone=UTC -c jit=off${options.isKeptAlive ? KEEP_ALIVE : ''}${limits ? limitOptions(limits) : ''}`,
        }),
    ...(options.isKeptAlive ? { idleTimeoutMillis: 0 } : {}),
    Client: isPooled ? Client : PreparingClient,
  })
  pool.on('error', (error) => options.onError?.(error))
  // The failing statement reports a broken connection to its caller. Without a listener, the error event would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => {}))
  // The pool drops a connection that is ending.
  pool.on('release', (_error, client) => {
    if (client instanceof Client && client.isReadOnly) void client.end()
  })
  const lent = limits === undefined ? pool : sharedOut(pool, max, limits, !isPooled)
  const writes = { areRefused: false }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: lent }), log: noting(writes) })
  return {
    db,
    slow: db,
    kind: 'postgres',
    writes,
    pglite: undefined,
    folder: undefined,
    async execScript(text) {
      const client = await pool.connect()
      // A failed script leaves its transaction open, so its connection is discarded.
      await client.query(text).then(
        () => client.release(),
        (error) => {
          client.release(true)
          throw error
        },
      )
    },
    close: () => db.destroy(),
  }
}

/**
 * The pool, with its connections lent to the shops in turn. With the usual `lockMs` of 2 s, a caller waits at most 5 s
 * in total for its connection and then for a row. The longer the first wait, the shorter the limit of the second, if
 * the connection's settings are its own.
 */
function sharedOut(
  pool: pg.Pool,
  max: number,
  { lockMs }: WaitLimits,
  hasOwnSettings: boolean,
): PostgresPool {
  const lender = createLender(max)
  const waitMs = WAITS_FOR_A_ROW * lockMs + CONNECTION_WAIT_MS

  async function connect(): Promise<PostgresPoolClient> {
    const { owner, leftMs } = await lender.take(waitMs)
    const client = await pool.connect().catch((error: unknown) => {
      lender.give(owner)
      throw error
    })
    const release = client.release.bind(client)
    const giveBack = (error?: Error | boolean) => {
      release(error)
      lender.give(owner)
    }
    client.release = giveBack
    const leftForLockMs = Math.max(Math.round(leftMs / WAITS_FOR_A_ROW), SHORTEST_LOCK_WAIT_MS)
    if (hasOwnSettings && leftForLockMs < lockMs) {
      await client.query(`set lock_timeout = ${leftForLockMs}`).catch((error: unknown) => {
        giveBack(true)
        throw error
      })
      client.release = (error) => {
        if (error) giveBack(error)
        else client.query('reset lock_timeout').then(() => giveBack(), giveBack)
      }
    }
    return client as unknown as PostgresPoolClient
  }

  return { connect, end: () => pool.end(), options: pool.options }
}

/**
 * Wraps an open instance (see embedded.ts) on the files in `folder` as a {@link Database}.
 * @param onPanic is called with the error of a statement that ended the instance, before it is used again: its next use
 * would never return.
 */
export function wrapEmbedded(pglite: PGlite, folder: string, onPanic?: (error: unknown) => void): Database {
  keepLoopTurning(pglite)
  prepareStatements(pglite, (text) => text.includes('$1') && !isPlanned(text))
  const writes = { areRefused: false }
  const note = noting(writes)
  const log = (event: LogEvent) => {
    note(event)
    if (event.level === 'error' && isPanic(event.error)) onPanic?.(event.error)
  }
  const db = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite }), log })
  return {
    db,
    slow: db,
    kind: 'embedded',
    writes,
    pglite,
    folder,
    async execScript(text) {
      await pglite.exec(text)
    },
    async close() {
      if (!pglite.closed) await pglite.close()
    },
  }
}

/** Notes refused writes, and each statement for the trace. */
function noting(writes: Database['writes']): (event: LogEvent) => void {
  return (event) => {
    const { query, queryDurationMillis: ms } = event
    noteStatement({ text: query.sql, ms, ...(event.level === 'error' ? { error: event.error } : {}) })
    if (event.level === 'error' && isWriteRefused(event.error)) writes.areRefused = true
  }
}

/** Whether the error ended the database itself, such as that of a checkpoint on a full disk. */
function isPanic(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'PANIC'
}

/**
 * Writes 1 MB to a temporary file, because a small row might fit into an existing file.
 * @throws the database's error if it accepts no writes.
 */
export async function tryWrite(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`create temp table tried_write on commit drop as select generate_series(1, 30000) as n`.execute(
      trx,
    )
  })
}

/** The SQLSTATE of a refused statement, and the constraint that refused it. */
export function sqlProblem(error: unknown): { state: string; constraint: string | undefined } | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  if (!/^[0-9A-Z]{5}$/.test(error.code)) return undefined
  const constraint =
    'constraint' in error && typeof error.constraint === 'string' ? error.constraint : undefined
  return { state: error.code, constraint }
}

/** Whether `error` is a unique violation of `constraint` (its own name or its index's). */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const problem = sqlProblem(error)
  return problem?.state === '23505' && problem.constraint === constraint
}

const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOENT',
])
const AWAY_STATES = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006'])
const AWAY_WORDS =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|PGlite is closed/i

const READ_ONLY = '25006'
const DISK_FULL = '53100'

/** Whether the database currently accepts no writes: it is read-only (a failover), or its disk is full. */
export function isWriteRefused(error: unknown): boolean {
  const state = sqlProblem(error)?.state
  return state === READ_ONLY || state === DISK_FULL
}

/**
 * Whether the database could not be reached, the connection broke, or it accepts no writes: the caller gets 503 and may
 * retry.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isWriteRefused(error)) return true
  const code = 'code' in error ? String(error.code) : ''
  if (AWAY_CODES.has(code) || AWAY_STATES.has(code) || AWAY_WORDS.test(error.message)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return error.cause !== undefined && error.cause !== error && isDatabaseAway(error.cause)
}

/** A lock or a statement took too long, or the work conflicted with others; it is rolled back. */
const BUSY_STATES = new Set(['55P03', '57014', '25P03', '40P01', '40001'])

/** Whether the database was too busy: nothing was written, the caller gets 503 and may retry. */
export function isDatabaseBusy(error: unknown): boolean {
  return error instanceof DatabaseBusy || BUSY_STATES.has(sqlProblem(error)?.state ?? '')
}
