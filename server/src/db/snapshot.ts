import { cp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './client.ts'

const SNAPSHOT = 'snapshot-'
/** A snapshot older than this was left by a backup whose process died. */
const KEPT_MS = 24 * 3_600_000

/**
 * Copies the files of the embedded database to a new folder `snapshot-<id>` next to them. All other work in the
 * database waits meanwhile, so the files are those of one moment, as after a killed process.
 * @returns the folder's name, and the totals at that moment.
 */
export async function takeSnapshot(
  { db, folder }: { db: Db; folder: string },
  id: string,
): Promise<{ folder: string; totals: Totals }> {
  const name = `${SNAPSHOT}${id}`
  const dataDir = dirname(folder)
  await removeOldSnapshots(dataDir)
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`checkpoint`.execute(trx)
      await copyFiles(folder, join(dataDir, name))
      return { folder: name, totals: await findTotals(trx) }
    })
  } catch (error) {
    await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
}

/** Copies the files of a database that no process has open, or whose process is idle meanwhile. */
export async function copyFiles(folder: string, to: string): Promise<void> {
  await cp(folder, join(to, 'pg'), { recursive: true, errorOnExist: true, force: false })
}

async function removeOldSnapshots(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(SNAPSHOT)) continue
    const { mtimeMs } = await stat(join(dataDir, name))
    if (Date.now() - mtimeMs > KEPT_MS) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}

/** The totals that the snapshot must have, read from tables with one row per shop. */
export type Totals = { shops: number; balance: number; held: number; products: number }

export async function findTotals(db: Db): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select (select count(*) from shops) as shops, (select coalesce(sum(n), 0)::bigint from product_counts) as products,
      coalesce(sum(balance), 0)::bigint as balance, coalesce(sum(held), 0)::bigint as held
    from wallets`.execute(db)
  return rows[0]!
}
