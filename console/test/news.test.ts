import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()

type Article = { _id: string; content: string; slug: string; itemIds: string[]; cta: { url: string }[] }
const found = async (words: string): Promise<Article> =>
  (await console.api('GET', `/api/external/news?page=1&limit=1&search=${encodeURIComponent(words)}`)).body
    .data.news[0]

describe('news', () => {
  it('writes an article with a product found without accents; a wrong link is reported at its field, what was typed is kept', async () => {
    const page = await console.open('/news')
    await page.getByRole('table').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Viết bài' }).click()
    // Until the page is loaded, the list's search box has that name too.
    await page.getByRole('heading', { name: 'Viết bài' }).waitFor()
    await page.getByRole('textbox', { name: 'Tiêu đề' }).fill('Đón Tết ở Nhà Mộc')
    const editor = page.getByRole('textbox', { name: 'Nội dung' })
    await editor.click()
    await page.getByRole('button', { name: 'Đậm', exact: true }).click()
    await page.keyboard.type('Mở cửa đến 28 tháng Chạp')
    const search = page.getByRole('combobox', { name: 'Tìm sản phẩm để gắn' })
    await search.fill('ao dai lua')
    await page.getByRole('option', { name: 'Áo dài lụa Vạn Phúc' }).click()
    await page.getByRole('button', { name: 'Thêm nút' }).click()
    await page.getByRole('textbox', { name: 'Chữ trên nút 1' }).fill('Xem ngay')
    await page.getByLabel('Liên kết của nút 1').fill('https://elsewhere.example/s/1')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Đăng ngay' }).click()
    const link = page.getByLabel('Liên kết của nút 1')
    await expect.poll(() => link.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => editor.innerText()).toContain('Mở cửa đến 28 tháng Chạp')
    await link.fill('https://chatapp.example/s/1/tet')
    await page.getByRole('button', { name: 'Đăng ngay' }).click()
    await page.waitForURL(/\/news\/[0-9a-f]{24}$/)
    const article = await found('don tet o nha moc')
    expect(article).toMatchObject({
      content: '<p><strong>Mở cửa đến 28 tháng Chạp</strong></p>',
      slug: 'don-tet-o-nha-moc',
      cta: [{ url: 'https://chatapp.example/s/1/tet' }],
    })
    expect(article.itemIds).toHaveLength(1)

    await page.getByRole('button', { name: 'Bỏ Áo dài lụa Vạn Phúc' }).click()
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await expect.poll(async () => (await found('don tet o nha moc')).itemIds).toEqual([])
  })

  it('takes images by upload, in the text too, and shows before saving how the article will look', async () => {
    const page = await console.open('/news/new')
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#3c9' } })
      .png()
      .toBuffer()
    const file = (name: string) => ({ name, mimeType: 'image/png', buffer: png })
    await page.getByRole('textbox', { name: 'Tiêu đề' }).fill('Ảnh mới về')
    await page.locator('input[type="file"][aria-label^="Kéo ảnh"]').setInputFiles(file('bia.png'))
    await page.getByRole('img', { name: 'Ảnh 1' }).waitFor()
    const editor = page.getByRole('textbox', { name: 'Nội dung' })
    await editor.click()
    await page.keyboard.type('Xem hình')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Chèn hình' }).click(),
    ])
    await chooser.setFiles(file('trong-bai.png'))
    await editor.locator('img[src*="/images/"]').waitFor()
    await page.getByLabel('Mô tả cho công cụ tìm kiếm').fill('Hình mới của Nhà Mộc')
    const seo = page.getByRole('region', { name: 'Kết quả tìm kiếm sẽ hiện' })
    await seo.getByText('Ảnh mới về').waitFor()
    await seo.getByText('Hình mới của Nhà Mộc').waitFor()
    await page.getByRole('button', { name: 'Xem trước' }).click()
    const shown = page.frameLocator('iframe[title="Bài viết trong mini-app"]')
    await shown.getByRole('heading', { name: 'Ảnh mới về' }).waitFor()
    await shown.getByText('Xem hình').waitFor()
    await expect.poll(() => shown.locator('img[src*="/images/"]').count()).toBe(2)
    await page.keyboard.press('Escape')
    // Checked after the preview was closed: axe would wait for scripts in a frame that runs none.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Đăng ngay' }).click()
    await page.waitForURL(/\/news\/[0-9a-f]{24}$/)
    expect((await found('anh moi ve')).content).toMatch(
      /^<p>Xem hình<\/p><img src="https?:[^"]+\/images\/[^"]+\.png" alt="">/,
    )
  })

  it('shows the slug that saving stores, warns about a long description, and shows the card of a shared link', async () => {
    const page = await console.open('/news/new')
    const title = page.getByRole('textbox', { name: 'Tiêu đề' })
    const seo = page.getByRole('region', { name: 'Kết quả tìm kiếm sẽ hiện' })
    await title.fill('Mừng Khai Trương & 2 ☕')
    await seo.getByText('… › mung-khai-truong-2', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Đường dẫn' }).fill('Khai Trương & 2 ☕')
    await seo.getByText('… › khai-truong-2', { exact: true }).waitFor()
    const description = page.getByLabel('Mô tả cho công cụ tìm kiếm')
    await description.fill('Mời bạn đến chơi. '.repeat(15))
    await seo.getByText('Mô tả dài hơn 160 ký tự thường bị cắt').waitFor()
    await description.fill('Mời bạn đến chơi')
    await seo.getByText('Mô tả dài hơn 160 ký tự thường bị cắt').waitFor({ state: 'detached' })

    const card = page.getByRole('region', { name: 'Khi chia sẻ đường dẫn trong ứng dụng chat' })
    await card.getByText('Mừng Khai Trương & 2 ☕').waitFor()
    await card.getByText('Mời bạn đến chơi').waitFor()
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#3c9' } })
      .png()
      .toBuffer()
    await page
      .locator('input[type="file"][aria-label^="Kéo ảnh"]')
      .setInputFiles({ name: 'bia.png', mimeType: 'image/png', buffer: png })
    await card.locator('img[src*="/images/"]').waitFor()
    await expectAccessible(page)

    await page.getByRole('textbox', { name: 'Nội dung' }).click()
    await page.keyboard.type('Mở cửa')
    await page.getByRole('button', { name: 'Đăng ngay' }).click()
    await page.waitForURL(/\/news\/[0-9a-f]{24}$/)
    expect((await found('mung khai truong')).slug).toBe('khai-truong-2')
    // A stored slug stays if the field is emptied.
    await page.getByRole('textbox', { name: 'Đường dẫn' }).fill('')
    await seo.getByText('… › khai-truong-2', { exact: true }).waitFor()
  })

  it('shows scripts in title and content as text, runs nothing, and keeps what it does not show', async () => {
    const attack = 'window.attacked = true'
    const content = `<p onclick="${attack}">Chào</p><img src="/none" onerror="${attack}"><script>${attack}</script><p><a href="javascript:${attack}">bấm</a></p><svg onload="${attack}"></svg>`
    const title = `<img src="/none" onerror="${attack}"> tin lạ`
    const body = { title, content, metaDescription: `"><script>${attack}</script>` }
    expect((await console.api('POST', '/api/external/news', body)).status).toBe(201)
    // Without the content security policy, to show that it is not what stops the attack.
    const page = await console.open('/news', { bypassCSP: true })
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Nội dung' }).inputValue()).toBe(content)
    await page.getByText('Soạn thảo', { exact: true }).click()
    const editor = page.locator('.ProseMirror')
    await editor.getByText('Chào').click()
    expect(
      await editor.locator('img:not(.ProseMirror-separator), script, svg, [onclick], [onerror]').count(),
    ).toBe(0)
    expect(await editor.innerHTML()).not.toContain('javascript:')
    await page.getByRole('button', { name: 'Xem trước' }).click()
    await page.frameLocator('iframe[sandbox=""]').getByText('Chào').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    await page.getByRole('textbox', { name: 'Tiêu đề' }).fill('Tin lạ đã đổi tên')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await expect.poll(async () => (await found('da doi ten'))?.content).toBe(content)
  })

  it('offers a viewer nothing to change, and the text of an article to read', async () => {
    const page = await console.open('/news', { as: await console.invite('viewer') })
    await page.getByRole('link', { name: 'Mùa sen Tây Hồ đã về' }).click()
    await page.getByRole('textbox', { name: 'Nội dung' }).waitFor()
    for (const name of ['Lưu', 'Xóa', 'Thêm nút', 'Chèn hình'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await expect.poll(() => page.getByRole('textbox', { name: 'Tiêu đề' }).isDisabled()).toBe(true)
    expect(await page.locator('.ProseMirror').getAttribute('contenteditable')).toBe('false')
  })
})
