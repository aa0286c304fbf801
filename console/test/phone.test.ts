import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, screenPaths } from '../screens.ts'
import { fillScreens } from './fill-screens.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000', SESSION_RATE_LIMIT_PER_MINUTE: '100000' })
await fillScreens(shop)

const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }
const page = await shop.open('/', PHONE)

const TOO_WIDE = `[
  ...(document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : []),
  ...[...document.querySelectorAll('main *')]
    .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth && one.role !== 'tablist')
    .map((one) => one.tagName + ' ' + one.className),
]`

/** Cells of lists with a word that is broken into letters, and cells that lie over each other. */
const BROKEN = `[...document.querySelectorAll('[data-table] tbody tr')].flatMap((row) => {
  const cells = [...row.querySelectorAll('td')].filter((cell) => cell.offsetWidth > 0 && cell.textContent !== '')
  const boxes = cells.map((cell) => cell.getBoundingClientRect())
  return cells
    .filter((cell, at) =>
      (cell.offsetWidth < 40 && cell.textContent.length > 4) ||
      boxes.some((one, other) =>
        other < at &&
        Math.min(one.right, boxes[at].right) - Math.max(one.left, boxes[at].left) > 1 &&
        Math.min(one.bottom, boxes[at].bottom) - Math.max(one.top, boxes[at].top) > 1))
    .map((cell) => cell.textContent)
})`

/** Elements that are wider than the window, or scroll sideways in it. Tabs are allowed to. */
async function tooWide(on: Page): Promise<string[]> {
  await on.waitForLoadState('networkidle')
  await expect.poll(() => on.getByRole('status', { name: 'Đang tải' }).count()).toBe(0)
  await on.locator('main h1').waitFor()
  return on.evaluate(TOO_WIDE)
}

describe('a phone of 390 px', () => {
  it.each(screenPaths())(
    'holds %s without scrolling sideways or broken cells, accessible in the dark theme too',
    async (path) => {
      const address = await addressOf(path, async (list) => {
        const headers = { 'x-api-key': `service-partner ${shop.demoKey}` }
        return (await page.request.get(list, list.startsWith('/api/external') ? { headers } : {})).text()
      })
      expect(address).toBeDefined()
      await page.goto(address!)
      expect(await tooWide(page)).toEqual([])
      expect(await page.evaluate(BROKEN)).toEqual([])
      await expectAccessible(page)
    },
  )

  it('holds a sale with its fields beside each other', async () => {
    await page.goto('/pos')
    for (const name of ['Tranh', 'Non la']) {
      await page.getByRole('combobox', { name: /^Quét mã vạch/ }).fill(name)
      await page.getByRole('option').first().click()
    }
    const boxOf = async (label: RegExp) => (await page.getByLabel(label).first().boundingBox())!
    const [quantity, discount] = [await boxOf(/^Số lượng /), await boxOf(/^Giảm giá /)]
    expect(Math.round(quantity.y)).toBe(Math.round(discount.y))
    expect(await tooWide(page)).toEqual([])
  })

  it.each(['58 mm', '80 mm', 'A5'])('shows a receipt on paper of %s whole', async (paper) => {
    const { orders } = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data
    await page.goto(`/orders/${orders[0]._id}`)
    await page.getByRole('button', { name: 'In hóa đơn' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(paper, { exact: true }).click()
    await expectAccessible(page)
    expect(await dialog.evaluate(CUT_OFF)).toEqual([])
  })
})

/** Elements of the dialog that are wider than their place. */
const CUT_OFF = `[...document.querySelectorAll('[role="dialog"] *')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
  .map((one) => one.className)`
