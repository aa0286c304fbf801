import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hold } from './counter.ts'
import { expectAccessible, expectFocus, loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()
const PRODUCTS = '/api/external/v1/products'
const WIDTHS = [1440, 390]

const readProduct = async (id: string) =>
  (await shop.api('GET', `${PRODUCTS}/${id}?select=skus,variants,wholesalePrices,subItemsGroups,skuImages`))
    .body.data

/** A product in two colours and two sizes. */
async function makeShirt(name: string): Promise<string> {
  const options = (...words: string[]) => words.map((value) => ({ id: value, value }))
  const body = {
    name,
    price: 100_000,
    variants: [
      { id: 'colour', name: 'Màu', options: options('Đỏ', 'Xanh') },
      { id: 'size', name: 'Cỡ', options: options('M', 'L') },
    ],
    skus: ['Đỏ', 'Xanh'].flatMap((colour) =>
      ['M', 'L'].map((size) => ({
        name: `${colour} / ${size}`,
        price: 100_000,
        variantOptionIds: [colour, size],
      })),
    ),
  }
  return (await shop.api('POST', PRODUCTS, body)).body.data._id
}

describe('one save for all of a product', () => {
  it('leaves the focus on its button, and does not take it from a person who goes on during the save', async () => {
    const id = await makeShirt('Áo lưu bằng bàn phím')
    const page = await shop.open(`/products/${id}`)
    const save = page.getByRole('button', { name: 'Lưu', exact: true })
    const name = page.getByLabel('Tên sản phẩm')
    for (const [text, next, place] of [
      ['Áo lưu lần một', undefined, save.and(page.locator(':focus'))],
      ['Áo lưu lần hai', name, name.and(page.locator(':focus'))],
    ] as const) {
      await name.fill(text)
      await save.focus()
      await page.keyboard.press('Enter')
      await next?.click()
      await expect.poll(async () => (await readProduct(id)).name).toBe(text)
      await expect.poll(() => save.isEnabled()).toBe(true)
      await place.waitFor()
    }
  })

  it.each(WIDTHS)(
    'says what is saved and what not, keeps the rest over a reload, and doubles nothing, at %i px',
    async (width) => {
      const id = await makeShirt(`Áo lưu một lần ${width}`)
      const taken = `893000000${width}`
      await shop.api('POST', PRODUCTS, { name: `Áo trùng mã ${width}`, price: 1000, barcode: taken })
      const page = await shop.open(`/products/${id}`, { viewport: { width, height: 844 } })
      await page.getByLabel('Tên sản phẩm').fill(`Áo đã đổi tên ${width}`)
      await page.getByLabel('Mã vạch Đỏ / M').fill(taken)
      await page.getByRole('button', { name: 'Thêm nhóm món' }).click()
      await page.getByLabel('Tên nhóm món').fill('Gói quà')
      await page.getByLabel('Tên món').fill('Hộp giấy')
      await page.getByText('Chưa lưu: Thông tin chung, Phiên bản, Món thêm').waitFor()
      const save = page.getByRole('button', { name: 'Lưu', exact: true })
      await save.click()
      const problem = page.getByRole('alert')
      await problem.getByText('Đã lưu: Thông tin chung.').waitFor()
      await problem.getByText('Chưa lưu: Phiên bản, Món thêm.').waitFor()
      await expectAccessible(page)
      expect(await readProduct(id)).toMatchObject({ name: `Áo đã đổi tên ${width}`, subItemsGroups: [] })

      await page.reload()
      await expect.poll(() => page.getByLabel('Mã vạch Đỏ / M').inputValue()).toBe(taken)
      await page.getByText('Chưa lưu: Phiên bản, Món thêm').waitFor()
      const { __v: version } = await readProduct(id)
      await page.getByLabel('Mã vạch Đỏ / M').fill('')
      await page.getByLabel('Mã Đỏ / M').fill(`DM-${width}`)
      await save.click()
      await page.getByText(/^Chưa lưu: /).waitFor({ state: 'detached' })
      const saved = await readProduct(id)
      // One change for each part that was not saved before, and none for the part that was.
      expect(saved.__v).toBe(version + 2)
      expect(saved.skus[0].sku).toBe(`DM-${width}`)
      expect(saved.subItemsGroups).toHaveLength(1)
    },
  )

  it.each([
    ['vi-VN', 1440, 'Mã vạch Xanh / L', 'Mã vạch của Xanh / L trùng với Đỏ / M'],
    ['vi-VN', 390, 'Mã vạch Xanh / L', 'Mã vạch của Xanh / L trùng với Đỏ / M'],
    ['en-GB', 1440, 'Barcode of Xanh / L', 'Barcode of Xanh / L: the same as of Đỏ / M'],
  ])(
    'calls variants by their options where two have one code, in %s at %i px',
    async (locale, width, label, sentence) => {
      const viewport = { width, height: 844 }
      const page = await shop.open(`/products/${await makeShirt('Áo hai mã giống')}`, { locale, viewport })
      const field = page.getByLabel(label, { exact: true })
      const other = page.getByLabel(label.replace('Xanh / L', 'Đỏ / M'), { exact: true })
      await other.fill('8930000000048')
      await field.fill('8930000000048')
      await page.getByRole('button', { name: locale === 'vi-VN' ? 'Lưu' : 'Save', exact: true }).click()
      await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor()
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    },
  )

  it('takes a product out of its category, and its compare-at price away', async () => {
    const category = { name: 'Đồ thử lưu' }
    const categoryId = (await shop.api('POST', '/api/external/v1/categories', category)).body.data._id
    const body = { name: 'Áo hết giảm giá', price: 100_000, originPrice: 150_000, categoryId }
    const id = (await shop.api('POST', PRODUCTS, body)).body.data._id
    const page = await shop.open(`/products/${id}`)
    const picker = page.getByRole('combobox', { name: 'Danh mục' })
    await expect.poll(() => picker.inputValue()).toBe('Đồ thử lưu')
    await page.getByRole('textbox', { name: 'Giá so sánh' }).fill('')
    await picker.click()
    await page.getByRole('option', { name: 'Không có danh mục' }).click()
    await expect.poll(() => picker.inputValue()).toBe('')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText(/^Chưa lưu: /).waitFor({ state: 'detached' })
    expect(await readProduct(id)).toMatchObject({ categoryId: null, originPrice: null })
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Giá bán' }).inputValue()).not.toBe('')
    expect(await page.getByText(/^Chưa lưu: /).count()).toBe(0)
  })

  it('makes a new product with its variants, their wholesale prices and extras, once, though the answer was lost', async () => {
    const page = await shop.open('/products/new')
    await page.getByLabel('Tên sản phẩm').fill('Trà sen tạo một lần')
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('80000')
    await page.getByRole('button', { name: 'Thêm nhóm lựa chọn' }).click()
    await page.getByLabel('Nhóm', { exact: true }).fill('Gói')
    for (const word of ['100 g', '200 g']) {
      await page.getByRole('textbox', { name: 'Các lựa chọn' }).fill(word)
      await page.keyboard.press('Enter')
    }
    await page.getByLabel('Giá 200 g').fill('150000')
    await page.getByRole('button', { name: 'Thêm mức giá' }).click()
    await page.getByRole('combobox', { name: 'Phiên bản' }).click()
    await page.getByRole('option', { name: '200 g' }).click()
    await page.getByLabel('Giá mỗi chiếc').fill('140000')
    const found = await loseAnswers(page, `**${PRODUCTS}`)
    await page.getByRole('button', { name: 'Tạo', exact: true }).click()
    await page.getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false }).waitFor()
    await found()
    await page.getByRole('button', { name: 'Tạo', exact: true }).click()
    await page.waitForURL(/\/products\/[0-9a-f]{24}$/)
    const { products, meta } = (await shop.api('GET', `${PRODUCTS}?search=tra+sen+tao+mot+lan`)).body.data
    expect(meta.total).toBe(1)
    const made = await readProduct(products[0]._id)
    expect(made.skus.map(({ price }: { price: number }) => price)).toEqual([80_000, 150_000])
    expect(made.wholesalePrices).toMatchObject([{ skuId: made.skus[1]._id, price: 140_000 }])
  })
})

