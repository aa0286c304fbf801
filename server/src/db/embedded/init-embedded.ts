import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { openFiles } from './embedded.ts'

// A process of its own, which `initialise` in embedded.ts starts: `node init-embedded.ts <empty folder>`.
const starter = process.ppid
const folder = process.argv[2]!
const made = await openFiles(folder)
await made.close()
// If the start was killed, nothing will use the files: the folder is removed with them.
if (process.ppid !== starter) rmSync(dirname(folder), { recursive: true, force: true })
