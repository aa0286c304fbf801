import { openFiles } from './embedded.ts'

// A process of its own, which `initialise` in embedded.ts starts: `node init-embedded.ts <empty folder>`.
const made = await openFiles(process.argv[2]!)
await made.close()
