import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { schemaText } from '../db/migrations/schema-text.ts'

/** The schema that all migrations create, read from a temporary embedded database. */
export async function migratedSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-schema-'))
  try {
    const database = await openEmbedded(join(folder, 'pg'))
    await migrate(database)
    const text = await schemaText(database.db)
    await database.close()
    return text
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
