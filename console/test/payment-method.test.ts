import { expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const ORDERS = '/api/external/v1/orders'

it.each([
  [
    'vi-VN',
    1440,
    'Hoàn tiền',
    'Hình thức thanh toán',
    'Chuyển khoản',
    'Lưu',
    'Tiền mặt',
    'Tiền đã thu bằng Tiền mặt được ghi lại là Chuyển khoản',
  ],
  [
    'en-GB',
    390,
    'Refund',
    'Payment method',
    'Transfer',
    'Save',
    'Cash',
    'What was paid by Cash is recorded as Transfer',
  ],
])(
  'a paid order’s method is corrected: the form says where the money goes, and the timeline who did it, in %s at %i px',
  async (locale, width, refund, label, transfer, save, cash, consequence) => {
    const made = await shop.api('POST', '/api/external/v1/products', { name: 'Bình vôi', price: 60_000 })
    const sku = (await shop.api('GET', `/api/external/v1/products/${made.body.data._id}`)).body.data.skus[0]
      ._id
    const body = { orderItems: [{ id: sku, quantity: 1 }], isPaid: true, paymentMethod: 'cash' }
    const order = (await shop.api('POST', '/api/external/order/pos/create', body)).body.data
    const page = await shop.open(`/orders/${order._id}`, { locale, viewport: { width, height: 844 } })
    await page.getByRole('button', { name: refund, exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: transfer, exact: true }).click()
    await form.getByText(consequence, { exact: false }).waitFor()
    await expectAccessible(page)
    await form.getByRole('button', { name: save, exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText(`${cash} → ${transfer}`).waitFor()
    expect(await page.getByText(`${cash}, ${transfer}`, { exact: true }).count()).toBe(0)
    const { data } = (await shop.api('GET', `${ORDERS}/${order._id}`)).body
    expect(data.paymentMethod).toBe('transfer')
    expect(data.gatewayPayments).toMatchObject([
      { amount: 60_000, method: 'cash' },
      { amount: -60_000, method: 'cash' },
      { amount: 60_000, method: 'transfer' },
    ])
  },
)
