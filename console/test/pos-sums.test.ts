import { describe, expect, it } from 'vitest'
import { counterOf, isReady, scan } from './counter.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { skuOf } = counterOf(shop)
const [honey, tea] = [await skuOf('Mat ong'), await skuOf('Tra o long')]
const vnd = (sum: number) => new RegExp(`^${new Intl.NumberFormat('vi-VN').format(sum)}\\s₫$`)
/** Runs in the page: how visible the total is while it is being computed. */
const OPACITY = `getComputedStyle(document.querySelector('[aria-busy="true"] > div')).opacity`

describe('the sums of a sale', () => {
  it.each([1440, 390])('are never those of the sale before, at %i px', async (width) => {
    const page = await shop.open('/pos', { viewport: { width, height: 900 } })
    await isReady(page)
    const total = page.locator('[aria-live]').filter({ hasText: 'Khách phải trả' })
    await scan(page, honey.barcode)
    await page.getByLabel('Số lượng Mật ong hoa cà phê').waitFor()
    await total.getByText(vnd(honey.price)).first().waitFor()
    await expect.poll(() => total.getAttribute('aria-busy')).toBe('false')
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    await isReady(page)

    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/order/pos/preview', async (route) => {
      await released
      await route.continue()
    })
    const asking = page.waitForRequest('**/order/pos/preview')
    await scan(page, tea.barcode)
    await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
    await asking
    const till = page.locator('form').filter({ hasText: 'Khách phải trả' })
    expect(await till.getByText(vnd(honey.price)).count()).toBe(0)
    await total.getByText(vnd(tea.price)).first().waitFor()
    await till.getByRole('button', { name: vnd(tea.price) }).waitFor()
    expect(await total.getAttribute('aria-busy')).toBe('true')
    expect(await page.evaluate(OPACITY)).toBe('0.5')
    expect(await total.innerText()).not.toMatch(/VAT \d/)
    release()
    await expect.poll(() => total.getAttribute('aria-busy')).toBe('false')
    await total.getByText(vnd(tea.price)).first().waitFor()
    await expectAccessible(page)
  })
})
