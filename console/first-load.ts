import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { CHROMIUM, call, isLoaded, makeBatch, signIn, startDemo } from './demo-service.ts'
import { addressOf, screenPaths } from './screens.ts'

/**
 * `npm run bench:screens`: measures what opening a screen costs without a cache, on a mobile network (200 KB/s, 60 ms)
 * and with a processor slowed down four times: compressed script, largest paint, longest task, and the longest task
 * while a list turns to its next page. Arguments limit it to screens whose path contains one of them. Chromium accepts
 * brotli from a service on the same machine, as it does over HTTPS.
 */
const DIST = join(import.meta.dirname, 'dist')
const LINE = { offline: false, latency: 60, downloadThroughput: 200 * 1024, uploadThroughput: 100 * 1024 }
const SLOWER = 4
const GOALS = { scriptBytes: 200_000, paintMs: 2_500, turnMs: 200 }

/** `turnMs` is undefined if there is no list with a next page. */
type Load = { scriptBytes: number; paintMs: number; taskMs: number; turnMs: number | undefined }

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-background-networking'],
})
const service = await startDemo()
try {
  await measureAll(browser)
} finally {
  await browser.close()
  await service.stop()
}

async function measureAll(of: Browser): Promise<void> {
  const words = process.argv.slice(2)
  const options = { baseURL: service.url, locale: 'vi-VN', serviceWorkers: 'block' as const }
  const first = await (await of.newContext(options)).newPage()
  await first.goto('/sign-in')
  await signIn(first, service)
  await makeBatch(first, service)
  const state = await first.context().storageState()

  process.stdout.write(`${'screen'.padEnd(28)} script KB    paint ms     task ms     turn ms\n`)
  for (const path of ['/sign-in', ...screenPaths()]) {
    if (words.length > 0 && !words.some((word) => path.includes(word))) continue
    const address = await addressOf(path, async (list) => (await call(first, service, list)).text())
    if (address === undefined) continue
    const isSignedIn = path !== '/sign-in'
    const context = await of.newContext(isSignedIn ? { ...options, storageState: state } : options)
    print(path, await measure(await context.newPage(), address))
    await context.close()
  }
}

async function measure(page: Page, address: string): Promise<Load> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const scripts = new Set<string>()
  page.on('response', (answer) => {
    const { pathname } = new URL(answer.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  await page.addInitScript(`
    window.measured = { paint: 0, task: 0 }
    const watch = (type, note) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('largest-contentful-paint', (one) => { measured.paint = one.startTime })
    watch('longtask', (one) => { measured.task = Math.max(measured.task, one.duration) })`)
  await page.goto(address)
  await isLoaded(page)
  const seen = (await page.evaluate('measured')) as { paint: number; task: number }
  const scriptBytes = [...scripts].reduce((sum, path) => sum + statSync(join(DIST, `${path}.br`)).size, 0)
  return { scriptBytes, paintMs: seen.paint, taskMs: seen.task, turnMs: await turnPage(page) }
}

async function turnPage(page: Page): Promise<number | undefined> {
  const next = page.getByRole('button', { name: /^(Trang sau|Cũ hơn)$/ }).first()
  if (!(await next.isVisible()) || !(await next.isEnabled())) return undefined
  await page.evaluate('measured.task = 0')
  await next.click()
  await isLoaded(page)
  // An observer is called only after a task has ended.
  await page.waitForTimeout(500)
  return (await page.evaluate('measured.task')) as number
}

function print(path: string, { scriptBytes, paintMs, taskMs, turnMs }: Load): void {
  const kb = (bytes: number) => (bytes / 1000).toFixed(0)
  const figure = (text: string, isMissed = false) => `${text}${isMissed ? ' !' : '  '}`.padStart(12)
  const columns = [
    figure(kb(scriptBytes), scriptBytes > GOALS.scriptBytes),
    figure(paintMs.toFixed(0), paintMs > GOALS.paintMs),
    figure(taskMs.toFixed(0)),
    figure(turnMs?.toFixed(0) ?? '', turnMs !== undefined && turnMs > GOALS.turnMs),
  ]
  process.stdout.write(`${path.padEnd(28)}${columns.join('')}\n`)
}
