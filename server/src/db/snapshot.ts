import { readdirSync, statfsSync, statSync } from 'node:fs'
import { cp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './client.ts'

const SNAPSHOT = 'snapshot-'
/** A snapshot older than this was left by a backup whose process died. */
const KEPT_MS = 24 * 3_600_000
/** For what a checkpoint writes, and requests meanwhile. */
const MARGIN_BYTES = 64 * 1024 ** 2

/** The disk has too little room for a snapshot. The message is the one line that the command prints. */
export class NoRoomForSnapshot extends Error {
  /** As PostgreSQL's error for a full disk. */
  readonly code = '53100'
}

/**
 * Checks that the data folder has room for a copy of the embedded database in it. A checkpoint that finds no room would
 * end the database.
 * @throws NoRoomForSnapshot
 */
export function assertRoomForSnapshot(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir)
  const neededBytes = sizeOf(join(dataDir, 'pg')) + MARGIN_BYTES
  if (bavail * bsize >= neededBytes) return
  const mb = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MB`
  throw new NoRoomForSnapshot(
    `${dataDir} has ${mb(bavail * bsize)} free, but a copy of the database needs ${mb(neededBytes)}: free some space there; nothing was changed`,
  )
}

/** The bytes of all files in a folder that a process may be changing. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((bytes, file) => bytes + (file?.isFile() ? file.size : 0), 0)
}

/**
 * Copies the files of the embedded database to a new folder `snapshot-<id>` next to them. All other work in the
 * database waits meanwhile, so the files are those of one moment, as after a killed process.
 * @returns the folder's name, and the totals at that moment.
 * @throws NoRoomForSnapshot, with nothing changed.
 */
export async function takeSnapshot(
  { db, folder }: { db: Db; folder: string },
  id: string,
): Promise<{ folder: string; totals: Totals }> {
  const name = `${SNAPSHOT}${id}`
  const dataDir = dirname(folder)
  await removeOldSnapshots(dataDir)
  assertRoomForSnapshot(dataDir)
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

/** Over all shops; money in đồng. */
export async function findTotals(db: Db): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select (select count(*) from shops) as shops, (select coalesce(sum(n), 0)::bigint from product_counts) as products,
      coalesce(sum(balance), 0)::bigint as balance, coalesce(sum(held), 0)::bigint as held
    from wallets`.execute(db)
  return rows[0]!
}
