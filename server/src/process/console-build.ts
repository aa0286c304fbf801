import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { INSTALLED } from '../installed-files.ts'
import type { Log } from '../lib/log.ts'

/**
 * The folder of the built console. In a checkout it is built now if its sources are newer than the last build (about 5
 * s, announced on standard output). Undefined if there is none to serve: a failed build must not keep the API from
 * starting.
 */
export async function builtConsole(log: Log): Promise<string | undefined> {
  const { console: folder, consoleSources } = INSTALLED
  if (consoleSources === undefined) return existsSync(folder) ? folder : undefined
  const builtAt = existsSync(join(folder, 'index.html')) ? statSync(join(folder, 'index.html')).mtimeMs : 0
  if (sourcesOf(consoleSources).every((path) => newestChange(path) <= builtAt)) return folder

  process.stdout.write('building the console, once …\n')
  const build = spawn(process.execPath, [join(consoleSources, 'build.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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

function sourcesOf(folder: string): string[] {
  const own = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'build.ts', 'screen-files.ts']
  const others = ['../client/src', '../server/src/http/own-paths.ts']
  return [...own, ...others].map((name) => join(folder, name))
}

function newestChange(path: string): number {
  const at = statSync(path, { throwIfNoEntry: false })
  if (at === undefined) return 0
  if (!at.isDirectory()) return at.mtimeMs
  return Math.max(...readdirSync(path).map((name) => newestChange(join(path, name))))
}
