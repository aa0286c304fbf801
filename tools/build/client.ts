import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { ROOT, readManifest } from './bundle.ts'

/**
 * Writes the package `@shopbell/client` to `folder`: one JavaScript file for Node 20 and later, browsers, Bun and Deno,
 * its source map, its types and its readme. `openapi-fetch` stays a dependency.
 */
export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await Promise.all([bundle(folder), writeTypes(folder)])
  cpSync(join(ROOT, 'client/README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

async function bundle(folder: string): Promise<void> {
  const made = await rolldown({
    cwd: ROOT,
    input: 'client/src/index.ts',
    platform: 'neutral',
    external: ['openapi-fetch'],
  })
  await made.write({ file: join(folder, 'index.js'), format: 'esm', minify: true, sourcemap: true })
  await made.close()
}

async function writeTypes(folder: string): Promise<void> {
  const options = [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'],
    ...['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom', '--types', 'node'],
    ...['--outDir', folder],
  ]
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, ...options, join(ROOT, 'client/src/index.ts')])
  cpSync(join(ROOT, 'client/src/schema.d.ts'), join(folder, 'schema.d.ts'))
}

function manifest(): object {
  const { name, version, description, dependencies } = readManifest('client')
  return {
    name,
    version,
    description,
    license: 'UNLICENSED',
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    sideEffects: false,
    dependencies,
  }
}
