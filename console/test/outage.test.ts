import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

const noteOf = (page: Page) => page.getByRole('status').filter({ hasText: 'Máy chủ chưa trả lời' })

/** A new product's form on a console that is installed, at this width. */
async function typedProduct(width: number): Promise<Page> {
  const page = await shop.open('/products/new', { viewport: { width, height: 844 }, serviceWorkers: 'allow' })
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await page.getByLabel('Tên sản phẩm').fill(`Khay mây ${width}`)
  await page.getByLabel('Giá bán').fill('45000')
  return page
}

describe('an outage', () => {
  it('leaves every page and what is typed, says so, and goes on by itself, at 1440 and 390 px', async () => {
    const pages = await Promise.all([1440, 390].map(typedProduct))
    await shop.stop()
    await Promise.all(
      pages.map(async (page) => {
        await page.getByRole('button', { name: 'Tạo' }).click()
        await noteOf(page).waitFor()
        await expectAccessible(page)
        // A screen that was not visited before comes from the worker, and so does a reload.
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
