import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

const searchOf = (page: Page) => new URL(page.url()).search
const chipsOf = (page: Page) => page.getByRole('group', { name: 'Bộ lọc đã lưu' }).getByRole('button')
const openDialog = async (page: Page) => {
  await page.getByRole('button', { name: 'Bộ lọc đã lưu' }).click()
  return page.getByRole('dialog', { name: 'Bộ lọc đã lưu' })
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

    await page.evaluate(`for (const [key, value] of Object.entries(localStorage)) {
      if (!key.startsWith('shopbell.views customers ')) continue
      const [{ search }] = JSON.parse(value)
      const more = Array.from({ length: 19 }, (_, n) => ({ name: 'Số ' + n, search }))
      localStorage.setItem(key, JSON.stringify([...JSON.parse(value), ...more]))
      localStorage.setItem(key.replace(/[0-9a-z]+ [0-9a-z]+$/i, 'somebody another'), JSON.stringify(more))
    }`)
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
