import { setTimeout as pause } from 'node:timers/promises'
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

it('all of the empty box of a text takes the caret', async () => {
  const page = await shop.open('/news/new')
  const text = page.getByRole('textbox', { name: 'Nội dung' })
  await text.waitFor()
  const box = (await page.locator('.mantine-RichTextEditor-Typography').boundingBox())!
  expect(box.height).toBeGreaterThan(200)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await page.keyboard.type('Gõ giữa ô')
  expect(await text.innerText()).toBe('Gõ giữa ô')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await text.innerText()).trim()).toBe('')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 4)
  await page.keyboard.type('Gõ cuối ô')
  expect(await text.innerText()).toBe('Gõ cuối ô')
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

it('what is typed while a new text is saved for the first time, or published, stays in the form and is saved by the next save', async () => {
  const page = await shop.open('/news/new')
  const title = page.getByRole('textbox', { name: 'Tiêu đề' })
  const content = page.getByRole('textbox', { name: 'Nội dung' })
  await page.route(/\/news-drafts(\/[0-9a-f]+\/publish)?$/, async (route) => {
    if (route.request().method() === 'POST') await pause(2_000)
    await route.continue()
  })
  await title.fill('Khăn lụa')
  await page.getByRole('button', { name: 'Lưu nháp' }).click()
  await title.fill('Khăn lụa Nha Xá')
  await page.waitForURL(/\/news\/new\?draft=[0-9a-f]{24}$/)
  await page.locator('.mantine-Notification-root').filter({ hasText: 'Đã lưu bản nháp' }).waitFor()
  expect(await title.inputValue()).toBe('Khăn lụa Nha Xá')
  await content.click()
  await page.keyboard.type('Dệt tay')

  await page.getByRole('button', { name: 'Đăng ngay' }).click()
  await title.fill('Khăn lụa Nha Xá mới về')
  await page.waitForURL(/\/news\/[0-9a-f]{24}$/)
  await expect.poll(() => title.inputValue()).toBe('Khăn lụa Nha Xá mới về')
  expect(await content.innerText()).toBe('Dệt tay')
  await page.getByRole('button', { name: 'Lưu', exact: true }).click()
  const id = page.url().split('/').at(-1)
  await expect
    .poll(async () => (await shop.api('GET', `/api/external/news/${id}`)).body.data)
    .toMatchObject({ title: 'Khăn lụa Nha Xá mới về', content: '<p>Dệt tay</p>', slug: 'khan-lua-nha-xa' })
})

it('what is typed while a text that is no draft yet is published stays in the form of the article', async () => {
  const page = await shop.open('/news/new')
  const title = page.getByRole('textbox', { name: 'Tiêu đề' })
  await page.route(/\/news$/, async (route) => {
    if (route.request().method() === 'POST') await pause(2_000)
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Nội dung' }).click()
  await page.keyboard.type('Thêu tay')
  await title.fill('Áo dài')
  await page.getByRole('button', { name: 'Đăng ngay' }).click()
  await title.fill('Áo dài gấm')
  await page.waitForURL(/\/news\/[0-9a-f]{24}$/)
  await expect.poll(() => title.inputValue()).toBe('Áo dài gấm')
})
