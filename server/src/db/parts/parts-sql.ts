import { sql } from 'kysely'
import type { ObjectId } from '../../lib/object-id.ts'
import type { Db, Trx } from '../client.ts'
import type { Span } from './months.ts'

/** The tables that are divided by month, each with the column of the id whose time decides a row's month. */
export const DIVIDED = { message_events: 'message_id', order_events: 'order_id' } as const

export type Divided = keyof typeof DIVIDED
export type Part = Span & { name: string }

/** An arbitrary number that no other advisory lock in the database uses. */
const LOCK = 7_403_222

/** Waits until no other process creates or drops parts, and prevents it until the transaction ends. */
export async function lockParts(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx)
}

/**
 * Prevents the parts of all tables from being dropped until the transaction ends. Takes no snapshot itself, so a
 * snapshot taken later sees all of the parts.
 */
export async function keepParts(trx: Trx): Promise<void> {
  const tables = Object.keys(DIVIDED).map((table) => sql.table(table))
  await sql`lock table ${sql.join(tables)} in access share mode`.execute(trx)
}

/** Limits how long later statements of the transaction wait for a lock, because other readers of the table wait behind them. */
export async function limitLockWait(trx: Trx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(trx)
}

/** Lets the transaction delete from append-only tables, as erasing a person's data does, or ends that. */
async function allowDeleting(trx: Trx, isAllowed: boolean): Promise<void> {
  await sql`select set_config('shopbell.erasing', ${isAllowed ? 'on' : ''}, true)`.execute(trx)
}

/** The parts of a table in the order of their ids, without its other part (see {@link otherPart}). */
export async function listParts(db: Db, table: Divided): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select c.relname as name, substring(bound.text from 'FROM \\(''([0-9a-f]{24})''\\)') as "from",
      substring(bound.text from 'TO \\(''([0-9a-f]{24})''\\)') as "to"
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    cross join lateral pg_get_expr(c.relpartbound, c.oid) as bound (text)
    where i.inhparent = ${table}::regclass and bound.text <> 'DEFAULT'
    order by "to"`.execute(db)
  return rows
}

/** The part for ids that have no part of their own: those of a month that was dropped, or from a clock far ahead. */
function otherPart(table: Divided): string {
  return `${table}_other`
}

/** Creates a part and moves into it the rows that belong to it and are already in the other part. */
export async function insertPart(
  trx: Trx,
  table: Divided,
  { name, from, to }: { name: string; from: ObjectId; to: ObjectId },
): Promise<void> {
  const [made, key] = [sql.table(name), sql.ref(DIVIDED[table])]
  // Created separately and then attached, so that writers of the table do not wait.
  await sql`
    create table ${made} (like ${sql.table(table)} including defaults including constraints)`.execute(trx)
  await allowDeleting(trx, true)
  await sql`
    with moved as (
      delete from ${sql.table(otherPart(table))}
      where ${key} >= ${from} and ${key} < ${to}
      returning *
    )
    insert into ${made}
    select *
    from moved`.execute(trx)
  await allowDeleting(trx, false)
  await sql`
    alter table ${sql.table(table)}
    attach partition ${made} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(trx)
}

/** Drops a part with all its rows at once. */
export async function dropPart(trx: Trx, name: string): Promise<void> {
  await sql`drop table ${sql.table(name)}`.execute(trx)
}

/**
 * Deletes up to `limit` rows with ids below `below` from the table's other part.
 * @returns the number of deleted rows.
 */
export async function deleteOthers(
  trx: Trx,
  table: Divided,
  { below, limit }: { below: ObjectId; limit: number },
): Promise<number> {
  const other = sql.table(otherPart(table))
  await allowDeleting(trx, true)
  const { numAffectedRows } = await sql`
    delete from ${other}
    where ctid = any (array(
      select ctid
      from ${other}
      where ${sql.ref(DIVIDED[table])} < ${below}
      limit ${limit}
    ))`.execute(trx)
  return Number(numAffectedRows)
}
