import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { manageOver } from '../../server/test/support/process.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

describe('an operator in the console', () => {
  it.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    'sees what is wrong with each shop, looks at one under a mark on every page, and leaves it, at %i px, %s',
    async (width, colorScheme) => {
      const name = `Tiệm xem thử ${randomUUID()}`
      const made = await manageOver(shop.url, 'POST', '/shops', { name })
      const id = made.body.data.shop._id
      const page = await shop.open(`/operator?search=${encodeURIComponent(name)}`, {
        viewport: { width, height: 844 },
        colorScheme,
      })
      await page.getByText('Ví sắp hết').first().waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name }).click()
      await page.getByRole('button', { name: 'Xem cửa hàng' }).click()
      const mark = page.getByText(`Bạn đang xem ${name}`)
      await mark.waitFor()
      await page.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
      await expectAccessible(page)
      const low = page.getByRole('listitem').filter({ hasText: 'Ví còn 0' }).getByRole('link')
      expect(await low.locator('b').last().innerText()).toBe('Nạp')
      expect(await low.getAttribute('href')).toBe(`/operator/shops/${id}`)
      for (const path of ['/orders', '/products', '/settings']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await mark.waitFor()
      }
      await page.goto('/products')
      await page.getByText('Chưa có sản phẩm').first().waitFor()
      // A viewer cannot create anything.
      expect(await page.getByRole('link', { name: 'Thêm sản phẩm' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Thôi xem' }).click()
      await page.waitForURL(new RegExp(`/operator/shops/${id}$`))
      await expect.poll(() => mark.count()).toBe(0)
      const log = await manageOver(shop.url, 'GET', `/shops/${id}/audit`)
      expect(log.body.data.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
        'shop.leave',
        'shop.visit',
      ])
      await page.goto('/operator?tab=audit')
      const entries = page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
      const left = entries.filter({ hasText: 'Người vận hành thôi xem' })
      await left.getByText('Nguyễn Thị Mộc').waitFor()
      expect(await left.getByTitle(shop.owner.email).count()).toBe(1)
      await entries.filter({ hasText: 'Tạo cửa hàng' }).getByText('Token vận hành').waitFor()
      await expectAccessible(page)
      await left.getByRole('link', { name }).click()
      await page.waitForURL(new RegExp(`/operator/shops/${id}$`))
    },
    90_000,
  )

  it('is asked about unsaved input before the visit begins, and then sees the shop’s home', async () => {
    const name = `Tiệm trà và bánh ngọt thủ công Phố Cổ ${randomUUID()}`
    const id = (await manageOver(shop.url, 'POST', '/shops', { name })).body.data.shop._id
    const visits = async () =>
      (await manageOver(shop.url, 'GET', `/shops/${id}/audit?action=shop.visit`)).body.data.length
    const page = await shop.open(`/operator/shops/${id}`)
    const reason = page.getByLabel('Lý do')
    await reason.fill('Chưa thanh toán')
    await page.getByLabel('Số tiền').fill('50000')
    const mark = page.getByText(`Bạn đang xem ${name}`)
    const question = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Xem cửa hàng' }).click()
    await question.getByRole('button', { name: 'Ở lại' }).click()
    await question.waitFor({ state: 'detached' })
    expect([await visits(), await mark.count(), await reason.inputValue()]).toEqual([0, 0, 'Chưa thanh toán'])

    await page.getByRole('button', { name: 'Xem cửa hàng' }).click()
    await question.getByRole('button', { name: 'Bỏ thay đổi' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
    await mark.waitFor()
    expect([await visits(), new URL(page.url()).pathname]).toEqual([1, '/'])
    expect(await page.getByText('Đã mở lại những gì bạn nhập').count()).toBe(0)
  })
})
