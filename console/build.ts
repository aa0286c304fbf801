import { createHash } from 'node:crypto'
import {
  appendFileSync,
  type Dirent,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { OWN_PATHS } from '../server/src/http/own-paths.ts'
import { screenFiles } from './screen-files.ts'

/**
 * Builds the console into `dist`, with each text file also as `.br` and `.gz`, which the service sends as they are. The
 * folder is replaced as a whole, so a running service never sees an incomplete build.
 */
const root = fileURLToPath(new URL('.', import.meta.url))
const fresh = join(root, `.dist-${process.pid}`)
const old = join(root, `.dist-${process.pid}-old`)
const dist = join(root, 'dist')

process.env.NODE_ENV = 'production'
const built = await build({
  root,
  logLevel: 'warn',
  build: { outDir: fresh, emptyOutDir: true, license: { fileName: 'licenses.md' } },
})
// With this list, the service's page lets the browser load a screen's files at the same time (decision 0057).
const { output } = built as Rolldown.RolldownOutput
writeFileSync(join(fresh, 'screens.json'), JSON.stringify(screenFiles(output)))
// Vite lists only the packages of scripts; the typeface is imported by style sheets.
const typeface = fileURLToPath(import.meta.resolve('@fontsource/be-vietnam-pro/LICENSE'))
appendFileSync(
  join(fresh, 'licenses.md'),
  `\n## @fontsource/be-vietnam-pro\n\n${readFileSync(typeface, 'utf8')}`,
)
keepFiles()
const texts = (readdirSync(fresh, { recursive: true }) as string[]).filter((name) =>
  /\.(js|css|html|svg)$/.test(name),
)
await Promise.all(texts.map(compress))

/**
 * Compresses at the highest quality, 7 % smaller than at quality 9. Several files are compressed at once, in separate
 * threads.
 */
async function compress(name: string): Promise<void> {
  const path = join(fresh, name)
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
  writeFileSync(`${path}.gz`, await promisify(gzip)(bytes))
}

/** Writes the names of all files into the service worker, and the version of the build. */
function keepFiles(): void {
  const files = (readdirSync(fresh, { recursive: true, withFileTypes: true }) as Dirent[])
    .filter(
      (entry) => entry.isFile() && !/^(screens\.json|service-worker\.js|licenses\.md)$/.test(entry.name),
    )
    .map((entry) => `/${relative(fresh, join(entry.parentPath, entry.name))}`)
    .sort()
  const page = readFileSync(join(fresh, 'index.html'))
  const version = createHash('sha256').update(page).update(files.join()).digest('hex').slice(0, 12)
  const path = join(fresh, 'service-worker.js')
  let script = readFileSync(path, 'utf8')
  fill('const FILES = []', `const FILES = ${JSON.stringify(files)}`)
  fill("const VERSION = 'none'", `const VERSION = '${version}'`)
  fill('const NOT_A_PAGE = /^$/', `const NOT_A_PAGE = ${OWN_PATHS}`)
  writeFileSync(path, script)

  function fill(blank: string, line: string): void {
    if (!script.includes(blank)) throw new Error(`service-worker.js has no line ${blank}`)
    script = script.replace(blank, () => line)
  }
}

try {
  renameSync(dist, old)
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })
