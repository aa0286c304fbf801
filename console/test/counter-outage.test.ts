import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { http, OPERATOR_TOKEN } from '../../server/test/support/process.ts'
import { isReady, SCAN } from './counter.ts'
import { barcode, COPIED_WITHIN, isCopied, outageOf, sell, waiting } from './outage-sales.ts'
import { expectAccessible, type Person, signOut, startConsole } from './support.ts'

const shop = await startConsole()
const { makeProduct, receive, ordersOf } = outageOf(shop)
const folder = mkdtempSync(join(tmpdir(), 'shopbell-browser-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
const SALES = 40
const CHOOSE = ': chọn bằng phím mũi tên rồi Enter.'

/** A browser whose profile outlives it, like that of a counter. */
async function openBrowser(profile: string, width: number): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking'],
    baseURL: shop.url,
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    viewport: { width, height: 900 },
  })
  context.setDefaultTimeout(15_000)
  return context
}

async function openCounter(context: BrowserContext): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto('/pos')
  await isReady(page)
  return page
}

describe('the counter through an outage', () => {
  it.each([1440, 390])(
    '40 sales made while the service is away arrive once each, in their order, after a browser restart in between; one that is refused then is listed; at %i px',
    async (width) => {
      const [candle, box] = [barcode(), barcode()]
      await makeProduct('Nến sáp ong', candle, 100)
      const rare = await makeProduct('Hộp sơn mài', box, 1)
      const before = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.meta.total
      await denyOverselling()
      // A second try of the test begins with a new counter.
      const profile = mkdtempSync(join(folder, 'profile-'))
      let browser = await openBrowser(profile, width)
      const [page] = [browser.pages()[0]!]
      await page.goto('/sign-in')
      await signIn(page, shop.owner)
      await openCounter(browser)
      await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
      await isCopied(page)

      await shop.stop()
      const codes: string[] = []
      for (let n = 0; n < SALES / 2; n++) codes.push(await sell(page, [candle]))
      await waiting(page, SALES / 2).waitFor()
      await expectAccessible(page)
      await browser.close()

      browser = await openBrowser(profile, width)
      const again = await openCounter(browser)
      await waiting(again, SALES / 2).waitFor()
      for (let n = SALES / 2; n < SALES; n++) codes.push(await sell(again, [candle]))
      const tooMany = await sell(again, [box, box])
      await waiting(again, SALES + 1).waitFor()

      await shop.start()
      const refused = again.getByRole('alert').filter({ hasText: tooMany })
      await refused.waitFor({ timeout: 90_000 })
      await again.getByText('đơn chờ gửi').waitFor({ state: 'detached' })
      const orders = await ordersOf(SALES)
      expect(orders.total).toBe(before + SALES)
      expect(orders.codes).toEqual(codes)
      expect(new Set(codes).size).toBe(SALES)

      await receive(rare, 1)
      await refused.getByRole('button', { name: 'Gửi lại' }).click()
      await refused.waitFor({ state: 'detached' })
      await expect.poll(async () => (await ordersOf(1)).codes).toEqual([tooMany])
      await browser.close()
    },
    240_000,
  )

  it('a scan that finds nothing stays as a line to look for again, and the field is empty for the next one', async () => {
    const page = await shop.open('/pos')
    await isReady(page)
    const [lamp, unknown] = [barcode(), barcode()]
    await page.keyboard.type(`${lamp}\n${unknown}\n`)
    await page.getByText(`Chưa thêm được “${lamp}”`).waitFor()
    await page.getByText(`Chưa thêm được “${unknown}”`).waitFor()
    await expect.poll(() => page.getByLabel(SCAN).inputValue()).toBe('')
    await makeProduct('Đèn gốm', lamp, 5)
    await page.getByRole('button', { name: `Tìm lại “${lamp}”` }).click()
    await page.getByLabel('Số lượng Đèn gốm').waitFor()
    await page.getByRole('button', { name: `Bỏ qua “${unknown}”` }).click()
    await expect.poll(() => page.getByText('Chưa thêm được').count()).toBe(0)
  })
})

