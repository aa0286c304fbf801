import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { CHROMIUM, call, isLoaded, makeAudiences, makeBatch, signIn, startDemo } from './demo-service.ts'
import { addressOf, screenPaths } from './screens.ts'

/**
 * `npm run screenshots`: every screen of router.tsx with the demo's data, at 1440 and 390 px, as
 * `docs/screenshots/<screen>-<width>.png`. The service and its simulator run on free ports in a temporary folder.
 * Words as arguments take only the screens whose path contains one of them; DARK=1 takes them dark.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = process.env.SCREENSHOTS_DIR ?? join(ROOT, 'docs/screenshots')
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** A longer page is cut. */
const LONGEST_PX = 2400

const service = await startDemo()
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  mkdirSync(TARGET, { recursive: true })
  await takeAll(browser)
} finally {
  await browser.close()
  await service.stop()
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
    await page.getByLabel('Email').waitFor()
    await take(page, '/sign-in', size.width)
    await signIn(page, service)
    if (size === SIZES[0]) {
      await makeBatch(page, service)
      await makeAudiences(page, service)
    }
    for (const path of screenPaths()) {
      if (words.length > 0 && !words.some((word) => path.includes(word))) continue
      const address = await addressOf(path, async (list) => (await call(page, service, list)).text())
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

async function take(page: Page, path: string, width: number): Promise<void> {
  await isLoaded(page)
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
