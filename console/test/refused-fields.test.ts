import { describe, expect, it } from 'vitest'
import { openShift, openShiftDialog } from './counter.ts'
import { expectAccessible, expectFocus, startConsole } from './support.ts'

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
    await openShift(page, 500_000)
    const panel = await openShiftDialog(page)
    await panel.getByLabel('Số tiền').fill('50000')
    await panel.getByRole('button', { name: 'Chi ra' }).click()
    await panel.getByText('Hãy ghi lý do.').waitFor()
    await expectFocus(page, 'Lý do')
  })

  it('an address that is none is not added to the images of an article or a product: its field says why', async () => {
    for (const path of ['/news/new', '/products/new']) {
      const page = await shop.open(path)
      const address = page.getByLabel('Địa chỉ ảnh')
      await address.fill('abc')
      await page.getByRole('button', { name: 'Thêm địa chỉ' }).click()
      await page.getByText('Hãy nhập địa chỉ của ảnh, bắt đầu bằng https://.').waitFor()
      await expectAccessible(page)
      expect(await address.getAttribute('aria-invalid')).toBe('true')
      expect(await page.getByRole('img', { name: 'Ảnh 1' }).count()).toBe(0)
      await address.fill('https://nhamoc.example/a.jpg')
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: 'Ảnh 1' }).waitFor()
    }
  })

  it('a file that is no image is refused by its name, whether its type or only its content is wrong', async () => {
    const page = await shop.open('/products/new')
    const files = page.locator('input[type="file"][aria-label^="Kéo ảnh"]')
    await files.setInputFiles({ name: 'gia.png', mimeType: 'image/png', buffer: Buffer.from('giá sỉ') })
    await page.getByText('“gia.png” không phải là ảnh PNG, JPEG hoặc WebP.').waitFor()
    await page.goto(`${shop.url}/templates/new`)
    const file = { name: 'gia.txt', mimeType: 'text/plain', buffer: Buffer.from('giá sỉ') }
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Tải ảnh lên: Logo cho nền sáng' }).click(),
    ])
    await chooser.setFiles(file)
    await page.getByText('“gia.txt” không phải là ảnh PNG, JPEG hoặc WebP.').waitFor()
  })

  it.each([1440, 390])(
    'of a product, also in its lists, between the header and the bar, at %i px',
    async (width) => {
      const products = '/api/external/v1/products'
      const [code, barcode] = [`TRUNG-${width}`, `8930000${width}`]
      await shop.api('POST', products, { name: 'Áo trùng mã', price: 1000, itemSku: code, barcode })
      const options = ['M', 'L'].map((value) => ({ id: value, value }))
      const skus = options.map(({ id }) => ({ name: id, price: 1000, variantOptionIds: [id] }))
      const shirt = { name: 'Áo hai cỡ', price: 1000, variants: [{ id: 'size', name: 'Cỡ', options }], skus }
      const { _id } = (await shop.api('POST', products, shirt)).body.data
      const page = await shop.open(`/products/${_id}`, { viewport: { width, height: 844 } })
      const isSeen = () =>
        page.evaluate(`(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect()
        const bar = document.querySelector('[data-form-actions]').getBoundingClientRect()
        const header = document.querySelector('header').getBoundingClientRect()
        return top > header.bottom && bottom < bar.top
      })()`)
      const isRefusedAt = async (label: string) => {
        await page.getByRole('button', { name: 'Lưu', exact: true }).click()
        await expectFocus(page, label)
        await expect.poll(isSeen).toBe(true)
      }
      const own = page.getByLabel('Mã sản phẩm', { exact: true })
      await own.fill(code)
      await isRefusedAt('Mã sản phẩm')
      await expectAccessible(page)
      await own.fill('')
      const large = page.getByLabel('Mã vạch L', { exact: true })
      await large.fill(barcode)
      await isRefusedAt('Mã vạch L')
      await large.fill('')
      const words = page.getByRole('textbox', { name: 'Các lựa chọn' })
      await words.fill('x'.repeat(501))
      await page.keyboard.press('Enter')
      await isRefusedAt('Các lựa chọn')
      await words.focus()
      await page.keyboard.press('Backspace')
      await page.getByLabel('Địa chỉ ảnh').fill(`https://nhamoc.example/${'x'.repeat(2000)}`)
      await page.keyboard.press('Enter')
      await isRefusedAt('Địa chỉ ảnh')
      await page.getByRole('button', { name: 'Bỏ ảnh 1' }).click()
      await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0)
      await page.getByRole('button', { name: 'Thêm nhóm món' }).click()
      await page.getByLabel('Tên nhóm món').fill('Gói quà')
      await page.getByRole('button', { name: 'Bỏ món' }).click()
      await isRefusedAt('BUTTON')
      expect(await page.locator(':focus').innerText()).toBe('Thêm món')
      await expectAccessible(page)
      await page.getByLabel('Tên sản phẩm').fill('')
      await isRefusedAt('Tên sản phẩm')
    },
  )
})
