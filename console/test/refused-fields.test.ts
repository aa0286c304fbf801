import { describe, it } from 'vitest'
import { expectFocus, startConsole } from './support.ts'

const shop = await startConsole()

describe('a refused form leads to its field', () => {
  it('that the service names', async () => {
    const page = await shop.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog', { name: 'Thêm khách' })
    await form.getByLabel('Họ tên').fill('Lê Thị Sen')
    await form.getByLabel('Điện thoại').fill('12')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.getByRole('alert').waitFor()
    await expectFocus(page, 'Điện thoại')
  })

  it('that the form itself checks', async () => {
    const page = await shop.open('/pos', { as: await shop.invite('staff') })
    await page.getByRole('button', { name: 'Ca làm việc' }).click()
    const panel = page.getByRole('dialog', { name: 'Ca làm việc' })
    await panel.getByLabel('Tiền đầu ca').fill('500000')
    await panel.getByRole('button', { name: 'Mở ca' }).click()
    await panel.getByLabel('Số tiền').fill('50000')
    await panel.getByRole('button', { name: 'Thu, chi tiền mặt' }).click()
    await panel.getByText('Hãy ghi lý do.').waitFor()
    await expectFocus(page, 'Lý do')
  })
})
