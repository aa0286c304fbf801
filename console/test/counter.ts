import type { Locator, Page } from 'playwright-core'
import type { Console } from './support.ts'

/** The time between two keystrokes of a person. */
const HUMAN_MS = 150
export const PATIENT = { timeout: 10_000 }
export const SCAN = 'Quét mã vạch, hoặc gõ mã hay tên sản phẩm'
export const ORDERS = '/api/external/v1/orders?limit=1'

export type Sku = { _id: string; name: string; barcode: string; price: number; stock_quantity: number }

/** The time between two keystrokes of a scanner. */
const SCANNER_SECONDS = 0.005

/**
 * Types like a scanner: a keyboard that types fast and ends with Enter. The keystrokes do not wait for each other,
 * however slow this machine is.
 */
export async function scan(page: Page, code: string) {
  const keyboard = await page.context().newCDPSession(page)
  const keys = [...code].map((text) => ({ key: text, text }))
  const from = Date.now() / 1000
  const strokes = [...keys, { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }].flatMap((stroke, at) => {
    // The pace of a scanner, however slowly the page processes the keys.
    const timestamp = from + at * SCANNER_SECONDS
    return [
      keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke, timestamp }),
      keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key: stroke.key, timestamp }),
    ]
  })
  await Promise.all(strokes)
  await keyboard.detach()
}

/** Waits until the counter is ready for a scan. */
export async function isReady(page: Page) {
  await page.locator(`input[aria-label="${SCAN}"]:focus`).waitFor()
}

/** Requests to an address wait for the returned function. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Types like a person. */
export async function typed(page: Page, text: string) {
  await page.keyboard.type(text, { delay: HUMAN_MS })
}

/** Chooses a customer of this name. */
export async function chooseCustomer(page: Page, name: string) {
  await page.keyboard.press('F4')
  await page.keyboard.type(name)
  await page.getByRole('option', { name }).click()
  await page.getByLabel('Bỏ khách hàng').waitFor()
}

/** Opens the dialog for the cashier's own shift. */
export async function openShiftDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Ca làm việc' }).click()
  return page.getByRole('dialog', { name: 'Ca làm việc' })
}

/** Opens a shift with this cash in its dialog, which then closes. */
export async function openShift(page: Page, openingCash: number): Promise<void> {
  const dialog = await openShiftDialog(page)
  await dialog.getByLabel('Tiền đầu ca').fill(String(openingCash))
  await dialog.getByRole('button', { name: 'Mở ca' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** What a counter's tests read from its shop, and the counter itself. */
export function counterOf(shop: Console) {
  return {
    async skuOf(product: string, sku = 0): Promise<Sku> {
      const path = `/api/external/v1/products?select=skus&search=${encodeURIComponent(product)}`
      return (await shop.api('GET', path)).body.data.products[0].skus[sku]
    },

    async countOrders(): Promise<number> {
      return (await shop.api('GET', ORDERS)).body.data.meta.total
    },

    async openCounter(): Promise<Page> {
      const page = await shop.open('/pos')
      await isReady(page)
      return page
    },
  }
}

/** Runs in the page: a camera, and a reader that recognises the code held in front of it. */
export const CAMERA = `
  window.tracks = []
  window.looks = 0
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d').fillRect(0, 0, 1, 1)
    const stream = canvas.captureStream(5)
    window.tracks.push(...stream.getTracks())
    return stream
  }
  window.BarcodeDetector = class {
    async detect() {
      window.looks++
      return window.before === undefined ? [] : [{ rawValue: window.before }]
    }
  }`
