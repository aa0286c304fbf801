import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Only a broken test waits so long; three browsers on two busy cores took half of it. */
export const ACTION_TIMEOUT_MS = 60_000
const DESKTOP = { width: 1440, height: 900 }
/** Everything but the cache of files: what the service has sent stays valid as long as it runs on the same data. */
const KEPT_BY_A_PAGE = 'cookies,local_storage,indexeddb,cache_storage,file_systems,service_workers'

type Cookie = { name: string; value: string }

/**
 * Browser contexts for the tests of a file, at one address of the service. A new context fetches and compiles every
 * script again, which takes more of the processor than the rest of a page; so one that a test has left is emptied and
 * given to the next test that asks for the same options.
 */
export function contextsAt(url: string, browser: Browser): Contexts {
  const free = new Map<string, BrowserContext[]>()

  /** Ends a test's use of the context. Its pages would otherwise still render and send requests. */
  async function leave(context: BrowserContext, kind: string): Promise<void> {
    try {
      await Promise.all(context.pages().map((page) => page.close()))
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.setOffline(false)
      await context.clearPermissions()
      await context.clearCookies()
      free.set(kind, [...(free.get(kind) ?? []), context])
    } catch {
      // The test has closed it itself, or it no longer answers.
      await context.close()
    }
  }

  return {
    async open({ viewport = DESKTOP, ...options }, cookies) {
      const kind = JSON.stringify(options)
      const left = free.get(kind)?.pop()
      const context = left ?? (await browser.newContext(withDefaults(url, options)))
      context.setDefaultTimeout(ACTION_TIMEOUT_MS)
      try {
        onTestFinished(() => leave(context, kind))
      } catch {
        // A hook opened it, so it is closed with the file.
      }
      const page = await context.newPage()
      if (left !== undefined) await empty(page, url)
      if (viewport !== null) await page.setViewportSize(viewport)
      await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })))
      return page
    },
  }
}

type Contexts = {
  /** A page in a context with these options that holds nothing but the cookies and files of the service. */
  open(options: BrowserContextOptions, cookies: Cookie[]): Promise<Page>
}

/** Pages are Vietnamese, in the shop's time zone and 1440 × 900, unless the options differ. */
function withDefaults(url: string, options: BrowserContextOptions): BrowserContextOptions {
  return {
    baseURL: url,
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    viewport: DESKTOP,
    // With it, each page would fetch every file. Allowed only in tests about the worker.
    serviceWorkers: 'block',
    ...options,
  }
}

async function empty(page: Page, origin: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: KEPT_BY_A_PAGE })
  await devtools.detach()
}
