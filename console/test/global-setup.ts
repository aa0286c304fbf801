import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { builtConsole } from '../../server/src/process/console-build.ts'
import { SOURCES, spawnProgram, whenReady } from '../../server/test/support/start-program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A data folder with the demo shop, made once because that takes eight seconds of processor time. Each service of
     * the run is started on a copy of it.
     */
    demoFolder: string
  }
}

/** Builds the console and makes the demo shop, once for all services of the run. */
export default async function setup(project: TestProject): Promise<() => void> {
  const built = await builtConsole(pino())
  if (built === undefined) throw new Error('the console could not be built')
  const { bundle, databaseRun } = project.getProvidedContext()
  // The place where a bundle looks for it.
  if (bundle !== undefined) cpSync(built, join(dirname(bundle), '../console'), { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-demo-'))
  if (!('folder' in databaseRun)) throw new Error('the demo is made in an embedded database')
  cpSync(join(databaseRun.folder, 'template'), join(folder, 'pg'), { recursive: true })
  const env = { DATA_DIR: folder, DEMO: '1', CONSOLE: '0', PLATFORM: 'simulator', PORT: '0' }
  const service = await whenReady(spawnProgram(bundle ?? SOURCES, ['serve'], env))
  const { code } = await service.end('SIGTERM')
  if (code !== 0) throw new Error(`the service that made the demo ended with ${code}:\n${service.output()}`)
  project.provide('demoFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
