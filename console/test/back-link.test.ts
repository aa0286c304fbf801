import { expect, it } from 'vitest'
import { addressOf } from '../screens.ts'
import { fillScreens } from './fill-screens.ts'
import { joinOtherShop } from './other-shop.ts'
import { expectAccessible, isStill, startConsole } from './support.ts'

const shop = await startConsole()
await fillScreens(shop)
const page = await shop.open('/', { viewport: { width: 320, height: 700 } })

const RECORDS = {
  '/orders/$orderId': 'Đơn hàng',
  '/products/$productId': 'Sản phẩm',
  '/products/new': 'Sản phẩm',
  '/products/import': 'Sản phẩm',
  '/customers/$customerId': 'Khách hàng',
  '/news/$newsId': 'Tin tức',
  '/news/new': 'Tin tức',
  '/templates/$id': 'Mẫu tin',
  '/templates/new': 'Mẫu tin',
  '/messages/$id': 'Gửi và lịch sử',
  '/messages/send': 'Gửi và lịch sử',
  '/messages/batches/$id': 'Gửi và lịch sử',
  '/messages/batches/new': 'Gửi và lịch sử',
  '/goods-received/$noteId': 'Nhập hàng',
  '/goods-received/new': 'Nhập hàng',
  '/stock-counts/$noteId': 'Kiểm kho',
  '/transfers/$noteId': 'Chuyển kho',
  '/shifts/$shiftId': 'Ca làm việc',
  '/operator/shops/$shopId': 'Vận hành',
}

it.each(Object.entries(RECORDS))('%s has a link back to %s, also at 320 px', async (path, list) => {
  const address = await addressOf(path, async (listPath) => {
    const headers = { 'x-api-key': `service-partner ${shop.demoKey}` }
    return (await page.request.get(listPath, listPath.startsWith('/api/external') ? { headers } : {})).text()
  })
  await page.goto(address!)
  const back = page.getByRole('main').getByRole('link', { name: list, exact: true })
  await back.waitFor()
  await isStill(page)
  expect(await back.getAttribute('href')).toBe(path.replace(/(\/shops)?\/[^/]+$/, ''))
  expect(await back.getAttribute('aria-current')).toBeNull()
  expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(320)
})

it('a list and its tabs have no link back', async () => {
  for (const path of ['/', '/orders', '/products/categories', '/messages/batches', '/messages/results']) {
    await page.goto(path)
    await page.locator('main h1').waitFor()
    expect(await page.locator('main h1').locator('../..').getByRole('link').count()).toBe(0)
  }
})

it('leads to the list’s filters and page, where the focus is at the record', async () => {
  const desk = await shop.open('/orders?search=84')
  await desk.getByRole('button', { name: /^Trang 2 / }).click()
  await desk.waitForURL(/page=2/)
  await isStill(desk)
  const list = desk.url()
  const row = desk.getByRole('main').getByRole('link', { name: /^DH/ }).nth(2)
  const code = await row.innerText()
  await row.click()
  await desk.getByRole('heading', { level: 1, name: code }).waitFor()
  await expectAccessible(desk)
  await desk.getByRole('main').getByRole('link', { name: 'Đơn hàng', exact: true }).click()
  await expect.poll(() => desk.url()).toBe(list)
  await expect.poll(() => desk.evaluate('document.activeElement.textContent')).toBe(code)
})

it('knows no filter of another shop', async () => {
  const other = await joinOtherShop(shop)
  const desk = await shop.open('/products?search=non')
  await desk.getByRole('main').getByRole('link', { name: 'Nón lá' }).first().waitFor()
  await desk.getByRole('link', { name: 'Tổng quan' }).click()
  await desk.getByRole('combobox', { name: 'Cửa hàng' }).click()
  await desk.getByRole('option', { name: other.name }).click()
  await desk.getByRole('link', { name: 'Thêm sản phẩm đầu tiên' }).click()
  const back = desk.getByRole('main').getByRole('link', { name: 'Sản phẩm', exact: true })
  await expect.poll(() => back.getAttribute('href')).toBe('/products')
})
