import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hold, isReady, scan } from './counter.ts'
import { barcode, hang, isCopied, outageOf, sell, waiting } from './outage-sales.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { makeProduct, ordersOf } = outageOf(shop)
/** About four seconds, and more on a machine that is busy. */
const SOON = { timeout: 20_000 }

const countOrders = async () =>
  (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.meta.total
const stockOf = async (name: string) =>
  (await shop.api('GET', `/api/external/v1/products?select=skus&search=${encodeURIComponent(name)}`)).body
    .data.products[0].skus[0].stock_quantity

async function openCopied(width = 1440): Promise<Page> {
  const page = await shop.open('/pos', { viewport: { width, height: 900 } })
  await isReady(page)
  await isCopied(page)
  return page
}

async function pay(page: Page): Promise<void> {
  await page.keyboard.press('F9')
  await page.keyboard.press('Enter')
}

describe('a service that hangs', () => {
  it.each([1440, 390])(
    'stops no sale: after about four seconds it waits, the next ones do at once, and each arrives once, at %i px',
    async (width) => {
      const [name, mat] = [`Chiếu cói ${width}`, barcode()]
      await makeProduct(name, mat, 10)
      const before = await countOrders()
      const page = await openCopied(width)
      await scan(page, mat)
      await page.getByLabel(`Số lượng ${name}`).waitFor()
      await page.locator('[data-form-actions] [aria-busy="false"]').waitFor()
      expect(await page.getByText('Trong đó VAT').count()).toBe(0)
      const goOn = hang()
      await pay(page)
      await page.getByText(/^Đã bán T-/).waitFor(SOON)
      await page.getByText('Mất kết nối').waitFor(SOON)
      await waiting(page, 1).waitFor()
      await sell(page, [mat])
      await waiting(page, 2).waitFor()
      await expectAccessible(page)
      goOn()
      await page.getByText('Đã kết nối').waitFor()
      await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
      expect(await countOrders()).toBe(before + 2)
      await expect.poll(() => stockOf(name)).toBe(8)
    },
  )

  it('stops no scan: it is found in this browser’s copy, and the light shows that there is no connection', async () => {
    const rope = barcode()
    await makeProduct('Dây đay', rope, 10)
    const before = await countOrders()
    const page = await openCopied()
    const goOn = hang()
    await scan(page, rope)
    await page.getByLabel('Số lượng Dây đay').waitFor(SOON)
    await page.getByText('Mất kết nối').waitFor(SOON)
    await scan(page, rope)
    await expect.poll(() => page.getByLabel('Số lượng Dây đay').inputValue(), { timeout: 5_000 }).toBe('2')
    await pay(page)
    await page.getByText(/^Đã bán T-/).waitFor({ timeout: 10_000 })
    goOn()
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect((await ordersOf(1)).total).toBe(before + 1)
  })
})

describe('a service that is slow', () => {
  it('lets no sale go without what was scanned before it: the button waits, and says for what', async () => {
    const [fan, comb] = [barcode(), barcode()]
    await makeProduct('Quạt nan', fan, 10)
    await makeProduct('Lược sừng', comb, 10)
    const before = await countOrders()
    const page = await openCopied()
    await scan(page, fan)
    await page.getByLabel('Số lượng Quạt nan').waitFor()
    const find = await hold(page, '**/v1/products?**')
    await scan(page, comb)
    await page.getByRole('button', { name: 'Đang tìm hàng vừa quét…', disabled: true }).waitFor()
    await pay(page)
    find()
    await page.getByLabel('Số lượng Lược sừng').waitFor()
    expect(await countOrders()).toBe(before)
    await page.getByRole('button', { name: 'Bán', exact: true, disabled: false }).waitFor()
    await pay(page)
    await page.getByText(/^Đã bán DH/).waitFor()
    const [order] = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders
    expect(order.orderItems).toHaveLength(2)
    expect(await countOrders()).toBe(before + 1)
  })

  it('is not away where it answers while its health is asked, which is asked once for all requests', async () => {
    const palm = barcode()
    await makeProduct('Mũ lá cọ', palm, 10)
    const page = await openCopied()
    let asked = 0
    // No response comes.
    await page.route('**/health/live', () => {
      asked += 1
    })
    await page.route('**/v1/products?**', async (route) => {
      // A scan is two requests, and the health is asked after a second and a half.
      await page.waitForTimeout(2_200)
      await route.continue()
    })
    await scan(page, palm)
    await page.getByLabel('Số lượng Mũ lá cọ').waitFor()
    await page.waitForTimeout(4_000)
    expect(await page.getByText('Mất kết nối').count()).toBe(0)
    await page.getByText('Đã kết nối').waitFor()
    expect(asked).toBe(1)
  })

  it('leaves a sale by card its time also for the price', async () => {
    const lamp = barcode()
    await makeProduct('Đèn lồng tre', lamp, 10)
    const before = await countOrders()
    const page = await openCopied()
    await page.route('**/order/pos/preview', async (route) => {
      await page.waitForTimeout(6_000)
      await route.continue()
    })
    await scan(page, lamp)
    await page.getByLabel('Số lượng Đèn lồng tre').waitFor()
    await page.getByText('Thẻ', { exact: true }).click()
    await pay(page)
    await page.getByText(/^Đã bán DH/).waitFor(SOON)
    expect(await countOrders()).toBe(before + 1)
  })
})

describe('a sale whose response does not come', () => {
  it.each([
    ['the order', '**/order/pos/create'],
    ['its completion', '**/v1/orders/*/status'],
  ])('is recorded once where %s was carried out', async (what, address) => {
    const [name, code] = [`Nón lá ${what}`, barcode()]
    await makeProduct(name, code, 10)
    const before = await countOrders()
    const page = await openCopied()
    const keys: string[] = []
    page.on('request', (one) => {
      if (/order\/pos\/create/.test(one.url())) keys.push(one.headers()['idempotency-key']!)
    })
    let lost = 0
    await page.route(address, async (route) => {
      lost += 1
      if (lost > 1) return route.continue()
      // The response is never passed on.
      await route.fetch()
    })
    await scan(page, code)
    await page.getByLabel(`Số lượng ${name}`).waitFor()
    await pay(page)
    await page.getByText(/^Đã bán T-/).waitFor(SOON)
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    await expect.poll(() => stockOf(name)).toBe(9)
    expect(await countOrders()).toBe(before + 1)
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
  })
})
