import { describe, expect, it } from 'vitest'
import { counterOf, isReady, scan, typed } from './counter.ts'
import { expectAccessible, isStill, startConsole } from './support.ts'

const shop = await startConsole()
const { skuOf } = counterOf(shop)
const [honey, tea, lamp] = [await skuOf('Mat ong'), await skuOf('Tra o long'), await skuOf('Den long')]
const vnd = (sum: number) => new RegExp(`^${new Intl.NumberFormat('vi-VN').format(sum)}\\s₫$`)
type Shown = {
  getBoundingClientRect(): { left: number; right: number; top: number; bottom: number }
  contains(other: unknown): boolean
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
}
/** Runs in the page: whether a whole element is in view, with nothing over it. */
const isSeen = (found: unknown) => {
  const element = found as Shown
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return [top + 1, bottom - 1].every((y) =>
    element.contains(element.ownerDocument.elementFromPoint((left + right) / 2, y)),
  )
}
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

describe('the change to give back', () => {
  it.each([
    [1280, 800],
    [1366, 768],
    [1440, 900],
    [390, 844],
  ])('is in view with the receipt after a sale, at %i × %i px', async (width, height) => {
    const page = await shop.open('/pos', { viewport: { width, height } })
    await isReady(page)
    await page.getByRole('button', { name: /Đèn lồng Hội An/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: lamp.barcode }).click()
    await page.getByLabel(`Số lượng Đèn lồng Hội An - ${lamp.name}`).waitFor()
    await page.keyboard.press('F9')
    await typed(page, '1000000')
    await page.keyboard.press('Enter')
    const sold = page.getByRole('status').filter({ hasText: /^Đã bán/ })
    await sold.waitFor()
    await isReady(page)
    await isStill(page)
    const change = new RegExp(
      `^Tiền thừa ${new Intl.NumberFormat('vi-VN').format(1_000_000 - lamp.price)}\\s₫$`,
    )
    for (const part of [sold.getByText(change), sold.getByRole('button', { name: 'In hóa đơn' })])
      await expect.poll(() => part.evaluate(isSeen)).toBe(true)
  })
})

describe('goods without a code', () => {
  it('have only their price below their name', async () => {
    const name = 'Trà cúc không mã'
    expect((await shop.api('POST', '/api/external/v1/products', { name, price: 45_000 })).status).toBe(200)
    const page = await shop.open('/pos')
    await isReady(page)
    await page.getByRole('button', { name: new RegExp(name) }).click()
    const line = page.getByRole('listitem').filter({ hasText: name })
    await line
      .getByText(/^45\.000\s₫$/)
      .first()
      .waitFor()
    expect(await line.innerText()).not.toContain('·')
  })
})
