import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { summaryOf } from '../../../tools/fuzz/report.ts'
import { runFuzz } from '../../../tools/fuzz/run.ts'
import { makeDatabase, onPostgres } from '../support/database.ts'
import { temporaryFolder } from '../support/process.ts'

/** A short form of `npm run fuzz`, always with the same requests. Findings with other seeds are for that command. */
const SEED = 1
const REQUESTS = 400

it('answers hostile requests to every operation as documented, without an error of its own or a stall', async () => {
  const folder = temporaryFolder()
  const database = onPostgres ? await makeDatabase() : undefined
  const run = inject('databaseRun')
  // Creating the embedded database takes seconds of processor time.
  if ('folder' in run) cpSync(join(run.folder, 'template'), join(folder.path, 'pg'), { recursive: true })
  try {
    const settings = { dataDir: folder.path, databaseUrl: database?.url, say: () => {} }
    const report = await runFuzz({ seed: SEED, requests: REQUESTS, ...settings })
    expect(report.sent).toBeGreaterThan(REQUESTS)
    expect(report.isGood(), summaryOf(report, { isLong: false })).toBe(true)
  } finally {
    await database?.remove()
    folder.remove()
  }
}, 600_000)
