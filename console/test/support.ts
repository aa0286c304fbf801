import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Route,
} from 'playwright-core'
import { afterAll, expect, inject, onTestFinished } from 'vitest'
import { openFiles } from '../../server/src/db/embedded/embedded.ts'
import {
  type Environment,
  freePorts,
  type HttpAnswer,
  http,
  startService,
  temporaryFolder,
} from '../../server/test/support/process.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const PASSWORD = 'a password of the tests'
/** Only a broken test waits so long; three browsers on two busy cores took half of it. */
const ACTION_TIMEOUT_MS = 60_000

export type Person = { email: string; password: string }

export type Console = {
  url: string
  /** The simulator: the customers' phones, the review desk and `/control/…`. */
  simulatorUrl: string
  demoKey: string
  /** The owner of the demo shop, who is also an operator. */
  owner: Person
  /** Calls the external API with the demo shop's key. */
  api(method: string, path: string, body?: unknown): Promise<HttpAnswer>
  /** The values of the messages that a customer's phone has received; the number as `84…`. */
  receivedBy(phone: string): Promise<Record<string, string>[]>
  /** Adds a person to the demo shop through an invitation. */
  invite(role: 'owner' | 'staff' | 'viewer'): Promise<Person>
  /** Opens `path` in a new browser page in which `as` (by default the owner) is signed in; nobody with `as: null`. */
  open(path: string, options?: BrowserContextOptions & { as?: Person | null }): Promise<Page>
  /** Stop the service, and start it again at the same address with the same data. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Runs a statement on the database of the service, which is stopped meanwhile. */
  whileStopped(statement: string): Promise<void>
  /** Errors in the pages opened so far: uncaught errors and refused content (CSP). There must be none at the end. */
  pageErrors: string[]
}

/**
 * Starts the service with a copy of the run's demo shop, the console and its simulator for the tests of one file, and
 * ends them with the file. Pages are Vietnamese, in the shop's time zone and 1440 × 900, unless their options differ.
 * @throws Error if there is no Chromium: browser tests are never skipped silently.
 */
export async function startConsole(env: Environment = {}): Promise<Console> {
  if (!existsSync(CHROMIUM)) throw new Error(`no Chromium at ${CHROMIUM}: install it, or name it in CHROMIUM`)
  const folder = temporaryFolder()
  cpSync(inject('demoFolder'), folder.path, { recursive: true })
  const ports = await freePorts()
  const service = { DATA_DIR: folder.path, ...ports, DEMO: '1', CONSOLE: '1', PLATFORM: 'simulator', ...env }
  let running = await startService(service)
  let isStopped = false
  const browser = await sharedBrowser()
  async function stop(): Promise<void> {
    isStopped = true
    await running.end('SIGTERM')
  }
  async function start(): Promise<void> {
    running = await startService(service)
    isStopped = false
  }
  const started = {
    ...consoleOf(running.url, folder.path, browser, `http://127.0.0.1:${ports.SIMULATOR_PORT}`),
    // A test that fails meanwhile leaves the service to the next one, and to its own second try.
    async stop() {
      onTestFinished(() => (isStopped ? start() : undefined))
      await stop()
    },
    start,
    async whileStopped(statement: string) {
      await stop()
      const files = await openFiles(join(folder.path, 'pg'))
      await files.exec(statement)
      await files.close()
      await start()
    },
  }
  // In one hook: when a hook fails, vitest skips the others, and the service would keep running.
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    if (!isStopped) await running.end('SIGTERM')
    folder.remove()
    expect(started.pageErrors).toEqual([])
  })
  return started
}

let chromiumOfWorker: Browser | undefined

/**
 * One Chromium for the files that run in a worker, one after the other. It ends with the worker; if it crashes, only the
 * file that ran fails.
 */
async function sharedBrowser(): Promise<Browser> {
  if (chromiumOfWorker?.isConnected()) return chromiumOfWorker
  chromiumOfWorker = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
    // As on a desktop. Without it, a file with accents in its name is downloaded as "download".
    env: { ...process.env, LANG: 'C.UTF-8' },
  })
  return chromiumOfWorker
}

function consoleOf(
  url: string,
  dataDir: string,
  browser: Browser,
  simulatorUrl: string,
): Omit<Console, 'stop' | 'start' | 'whileStopped'> {
  const kept = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim()
  const demoKey = kept('demo-api-key')
  const owner = { email: 'owner@nhamoc.example', password: kept('demo-owner-password') }
  const sessions = new Map<string, Awaited<ReturnType<typeof signedIn>>>()
  const pageErrors: string[] = []

  return {
    url,
    simulatorUrl,
    demoKey,
    owner,
    pageErrors,
    api: (method, path, body) => http(url, method, path, body, { 'x-api-key': `service-partner ${demoKey}` }),
    async receivedBy(phone) {
      const { messages } = (await http(simulatorUrl, 'GET', '/control/messages')).body
      const all = messages as { phone?: string; params: Record<string, string> }[]
      return all.filter((message) => message.phone === phone).map(({ params }) => params)
    },
    async invite(role) {
      const cookie = (await signedIn(url, owner)).map(({ name, value }) => `${name}=${value}`).join('; ')
      const me = await http(url, 'GET', '/api/console/v1/me', undefined, { cookie })
      const person = { email: `${role}-${sessions.size}-${Date.now()}@people.example`, password: PASSWORD }
      const path = `/api/manage/v1/shops/${me.body.data.shops[0]._id}/invitations`
      const invited = await http(url, 'POST', path, { email: person.email, role }, { cookie, origin: url })
      const token = new URL(invited.body.data.link, url).searchParams.get('token')!
      const accepted = await http(url, 'POST', `/api/console/v1/invitations/${token}/accept`, {
        name: 'Người thử',
        password: PASSWORD,
      })
      if (accepted.status >= 400) throw new Error(`the invitation answered ${accepted.status}`)
      return person
    },
    async open(path, { as = owner, ...options } = {}) {
      const context = await browser.newContext({
        baseURL: url,
        locale: 'vi-VN',
        timezoneId: 'Asia/Ho_Chi_Minh',
        viewport: { width: 1440, height: 900 },
        // With it, each page would fetch every file. Allowed only in tests about the worker.
        serviceWorkers: 'block',
        ...options,
      })
      context.setDefaultTimeout(ACTION_TIMEOUT_MS)
      closeAtTheEnd(context)
      if (as !== null) {
        const session = sessions.get(as.email) ?? (await signedIn(url, as))
        sessions.set(as.email, session)
        await context.addCookies(session.map((cookie) => ({ ...cookie, url })))
      }
      const page = await context.newPage()
      page.on('pageerror', (error) => pageErrors.push(String(error)))
      page.on('console', (message) => {
        if (/Content Security Policy|Uncaught/.test(message.text())) pageErrors.push(message.text())
      })
      await page.goto(path)
      return page
    },
  }
}

