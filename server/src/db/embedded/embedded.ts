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
import { INSTALLED } from '../installed-files.ts'
import { type Database, wrapEmbedded } from './client.ts'
import { PrivateFiles } from './private-files.ts'
import { DatabaseUnusable } from './unusable.ts'

/** The PostgreSQL that PGlite is made of, as its files name it. */
const PG_VERSION = '18'

/** In a folder of this name's beginning beside the database's, with this file in it, a start makes a new database. */
const UNFINISHED = '.unfinished-'
const UNFINISHED_MARK = 'made-by-shopbell'

// 16 MB of shared buffers instead of 128 halve the process's memory and are no slower: the files stand in
// the system's page cache.
const START_PARAMS = [
  ...PGlite.defaultStartParams,
  '-c',
  'shared_buffers=16MB',
  '-c',
  'jit=off',
  '-c',
  'timezone=UTC',
]

/** What to do about a folder that holds something else than a whole database of this version. */
const UNCHANGED =
  'Nothing was changed: restore the folder whole from a backup, or set DATA_DIR to another folder.'

/**
 * Opens the embedded database in `folder`; makes it first where there is none, or an empty folder. One process only:
 * take the lock before.
 * @throws DatabaseUnusable when the folder holds anything else, or lacks one of a database's files.
 */
export async function openEmbedded(folder: string): Promise<Database> {
  if (!existsSync(folder) || readdirSync(folder).length === 0) await initialise(folder)
  else checkFiles(folder)
  try {
    return wrapEmbedded(await openFiles(folder))
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new DatabaseUnusable(`The embedded database in ${folder} cannot be opened (${why}). ${UNCHANGED}`)
  }
}

/** Opens the files in `folder`, or makes them first where it is empty. */
export async function openFiles(folder: string): Promise<PGlite> {
  const fs = new PrivateFiles(folder)
  return PGlite.create({ fs, extensions: { btree_gin, pg_trgm }, startParams: START_PARAMS })
}

/** PGlite takes a folder without PG_VERSION for an empty one, and ends with a stack trace at the other two. */
function checkFiles(folder: string): void {
  for (const name of ['PG_VERSION', 'global/pg_control']) {
    const path = join(folder, name)
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
      throw new DatabaseUnusable(`${path} is missing or empty: the database is not whole. ${UNCHANGED}`)
  }
  const path = join(folder, 'PG_VERSION')
  const version = readFileSync(path, 'utf8').trim()
  if (version !== PG_VERSION)
    throw new DatabaseUnusable(
      `${path} names PostgreSQL ${version}, this Shopbell has ${PG_VERSION} embedded. ${UNCHANGED}`,
    )
}

/**
 * Makes the files in a process of its own, which takes the 800 MB that initdb needs away with it, and in a folder of
 * this start's own beside until they are whole: a start that is killed meanwhile leaves no half-made database, and what
 * it leaves has its mark, by which the next start knows what it may remove.
 */
async function initialise(folder: string): Promise<void> {
  const beside = dirname(folder)
  mkdirSync(beside, { recursive: true })
  removeUnfinished(folder)
  const unfinished = mkdtempSync(`${folder}${UNFINISHED}`)
  writeFileSync(join(unfinished, UNFINISHED_MARK), `${process.pid}\n`)
  const made = join(unfinished, 'pg')
  mkdirSync(made)
  await promisify(execFile)(process.execPath, [INSTALLED.initEmbedded, made], { timeout: 120_000 })
  // Takes the place of an empty folder, and fails on any other.
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
      // The process that the killed start left behind still writes there; it removes the folder at its end.
    }
  }
}
