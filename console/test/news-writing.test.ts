import { expect, it } from 'vitest'
import { startConsole } from './support.ts'

const shop = await startConsole()

it('a draft that was kept no longer shows why it could not be published', async () => {
  const page = await shop.open('/news/new')
  await page.getByRole('textbox', { name: 'Tiêu đề' }).fill('Nón lá')
  await page.getByRole('textbox', { name: 'Nội dung' }).click()
  await page.keyboard.type('Nón lá mới về')
  await page.getByRole('button', { name: 'Thêm nút' }).click()
  await page.getByRole('textbox', { name: 'Chữ trên nút 1' }).fill('Xem')
  await page.getByLabel('Liên kết của nút 1').fill('https://elsewhere.example/s/1')
  await page.getByRole('button', { name: 'Đăng ngay' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Không thực hiện được' })
  await refusal.waitFor()
  await page.getByRole('button', { name: 'Lưu nháp' }).click()
  await page.locator('.mantine-Notification-root').filter({ hasText: 'Đã lưu bản nháp' }).waitFor()
  expect(await refusal.count()).toBe(0)
})

it('previews put a space between paragraphs', async () => {
  const page = await shop.open('/news/new')
  await page.getByRole('textbox', { name: 'Tiêu đề' }).fill('Bàn trà')
  await page.getByRole('textbox', { name: 'Nội dung' }).click()
  await page.keyboard.type('Đầu bài viết\nDòng 1')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('Dòng 2')
  await expect
    .poll(() => page.getByRole('region', { name: 'Kết quả tìm kiếm sẽ hiện' }).innerText())
    .toContain('Đầu bài viết Dòng 1 Dòng 2')
})

it.each([
  [1440, 0],
  [390, 52],
])('the editor’s toolbar stays at the top of the page, at %i px', async (width, top) => {
  const page = await shop.open('/news/new', { viewport: { width, height: 844 } })
  await page.getByRole('textbox', { name: 'Nội dung' }).click()
  await page.keyboard.type('Dòng\n'.repeat(60))
  const toolbar = page.locator('.mantine-RichTextEditor-toolbar')
  await expect.poll(async () => Math.round((await toolbar.boundingBox())!.y)).toBe(top)
})
