import { sql } from 'kysely'
import type { Db } from './client.ts'

/**
 * What a database holds, to compare a copy with it: for each table the number of rows and a checksum of their contents,
 * and how many wallets and stocks differ from their ledgers.
 */
export type Facts = { tables: Record<string, TableFacts>; ledgerDifferences: number }
export type TableFacts = { rows: number; sum: string }

/** Our tables, or those of the job queue. A partition counts as part of its table. */
export async function listTables(db: Db, schema: 'public' | 'pgboss'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`.execute(db)
  return rows.map(({ name }) => `${schema}.${name}`)
}

/**
 * Reads every row, which takes as long as a dump. Call it in a transaction if others write at the same time. The
 * checksum depends neither on the order of the rows, nor on the version of PostgreSQL and its settings.
 */
export async function findFacts(db: Db): Promise<Facts> {
  await sql`
    select set_config('datestyle', 'iso, mdy', false), set_config('bytea_output', 'hex', false),
      set_config('intervalstyle', 'postgres', false), set_config('extra_float_digits', '1', false)`.execute(
    db,
  )
  const names = [...(await listTables(db, 'public')), ...(await listTables(db, 'pgboss'))]
  const tables: Facts['tables'] = {}
  for (const name of names) tables[name] = await findTableFacts(db, name)
  return { tables, ledgerDifferences: await countLedgerDifferences(db) }
}

/** `name` may have a schema before a dot. Reads every row of the table. */
export async function findTableFacts(db: Db, name: string): Promise<TableFacts> {
  const { rows } = await sql<TableFacts>`
    select count(*) as rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as sum
    from ${sql.id(...name.split('.'))} t`.execute(db)
  return rows[0]!
}

/** Counts the wallets that are not the sum of their entries and the stocks that are not the sum of their movements. */
async function countLedgerDifferences(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (
      select count(*)
      from wallets w
      left join (
        select shop_id, sum(amount) as amount, sum(held_change) as held
        from wallet_entries
        group by shop_id
      ) as e on e.shop_id = w.shop_id
      where w.balance <> coalesce(e.amount, 0) or w.held <> coalesce(e.held, 0)
    ) + (
      select count(*)
      from stock s
      left join (
        select shop_id, sku_id, warehouse_id, sum(quantity) as quantity
        from stock_movements
        group by shop_id, sku_id, warehouse_id
      ) as m on m.shop_id = s.shop_id and m.sku_id = s.sku_id and m.warehouse_id = s.warehouse_id
      where s.quantity <> coalesce(m.quantity, 0)
    ) as n`.execute(db)
  return rows[0]!.n
}

/** Describes each table in which `theirs` differs from `ours`; empty if they hold the same. */
export function differencesOf(ours: Facts, theirs: Facts): string[] {
  const names = new Set([...Object.keys(ours.tables), ...Object.keys(theirs.tables)])
  return [...names].flatMap((name) => {
    const [one, other] = [ours.tables[name], theirs.tables[name]]
    if (one?.rows !== other?.rows)
      return [`${name} has ${other?.rows ?? 'no'} rows instead of ${one?.rows ?? 'none'}`]
    return one?.sum === other?.sum ? [] : [`${name} has different contents`]
  })
}

export function rowsOf({ tables }: Facts): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
}
