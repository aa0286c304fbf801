import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()

describe('customers', () => {
  it('adds one, found by its name without accents; what the service refuses stands at its field', async () => {
    const page = await console.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Họ tên').fill('Đặng Thị Mười')
    await form.getByLabel('Điện thoại').fill('123')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await expect.poll(() => form.getByLabel('Điện thoại').getAttribute('aria-invalid')).toBe('true')
    await form.getByText('Không phải là số điện thoại hợp lệ', { exact: true }).waitFor()
    await expect.poll(() => form.getByLabel('Họ tên').inputValue()).toBe('Đặng Thị Mười')
    await form.getByLabel('Điện thoại').fill('0912 345 678')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    const search = page.getByLabel('Tên hoặc số điện thoại')
    for (const text of ['dang muoi', '0912 345 678', '+84 912 345 678', '84912345678']) {
      const answered = page.waitForResponse(
        (response) => new URL(response.url()).searchParams.get('search') === text,
      )
      await search.fill('')
      await search.fill(text)
      await answered
      await page.getByRole('row', { name: /Đặng Thị Mười.*0912 345 678/ }).waitFor()
    }
    await expectAccessible(page)
  })

  it('G-77 records that a customer opts out, with where it was said', async () => {
    const page = await console.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Họ tên').fill('Vũ Thị Tám')
    await form.getByLabel('Điện thoại').fill('0977 000 111')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Vũ Thị Tám' }).click()
    const consent = form.getByRole('region', { name: 'Nhận tin chăm sóc và quảng cáo' })
    await consent.getByText('Chưa ghi nhận').waitFor()
    await consent.getByRole('button', { name: 'Ghi nhận từ chối' }).click()
    await expect.poll(() => consent.getByLabel('Khách nói ở đâu').getAttribute('aria-invalid')).toBe('true')
    await consent.getByLabel('Khách nói ở đâu').fill('tại quầy')
    await consent.getByRole('button', { name: 'Ghi nhận từ chối' }).click()
    await consent.getByText('Từ chối nhận').waitFor()
    await consent.getByText(/, tại quầy$/).waitFor()
    await expectAccessible(page)
  })

  it('keeps another country’s number when its customer is saved again', async () => {
    const page = await console.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Họ tên').fill('John Lê')
    await form.getByLabel('Điện thoại').fill('+1 202 555 0123')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'John Lê' }).click()
    await expect.poll(() => form.getByLabel('Điện thoại').inputValue()).toBe('+12025550123')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /John Lê.*\+12025550123/ }).waitFor()
  })

  it('offers a viewer nothing to change', async () => {
    const page = await console.open('/customers', { as: await console.invite('viewer') })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Thêm khách' }).count()).toBe(0)
  })
})
