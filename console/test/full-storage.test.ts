import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { counterOf, isReady, scan } from './counter.ts'
import { barcode, isCopied, outageOf, waiting } from './outage-sales.ts'
import { startConsole } from './support.ts'

const shop = await startConsole()
const { makeProduct } = outageOf(shop)
const { countOrders } = counterOf(shop)

async function openCopied(): Promise<Page> {
  const page = await shop.open('/pos')
  await isReady(page)
  await isCopied(page)
  return page
}

describe('a device whose storage is full', () => {
  it('says at a sale in an outage that it cannot keep it; the sale stays open, and is kept once there is room', async () => {
    const fan = barcode()
    await makeProduct('Quạt nan', fan, 10)
    const page = await openCopied()
    const before = await countOrders()
    await page.context().setOffline(true)
    await scan(page, fan)
    await page.getByLabel('Số lượng Quạt nan').waitFor()
    await page.evaluate(FULL)
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Máy này không lưu được đơn', { exact: false }).waitFor()
    expect(await page.getByText('Không kết nối được', { exact: false }).count()).toBe(0)
    await page.evaluate('window.isFull = false')
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán T-/).waitFor()
    await waiting(page, 1).waitFor()
    await page.context().setOffline(false)
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect(await countOrders()).toBe(before + 1)
  })

  it('stops no scan and no sale if the open sales cannot be stored', async () => {
    const hat = barcode()
    await makeProduct('Nón lá', hat, 10)
    const page = await openCopied()
    const before = await countOrders()
    await page.evaluate(FILL)
    await scan(page, hat)
    await scan(page, hat)
    await expect.poll(() => page.getByLabel('Số lượng Nón lá').inputValue()).toBe('2')
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    // Where the machine is busy, it waits.
    await page.getByText(/^Đã bán (DH|T-)/).waitFor()
    await page.getByText('Chưa có sản phẩm nào').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect(await countOrders()).toBe(before + 1)
  })
})

/** Runs in the page: the database for waiting sales takes none, as on a full disk, until `isFull` is false. */
const FULL = `
  window.isFull = true
  const add = IDBObjectStore.prototype.add
  IDBObjectStore.prototype.add = function (...values) {
    if (window.isFull) throw new DOMException('Full.', 'QuotaExceededError')
    return add.apply(this, values)
  }`

/** Runs in the page: fills the session storage to its last character. */
const FILL = `
  for (let size = 2 ** 22, n = 0; size >= 1; n++) {
    try { sessionStorage.setItem('fill' + n, 'x'.repeat(size)) } catch { size = Math.floor(size / 2) }
  }`
