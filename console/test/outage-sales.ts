import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Console } from './support.ts'

/** The note of so many sales that wait in the browser. */
export const waiting = (page: Page, count: number) => page.getByText(`${count} đơn chờ gửi`, { exact: true })

/** A new barcode each time, also when a test is retried. */
export const barcode = () => `893${String(Math.random()).slice(2, 12)}`

/**
 * Scans codes as a scanner does, and completes the sale with exactly the price in cash.
 * @returns the slip's code
 */
export async function sell(page: Page, codes: string[]): Promise<string> {
  for (const code of codes) {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
  // Each is looked up, and the counter sells what has been found by then.
  const pieces = async () => {
    const quantities = await page.getByLabel(/^Số lượng /).all()
    return (await Promise.all(quantities.map((one) => one.inputValue()))).reduce(
      (sum, n) => sum + Number(n),
      0,
    )
  }
  await expect.poll(pieces).toBe(codes.length)
  await page.getByRole('button', { name: 'Bán', exact: true, disabled: false }).waitFor()
  await page.keyboard.press('F9')
  await page.keyboard.press('Enter')
  await page.getByText('Chưa có sản phẩm nào').waitFor()
  const title = await page.getByText(/^Đã bán (T-|DH)/).innerText()
  return title.replace('Đã bán ', '')
}

/**
 * Stops the service without ending it, like a machine that hangs: connections are open, and no response comes.
 * @returns a function that lets it go on, at the latest at the end of the test
 */
export function hang(): () => void {
  const pid = Number(execFileSync('pgrep', ['-P', String(process.pid), '-f', ' serve']))
  const goOn = () => {
    try {
      process.kill(pid, 'SIGCONT')
    } catch (error) {
      // The test has stopped the service meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  process.kill(pid, 'SIGSTOP')
  onTestFinished(goOn)
  return goOn
}

/** What the tests of sales in an outage do to their shop. */
export function outageOf(shop: Console) {
  async function receive(sku: string, quantity: number): Promise<void> {
    const body = { type: 'receive', items: [{ skuId: sku, quantity }] }
    const { status } = await shop.api('POST', '/api/external/v1/inventory/entries', body)
    expect([200, 201]).toContain(status)
  }

  return {
    receive,

    /** A product with stock. @returns its SKU's id */
    async makeProduct(name: string, barcode: string, stock: number): Promise<string> {
      const made = await shop.api('POST', '/api/external/v1/products', { name, price: 20_000, barcode })
      const { id } = made.body.data
      const sku = (await shop.api('GET', `/api/external/v1/products/${id}`)).body.data.skus[0]._id
      await receive(sku, stock)
      return sku
    },

    /** The slip codes in the notes of the shop's newest orders, oldest first. All of these orders must be completed. */
    async ordersOf(count: number): Promise<{ total: number; codes: string[] }> {
      const { orders, meta } = (await shop.api('GET', `/api/external/v1/orders?limit=${count}`)).body.data
      const notes: string[] = []
      for (const { _id } of orders.toReversed()) {
        const { note, status } = (await shop.api('GET', `/api/external/v1/orders/${_id}`)).body.data
        expect(status).toBe('completed')
        notes.push(note.split(' ').at(-1)!)
      }
      return { total: meta.total, codes: notes }
    },
  }
}

/** Runs in the page: whether the counter has its copy of the catalogue. */
const IS_COPIED = `new Promise((resolve) => {
  const opening = indexedDB.open('shopbell-counter')
  opening.onsuccess = () => {
    const store = opening.result
    const done = (found) => { store.close(); resolve(found) }
    if (!store.objectStoreNames.contains('progress')) return done(false)
    const counting = store.transaction('progress').objectStore('progress').count()
    counting.onsuccess = () => done(counting.result > 0)
  }
})`

/** The counter tries a copy again after a minute, for example if a response took too long. */
export const COPIED_WITHIN = { timeout: 90_000 }

/** Waits until the counter has the shop's whole catalogue, with which it can sell during an outage. */
export async function isCopied(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(IS_COPIED), COPIED_WITHIN).toBe(true)
}