describe('a barcode that is made', () => {
  const request = '**/products/free-barcodes*'

  it('does not replace one that was scanned or typed meanwhile', async () => {
    const page = await shop.open('/products/new')
    const goOn = await hold(page, request)
    await page.getByRole('button', { name: 'Sinh mã vạch' }).click()
    const field = page.getByLabel('Mã vạch', { exact: true })
    await field.fill('8930000000994')
    const came = page.waitForResponse(request)
    goOn()
    await came
    await page.waitForTimeout(300)
    expect(await field.inputValue()).toBe('8930000000994')
  })

  it('nor that of a variant', async () => {
    const page = await shop.open(`/products/${await makeShirt('Áo quét mã')}`)
    const goOn = await hold(page, request)
    await page.getByRole('button', { name: 'Sinh mã vạch còn thiếu' }).click()
    await page.getByLabel('Mã vạch Đỏ / L').fill('8930000000987')
    goOn()
    await expect.poll(() => page.getByLabel('Mã vạch Xanh / L').inputValue()).toMatch(/^200\d{10}$/)
    expect(await page.getByLabel('Mã vạch Đỏ / L').inputValue()).toBe('8930000000987')
  })
})

describe('a group of options', () => {
  it.each([
    ['vi-VN', 1440, 'Thêm nhóm lựa chọn', 'Hãy đặt tên nhóm', 'Hãy thêm lựa chọn, hoặc bỏ nhóm này'],
    ['vi-VN', 390, 'Thêm nhóm lựa chọn', 'Hãy đặt tên nhóm', 'Hãy thêm lựa chọn, hoặc bỏ nhóm này'],
    ['en-GB', 1440, 'Add option group', 'Name the group', 'Add an option, or remove the group'],
  ])(
    'is begun by the keyboard, and is finished or removed before a product is made, in %s at %i px',
    async (locale, width, add, unnamed, noOptions) => {
      const isVietnamese = locale === 'vi-VN'
      const name = `Quạt giấy ${locale} ${width}`
      const page = await shop.open('/products/new', { locale, viewport: { width, height: 844 } })
      await page.getByLabel(isVietnamese ? 'Tên sản phẩm' : 'Product name').fill(name)
      await page.getByRole('textbox', { name: isVietnamese ? 'Giá bán' : 'Price', exact: true }).fill('30000')
      const group = page.getByLabel(isVietnamese ? 'Nhóm' : 'Group', { exact: true })
      const options = page.getByRole('textbox', { name: isVietnamese ? 'Các lựa chọn' : 'Options' })
      const pieces = page.getByLabel(isVietnamese ? 'Số lượng đang có' : 'Pieces in stock', { exact: true })
      const made = async () =>
        (await shop.api('GET', `${PRODUCTS}?search=${encodeURIComponent(name)}`)).body.data.products

      await page.getByRole('button', { name: add }).focus()
      await page.keyboard.press('Space')
      await page.keyboard.type('Màu sơn')
      expect(await group.count()).toBe(1)
      expect(await group.inputValue()).toBe('Màu sơn')
      await pieces.fill('3')
      await page.keyboard.press('Enter')
      await page.getByText(noOptions).waitFor()
      expect(await page.getByText(unnamed).count()).toBe(0)
      await expectAccessible(page)
      await group.fill('')
      expect(await page.getByText(noOptions).count()).toBe(0)
      await pieces.focus()
      await page.keyboard.press('Enter')
      await page.getByText(unnamed).waitFor()
      await page.getByText(noOptions).waitFor()
      await expect
        .poll(() => group.evaluate((field) => field === field.ownerDocument.activeElement))
        .toBe(true)

      await page.keyboard.press('Tab')
      await options.pressSequentially('Đỏ,Xanh')
      await page.keyboard.press('Enter')
      await pieces.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: isVietnamese ? 'Tạo' : 'Create', exact: true }).click()
      await page.getByText(unnamed).waitFor()
      expect(await page.getByText(noOptions).count()).toBe(0)
      expect(await made()).toEqual([])
      await group.fill('Màu')
      await page.getByRole('button', { name: isVietnamese ? 'Tạo' : 'Create', exact: true }).click()
      await page.waitForURL(/\/products\/[0-9a-f]{24}$/)
      expect((await readProduct((await made())[0]._id)).skus).toHaveLength(2)
    },
  )
})

