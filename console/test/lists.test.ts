import { describe, expect, it } from 'vitest'
import { startConsole } from './support.ts'

const shop = await startConsole()

describe('the address of a list', () => {
  it('holds nothing of one tab in another: neither its search nor its page', async () => {
    const page = await shop.open('/operator')
    await page.getByLabel('Tìm theo tên').fill('moc')
    await page.waitForURL(/search=moc/)
    await page.getByRole('tab', { name: 'Nhật ký' }).click()
    await page.getByRole('combobox').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=audit')
    await page.goto('/operator?tab=audit&page=3')
    const asked = page.waitForRequest(/manage\/v1\/shops\?/)
    await page.getByRole('tab', { name: 'Cửa hàng' }).click()
    expect(new URL((await asked).url()).searchParams.get('page')).toBe('1')
    await expect.poll(() => page.getByLabel('Tìm theo tên').inputValue()).toBe('')
  })

  it('keeps the tab when a filter of it changes, and the search while the page is turned', async () => {
    const page = await shop.open('/operator?tab=audit')
    await page.getByRole('combobox').click()
    await page.getByRole('option').nth(1).click()
    await page.waitForURL(/action=/)
    expect(new URL(page.url()).searchParams.get('tab')).toBe('audit')
    await page.goto('/orders?search=84')
    await page.getByRole('button', { name: /^Trang 2 / }).click()
    await page.waitForURL(/page=2/)
    expect(new URL(page.url()).searchParams.get('search')).toContain('84')
  })

  it('is where each number of the home leads, for the day that it counts', async () => {
    const page = await shop.open('/?days=7')
    await page.getByRole('heading', { name: 'Doanh thu 7 ngày' }).waitFor()
    await page.getByText('90 ngày', { exact: true }).click()
    await page.getByRole('heading', { name: 'Doanh thu 90 ngày' }).waitFor()
    expect(new URL(page.url()).search).toBe('?days=90')
    await page.getByRole('link', { name: /^Đơn hàng hôm nay/ }).click()
    await page.waitForURL(/\/orders\?from=(\d{4}-\d\d-\d\d)&to=\1$/)
    await page.getByRole('row').nth(1).waitFor()
  })

  it('empties the search box when the search leaves the address', async () => {
    const page = await shop.open('/products?search=ao')
    const box = page.getByLabel('Tên (không cần dấu), mã hoặc mã vạch')
    await expect.poll(() => box.inputValue()).toBe('ao')
    await page.getByRole('link', { name: 'Sản phẩm', exact: true }).first().click()
    await expect.poll(() => box.inputValue()).toBe('')
  })

  it('shows as many rows as are asked for, with a line between them', async () => {
    const page = await shop.open('/orders')
    await page.getByLabel('Số dòng mỗi trang').selectOption('100')
    await expect.poll(() => page.getByRole('row').count()).toBe(101)
    expect(page.url()).toContain('size=100')
    const line = `getComputedStyle(document.querySelector('tbody tr')).borderBottom`
    expect(await page.evaluate(line)).toMatch(/^1px solid rgb/)
  })
})
