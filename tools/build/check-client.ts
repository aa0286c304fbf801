import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { createShopbell } from '../../client/src/index.ts'
import { startService, urlOf } from './start-service.ts'

const PAGES = 150
const PROGRAM = 'partner.mjs'
/** The most time for the rate limit of a minute, the pages and a slow machine together. */
const WITHIN_MS = 240_000
/** The signature of the program's event, made with the package `standardwebhooks`. */
const SIGNATURE = 'v1,bojWCVGnhC7iN46JVj8+8b3UbclXNCtUFUmM3ynorPg='

/**
 * Packs the client, installs it into an empty folder as a partner would, and uses it there on each of `runtimes`
 * (`node`: this one; `node@20`, `bun`, `deno`: from npm; `chromium`): it reads 150 pages of a service that accepts 100
 * requests a minute. Each runtime has its own shop and all run at the same time, so there is only one wait of a minute.
 * @throws AssertionError for the first failed check.
 */
export async function checkClient(dist: string, clientDist: string, runtimes: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shopbell-client-'))
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder })
  try {
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n')
    const packed = await npm('pack', '--silent', '--pack-destination', folder, clientDist)
    await npm('install', '--no-audit', '--no-fund', join(folder, packed.stdout.trim()))
    const home = join(folder, 'home')
    mkdirSync(home)
    const service = await startService(
      process.execPath,
      [join(dist, 'bin/shopbell.js')],
      home,
      process.env.PATH,
    )
    try {
      const [, tokenFile] = /operator token in (\S+)/.exec(service.printed)!
      const operatorToken = readFileSync(resolve(home, tokenFile!), 'utf8').trim()
      const baseUrl = urlOf(service.printed)
      await Promise.all(runtimes.map((runtime) => checkOn(runtime, folder, baseUrl, operatorToken)))
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function checkOn(
  runtime: string,
  folder: string,
  baseUrl: string,
  operatorToken: string,
): Promise<void> {
  const apiKey = await makeShop(baseUrl, operatorToken, runtime)
  const own = join(folder, runtime)
  mkdirSync(own)
  writeFileSync(join(own, PROGRAM), program(baseUrl, apiKey))
  const start = performance.now()
  const said = JSON.parse(
    await (runtime === 'chromium' ? runInPage(own, baseUrl) : run(runtime, folder, own)),
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  assert.equal(said.products, PAGES)
  assert.ok(said.waits >= 1, 'the limit was not met')
  assert.deepEqual([said.field, said.event], ['limit', 'wallet.low'])
  process.stdout.write(
    `the client works on ${said.runtime}: ${PAGES} pages, ${said.waits} wait for the limit, ${seconds} s\n`,
  )
}

/** Creates a shop with a product for each page. @returns its key. */
async function makeShop(baseUrl: string, operatorToken: string, name: string): Promise<string> {
  const { management } = createShopbell({ baseUrl, headers: { authorization: `Bearer ${operatorToken}` } })
  const { data } = await management.createShop({ name })
  const shop = createShopbell({ baseUrl, apiKey: data.apiKey })
  const lines = Array.from({ length: PAGES }, (_, index) => `Trà sen ${index},45000`)
  const begun = await shop.products.import(`name,price\n${lines.join('\n')}\n`)
  for (;;) {
    const { status } = (await shop.products.getImport(begun.data._id)).data
    if (status === 'done') return data.apiKey
    assert.notEqual(status, 'failed')
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}

/** A program as a partner would write it. It stores its results in `globalThis.said`. */
function program(baseUrl: string, apiKey: string): string {
  return `import { ApiError, createShopbell, verifyWebhook } from '@shopbell/client'

const said = { runtime: globalThis.navigator?.userAgent ?? \`Node \${process.version}\`, products: 0, waits: 0 }
const shop = createShopbell({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: ${JSON.stringify(apiKey)},
  fetch: async (request) => {
    const response = await fetch(request)
    if (response.status === 429) said.waits += 1
    return response
  },
})
for await (const product of shop.products.list.all({ limit: 1 })) if (product.price === 45000) said.products += 1
try {
  await shop.products.list({ limit: 51 })
} catch (error) {
  if (error instanceof ApiError) said.field = error.field
}
const secret = 'whsec_' + btoa('k'.repeat(32))
const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1795305600', 'webhook-signature': '${SIGNATURE}' }
const event = await verifyWebhook(headers, '{"type":"wallet.low"}', secret, { toleranceSeconds: Infinity })
said.event = event.type
globalThis.said = JSON.stringify(said)
if (!globalThis.document) console.log(globalThis.said)
`
}

async function run(runtime: string, folder: string, own: string): Promise<string> {
  const [name] = runtime.split('@') as [string]
  let command = process.execPath
  if (runtime !== 'node') {
    await promisify(execFile)('npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      `${own}/runtime`,
      runtime,
    ])
    command = join(own, 'runtime/node_modules/.bin', name)
  }
  const args = name === 'deno' ? ['run', '--allow-net', '--allow-env', '--node-modules-dir=manual'] : []
  const options = { cwd: folder, timeout: WITHIN_MS }
  return (await promisify(execFile)(command, [...args, join(own, PROGRAM)], options)).stdout
}

/** Runs the program in the system's Chromium, on a page of the service's own origin. */
async function runInPage(own: string, baseUrl: string): Promise<string> {
  const made = await rolldown({ input: join(own, PROGRAM), platform: 'browser' })
  const { output } = await made.generate({ format: 'esm' })
  await made.close()
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const address = `${baseUrl}/partner`
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<script type="module">${output[0].code}</script>` }),
    )
    await page.goto(address)
    const said = await page.waitForFunction('globalThis.said', undefined, { timeout: WITHIN_MS })
    return String(await said.jsonValue())
  } finally {
    await browser.close()
  }
}