/** Pastes into the field that has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  })()`)

describe('the sheet of variants', () => {
  it('is written by the keyboard: Enter goes down, Ctrl+D fills, a block is pasted, Escape restores', async () => {
    const id = await makeShirt('Áo gõ bằng phím')
    const page = await shop.open(`/products/${id}`)
    const price = (name: string) => page.getByLabel(`Giá ${name}`, { exact: true })
    await price('Đỏ / M').fill('120000')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Giá Đỏ / L')
    await page.keyboard.type('130000')
    await page.keyboard.press('Control+d')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => price('Xanh / L').inputValue()).toBe('130.000')
    await page.keyboard.type('999')
    await page.keyboard.press('Escape')
    await page.getByLabel('Mã Xanh / M', { exact: true }).focus()
    await paste(page, 'XM\t8930000000024\nXL\t8930000000031\n')
    await expect.poll(() => page.getByLabel('Mã vạch Xanh / L').inputValue()).toBe('8930000000031')
    await page.getByRole('combobox', { name: 'Đặt giá cho' }).click()
    await page.getByRole('option', { name: 'Cỡ: L' }).click()
    await page.getByLabel('Giá mới').fill('145000')
    await page.getByRole('button', { name: 'Đặt giá' }).click()
    await page.getByRole('button', { name: 'Sinh mã vạch còn thiếu' }).click()
    await expect.poll(() => page.getByLabel('Mã vạch Đỏ / L').inputValue()).toMatch(/^200\d{10}$/)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText(/^Chưa lưu: /).waitFor({ state: 'detached' })
    const { skus } = await readProduct(id)
    expect(skus.map((sku: { price: number }) => sku.price)).toEqual([120_000, 145_000, 130_000, 145_000])
    expect(skus.map((sku: { sku: string }) => sku.sku)).toEqual(['', '', 'XM', 'XL'])
    const barcodes = skus.map((sku: { barcode: string }) => sku.barcode)
    expect(new Set(barcodes).size).toBe(4)
    expect(barcodes.slice(2)).toEqual(['8930000000024', '8930000000031'])
  })

  it('takes prices as people and spreadsheets write them; what is no price stays in its cell and is not saved as another one', async () => {
    const id = await makeShirt('Áo dán giá')
    const page = await shop.open(`/products/${id}`)
    const price = (name: string) => page.getByLabel(`Giá ${name}`, { exact: true })
    await price('Đỏ / M').focus()
    await paste(page, '199.000,00\n1,250,000 ₫\n20k\n9999999999999\n')
    await expect.poll(() => price('Đỏ / L').inputValue()).toBe('1.250.000')
    expect(await price('Xanh / M').inputValue()).toBe('20k')
    expect(await price('Xanh / L').inputValue()).toBe('9999999999999')
    await page.getByText('Hãy nhập số nguyên, không có dấu phẩy hay dấu chấm.').waitFor()
    await page.getByText('Hãy nhập số từ 0 đến 9.000.000.000.000.').waitFor()
    await expectAccessible(page)
    const before = (await readProduct(id)).skus
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await expectFocus(page, 'Giá Xanh / M')
    expect((await readProduct(id)).skus).toEqual(before)
    await page.keyboard.type('1.990.000')
    await page.keyboard.press('Enter')
    await paste(page, '45,000 đ')
    await price('Đỏ / M').focus()
    expect(await price('Xanh / L').inputValue()).toBe('45.000')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText(/^Chưa lưu: /).waitFor({ state: 'detached' })
    const { skus } = await readProduct(id)
    expect(skus.map((sku: { price: number }) => sku.price)).toEqual([199_000, 1_250_000, 1_990_000, 45_000])
  })

  it('gives a variant one of the product’s images', async () => {
    const id = await makeShirt('Áo có ảnh riêng')
    const { shopId } = await readProduct(id)
    const images = ['https://pictures.example/do.png', 'https://pictures.example/xanh.png']
    await shop.api('PATCH', `${PRODUCTS}/${id}`, { shopId, images })
    const page = await shop.open(`/products/${id}`)
    await page.getByRole('button', { name: 'Ảnh của Xanh / L' }).click()
    await page.getByRole('checkbox', { name: 'Ảnh 2' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText(/^Chưa lưu: /).waitFor({ state: 'detached' })
    expect((await readProduct(id)).skus.map((sku: { images: string[] }) => sku.images)).toEqual([
      [],
      [],
      [],
      [images[1]],
    ])
  })
})
