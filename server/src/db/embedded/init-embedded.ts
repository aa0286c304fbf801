import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DISK_FULL, openFiles } from './embedded.ts'

// Runs as a separate process, started by `initialise` in embedded.ts: `node init-embedded.ts <empty folder>`.
const starter = process.ppid
const folder = process.argv[2]!
/** ENOSPC and EDQUOT as Emscripten numbers them. */
const FULL = [51, 19]
try {
  const made = await openFiles(folder)
  await made.close()
} catch (error) {
  if (FULL.includes((error as { errno?: number }).errno ?? 0)) process.exit(DISK_FULL)
  throw error
}
// If the start was killed, nothing will use the files, so the folder is removed.
if (process.ppid !== starter) rmSync(dirname(folder), { recursive: true, force: true })
