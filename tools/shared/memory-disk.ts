import { accessSync, constants, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * Puts the temporary folders of this process and of its child processes into memory, if Linux has room for them and
 * TMPDIR is not set. The tests copy an embedded database of 44 MB for each service: this takes 0.04 s of processor time
 * there, and 0.6 s on a disk.
 */
export function preferMemoryDisk(): void {
  if (process.env.TMPDIR !== undefined) return
  try {
    accessSync(FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(FOLDER)
    if (bavail * bsize >= ROOM_BYTES) process.env.TMPDIR = FOLDER
  } catch {
    // There is no memory disk on this system, so the default folder is used.
  }
}
