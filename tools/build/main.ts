import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { OutputChunk } from 'rolldown'
import { bundleServer, installedWithIt, ROOT, readManifest } from './bundle.ts'
import { checkClient } from './check-client.ts'
import { checkPackage } from './check-package.ts'
import { buildClient } from './client.ts'

/**
 * `npm run build`: builds `dist`, which is deployed as the package made by `npm pack ./dist`, or by copying it and
 * running `npm install --omit=dev` in the copy; and `client/dist`, the package for partners. `-- --check` also installs
 * both into empty folders and uses them; `-- --check 22` does so on the latest Node 22.
 * `-- --check-client node@20 bun deno chromium` uses the client on these runtimes, all at once.
 */
const dist = join(ROOT, 'dist')
const clientDist = join(ROOT, 'client/dist')
/** The folder is replaced as a whole, so that a running service or a new start never finds half of it. */
const fresh = join(ROOT, `.dist-${process.pid}`)
const old = `${fresh}-old`

const node = (script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(ROOT, script), ...args])

try {
  mkdirSync(fresh)
  const [chunks] = await Promise.all([bundleServer(fresh), buildConsole(), buildClient(clientDist)])
  const ofConsole = readFileSync(join(fresh, 'console/licenses.md'), 'utf8')
  writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), `${licencesOf(chunks)}\n${ofConsole}`)
  cpSync(join(ROOT, 'tools/build/shopbell.js'), join(fresh, 'bin/shopbell.js'))
  cpSync(join(ROOT, 'server/bin/start-again.js'), join(fresh, 'bin/start-again.js'))
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
const [check, ...given] = process.argv.slice(2)
if (check === '--check') {
  const [nodeVersion] = given
  await checkPackage(dist, nodeVersion)
  const chromium = process.env.CHROMIUM === undefined ? [] : ['chromium']
  await checkClient(dist, clientDist, [
    nodeVersion === undefined ? 'node' : `node@${nodeVersion}`,
    ...chromium,
  ])
}
if (check === '--check-client') await checkClient(dist, clientDist, given)

async function buildConsole(): Promise<void> {
  await node('console/build.ts')
  cpSync(join(ROOT, 'console/dist'), join(fresh, 'console'), { recursive: true })
}

/** The package's package.json. Bundled packages are not listed as dependencies. */
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
    files: ['bin', 'server', 'migrations', 'docs', 'console', 'THIRD-PARTY-LICENSES.txt'],
    dependencies: installedWithIt(),
  }
}

/**
 * The licences of the packages that are part of the server's bundle; most of them require that their text is included.
 */
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
