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
    expect(await form.getByLabel('Họ tên').inputValue()).toBe('Đặng Thị Mười')
    await form.getByLabel('Điện thoại').fill('0912 345 678')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByLabel('Tên hoặc số điện thoại').fill('dang muoi')
    await page.getByRole('cell', { name: '84912345678' }).waitFor()
    await expectAccessible(page)
  })

  it('offers a viewer nothing to change', async () => {
    const page = await console.open('/customers', { as: await console.invite('viewer') })
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('button', { name: 'Thêm khách' }).count()).toBe(0)
  })
})