describe('the copy of the catalogue, if the person signs out in another tab while a response is on its way', () => {
  it('is created again for the next person after changes', async () => {
    const [person, other] = [await shop.invite('staff'), await shop.invite('staff')]
    const page = await shop.open('/pos', { as: person })
    await isReady(page)
    await isCopied(page)
    const { release } = await openHeld(page, /\/changes\?/)
    await signOut(page)
    await page.waitForURL('**/sign-in')
    await release()
    await signIn(page, other)
    await page.goto('/pos')
    await expect.poll(() => page.evaluate(COUNT_COPIED), COPIED_WITHIN).toBeGreaterThan(0)
  })

  it('ends with a page of a first copy, also when the next person is signed in already', async () => {
    const [person, other] = [await shop.invite('staff'), await shop.invite('staff')]
    const page = await shop.open('/', { as: person })
    const { tab, release } = await openHeld(page, /\/products\?cursor=/)
    await signOut(page)
    await page.waitForURL('**/sign-in')
    await signIn(page, other)
    await release()
    expect(await page.evaluate(COUNT_COPIED)).toBe(0)
    await tab.reload()
    await expect.poll(() => page.evaluate(COUNT_COPIED), COPIED_WITHIN).toBeGreaterThan(0)
  })
})

/**
 * Opens the counter in another tab, and holds back the first response from an address.
 * @returns the tab, and a function that lets the response go on and waits until the tab copies no more
 */
async function openHeld(page: Page, address: RegExp) {
  const tab = await page.context().newPage()
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await tab.route(
    address,
    async (route) => {
      const response = await route.fetch()
      held.resolve()
      await released.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await tab.goto('/pos')
  await held.promise
  return {
    tab,
    async release() {
      released.resolve()
      await expect.poll(() => tab.evaluate(IS_COPYING)).toBe(false)
    },
  }
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Mật khẩu' }).fill(password)
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
}

describe('a code that many codes and names contain', () => {
  it('finds in the copy the product with exactly this code, although 21 older ones contain it; of two codes that begin with a text, none is added', async () => {
    const wanted = `W${barcode()}`
    await price(5_000, `Gỗ mun ${wanted}`, `${wanted}55`)
    const between = Array.from({ length: 20 }, (_, n) => `${n}-${wanted}`)
    await Promise.all(between.map((code) => price(20_000, `Gỗ trắc ${code}`, code)))
    await price(90_000, 'Gỗ sưa', wanted)
    const page = await shop.open('/pos')
    await isReady(page)
    await isCopied(page)
    await page.context().setOffline(true)

    await page.keyboard.type(`${wanted.slice(0, -1)}\n`)
    await page.getByText(CHOOSE).waitFor()
    const options = page.getByRole('option')
    expect((await options.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      `Gỗ mun ${wanted}`,
      'Gỗ sưa',
    ])
    await page.keyboard.press('Escape')
    await page.keyboard.type(`${wanted.toLowerCase()}\n`)
    await page.getByLabel('Số lượng Gỗ sưa').waitFor()
    expect(await page.getByLabel(/^Số lượng Gỗ/).count()).toBe(1)
  })

  it('is not completed to the only longer code among the 20 products that the service returned', async () => {
    const wanted = `W${barcode()}`
    await price(5_000, `${wanted} 00`, `${wanted}55`)
    const others = Array.from({ length: 20 }, (_, n) => `${wanted} ${n + 10}`)
    await Promise.all(others.map((name) => price(20_000, name, `${barcode()}`)))
    await price(90_000, 'Yên ngựa', wanted)
    const page = await shop.open('/pos')
    await isReady(page)
    await page.keyboard.type(`${wanted}\n`)
    await page.getByText(CHOOSE).waitFor()
    expect(await page.getByRole('option').count()).toBe(20)
    expect(await page.getByLabel(/^Số lượng /).count()).toBe(0)
  })
})

async function price(vnd: number, name: string, itemSku: string): Promise<void> {
  const { status } = await shop.api('POST', '/api/external/v1/products', { name, price: vnd, itemSku })
  expect(status).toBe(200)
}

async function denyOverselling(): Promise<void> {
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const shops = (await http(shop.url, 'GET', '/api/manage/v1/shops', undefined, operator)).body.data
  const path = `/api/manage/v1/shops/${shops[0]._id}`
  expect((await http(shop.url, 'PATCH', path, { oversell: 'deny' }, operator)).status).toBe(200)
}

/** Runs in the page: whether a tab is copying the catalogue. */
const IS_COPYING = `navigator.locks.query().then(({ held }) => held.some(({ name }) => name.startsWith('shopbell-copy-')))`

/** Runs in the page: the number of products in the copy. */
const COUNT_COPIED = `new Promise((resolve) => {
  const opening = indexedDB.open('shopbell-counter')
  opening.onsuccess = () => {
    const counting = opening.result.transaction('products').objectStore('products').count()
    counting.onsuccess = () => {
      opening.result.close()
      resolve(counting.result)
    }
  }
})`
