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
import { addressOf, MAIN_SCREENS, screenPaths } from './screens.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
/** Every screen is taken in the first look, the main ones in the other too. */
const LOOKS = [
  { suffix: '', colorScheme: 'light', locale: 'vi-VN', isShown: () => true },
  {
    suffix: '-dark-english',
    colorScheme: 'dark',
    locale: 'en-GB',
    isShown: (path: string) => MAIN_SCREENS.includes(path),
  },
] as const
type Look = (typeof LOOKS)[number]
type Viewport = (typeof SIZES)[number]
/** A longer page is cut at this height. */
const LONGEST_PX = 2400
/** What time it is on the pictures: three o'clock on a Thursday afternoon, in Vietnam. */
const AT = new Date('2026-11-26T08:00:00.000Z')

/**
 * A picture of a screen. `name` is its path in the form for a file's name, such as `orders-orderId-1440`, in the second
 * look `orders-orderId-1440-dark-english`.
 */
export type Taken = { name: string; height: number; picture: Sharp }

/**
 * Takes pictures of every screen in router.tsx with the demo's data, at 1440 and 390 px, and of the main screens also dark
 * and in English, at the same time of the same day. The service and its simulator run on free ports in a temporary folder. `words` limits it to screens whose path
 * or name contains one of them; without words it takes all.
 */
export async function takeScreens(words: string[], taken: (one: Taken) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    // Without hinting, texts are as wide in each version of Chromium.
    args: ['--no-sandbox', '--disable-background-networking', '--font-render-hinting=none'],
  })
  const service = await startDemo({ at: AT })
  try {
    const isAsked = (path: string) =>
      words.length === 0 || words.some((word) => path.includes(word) || nameOf(path).includes(word))
    const open = (look: Look) =>
      Promise.all(SIZES.map((viewport) => openPage({ browser, service, viewport, look })))
    const pages = await open(LOOKS[0])
    for (const page of pages) {
      if (isAsked('/sign-in')) await taken(await take(page, '/sign-in', LOOKS[0]))
      await signIn(page, service)
    }
    await makeBatch(pages[0]!, service)
    await makeAudiences(pages[0]!, service)
    const cookies = await pages[0]!.context().cookies()
    for (const look of LOOKS) {
      const paths = screenPaths().filter((path) => look.isShown(path) && isAsked(path))
      const shown = look === LOOKS[0] ? pages : await open(look)
      for (const page of shown) await page.context().addCookies(cookies)
      await Promise.all(shown.map((page) => takeEach(page, { service, paths, look, taken })))
    }
  } finally {
    await browser.close()
    await service.stop()
  }
}

async function openPage(given: {
  browser: Browser
  service: DemoService
  viewport: Viewport
  look: Look
}): Promise<Page> {
  const { browser, service, viewport, look } = given
  const context = await browser.newContext({
    baseURL: service.url,
    viewport,
    locale: look.locale,
    timezoneId: 'Asia/Ho_Chi_Minh',
    colorScheme: look.colorScheme,
    reducedMotion: 'reduce',
  })
  await context.clock.setFixedTime(AT)
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').waitFor()
  return page
}

async function takeEach(
  page: Page,
  given: { service: DemoService; paths: string[]; look: Look; taken: (one: Taken) => Promise<void> },
): Promise<void> {
  const { service, paths, look, taken } = given
  for (const path of paths) {
    const address = await addressOf(path, async (list) => (await call(page, service, list)).text())
    if (address === undefined) {
      console.error(`${path}: the demo has none to show`)
      continue
    }
    await page.goto(address)
    await taken(await take(page, path, look))
  }
}

async function take(page: Page, path: string, { suffix }: Look): Promise<Taken> {
  await isLoadedToItsEnd(page)
  // The editor of texts comes when the page has nothing else to do.
  await page.locator('[data-unready]').waitFor({ state: 'detached' })
  const shot = await page.screenshot({ fullPage: true, animations: 'disabled' })
  const { width, height } = await sharp(shot).metadata()
  const kept = Math.min(height, LONGEST_PX)
  const picture = sharp(shot).extract({ left: 0, top: 0, width, height: kept })
  return { name: `${nameOf(path)}-${width}${suffix}`, height: kept, picture }
}

const MOST_ROUNDS = 20

/** Scrolls to the page's end and back, because plots are loaded when they are seen. */
async function isLoadedToItsEnd(page: Page): Promise<void> {
  let height = 0
  for (let round = 0; ; round++) {
    if (round === MOST_ROUNDS) throw new Error(`${page.url()} grows without an end`)
    await isLoaded(page)
    const now = (await page.evaluate('document.documentElement.scrollHeight')) as number
    if (now === height) break
    height = now
    await page.mouse.wheel(0, height)
    await page.waitForTimeout(100)
  }
  await page.mouse.wheel(0, -height)
}

function nameOf(path: string): string {
  if (path === '/') return 'overview'
  return path
    .slice(1)
    .replace(/\?\w+=/, '-')
    .replaceAll('/', '-')
    .replaceAll('$', '')
}
