import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { lineOf, startService, urlOf } from './start-service.ts'

const MOST_MB = 150
/** The smallest picture: 1 × 1 pixel, PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

/**
 * Packs `dist`, installs the package into an empty folder as a user would, starts it there with the demo, and uses what
 * is loaded on first use: the printed curl command, the console, the API page, a sign-in, an image, the command line.
 * `nodeVersion`: the version of the package `node` to run it on; absent, the running Node.
 * @throws AssertionError for the first failed check.
 */
export async function checkPackage(dist: string, nodeVersion?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-package-'))
  try {
    const path = [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter)
    const run = (command: string, ...args: string[]) =>
      promisify(execFile)(command, args, { cwd: home, env: { ...process.env, PATH: path } })
    const home = join(folder, 'home')
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}\n')

    if (nodeVersion !== undefined) await run('npm', 'install', '--prefix', folder, `node@${nodeVersion}`)
    const version = (await run('node', '--version')).stdout.trim()
    const packed = await run('npm', 'pack', '--silent', '--pack-destination', folder, dist)
    const archive = join(folder, packed.stdout.trim())
    await run('npm', 'install', '--no-audit', '--no-fund', archive)
    const installedMb = sizeOf(join(home, 'node_modules')) / 1_000_000
    assert.ok(installedMb < MOST_MB, `installed it is ${installedMb.toFixed(0)} MB`)

    const { printed, stop } = await startService('npx', ['--no-install', 'shopbell'], home, path)
    try {
      await useService(printed)
      assert.match((await run('npx', '--no-install', 'shopbell', 'shop', 'list')).stdout, /\S/)
    } finally {
      await stop()
    }
    const archiveMb = sizeOf(archive) / 1_000_000
    process.stdout.write(
      `the package works on Node ${version}: ${archiveMb.toFixed(1)} MB, ${installedMb.toFixed(0)} MB installed\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Uses what the first start prints and loads: the curl command, the console, the API page, a sign-in, an image. */
export async function useService(printed: string): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `${lineOf(printed, 'try')} --silent --show-error --fail`,
  ])
  assert.equal(JSON.parse(stdout).data.products.length, 2, stdout)

  const url = urlOf(printed)
  assert.match(await textOf(`${url}/`), /<div id="root">/)
  assert.match(await textOf(`${url}/docs/js/scalar.js`), /createApiReference/)
  assert.match(await textOf(`${url}/docs/guide`), /<h1 id="the-first-hour">/)

  await textOf(`${url}/api/external/v1/images`, {
    method: 'POST',
    headers: {
      'x-api-key': `service-partner ${lineOf(printed, 'demo API key')}`,
      'content-type': 'image/png',
    },
    body: PICTURE,
  })
  const [, email, password] = /sign in: (\S+) \/ (\S+)\)/.exec(printed) ?? []
  await textOf(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
}

async function textOf(url: string, request?: RequestInit): Promise<string> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  assert.ok(answer.ok, `${url}: ${answer.status} ${text.slice(0, 500)}`)
  return text
}

/** The size in bytes of a file, or of all files in a folder. */
function sizeOf(path: string): number {
  const at = lstatSync(path)
  if (!at.isDirectory()) return at.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
