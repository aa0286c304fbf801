import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { answer, expectAccessible, startConsole } from './support.ts'

const DIST = join(import.meta.dirname, '../dist')
const MOST_BYTES = 200_000
const PRODUCTS = '/api/external/v1/products'
const DESCRIPTION = `<h2>Gốm mộc</h2><p>Nung ở <strong>1.200 độ</strong>, tráng men tro.</p><ul><li><p>Rửa được bằng máy</p></li>
  <li><p>Dùng trong lò vi sóng</p></li></ul><blockquote><p>Mỗi chiếc một khác.</p></blockquote><h3>Cỡ</h3><p>9 cm</p><p></p><p>Hết.</p>`

describe('the scripts of a screen', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  const frame = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
  const screens = JSON.parse(readFileSync(join(DIST, 'screens.json'), 'utf8')) as {
    path: string
    scripts: string[]
  }[]

  it.each(screens)('$path: at most 200 KB, compressed', ({ scripts }) => {
    const bytes = [...frame, ...scripts].reduce(
      (sum, path) => sum + statSync(join(DIST, `${path}.br`)).size,
      0,
    )
    expect(bytes).toBeLessThan(MOST_BYTES)
  })
})

describe('a text that becomes an editor once there is time for it', async () => {
  const shop = await startConsole()
  const { body } = await shop.api('POST', PRODUCTS, {
    name: 'Chén gốm mộc',
    price: 90_000,
    description: DESCRIPTION,
    images: ['1', '2', '3'].map((name) => `https://shop.example.com/${name}.png`),
  })
  const { _id: id, shopId } = body.data
  const topOf = async (page: Page) => (await page.getByRole('switch', { name: 'Đang bán' }).boundingBox())!.y
  const saved = async () => (await shop.api('GET', `${PRODUCTS}/${id}`)).body.data
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText('Đã lưu', { exact: false }).first().waitFor()
  }

  it('a page whose scripts do not come says so after a while, and can be loaded again', async () => {
    const page = await shop.open('/')
    const find = await answer(page, '**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    await page.goto(`${shop.url}/orders`)
    const note = page.getByText('Trang chưa tải được.')
    expect(await note.isVisible()).toBe(false)
    await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())')
    expect(await note.isVisible()).toBe(true)
    find()
    await page.getByRole('link', { name: 'Tải lại' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await note.count()).toBe(0)
  })

  it.each([1440, 390])('moves nothing below it when the editor comes, %i px', async (width) => {
    const page = await shop.open('/', { viewport: { width, height: 900 } })
    const { promise: isMeasured, resolve: letEditorCome } = Promise.withResolvers<void>()
    await page.route(/\/assets\/rich-text-.*\.js/, async (route) => {
      await isMeasured
      await route.continue()
    })
    await page.goto(`${shop.url}/products/${id}`)
    await page.getByRole('button', { name: 'Soạn văn bản' }).waitFor()
    await page.getByRole('heading', { name: 'Gốm mộc', exact: true }).waitFor()
    await expectAccessible(page)
    const before = await topOf(page)
    expect(await page.locator('.ProseMirror').count()).toBe(0)
    letEditorCome()
    await page.locator('.ProseMirror').waitFor()
    expect(Math.abs((await topOf(page)) - before)).toBeLessThanOrEqual(1)
  })

  it('is edited where it was clicked, and where the keyboard went to it', async () => {
    const page = await shop.open(`/products/${id}`)
    const text = page.getByText('Hết.', { exact: true })
    await text.waitFor()
    const { x, y, width, height } = (await text.boundingBox())!
    await page.mouse.click(x + Math.min(width, 40), y + height / 2)
    await page.locator('.ProseMirror-focused').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type(' Mời xem.')
    await save(page)
    expect((await saved()).description).toContain('<p>Hết. Mời xem.</p>')
    await page.reload()
    await page.getByRole('button', { name: 'Soạn văn bản' }).focus()
    await page.locator('.ProseMirror-focused').waitFor()
    await page.keyboard.type(' Nhé.')
    await save(page)
    expect((await saved()).description).toContain('<p>Hết. Mời xem. Nhé.</p>')
  })

  it('orders images by the pointer; Escape puts one back', async () => {
    const page = await shop.open(`/products/${id}`)
    const images = ['1', '2', '3'].map((name) => `https://shop.example.com/${name}.png`)
    await shop.api('PATCH', `${PRODUCTS}/${id}`, { shopId, images })
    await page.reload()
    const drag = async (isEscaped: boolean) => {
      const grip = page.getByRole('button', { name: 'Đổi chỗ ảnh 3' })
      await grip.hover()
      const to = (await page.getByRole('img', { name: 'Ảnh 1' }).boundingBox())!
      await page.mouse.down()
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 })
      if (isEscaped) await page.keyboard.press('Escape')
      await page.mouse.up()
    }
    const order = () =>
      page
        .getByRole('img', { name: /^Ảnh \d/ })
        .evaluateAll((all) => all.map((image) => image.getAttribute('src')))
    await drag(true)
    expect(await order()).toEqual(images)
    await drag(false)
    await expect.poll(order).toEqual([images[2], images[0], images[1]])
    await save(page)
    expect((await saved()).images).toEqual([images[2], images[0], images[1]])
  })
})
