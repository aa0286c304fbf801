import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { freePort, startNode, stopChild } from '../tools/shared/child-process.ts'
import { addressOf, batchBody, screenPaths } from './screens.ts'

/**
 * `npm run screenshots`: every screen of router.tsx with the demo's data, at 1440 and 390 px, as
 * `docs/screenshots/<screen>-<width>.png`. The service and its simulator run on free ports in a temporary folder.
 * Words as arguments take only the screens whose path contains one of them; DARK=1 takes them dark.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = process.env.SCREENSHOTS_DIR ?? join(ROOT, 'docs/screenshots')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** A longer page is cut. */
const LONGEST_PX = 2400

const folder = mkdtempSync(join(tmpdir(), 'shopbell-screenshots-'))
const service = await startService()
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  mkdirSync(TARGET, { recursive: true })
  await takeAll(browser)
} finally {
  await browser.close()
  await stopChild(service.child)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function takeAll(of: Browser): Promise<void> {
  const words = process.argv.slice(2)
  for (const size of SIZES) {
    const context = await of.newContext({
      baseURL: service.url,
      viewport: size,
      locale: 'vi-VN',
      timezoneId: 'Asia/Ho_Chi_Minh',
      colorScheme: process.env.DARK === '1' ? 'dark' : 'light',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto('/sign-in')
    const login = page.getByLabel('Email')
    await login.waitFor()
    await take(page, '/sign-in', size.width)
    await login.fill(service.email)
    await page.getByLabel('Mật khẩu').fill(service.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
    if (size === SIZES[0]) await makeBatch(page)
    for (const path of screenPaths()) {
      if (words.length > 0 && !words.some((word) => path.includes(word))) continue
      const address = await addressOf(path, async (list) => (await call(page, list)).text())
      if (address === undefined) {
        console.error(`${path}: the demo has none to show`)
        continue
      }
      await page.goto(address)
      await take(page, path, size.width)
    }
    await context.close()
  }
}

/** One call of the external API with the demo's key. */
function call(page: Page, path: string, options: Parameters<Page['request']['fetch']>[1] = {}) {
  const headers = path.startsWith('/api/external')
    ? { 'x-api-key': `service-partner ${service.apiKey}` }
    : undefined
  return page.request.fetch(path, headers === undefined ? options : { ...options, headers })
}

async function makeBatch(page: Page): Promise<void> {
  const { templates } = await (await call(page, '/api/external/notify-template?status=ENABLE')).json()
  const made = await call(page, '/api/external/notify-message/batches', {
    method: 'POST',
    data: batchBody(templates),
  })
  if (made.status() !== 202) throw new Error(`the batch was answered ${made.status()}`)
}

async function take(page: Page, path: string, width: number): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.getByRole('status', { name: 'Đang tải' }).waitFor({ state: 'detached' })
  const name =
    path === '/'
      ? 'overview'
      : path
          .slice(1)
          .replace(/\?tab=/, '-')
          .replaceAll('/', '-')
          .replaceAll('$', '')
  const shot = await page.screenshot({ fullPage: true, animations: 'disabled' })
  const picture = sharp(shot)
  const { height } = await picture.metadata()
  const small = await picture
    .extract({ left: 0, top: 0, width, height: Math.min(height, LONGEST_PX) })
    .png({ palette: true, colours: 64, effort: 7 })
    .toBuffer()
  writeFileSync(join(TARGET, `${name}-${width}.png`), small)
}

/** The service with the demo's shop, as its start prints it. */
async function startService(): Promise<{
  url: string
  child: ChildProcess
  email: string
  password: string
  apiKey: string
}> {
  const [port, simulatorPort] = await Promise.all([freePort(), freePort()])
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, DEMO: '1', CONSOLE: '1' }
  const { child, output: text } = await startNode({
    args: [join(ROOT, 'server/src/process/cli/main.ts'), 'serve'],
    env: {
      ...env,
      PORT: String(port),
      SIMULATOR_PORT: String(simulatorPort),
      RATE_LIMIT_PER_MINUTE: '100000',
      SESSION_RATE_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
    },
    ready: /API document/,
  })
  const [, url] = /ready at (\S+)/.exec(text) ?? []
  const [, email, password] = /sign in: (\S+) \/ (\S+)\)/.exec(text) ?? []
  const [, apiKey] = /demo API key\s+(\S+)/.exec(text) ?? []
  if (!url || !email || !password || !apiKey) throw new Error(`the service did not start:\n${text}`)
  return { url, child, email, password, apiKey }
}
