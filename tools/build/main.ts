import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OutputChunk } from 'rolldown'
import { bundleServer, installedWithIt, ROOT, readManifest } from './bundle.ts'
import { checkPackage } from './check-package.ts'

/**
 * `npm run build`: makes `dist`, which is deployed as it stands or as the package that `npm pack ./dist` makes of it.
 * `-- --check` also installs that package into an empty folder and uses it; `-- --check 22` on the latest Node 22.
 */
const dist = join(ROOT, 'dist')
/** The folder is put in place whole: a service that runs from it finds what it loads on first use, or a new start does. */
const fresh = join(ROOT, `.dist-${process.pid}`)
const old = `${fresh}-old`

const node = (script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(ROOT, script), ...args])

try {
  mkdirSync(fresh)
  const [chunks] = await Promise.all([bundleServer(fresh), buildConsole(), buildClient()])
  writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), licencesOf(chunks))
  cpSync(join(ROOT, 'tools/build/shopbell.js'), join(fresh, 'bin/shopbell.js'))
  writeFileSync(join(fresh, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  rmSync(old, { recursive: true, force: true })
  try {
    renameSync(dist, old)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  renameSync(fresh, dist)
} finally {
  rmSync(old, { recursive: true, force: true })
  rmSync(fresh, { recursive: true, force: true })
}
const [check, nodeVersion] = process.argv.slice(2)
if (check === '--check') await checkPackage(dist, nodeVersion)

async function buildConsole(): Promise<void> {
  await node('console/build.ts')
  cpSync(join(ROOT, 'console/dist'), join(fresh, 'console'), { recursive: true })
}

/** The client as JavaScript with its types, imported as `shopbell/client`. */
async function buildClient(): Promise<void> {
  const to = join(fresh, 'client')
  const options = [
    ...['--ignoreConfig', '--declaration', '--rewriteRelativeImportExtensions', '--strict', '--skipLibCheck'],
    ...[
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
      '--types',
      'node',
      '--outDir',
      to,
    ],
  ]
  await node('node_modules/typescript/bin/tsc', ...options, join(ROOT, 'client/src/index.ts'))
  cpSync(join(ROOT, 'client/src/schema.d.ts'), join(to, 'schema.d.ts'))
}

/** The package's own description. What is bundled is no dependency of it. */
function manifest(): object {
  const { version, engines } = readManifest('server')
  return {
    name: 'shopbell',
    version,
    description: 'A self-hosted service that gives every shop one external HTTP API',
    license: 'UNLICENSED',
    private: true,
    type: 'module',
    engines,
    bin: { shopbell: 'bin/shopbell.js' },
    exports: { './client': { types: './client/index.d.ts', default: './client/index.js' } },
    files: ['bin', 'server', 'migrations', 'console', 'client', 'THIRD-PARTY-LICENSES.txt'],
    dependencies: { ...installedWithIt(), ...readManifest('client').dependencies },
  }
}

/** The licences of the packages whose code is in the server's bundle, which most of them ask to go with it. */
function licencesOf(chunks: OutputChunk[]): string {
  const modules = chunks.flatMap((chunk) => chunk.moduleIds)
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  return [...new Set(folders)]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n`)
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version}: ${license}\n\n${text}\n`
}
