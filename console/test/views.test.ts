import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { answer, expectAccessible, signOut, startConsole } from './support.ts'

const shop = await startConsole()

const searchOf = (page: Page) => new URL(page.url()).search
const chipsOf = (page: Page) => page.getByRole('group', { name: 'Bộ lọc đã lưu' }).getByRole('button')
const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Bộ lọc đã lưu' }).click()
  return page.getByRole('dialog', { name: 'Bộ lọc đã lưu' })
}

/** Saves a list's views as another device of the person would. */
async function keep(page: Page, list: string, views: object[]): Promise<void> {
  // The frame has chosen the shop by then.
  await page.locator('[data-list-search]').waitFor()
  const { status } = await page.evaluate(async (body) => {
    const headers = {
      'content-type': 'application/json',
      'x-shop-id': localStorage.getItem('shopbell.shop')!,
    }
    const answer = await fetch('/api/console/v1/saved-views', { method: 'PUT', headers, body })
    return { status: answer.status }
  }, JSON.stringify({ list, views }))
  expect(status).toBe(200)
}

describe('a saved view of a list', () => {
  it.each([1440, 390])(
    'is opened by its chip, marked while it is shown, renamed and deleted, at %i px',
    async (width) => {
      const page = await shop.open('/orders', { viewport: { width, height: 844 } })
      const field = page.locator('[data-list-search]')
      await field.fill('DH')
      await page.waitForURL(/search=DH/)
      const dialog = await openDialog(page)
      await dialog.getByLabel('Tên cho bộ lọc đang dùng').fill('Đơn DH')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Lưu' }).click()
      await dialog.waitFor({ state: 'detached' })
      const chip = chipsOf(page).filter({ hasText: 'Đơn DH' })
      await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')

      await page.getByRole('button', { name: 'Bỏ lọc: Tìm: DH' }).click()
      await expect.poll(() => searchOf(page)).toBe('')
      await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false')
      await page.goto('/orders?size=50&page=2')
      await chip.click()
      await expect.poll(() => searchOf(page)).toBe('?search=DH&size=50')
      await expect.poll(() => field.inputValue()).toBe('DH')
      await page.getByRole('button', { name: 'Bỏ lọc: Tìm: DH' }).click()
      await expect.poll(() => field.inputValue()).toBe('')
      await chip.click()
      await expect.poll(() => field.inputValue()).toBe('DH')
      await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)

      await openDialog(page)
      await dialog.getByText('đã lưu với tên “Đơn DH”').waitFor()
      await dialog.getByLabel('Tên bộ lọc 1').fill('Mọi đơn')
      await dialog.getByRole('button', { name: 'Lưu' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => chipsOf(page).allInnerTexts()).toEqual(['Mọi đơn'])
      await openDialog(page)
      await dialog.getByRole('button', { name: 'Xóa bộ lọc Mọi đơn' }).click()
      await dialog.getByRole('button', { name: 'Lưu' }).click()
      await expect.poll(() => chipsOf(page).count()).toBe(0)
    },
  )

  it('is on the person’s other devices, whose dialog starts from what was saved meanwhile', async () => {
    const person = await shop.invite('viewer')
    const [here, there] = [
      await shop.open('/orders', { as: person }),
      await shop.open('/orders', { as: person }),
    ]
    await keep(here, 'orders', [{ name: 'Ở máy tính', search: { search: 'DH' } }])
    await there.goto('/orders?search=KH')
    await expect.poll(() => chipsOf(there).allInnerTexts()).toEqual(['Ở máy tính'])
    await keep(here, 'orders', [
      { name: 'Ở máy tính', search: { search: 'DH' } },
      { name: 'Thêm sau', search: { search: 'DH2' } },
    ])
    const dialog = await openDialog(there)
    const name = dialog.getByLabel('Tên cho bộ lọc đang dùng')
    await expect.poll(() => name.and(there.locator(':focus')).count()).toBe(1)
    await name.fill('Ở điện thoại')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    const all = ['Ở máy tính', 'Thêm sau', 'Ở điện thoại']
    await expect.poll(() => chipsOf(there).allInnerTexts()).toEqual(all)
    await here.reload()
    await expect.poll(() => chipsOf(here).allInnerTexts()).toEqual(all)
    // Somebody else sees none of them.
    const other = await shop.open('/orders', { as: await shop.invite('viewer') })
    await other.getByRole('row').nth(1).waitFor()
    expect(await chipsOf(other).count()).toBe(0)
  })

  it('keeps a phone number from the address as a text, as erasing a person finds it (G-78), and nothing in the browser after signing out', async () => {
    const person = await shop.invite('staff')
    const page = await shop.open('/customers?search=912345678', { as: person })
    const dialog = await openDialog(page)
    await dialog.getByLabel('Tên cho bộ lọc đang dùng').fill('Số này')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await expect.poll(() => chipsOf(page).first().getAttribute('aria-pressed')).toBe('true')
    await page.goto('/customers')
    await chipsOf(page).first().click()
    await expect.poll(() => page.locator('[data-list-search]').inputValue()).toBe('912345678')
    await expect.poll(() => chipsOf(page).first().getAttribute('aria-pressed')).toBe('true')
    const kept = await page.evaluate(
      "Object.entries(localStorage).find(([key]) => key.startsWith('shopbell.views '))[1]",
    )
    expect(kept).toContain('"search":"912345678"')
    await signOut(page)
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('912345678')
  })

  it('is in place when the list opens again, before the service has answered', async () => {
    const page = await shop.open('/products', { as: await shop.invite('staff') })
    await keep(page, 'products', [{ name: 'Hoa', search: { search: 'hoa' } }])
    await page.reload()
    await chipsOf(page).first().waitFor()
    await page.route('**/api/console/v1/saved-views', () => {})
    await page.reload()
    await page.locator('[data-list-search]').waitFor()
    expect(await chipsOf(page).allInnerTexts()).toEqual(['Hoa'])
  })

  it('cannot be saved over views that could not be read', async () => {
    const page = await shop.open('/customers?search=lan', { as: await shop.invite('staff') })
    await keep(page, 'customers', [{ name: 'Cũ', search: { search: 'cu' } }])
    const comeBack = await answer(page, '**/api/console/v1/saved-views', (route) =>
      route.fulfill({ status: 500, json: { error: 'Internal Server Error' } }),
    )
    const dialog = await openDialog(page)
    const again = dialog.getByRole('button', { name: 'Thử lại' })
    await again.waitFor()
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    await expectAccessible(page)
    comeBack()
    await again.click()
    await expect.poll(() => dialog.getByLabel('Tên bộ lọc 1').inputValue()).toBe('Cũ')
  })

  it('is not saved, and the dialog stays with its input, when the service refuses', async () => {
    const page = await shop.open('/customers?search=lan', { as: await shop.invite('staff') })
    await page.route('**/api/console/v1/saved-views', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 404, json: { error: 'Member not found' } })
        : route.continue(),
    )
    const dialog = await openDialog(page)
    await dialog.getByLabel('Tên cho bộ lọc đang dùng').fill('Lan')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('alert').waitFor()
    expect(await dialog.getByLabel('Tên cho bộ lọc đang dùng').inputValue()).toBe('Lan')
    expect(await chipsOf(page).count()).toBe(0)
  })

  it('is the person’s own, of that list, with a name of its own, and one of at most 20', async () => {
    const page = await shop.open('/customers?search=an')
    const dialog = await openDialog(page)
    const name = dialog.getByLabel('Tên cho bộ lọc đang dùng')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await dialog.getByText('Hãy nhập tên.').waitFor()
    await name.fill('An')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await expect.poll(() => chipsOf(page).count()).toBe(1)
    await page.goto('/orders?search=an')
    await page.getByRole('row').nth(1).or(page.getByText('Không tìm thấy')).first().waitFor()
    expect(await chipsOf(page).count()).toBe(0)

    await keep(page, 'customers', [
      { name: 'An', search: { search: 'an' } },
      ...Array.from({ length: 19 }, (_, n) => ({ name: `Số ${n}`, search: { search: `an ${n}` } })),
    ])
    await page.goto('/customers?search=binh')
    await expect.poll(() => chipsOf(page).count()).toBe(20)
    await openDialog(page)
    await dialog.getByText('nhiều nhất 20 bộ lọc').waitFor()
    await dialog.getByRole('button', { name: 'Xóa bộ lọc Số 3' }).click()
    await name.fill('An')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await dialog.getByText('Đã có bộ lọc tên này.').waitFor()
  })
})
