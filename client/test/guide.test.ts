import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
// Within the workspace, where `@shopbell/client` is found as a partner's program finds it.
const folder = new URL(`node_modules/.cache/guide-${process.pid}/`, root)

/** What the compiler says of a program under the workspace's strict settings; empty when it takes it. */
async function compile(program: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('program.mts', folder), program)
  const settings = { extends: '../../../tsconfig.json', include: [], files: ['program.mts'] }
  await writeFile(new URL('tsconfig.json', folder), JSON.stringify(settings))
  const tsc = new URL('node_modules/typescript/bin/tsc', root).pathname
  const run = promisify(execFile)(process.execPath, [tsc, '--noEmit', '-p', folder.pathname])
  return run.then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  )
}

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the guide’s TypeScript', async () => {
  const guide = await readFile(new URL('docs/guide.md', root), 'utf8')
  const programs = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!)

  it('has programs', () => expect(programs.length).toBeGreaterThan(0))

  it.each(programs)('compiles against the client: %#', async (program) => {
    expect(await compile(program)).toBe('')
  })

  it('would not compile with a parameter that the document does not know', async () => {
    const wrong = programs[0]!.replace('search:', 'serch:')
    expect(await compile(wrong)).toContain('serch')
  })
})
