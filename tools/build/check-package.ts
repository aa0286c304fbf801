import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const MOST_MB = 150
/** The smallest picture: 1 × 1 pixel, PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

/**
 * Packs `dist`, installs the package into an empty folder as a user would, starts it there with the demo and uses what is
 * loaded on first use: the printed curl, the console, the API page, a sign-in, an image, the client, the command line.
 * `nodeVersion`: of the Node to do it on, from the package `node`; absent, the one that runs this.
 * @throws AssertionError for the first that is not as it should be.
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

    const { printed, stop } = await startPackage(home, path)
    try {
      await useService(printed)
      await run('node', '--input-type=module', '--eval', clientScript(printed))
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

async function startPackage(
  home: string,
  path: string,
): Promise<{ printed: string; stop(): Promise<unknown> }> {
  // Any free port, for the simulator too.
  const settings = { PORT: '0', SIMULATOR_PORT: '0', LOG_LEVEL: 'warn' }
  const child = spawn('npx', ['--no-install', 'shopbell', 'serve'], {
    cwd: home,
    env: { PATH: path, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = once(child, 'exit')
  const printed = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      // The last line.
      if (text.includes('operator token')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the package ended with ${code} at its start:\n${text}`)))
  })
  return {
    printed,
    stop() {
      // With all that npx started.
      process.kill(-child.pid!, 'SIGTERM')
      return ended
    },
  }
}

async function useService(printed: string): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `${lineOf(printed, 'try')} --silent --show-error --fail`,
  ])
  assert.equal(JSON.parse(stdout).data.products.length, 2, stdout)

  const url = urlOf(printed)
  assert.match(await textOf(`${url}/`), /<div id="root">/)
  assert.match(await textOf(`${url}/docs/js/scalar.js`), /createApiReference/)

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

/** Run where the package is installed. */
function clientScript(printed: string): string {
  return `import { createShopbell } from 'shopbell/client'
    const shop = createShopbell({ baseUrl: '${urlOf(printed)}', apiKey: '${lineOf(printed, 'demo API key')}' })
    const { data } = await shop.GET('/api/external/v1/products', { params: { query: { limit: 1 } } })
    if (data.data.products.length !== 1) throw new Error(JSON.stringify(data))`
}

async function textOf(url: string, request?: RequestInit): Promise<string> {
  const answer = await fetch(url, request)
  const text = await answer.text()
  assert.ok(answer.ok, `${url}: ${answer.status} ${text.slice(0, 500)}`)
  return text
}

function urlOf(printed: string): string {
  return /ready at (\S+)/.exec(printed)![1]!
}

function lineOf(printed: string, name: string): string {
  return new RegExp(`^ +${name} +(.*)$`, 'm').exec(printed)![1]!
}

/** Bytes of a file, or of all files below a folder. */
function sizeOf(path: string): number {
  const at = lstatSync(path)
  if (!at.isDirectory()) return at.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
