import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** PostgreSQL creates its log in files of 16 MB, and opening a database may need the next one besides the current one. */
const NEEDED_BYTES = 32 * 1024 ** 2

/** The disk of the data folder has no space left. The message is the one line that the command prints. */
export class DiskFull extends Error {
  constructor(path: string) {
    super(
      `The disk of ${path} is full (${Math.floor(diskOf(path).freeBytes / 1024 ** 2)} MB free): free some space there, and run the command again; no data was changed`,
    )
    this.name = 'DiskFull'
  }
}

/** Whether the disk of `path` has too little space to open an embedded database. */
export function isDiskFullAt(path: string): boolean {
  return diskOf(path).freeBytes < NEEDED_BYTES
}

/** The disk of `path`, which need not exist yet: the nearest folder that does, the bytes that this user may still write, and all. */
export function diskOf(path: string): { folder: string; freeBytes: number; bytes: number } {
  let folder = path
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { folder, freeBytes: bavail * bsize, bytes: blocks * bsize }
}
