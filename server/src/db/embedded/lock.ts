import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../lib/make-folder.ts'

/** Another process uses the data folder. */
export class DataDirBusy extends Error {
  constructor(dataDir: string, holder: string) {
    super(
      `${dataDir} is in use by process ${holder}: the embedded database allows only one process. Stop that process, or set DATA_DIR or DATABASE_URL.`,
    )
    this.name = 'DataDirBusy'
  }
}

/**
 * Locks the data folder for this process until it ends, however it ends: two processes on one embedded database would
 * destroy it. The lock is the operating system's, taken through SQLite's exclusive file lock, because Node has no
 * flock. The holder's pid is in `shopbell.pid` next to it.
 * @throws DataDirBusy naming the holder.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  makeFolder(dataDir)
  const pidFile = join(dataDir, 'shopbell.pid')
  const lock = new DatabaseSync(join(dataDir, 'shopbell.lock'))
  try {
    lock.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    let holder = 'unknown'
    try {
      holder = readFileSync(pidFile, 'utf8').trim()
    } catch {}
    throw new DataDirBusy(dataDir, holder)
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return { release: () => lock.close() }
}
