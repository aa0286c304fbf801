import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { builtConsole } from '../../server/src/process/console-build.ts'
import { copyOnServer } from '../../server/test/support/on-server.ts'
import {
  type Environment,
  SOURCES,
  spawnProgram,
  whenReady,
} from '../../server/test/support/start-program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A data folder with the demo shop, made once because that takes eight seconds of processor time. Each service of
     * the run is started on a copy of it, and of the database `demo` on a server.
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
  const database = await copyTemplate(databaseRun, folder)
  const env = { DATA_DIR: folder, ...database, DEMO: '1', CONSOLE: '0', PLATFORM: 'simulator', PORT: '0' }
  const service = await whenReady(spawnProgram(bundle ?? SOURCES, ['serve'], env))
  const { code } = await service.end('SIGTERM')
  if (code !== 0) throw new Error(`the service that made the demo ended with ${code}:\n${service.output()}`)
  project.provide('demoFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Copies the run's migrated database into `folder`, or to `demo` on its server. @returns what names it to the service */
async function copyTemplate(run: ProvidedContext['databaseRun'], folder: string): Promise<Environment> {
  if ('prefix' in run) {
    const { server, prefix } = run
    return {
      DATABASE_URL: await copyOnServer(server, `${prefix}template`, `${prefix}demo`),
    }
  }
  cpSync(join(run.folder, 'template'), join(folder, 'pg'), { recursive: true })
  return {}
}
