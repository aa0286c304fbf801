import { type Browser, chromium, type Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import {
  CHROMIUM,
  call,
  type DemoService,
  isLoaded,
  makeAudiences,
  makeBatch,
  signIn,
  startDemo,
} from './demo-service.ts'
import { addressOf, screenPaths } from './screens.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** A longer page is cut at this height. */
const LONGEST_PX = 2400

/** A picture of a screen. `name` is its path in the form for a file's name, such as `orders-orderId-1440`. */
export type Taken = { name: string; height: number; picture: Sharp }

/**
 * Takes pictures of every screen in router.tsx with the demo's data, at 1440 and 390 px. The service and its simulator
 * run on free ports in a temporary folder. `words` limits it to screens whose path contains one of them; without words
 * it takes all.
 */
export async function takeScreens(
  words: string[],
  colorScheme: 'light' | 'dark',
  taken: (one: Taken) => Promise<void>,
): Promise<void> {
  const service = await startDemo()
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  })
  try {
    for (const size of SIZES) await takeAt(size, { service, browser, words, colorScheme, taken })
  } finally {
    await browser.close()
    await service.stop()
  }
}

type Given = {
  service: DemoService
  browser: Browser
  words: string[]
  colorScheme: 'light' | 'dark'
  taken: (one: Taken) => Promise<void>
}

async function takeAt(
  size: { width: number; height: number },
  { service, browser, words, colorScheme, taken }: Given,
): Promise<void> {
  const isAsked = (path: string) => words.length === 0 || words.some((word) => path.includes(word))
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: size,
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').waitFor()
  if (isAsked('/sign-in')) await taken(await take(page, '/sign-in', size.width))
  await signIn(page, service)
  if (size === SIZES[0]) {
    await makeBatch(page, service)
    await makeAudiences(page, service)
  }
  for (const path of screenPaths().filter(isAsked)) {
    const address = await addressOf(path, async (list) => (await call(page, service, list)).text())
    if (address === undefined) {
      console.error(`${path}: the demo has none to show`)
      continue
    }
    await page.goto(address)
    await taken(await take(page, path, size.width))
  }
  await context.close()
}

async function take(page: Page, path: string, width: number): Promise<Taken> {
  await isLoaded(page)
  // The editor of texts comes when the page has nothing else to do.
  await page.locator('[data-unready]').waitFor({ state: 'detached' })
  const shot = await page.screenshot({ fullPage: true, animations: 'disabled' })
  const { height } = await sharp(shot).metadata()
  const kept = Math.min(height, LONGEST_PX)
  const picture = sharp(shot).extract({ left: 0, top: 0, width, height: kept })
  return { name: `${nameOf(path)}-${width}`, height: kept, picture }
}

function nameOf(path: string): string {
  if (path === '/') return 'overview'
  return path
    .slice(1)
    .replace(/\?tab=/, '-')
    .replaceAll('/', '-')
    .replaceAll('$', '')
}
