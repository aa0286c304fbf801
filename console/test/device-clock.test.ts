import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isReady, openShift } from './counter.ts'
import { barcode, isCopied, outageOf, sell, waiting } from './outage-sales.ts'
import { startConsole } from './support.ts'

const shop = await startConsole()
const { makeProduct } = outageOf(shop)
const SHIFTS = '/api/external/v1/shifts'
const HOUR_MS = 3_600_000
const IN_1980 = Date.parse('1980-01-01T00:00:00Z') - Date.now()

/** Sets the clock of the page's device, also for its next pages, to so many ms after the right time. */
const setClock = (page: Page, ms: number) => page.evaluate(`localStorage.setItem('test.ahead', ${ms})`)

describe('a sale that waits in a browser', () => {
  it.each([
    ['a device whose clock says 1980 until it is corrected while the sale waits', IN_1980, 0, 0],
    ['a device whose clock is put back by five hours in the outage, and corrected', 0, -5 * HOUR_MS, 0],
    ['a device whose clock is put forward by a day while the sale waits', 0, 0, 24 * HOUR_MS],
  ])('is in the shift in which it was made, at %s', async (_device, atOpening, atSale, atSending) => {
    const basket = barcode()
    await makeProduct('Rổ tre', basket, 10)
    const page = await shop.open('/', { as: await shop.invite('staff') })
    await page.addInitScript(DEVICE_CLOCK)
    await setClock(page, atOpening)
    await page.goto('/pos')
    await isReady(page)
    await isCopied(page)
    await openShift(page, 100_000)
    await isReady(page)

    await page.context().setOffline(true)
    await setClock(page, atOpening + atSale)
    await sell(page, [basket])
    await waiting(page, 1).waitFor()
    await setClock(page, atSending)
    await page.context().setOffline(false)
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect(await page.getByText('chưa ghi được').count()).toBe(0)
    const [shift] = (await shop.api('GET', `${SHIFTS}?limit=1`)).body.data
    expect(shift).toMatchObject({ openingCash: 100_000, expectedCash: 120_000 })
  })
})

/** Runs in each page before its own code: a clock as wrong as `setClock` says. */
const DEVICE_CLOCK = `{
  const Right = Date
  const now = () => Right.now() + Number(localStorage.getItem('test.ahead') ?? 0)
  window.Date = new Proxy(Right, {
    construct: (target, values) => Reflect.construct(target, values.length === 0 ? [now()] : values),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}`
