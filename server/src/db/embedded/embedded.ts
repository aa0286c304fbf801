import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { INSTALLED } from '../../installed-files.ts'
import { makeFolder } from '../../lib/make-folder.ts'
import { type Database, wrapEmbedded } from '../client.ts'
import { DatabaseUnusable } from '../unusable.ts'
import { DiskFull, isDiskFullAt } from './disk-full.ts'
import { PrivateFiles } from './private-files.ts'

/** The version of PostgreSQL in PGlite, as its files name it. */
const PG_VERSION = '18'

/**
 * A start creates a new database in a folder next to the final one. That folder's name has this suffix, and it contains
 * this mark file.
 */
const UNFINISHED = '.unfinished-'
const UNFINISHED_MARK = 'made-by-shopbell'

// 16 MB of shared buffers instead of 128 MB halve the process's memory and are not slower, because the system's page
// cache holds the files.
const START_PARAMS = [
  ...PGlite.defaultStartParams,
  '-c',
  'shared_buffers=16MB',
  '-c',
  'jit=off',
  '-c',
  'timezone=UTC',
]

/** Uses only V8's fast WebAssembly compiler: code from the optimising one would hardly run before initdb ends. */
const QUICK_COMPILER = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

/** With this code, the process that creates a database says that the disk is full. */
export const DISK_FULL = 28

/** What to do about a folder that does not hold a complete database of this version. */
const UNCHANGED =
  'Nothing was changed: restore the whole folder from a backup, or set DATA_DIR to another folder.'

/**
 * Opens the embedded database in `folder`, and creates it first if the folder is missing or empty. Only one process may
 * do so: take the lock before.
 * @param onPanic see {@link wrapEmbedded}.
 * @throws DatabaseUnusable when the folder holds anything else, or lacks one of a database's files; DiskFull when it cannot
 * be opened and its disk has no space, because an intact database does not open then either.
 */
export async function openEmbedded(folder: string, onPanic?: (error: unknown) => void): Promise<Database> {
  if (!existsSync(folder) || readdirSync(folder).length === 0) await initialise(folder)
  else checkFiles(folder)
  try {
    return wrapEmbedded(await openFiles(folder), folder, onPanic)
  } catch (error) {
    if (isDiskFullAt(folder)) throw new DiskFull(folder)
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new DatabaseUnusable(`The embedded database in ${folder} cannot be opened (${why}). ${UNCHANGED}`)
  }
}

/** Opens the files in `folder`, or creates them if the folder is empty. */
export async function openFiles(folder: string): Promise<PGlite> {
  const fs = new PrivateFiles(folder)
  return PGlite.create({ fs, extensions: { btree_gin, pg_trgm }, startParams: START_PARAMS })
}

/**
 * Refuses an incomplete database or one of another version. PGlite treats a folder without PG_VERSION as empty, and
 * fails with a stack trace in the other cases.
 */
function checkFiles(folder: string): void {
  for (const name of ['PG_VERSION', 'global/pg_control']) {
    const path = join(folder, name)
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
      throw new DatabaseUnusable(`${path} is missing or empty: the database is incomplete. ${UNCHANGED}`)
  }
  const path = join(folder, 'PG_VERSION')
  const version = readFileSync(path, 'utf8').trim()
  if (version !== PG_VERSION)
    throw new DatabaseUnusable(
      `${path} names PostgreSQL ${version}, this Shopbell has ${PG_VERSION} embedded. ${UNCHANGED}`,
    )
}

/**
 * Creates the database's files in a child process, so the 800 MB that initdb needs are freed when it ends. They are
 * created in a temporary folder next to `folder` and moved when complete, so a killed start leaves no incomplete
 * database. A mark in the temporary folder lets the next start remove it.
 */
async function initialise(folder: string): Promise<void> {
  const beside = dirname(folder)
  makeFolder(beside)
  removeUnfinished(folder)
  const unfinished = mkdtempSync(`${folder}${UNFINISHED}`)
  writeFileSync(join(unfinished, UNFINISHED_MARK), `${process.pid}\n`)
  const made = join(unfinished, 'pg')
  mkdirSync(made)
  const init = [...QUICK_COMPILER, INSTALLED.initEmbedded, made]
  await promisify(execFile)(process.execPath, init, { timeout: 120_000 }).catch((error) => {
    rmSync(unfinished, { recursive: true, force: true })
    if (error.code !== DISK_FULL) throw error
    throw new DatabaseUnusable(
      `The embedded database in ${folder} could not be created, because the disk is full: free some space there, and start again`,
    )
  })
  // Replaces an empty folder, and fails for any other.
  renameSync(made, folder)
  rmSync(unfinished, { recursive: true })
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}${UNFINISHED}`)) continue
    const leftover = join(dirname(folder), name)
    try {
      if (readdirSync(leftover).length === 0) rmdirSync(leftover)
      else if (existsSync(join(leftover, UNFINISHED_MARK))) rmSync(leftover, { recursive: true })
    } catch {
      // A child process of the killed start still writes to this folder, and removes it when done.
    }
  }
}
