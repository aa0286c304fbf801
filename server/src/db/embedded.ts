import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { type Database, wrapEmbedded } from './client.ts'

const INIT_SCRIPT = fileURLToPath(import.meta.url)

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

/** Opens (or first makes) the embedded database in `folder`. One process only: take the lock before. */
export async function openEmbedded(folder: string): Promise<Database> {
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(folder)
  return wrapEmbedded(await open(folder))
}

async function open(folder: string): Promise<PGlite> {
  return PGlite.create({ dataDir: folder, extensions: { pg_trgm }, startParams: START_PARAMS })
}

/**
 * Makes the files in a process of its own, which takes the 800 MB that initdb needs away with it, and
 * under another name until they are whole: a start that is killed meanwhile leaves nothing half-made.
 */
async function initialise(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  await promisify(execFile)(process.execPath, [INIT_SCRIPT, unfinished], { timeout: 120_000 })
  renameSync(unfinished, folder)
}

if (process.argv[1] === INIT_SCRIPT && process.argv[2] !== undefined) {
  const made = await open(process.argv[2])
  await made.close()
}
