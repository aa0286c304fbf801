import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { OWN_PATHS } from '../../server/src/http/own-paths.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

const noteOf = (page: Page) => page.getByRole('status').filter({ hasText: 'Máy chủ chưa trả lời' })

/** A new product's form at this width, in an installed console. */
async function typedProduct(width: number): Promise<Page> {
  const page = await shop.open('/products/new', { viewport: { width, height: 844 }, serviceWorkers: 'allow' })
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await page.getByLabel('Tên sản phẩm').fill(`Khay mây ${width}`)
  await page.getByRole('textbox', { name: 'Giá bán' }).fill('45000')
  return page
}

it('a page that cannot be shown names the request, so that it can be found in the log', async () => {
  const page = await shop.open('/help')
  const message = 'Có lỗi xảy ra. Khi báo lỗi, hãy gửi kèm x-request-id.'
  await page.route('**/api/console/v1/me', (route) =>
    route.fulfill({ status: 500, json: { statusCode: 500, message }, headers: { 'x-request-id': '66af00' } }),
  )
  await page.goto('/orders')
  await page.getByText(message).waitFor()
  await page.getByText('Chi tiết').click()
  await page.getByText('66af00').waitFor()
})

describe('an outage', () => {
  it('leaves every page and what is typed, says so, and goes on by itself, at 1440 and 390 px', async () => {
    const pages = await Promise.all([1440, 390].map(typedProduct))
    await shop.stop()
    await Promise.all(
      pages.map(async (page) => {
        await page.getByRole('button', { name: 'Tạo' }).click()
        await noteOf(page).waitFor()
        await expectAccessible(page)
        // The worker serves screens that were not visited before, and reloads.
        await page.goto('/templates')
        await noteOf(page).waitFor()
        await page.goto('/products/new')
        await noteOf(page).waitFor()
      }),
    )
    await shop.start()
    for (const [at, page] of pages.entries()) {
      await expect
        .poll(() => page.getByLabel('Tên sản phẩm').inputValue())
        .toBe(`Khay mây ${[1440, 390][at]}`)
      await noteOf(page).waitFor({ state: 'detached' })
    }
  })
})

describe('an installed console', () => {
  it('that has been open since its first installation reloads on the way to another screen once a later version is installed', async () => {
    const page = await shop.open('/', { serviceWorkers: 'allow' })
    await page.evaluate(`new Promise((resolve) => {
      const { serviceWorker } = navigator
      if (serviceWorker.controller !== null) resolve()
      serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
    })`)
    await page.evaluate('window.isOfFirst = true')
    await page.getByRole('link', { name: 'Đơn hàng', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Đơn hàng' }).waitFor()
    expect(await page.evaluate('window.isOfFirst')).toBe(true)
    // To the browser, another address is another version.
    await page.evaluate(`new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
      navigator.serviceWorker.register('/service-worker.js?later')
    })`)
    await page.getByRole('link', { name: 'Khách hàng', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Khách hàng' }).waitFor()
    await expect.poll(() => page.evaluate('window.isOfFirst').catch(() => true)).toBeUndefined()
  })

  it('leaves the service’s own addresses to the service: the list is written into the worker when it is built', async () => {
    const worker = await (await fetch(`${shop.url}/service-worker.js`)).text()
    expect(worker).toContain(`const NOT_A_PAGE = ${OWN_PATHS}`)
  })
})