/**
 * A page that is no longer used still renders and sends requests, so it is closed with its test, or with the file if no
 * test opened it.
 */
function closeAtTheEnd(context: BrowserContext): void {
  try {
    onTestFinished(() => context.close())
  } catch {
    // A hook opened it, so it is closed with the file.
  }
}

/** Chooses to sign out in the account's menu. @returns the question that may follow. */
export async function signOut(page: Page): Promise<Locator> {
  const menu = page.getByRole('button', { name: 'Trình đơn' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('navigation').locator('[aria-haspopup="menu"]').click()
  const item = page.getByRole('menuitem', { name: 'Đăng xuất' })
  await item.click()
  // On a busy machine the menu may still move to its place between the press and the release, which are then on two items.
  await item.waitFor({ state: 'hidden', timeout: 5_000 }).catch(() => item.click())
  return page.getByRole('dialog')
}

/** Presses the button that sends a batch, and says yes to the question that follows. */
export async function sendBatch(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

/**
 * Has `handle` answer the page's requests to `address` in place of the service. The browser goes on asking after that has
 * ended, since to unroute continues requests that are just being handled, and the handler then fails outside of its test.
 * @returns a function that ends this
 */
export async function answer(
  page: Page,
  address: string | RegExp,
  handle: (route: Route) => Promise<unknown>,
): Promise<() => void> {
  let isEnded = false
  await page.route(address, (route) => (isEnded ? route.fallback() : handle(route)))
  return () => {
    isEnded = true
  }
}

/**
 * Loses the responses to the page's requests to `address`, including those to the client's retries. The service still
 * executes the requests.
 * @returns a function that ends this
 */
export function loseAnswers(page: Page, address: string): Promise<() => void> {
  return answer(page, address, async (route) => {
    await route.fetch()
    await route.abort()
  })
}

/** Waits until nothing on the page moves, fades or waits for a response. */
export async function isStill(page: Page): Promise<void> {
  const isMoving = `document.querySelector('[aria-busy="true"]') !== null ||
    document.getAnimations().some((one) => one instanceof CSSTransition)`
  await expect.poll(() => page.evaluate(isMoving), { timeout: ACTION_TIMEOUT_MS }).toBe(false)
}

/**
 * Expects that axe finds nothing on the page, of any impact, after nothing fades or waits for a response any more; with
 * `part`, a selector, only in that part. The message names the rule and the element.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  await isStill(page)
  // Only frames need axe's slow mode, which puts its findings together in a page of their own; what passed is not reported.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  if (part !== undefined) axe.include(part)
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze()
  // Content that floats over the page, such as an open menu, belongs to none of its regions. It may be gone by now.
  const floating = async ({ id, nodes }: (typeof violations)[number]) =>
    id === 'region' &&
    (
      await Promise.all(nodes.map(({ target }) => page.locator(String(target[0])).evaluateAll(ARE_FLOATING)))
    ).every(Boolean)
  const grounded = await Promise.all(violations.map(async (one) => ((await floating(one)) ? [] : [one])))
  const found = grounded
    .flat()
    .map(
      ({ id, impact, nodes }) =>
        `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
    )
  expect(found).toEqual([])
}

const ARE_FLOATING = (all: unknown[]) =>
  all.every((one) => (one as { closest(selector: string): unknown }).closest('[data-portal]') !== null)

async function signedIn(url: string, person: Person): Promise<{ name: string; value: string }[]> {
  const { email, password } = person
  const answer = await http(url, 'POST', '/api/auth/sign-in/email', { email, password }, { origin: url })
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`)
  return answer.headers.getSetCookie().map((line) => {
    const [name, ...value] = line.split(';')[0]!.split('=')
    return { name: name!, value: value.join('=') }
  })
}

/** Expects that the field with this label has the focus. */
export async function expectFocus(page: Page, label: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(`(() => {
        const one = document.activeElement
        return one?.labels?.[0]?.innerText.replace(/[\\s*]+$/, '') ?? one?.ariaLabel ?? one?.tagName
      })()`),
    )
    .toBe(label)
}

/** Expects that the focus is within the content of the page, also if the control that had it is gone. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
}
