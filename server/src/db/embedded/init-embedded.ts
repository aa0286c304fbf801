import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { openFiles } from './embedded.ts'

// Runs as a separate process, started by `initialise` in embedded.ts: `node init-embedded.ts <empty folder>`.
const starter = process.ppid
const folder = process.argv[2]!
const made = await openFiles(folder)
await made.close()
// If the start was killed, nothing will use the files, so the folder is removed.
if (process.ppid !== starter) rmSync(dirname(folder), { recursive: true, force: true })
