import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../lib/make-folder.ts'
import { DatabaseUnusable } from '../unusable.ts'
import { DiskFull, isDiskFullAt } from './disk-full.ts'

/** Another process uses the data folder. */
export class DataDirBusy extends Error {
  constructor(dataDir: string, holder: string) {
    super(
      `${dataDir} is in use by process ${holder}: the embedded database allows only one process. Stop that process, or set DATA_DIR or DATABASE_URL.`,
    )
    this.name = 'DataDirBusy'
  }
}

/** This user cannot write the data folder, or a file of the lock in it. */
export class DataDirUnwritable extends Error {
  constructor(path: string) {
    super(`${path} cannot be written by this user: run as the user of the service, or chown it`)
    this.name = 'DataDirUnwritable'
  }
}

/** SQLite's primary codes: a lock of another process; a file that cannot be opened, or only for reading; a full disk. */
const BUSY = [5, 6]
const UNWRITABLE = [8, 14]
const FULL = 13

export type Lock = {
  release(): void
  /** Also removes the folders and files that taking the lock has created. */
  releaseAndRemove(): void
}

/**
 * Locks the data folder for this process until it ends, however it ends: two processes on one embedded database would
 * destroy it. The lock is the operating system's, taken through SQLite's exclusive file lock, because Node has no
 * flock. The holder's pid is in `shopbell.pid` next to it.
 * @throws DataDirBusy naming the holder, DataDirUnwritable naming the path, DiskFull, or DatabaseUnusable for any other
 * failure of the file; what it created is then removed, unless another process uses it.
 */
export function lockDataDir(dataDir: string): Lock {
  const made = makeFolder(dataDir)
  assertWritable(dataDir)
  const pidFile = join(dataDir, 'shopbell.pid')
  const lockFile = join(dataDir, 'shopbell.lock')
  const fresh = [pidFile, lockFile, `${lockFile}-journal`].filter((file) => !existsSync(file))
  const lock = new DatabaseSync(lockFile, { open: false })
  const release = () => lock.close()
  const releaseAndRemove = () => {
    for (const file of fresh) rmSync(file, { force: true })
    if (lock.isOpen) lock.close()
    // A folder that something else has been put into stays.
    for (const folder of made) if (readdirSync(folder).length === 0) rmdirSync(folder)
  }
  try {
    lock.open()
    lock.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    const { errcode, message } = error as { errcode: number; message: string }
    const code = errcode & 0xff
    if (BUSY.includes(code)) {
      lock.close()
      throw new DataDirBusy(dataDir, holderIn(pidFile))
    }
    releaseAndRemove()
    if (UNWRITABLE.includes(code)) throw new DataDirUnwritable(lockFile)
    if (code === FULL || isDiskFullAt(dataDir)) throw new DiskFull(dataDir)
    throw new DatabaseUnusable(
      `${lockFile} cannot be locked (${message}): check the disk of DATA_DIR; a network file system must support locks`,
    )
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (error) {
    releaseAndRemove()
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw new DiskFull(dataDir)
    throw error
  }
  return { release, releaseAndRemove }
}

function holderIn(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}

/** @throws DataDirUnwritable unless this user may list, read and write the folder. */
function assertWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    throw new DataDirUnwritable(dataDir)
  }
}
