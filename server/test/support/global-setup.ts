import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated embedded database to copy; empty with TEST_DATABASE_URL. */
    embeddedTemplate: string
  }
}

/** Makes one migrated embedded database for all workers to copy: initdb takes seconds, a copy does not. */
export default async function setup(project: TestProject): Promise<() => void> {
  if (process.env.TEST_DATABASE_URL !== undefined) {
    project.provide('embeddedTemplate', '')
    return () => {}
  }
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-template-'))
  const template = join(folder, 'pg')
  const database = await openEmbedded(template)
  await migrate(database)
  await database.close()
  project.provide('embeddedTemplate', template)
  return () => rmSync(folder, { recursive: true, force: true })
}
