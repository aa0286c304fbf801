import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { counterOf, isReady, ORDERS, scan } from './counter.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { countOrders, openCounter, skuOf } = counterOf(shop)
const [honey, tea] = [await skuOf('Mat ong'), await skuOf('Tra o long')]
const HONEY = 'Số lượng Mật ong hoa cà phê'
const TEA = `Số lượng Trà ô long Lâm Đồng - ${tea.name}`

/**
 * A sale of honey on its way to the service, by card, because a sale in cash would not wait long. The returned function
 * lets it arrive, or refuses it.
 */
async function sellSlowly(page: Page): Promise<(refusal?: string) => void> {
  await scan(page, honey.barcode)
  await page.getByLabel(HONEY).waitFor()
  await page.getByText('Thẻ', { exact: true }).click()
  let release = (_refusal?: string) => {}
  const released = new Promise<string | undefined>((resolve) => {
    release = resolve
  })
  await page.route('**/order/pos/create', async (route) => {
    const message = await released
    if (message === undefined) await route.continue()
    else await route.fulfill({ status: 409, json: { statusCode: 409, message } })
  })
  const sending = page.waitForRequest('**/order/pos/create')
  await page.keyboard.press('F9')
  await page.keyboard.press('Enter')
  await sending
  return release
}

describe('a scan while a sale is on its way', () => {
  it.each([1440, 390])('opens the next sale, and none is lost, at %i px', async (width) => {
    const before = await countOrders()
    const page = await shop.open('/pos', { viewport: { width, height: 900 } })
    await isReady(page)
    await page.evaluate('window.prints = 0; window.print = () => { window.prints += 1 }')
    await page.evaluate(`localStorage.setItem('shopbell.print-receipts', 'true')`)
    const release = await sellSlowly(page)
    await isReady(page)
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    await scan(page, tea.barcode)
    await expect.poll(() => page.getByLabel(TEA).inputValue()).toBe('2')
    await page.getByRole('tab').filter({ hasText: 'đang ghi' }).waitFor()
    await expectAccessible(page)
    release()
    // It stays in view, with what to give back, until the next scan.
    await page.getByText(/^Đã bán DH/).waitFor()
    await expect.poll(() => page.getByRole('tab').count()).toBe(1)
    expect((await shop.api('GET', ORDERS)).body.data.orders[0].price).toBe(honey.price)
    await scan(page, tea.barcode)
    await expect.poll(() => page.getByLabel(TEA).inputValue()).toBe('3')
    await expect.poll(() => page.getByText(/^Đã bán DH/).count()).toBe(0)
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText('Chưa có sản phẩm nào').waitFor()
    await page.getByText(/^Đã bán DH/).waitFor()
    expect((await shop.api('GET', ORDERS)).body.data.orders[0].price).toBe(3 * tea.price)
    expect(await countOrders()).toBe(before + 2)
    expect(await page.evaluate('window.prints')).toBe(2)
  })

  it('is of the next sale also where the first one is refused, which is told and stays open', async () => {
    const page = await openCounter()
    const release = await sellSlowly(page)
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    release('Mật ong đã hết hàng.')
    await page.getByText('Đơn 1 chưa bán được: Mật ong đã hết hàng.').waitFor()
    expect(await page.getByLabel(HONEY).count()).toBe(0)
    expect(await page.getByLabel(TEA).inputValue()).toBe('1')
    await page.getByRole('tab', { name: /^Đơn 1/ }).click()
    await expect.poll(() => page.getByLabel(HONEY).inputValue()).toBe('1')
    expect(await page.getByLabel(TEA).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Bán', exact: true }).isEnabled()).toBe(true)
  })

  it('does not move the focus out of a field of the next sale when the first one is sold', async () => {
    const page = await openCounter()
    const release = await sellSlowly(page)
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    await page.keyboard.press('F9')
    await page.keyboard.type('5000', { delay: 150 })
    release()
    await page.getByText(/^Đã bán DH/).waitFor()
    await page.keyboard.type('00', { delay: 150 })
    expect(await page.getByLabel('Tiền khách đưa').inputValue()).toBe('500.000 ₫')
  })
})
