import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OutputChunk, rolldown } from 'rolldown'
import { servedFiles } from '../../server/src/process/document/served-files.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Packages with native or WebAssembly parts, which they look for in their own folder. They are installed with the
 * bundle.
 */
const INSTALLED_WITH_IT = ['@electric-sql/pglite', 'sharp']

/** The entry points that run as separate processes. The names are those of server/src/installed-files.ts. */
const ENTRIES = {
  main: 'server/src/process/cli/main.ts',
  simulator: 'simulator/src/main.ts',
  'init-embedded': 'server/src/db/embedded/init-embedded.ts',
}

/**
 * Writes the server and the simulator to `folder/server` as files that depend only on the native packages, the
 * migrations to `folder/migrations`, and the served pages to `folder/docs`. What the sources load on first use gets a
 * file of its own. The output is not minified, so that an operator's stack trace stays readable.
 * @returns the chunks that were written.
 */
export async function bundleServer(folder: string): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: INSTALLED_WITH_IT.map((name) => new RegExp(`^${name}(/|$)`)),
    onLog(level, log) {
      // Otherwise the bundle would fail when it first uses the missing import.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      if (level === 'warn') process.stderr.write(`${log.message}\n`)
    },
  })
  const { output } = await bundle.write({
    dir: join(folder, 'server'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  for (const { fileName, code } of chunks)
    writeFileSync(join(folder, 'server', fileName), escapeBeyondAscii(code))
  cpSync(join(ROOT, 'server/migrations'), join(folder, 'migrations'), { recursive: true })
  for (const file of servedFiles(join(ROOT, 'docs')))
    cpSync(join(ROOT, 'docs', file), join(folder, 'docs', file))
  return chunks
}

/**
 * Escapes what ASCII does not have: V8 keeps a source in memory, with two bytes per character if a single one needs them.
 * @throws Error where an escape would mean something else.
 */
function escapeBeyondAscii(code: string): string {
  const wrong = /(?:\\|String\.raw`[^`]*)[^\0-\x7f]/.exec(code)
  if (wrong !== null) throw new Error(`cannot be escaped: ${wrong[0]}`)
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The packages that must be installed with the bundle, in the versions that the server is tested with. */
export function installedWithIt(): Record<string, string> {
  const { dependencies } = readManifest('server')
  return Object.fromEntries(INSTALLED_WITH_IT.map((name) => [name, dependencies[name]!]))
}

/** A workspace's package.json. */
export function readManifest(workspace: string): {
  name: string
  description?: string
  version: string
  engines: Record<string, string>
  dependencies: Record<string, string>
} {
  return JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
}
