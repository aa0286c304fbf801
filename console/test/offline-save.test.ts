import { expect, it } from 'vitest'
import { isReady, scan, typed } from './counter.ts'
import { answer, expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const OFFLINE = 'Không kết nối được máy chủ.'

it('a note that is booked without a network says so, and is not booked later once it was discarded', async () => {
  const barcode = `893${String(Math.random()).slice(2, 12)}`
  const made = { name: 'Trống đồng', price: 20_000, barcode }
  const { id } = (await shop.api('POST', '/api/external/v1/products', made)).body.data
  const page = await shop.open('/goods-received', { as: await shop.invite('staff') })
  await page.getByRole('link', { name: 'Nhập hàng mới' }).click()
  await isReady(page)
  await scan(page, barcode)
  await page.getByText('Chưa có giá nhập: giá vốn không đổi').waitFor()
  // The question’s files are fetched some seconds after the page, or when it is first asked.
  const leave = page.getByRole('main').getByRole('link', { name: 'Nhập hàng', exact: true })
  await leave.click()
  await page.getByRole('button', { name: 'Ở lại' }).click()

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Nhập vào kho' }).click()
  await page.getByRole('alert').filter({ hasText: OFFLINE }).waitFor()
  await expectAccessible(page)
  await leave.click()
  await page.getByRole('button', { name: 'Bỏ thay đổi' }).click()
  await page.getByRole('heading', { level: 1, name: 'Nhập hàng', exact: true }).waitFor()

  const listed = page.waitForResponse((one) => one.url().includes('/inventory/entries'))
  await page.context().setOffline(false)
  await listed
  await page.getByText('Máy chủ chưa trả lời', { exact: false }).waitFor({ state: 'detached' })
  const { body } = await shop.api('GET', `/api/external/v1/products/${id}`)
  expect(body.data.skus[0].stock_quantity).toBe(0)
})

it('a part of the counter that is gone since an update is not called a lost connection', async () => {
  const page = await shop.open('/pos')
  await isReady(page)
  const end = await answer(page, '**/assets/new-customer-*.js', (route) => route.fulfill({ status: 404 }))
  await page.keyboard.press('F4')
  // At full speed it would be taken for a scan.
  await typed(page, '0912000999')
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert').filter({ hasText: 'Trang đã có bản mới' })
  await alert.waitFor()
  end()
  await alert.getByRole('button', { name: 'Tải lại' }).click()
  await isReady(page)
})

it('a list that is opened without a network says so', async () => {
  const page = await shop.open('/customers')
  await page.getByRole('table').waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Tên hoặc số điện thoại').fill('không mạng')
  await page.getByRole('alert').filter({ hasText: OFFLINE }).waitFor()
})
