import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

/**
 * Builds the console into `dist`, each text file also as `.br` and `.gz`, which the service hands out as they are.
 * The folder is put in place whole: a service that is running never sees half of it.
 */
const root = fileURLToPath(new URL('.', import.meta.url))
const fresh = join(root, `.dist-${process.pid}`)
const old = join(root, `.dist-${process.pid}-old`)
const dist = join(root, 'dist')

process.env.NODE_ENV = 'production'
await build({ root, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } })
for (const name of readdirSync(fresh, { recursive: true }) as string[]) {
  if (!/\.(js|css|html|svg)$/.test(name)) continue
  const path = join(fresh, name)
  const bytes = readFileSync(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes))
}
try {
  renameSync(dist, old)
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })
