import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { counterOf, hold, isReady, ORDERS, scan } from './counter.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { countOrders, openCounter, skuOf } = counterOf(shop)
const [honey, tea] = [await skuOf('Mat ong'), await skuOf('Tra o long')]
const HONEY = 'Số lượng Mật ong hoa cà phê'
const TEA = `Số lượng Trà ô long Lâm Đồng - ${tea.name}`

type Failure = { status: number; message: string }
const SOLD_OUT = { status: 409, message: 'Mật ong đã hết hàng.' }

/**
 * A sale of honey on its way to the service, by card, because a sale in cash would not wait long. The returned function
 * lets it arrive, or answers with a failure. Later sales arrive at once.
 */
async function sellSlowly(page: Page): Promise<(failure?: Failure) => void> {
  await scan(page, honey.barcode)
  await page.getByLabel(HONEY).waitFor()
  await page.getByText('Thẻ', { exact: true }).click()
  const { promise: released, resolve: release } = Promise.withResolvers<Failure | undefined>()
  let first: string | undefined
  await page.route('**/order/pos/create', async (route) => {
    const key = route.request().headers()['idempotency-key']
    first ??= key
    // The client repeats a request at which the service fails.
    const failure = key === first ? await released : undefined
    if (failure === undefined) return route.continue()
    const { status, message } = failure
    await route.fulfill({ status, json: { statusCode: status, message } })
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

  it('belongs to the next sale even if the first one is refused, which is reported and stays open', async () => {
    const page = await openCounter()
    const release = await sellSlowly(page)
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    release(SOLD_OUT)
    await page.getByText('Đơn 1 chưa bán được: Mật ong đã hết hàng.').waitFor()
    expect(await page.getByLabel(HONEY).count()).toBe(0)
    expect(await page.getByLabel(TEA).inputValue()).toBe('1')
    await page.getByRole('tab', { name: /^Đơn 1/ }).click()
    await expect.poll(() => page.getByLabel(HONEY).inputValue()).toBe('1')
    expect(await page.getByLabel(TEA).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Bán', exact: true }).isEnabled()).toBe(true)
  })

  it('leaves a sale with an unknown outcome open, and does not say that it is not sold', async () => {
    const page = await openCounter()
    const release = await sellSlowly(page)
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    release({ status: 500, message: 'Máy chủ gặp lỗi.' })
    await page.getByText('Chưa rõ Đơn 1 đã được ghi hay chưa.', { exact: false }).waitFor()
    expect(await page.getByText('chưa bán được', { exact: false }).count()).toBe(0)
    await page.getByRole('tab', { name: /^Đơn 1 · chưa rõ/ }).click()
    await page.getByRole('alert').getByText('Máy chủ gặp lỗi.').waitFor()
    await page.getByRole('alert').getByText('Hãy bấm Bán lần nữa.', { exact: false }).waitFor()
  })

  it('leaves the reason of a refusal at its sale, also after the next sale was sold', async () => {
    const page = await openCounter()
    const release = await sellSlowly(page)
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    release(SOLD_OUT)
    await page.getByText('Đơn 1 chưa bán được: Mật ong đã hết hàng.').waitFor()
    await page.getByRole('tab', { name: /^Đơn 1/ }).click()
    await page.getByLabel(HONEY).waitFor()
    await page.getByRole('alert').getByText('Mật ong đã hết hàng.', { exact: true }).waitFor()
  })

  it('leaves a sale open whose payment does not fit the price that the service computed, and says so', async () => {
    const before = await countOrders()
    const page = await openCounter()
    await scan(page, honey.barcode)
    await page.getByLabel(HONEY).waitFor()
    await page.getByText(/^Trong đó VAT \d/).waitFor({ state: 'attached' })
    await page.keyboard.press('F9')
    await page.keyboard.type(String(honey.price))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(
      '**/order/pos/preview',
      async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        await released
        await route.fulfill({
          response,
          json: { ...body, data: { ...body.data, price: honey.price + 1_000 } },
        })
      },
      { times: 1 },
    )
    // The counter asks again for what it has known for a while.
    await page.waitForTimeout(10_000)
    const asking = page.waitForRequest('**/order/pos/preview')
    await page.keyboard.press('Enter')
    await asking
    await scan(page, tea.barcode)
    await page.getByLabel(TEA).waitFor()
    release()
    await page.getByText('Đơn 1 chưa bán được: Số tiền khách trả không khớp', { exact: false }).waitFor()
    expect(await countOrders()).toBe(before)
    await page.getByRole('tab', { name: /^Đơn 1/ }).click()
    await page.getByText('Còn thiếu 1.000 ₫').waitFor()
  })

  it('is of the sale in front where the sale that is sold then is not: no tab opens behind it', async () => {
    const page = await openCounter()
    await scan(page, honey.barcode)
    await page.getByLabel(HONEY).waitFor()
    await page.getByText('Thẻ', { exact: true }).click()
    const find = await hold(page, '**/v1/products?**')
    const record = await hold(page, '**/order/pos/create')
    // Made before the button is pressed, which waits for it only as long as the counter is not left.
    await scan(page, tea.barcode)
    const found = page.waitForResponse('**/v1/products?**')
    await page.getByRole('link', { name: 'Khách hàng' }).click()
    await page.getByRole('heading', { level: 1, name: 'Khách hàng' }).waitFor()
    await page.getByRole('link', { name: 'Bán tại quầy' }).click()
    await isReady(page)
    const sending = page.waitForRequest('**/order/pos/create')
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await sending
    find()
    await found
    await scan(page, honey.barcode)
    await page.getByLabel(HONEY).and(page.locator(':enabled')).waitFor()
    record()
    await page.getByText(/^Đã bán DH/).waitFor()
    await page.getByLabel(TEA).waitFor()
    expect(await page.getByRole('tab').count()).toBe(1)
    expect(await page.getByLabel(HONEY).inputValue()).toBe('1')
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
