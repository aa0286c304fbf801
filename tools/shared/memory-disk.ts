import { accessSync, constants, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * Puts temporary folders of this process and of those that it starts into memory, where Linux has room for it, unless TMPDIR says
 * where they belong. The tests copy an embedded database of 44 MB for each service: 0.04 s of processor time there, 0.6 s on a disk.
 */
export function preferMemoryDisk(): void {
  if (process.env.TMPDIR !== undefined) return
  try {
    accessSync(FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(FOLDER)
    if (bavail * bsize >= ROOM_BYTES) process.env.TMPDIR = FOLDER
  } catch {
    // None on this system: they lie where they always do.
  }
}
