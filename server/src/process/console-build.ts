import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../lib/log.ts'

const CONSOLE = fileURLToPath(new URL('../../../console', import.meta.url))
const CLIENT = fileURLToPath(new URL('../../../client/src', import.meta.url))
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'build.ts'].map((name) =>
  join(CONSOLE, name),
)

/**
 * The folder of the built console, built now when its sources are newer than the last build (some 5 s, told on
 * standard output). Undefined when there is none to serve: a broken build must not keep the API from starting.
 */
export async function builtConsole(log: Log): Promise<string | undefined> {
  const folder = join(CONSOLE, 'dist')
  if (!existsSync(join(CONSOLE, 'build.ts'))) return existsSync(folder) ? folder : undefined
  const builtAt = existsSync(join(folder, 'index.html')) ? statSync(join(folder, 'index.html')).mtimeMs : 0
  if ([...SOURCES, CLIENT].every((path) => newestChange(path) <= builtAt)) return folder

  process.stdout.write('building the console, once …\n')
  const build = spawn(process.execPath, [join(CONSOLE, 'build.ts')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let trouble = ''
  for (const stream of [build.stdout, build.stderr]) {
    stream.on('data', (text) => {
      trouble += text
    })
  }
  const [code] = (await once(build, 'close')) as [number | null]
  if (code === 0) return folder
  log.error({ output: trouble.slice(-4_000) }, 'the console could not be built; the API runs without it')
  return undefined
}

function newestChange(path: string): number {
  const at = statSync(path, { throwIfNoEntry: false })
  if (at === undefined) return 0
  if (!at.isDirectory()) return at.mtimeMs
  return Math.max(...readdirSync(path).map((name) => newestChange(join(path, name))))
}
