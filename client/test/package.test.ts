import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../tools/build/client.ts'

const root = new URL('../../', import.meta.url)
// Inside the workspace, so that the package finds its dependencies.
const folder = new URL(`node_modules/.cache/client-${process.pid}/`, root)
const built = new URL('node_modules/@shopbell/client/', folder)

beforeAll(() => buildClient(built.pathname))
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the package', () => {
  it('has at most 6 KB compressed, with openapi-fetch by Brotli', async () => {
    const bundle = await rolldown({
      cwd: root.pathname,
      input: `${built.pathname}index.js`,
      platform: 'browser',
    })
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    await bundle.close()
    expect(gzipSync(await readFile(new URL('index.js', built))).length).toBeLessThanOrEqual(6 * 1_024)
    expect(brotliCompressSync(output[0].code).length).toBeLessThanOrEqual(6 * 1_024)
  })

  it('is one file that depends on openapi-fetch alone', async () => {
    const code = await readFile(new URL('index.js', built), 'utf8')
    expect([...code.matchAll(/\bfrom\s*["'`](.+?)["'`]/g)].map((match) => match[1])).toEqual([
      'openapi-fetch',
    ])
    const manifest = JSON.parse(await readFile(new URL('package.json', built), 'utf8'))
    expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch'])
  })
})

describe.each([
  ['the topics', 'docs/topics.md'],
  ['the package’s readme', 'client/README.md'],
  // The guide's pieces make up one program.
  ['the guide', 'docs/guide.md'],
])('the TypeScript of %s', async (_name, path) => {
  const text = await readFile(new URL(path, root), 'utf8')
  const pieces = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!)
  const programs = path === 'docs/guide.md' ? [pieces.join('\n')] : pieces

  it.each([
    ['the current compiler', 'node_modules/typescript/bin/tsc'],
    ['TypeScript 5.9', 'client/node_modules/typescript/bin/tsc'],
  ])('compiles against the package, by %s', async (_name, compiler) => {
    expect(programs.length).toBeGreaterThan(0)
    expect(await compile(programs, compiler)).toBe('')
  })

  it('would not compile with a parameter that the document does not know', async () => {
    const program = programs.find((one) => /search:|limit:/.test(one))!
    const wrong = program.replace(/search:|limit:/, 'serch:')
    expect(await compile([wrong], 'node_modules/typescript/bin/tsc')).toContain('serch')
  })
})

/** A compiler's errors for programs under the workspace's strict settings; empty if it accepts them. */
async function compile(programs: string[], compiler: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const files = programs.map((_program, index) => `program-${index}.mts`)
  await Promise.all(files.map((file, index) => writeFile(new URL(file, folder), programs[index]!)))
  const settings = { extends: '../../../tsconfig.json', include: [], files }
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(settings))
  const run = promisify(execFile)(process.execPath, [
    new URL(compiler, root).pathname,
    ...['--noEmit', '-p', folder.pathname],
  ])
  return run.then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  )
}
