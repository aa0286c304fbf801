import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openShift, openShiftDialog } from './counter.ts'
import { expectAccessible, isStill, startConsole } from './support.ts'

const shop = await startConsole()

describe('the frame of every screen', () => {
  it.each(['/orders', '/customers', '/wallet'])(
    'comes with all that %s loads first, named in the page: no script asks for another',
    async (path) => {
      const page = await shop.open('/help')
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      const response = await page.goto(path)
      const named = await response!.text()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const scripts = asked.filter((name) => name.endsWith('.js'))
      expect(scripts.length).toBeGreaterThan(1)
      expect(scripts.filter((name) => !named.includes(name))).toEqual([])
      // Requested only once: by the page, for the frame.
      expect(asked.filter((name) => name === '/api/console/v1/me')).toHaveLength(1)
    },
  )

  it('sets Vietnamese in its own typeface, served by the service', async () => {
    const page = await shop.open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate('document.fonts.ready')
    const loaded = (await page.evaluate(
      `[...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family + face.weight + face.unicodeRange)`,
    )) as string[]
    expect(loaded.filter((face) => face.includes('U+1EA0')).length).toBeGreaterThan(0)
    expect(loaded.filter((face) => !face.includes('Be Vietnam Pro'))).toEqual([])
  })

  it.each([1440, 390])('has an accessible sign-in page at %i px', async (width) => {
    const page = await shop.open('/sign-in', { as: null, viewport: { width, height: 844 } })
    await page.getByLabel('Mật khẩu').waitFor()
    await expectAccessible(page)
  })

  it('folds a group of the menu, also over a reload, but never hides where one is', async () => {
    const page = await shop.open('/orders')
    const menu = page.getByRole('navigation')
    await menu.getByRole('button', { name: 'Bán hàng' }).click()
    await expect.poll(() => menu.getByRole('link', { name: 'Khách hàng' }).count()).toBe(0)
    expect(await menu.getByRole('link', { name: 'Đơn hàng' }).getAttribute('aria-current')).toBe('page')
    await page.reload()
    await menu.getByRole('link', { name: 'Sản phẩm' }).waitFor()
    await expect.poll(() => menu.getByRole('link', { name: 'Khách hàng' }).count()).toBe(0)
    await menu.getByRole('button', { name: 'Thu gọn trình đơn' }).click()
    await menu.getByRole('link', { name: 'Khách hàng' }).waitFor()
    await expectAccessible(page)
  })

  it('counts in the menu the orders that wait for the shop, as words too, folded, and after a change', async () => {
    const waiting = async () => {
      const { body } = await shop.api('GET', '/api/external/v1/orders?limit=1')
      const { pending, confirmed, processing, ready_to_ship } = body.data.orderCountByStatus
      return pending + confirmed + processing + ready_to_ship
    }
    const before = await waiting()
    expect(before).toBeGreaterThan(1)
    const page = await shop.open('/help')
    const link = page.getByRole('navigation').getByRole('link', { name: 'Đơn hàng', exact: true })
    const count = link.locator('span[aria-hidden]')
    await expect.poll(() => count.innerText()).toBe(String(before))
    expect(await link.getAttribute('aria-description')).toBe(`${before} đơn cần xử lý`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Thu gọn trình đơn' }).click()
    expect(await count.innerText()).toBe(String(before))
    await expectAccessible(page)

    const { body } = await shop.api('GET', '/api/external/v1/orders?limit=1&status=pending')
    await page.goto(`/orders/${body.data.orders[0]._id}`)
    await expect.poll(() => count.innerText()).toBe(String(before))
    await page.getByRole('button', { name: 'Hủy đơn' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hủy đơn' }).click()
    await expect.poll(() => count.innerText()).toBe(String(before - 1))
    expect(await waiting()).toBe(before - 1)
  })

  it('opens the menu by a button on a phone, and closes it on the way to a screen', async () => {
    const page = await shop.open('/', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: 'Trình đơn' }).click()
    await page.getByRole('link', { name: 'Danh mục' }).click()
    await page.getByRole('tab', { name: 'Danh mục' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Khách hàng' }).isVisible()).toBe(false)
    await expectAccessible(page)
  })

  it.each([1440, 390])('reports what was done at the bottom, covering no action, at %i px', async (width) => {
    const page = await shop.open('/settings', { viewport: { width, height: 844 } })
    await page.getByRole('button', { name: 'Lưu' }).click()
    const notice = page.getByRole('alert').first()
    await notice.waitFor()
    await isStill(page)
    const said = (await notice.boundingBox())!
    expect(said.y).toBeGreaterThan(500)
    for (const button of await page.getByRole('main').getByRole('button').all()) {
      const box = (await button.boundingBox())!
      const isApart =
        box.x >= said.x + said.width ||
        box.x + box.width <= said.x ||
        box.y + box.height <= said.y ||
        box.y >= said.y + said.height
      expect(isApart).toBe(true)
    }
  })

  it.each([800, 390])('reports what was done below an open dialog, not over it, at %i px', async (width) => {
    const page = await shop.open('/pos', {
      // So low that the dialog takes all of what it may.
      viewport: { width, height: 500 },
      as: await shop.invite('staff'),
    })
    const { said, form } = await cashTaken(page)
    expect(form.height).toBeGreaterThan(300)
    expect(said.y).toBeGreaterThanOrEqual(form.y + form.height)
    expect(said.y + said.height).toBeLessThanOrEqual(500)
  })

  it.each([1440, 1024])(
    'reports what was done beside an open dialog, not over it, at %i px',
    async (width) => {
      const page = await shop.open('/pos', {
        viewport: { width, height: 844 },
        as: await shop.invite('staff'),
      })
      const { said, form } = await cashTaken(page)
      expect(said.x).toBeGreaterThan(0)
      expect(said.x + said.width).toBeLessThanOrEqual(form.x)
    },
  )
})

/** Takes cash out in the dialog of a shift. @returns where the notice of it and the dialog are. */
async function cashTaken(page: Page) {
  await openShift(page, 500_000)
  const dialog = await openShiftDialog(page)
  await dialog.getByLabel('Số tiền').fill('50000')
  await dialog.getByLabel('Lý do').fill('tiền xăng')
  await dialog.getByRole('button', { name: 'Chi ra' }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Đã ghi nhận' })
  await notice.waitFor()
  await isStill(page)
  return { said: (await notice.boundingBox())!, form: (await dialog.boundingBox())! }
}
