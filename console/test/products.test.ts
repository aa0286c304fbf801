import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectFocus, loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()

const PRODUCTS = '/api/external/v1/products'
const ATTACK = '<img src=x onerror="document.title=1">'

async function productNamed(search: string) {
  const path = `${PRODUCTS}?select=skus,variants,wholesalePrices&search=${encodeURIComponent(search)}`
  return (await shop.api('GET', path)).body.data.products[0]
}

/** Saves, and waits until nothing is unsaved. */
async function save(page: Page) {
  await page.getByRole('button', { name: 'Lưu', exact: true }).click()
  await page.getByText(/^Chưa lưu: /).waitFor({ state: 'detached' })
}

async function extrasOf(id: string) {
  return (await shop.api('GET', `${PRODUCTS}/${id}?select=subItemsGroups`)).body.data.subItemsGroups
}

const numberIn = (text: string) => Number(text.replace(/\D/g, ''))

describe('products', () => {
  it('makes one with variants, which a search without accents finds', async () => {
    const page = await shop.open('/products')
    await page.getByRole('link', { name: 'Thêm sản phẩm' }).click()
    await page.getByLabel('Tên sản phẩm').fill('Áo khoác Đông Sơn')
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('450000')
    // A scanner types a code and Enter.
    await page.getByRole('textbox', { name: 'Mã sản phẩm' }).fill('MOC001')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'Mã vạch')
    await page.keyboard.type('8930000000994\n')
    const barcode = page.getByRole('textbox', { name: 'Mã vạch' })
    expect(await barcode.inputValue()).toBe('8930000000994')
    expect(await barcode.evaluate((field) => field.matches(':focus'))).toBe(false)
    expect(await page.evaluate('document.activeElement.matches("input, textarea, [contenteditable]")')).toBe(
      true,
    )
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('button', { name: 'Tạo' }).click()
    await page.getByRole('alert').first().waitFor()
    await expect.poll(() => page.getByLabel('Tên sản phẩm').inputValue()).toBe('Áo khoác Đông Sơn')
    await page.getByRole('textbox', { name: 'Mã sản phẩm' }).fill('DS01')
    await page.getByRole('button', { name: 'Tạo' }).click()
    await page.getByRole('heading', { name: 'Áo khoác Đông Sơn' }).waitFor()

    for (const [name, words] of [
      ['Màu', ['Đỏ', 'Đen']],
      ['Cỡ', ['M', 'L']],
    ] as const) {
      await page.getByRole('button', { name: 'Thêm nhóm lựa chọn' }).click()
      await page.getByLabel('Nhóm', { exact: true }).last().fill(name)
      for (const word of words) {
        await page.getByRole('textbox', { name: 'Các lựa chọn' }).last().fill(word)
        await page.keyboard.press('Enter')
      }
    }
    await page.getByLabel('Giá Đen / L').fill('470000')
    await page.getByLabel('Mã vạch Đen / L').fill('8930000000017')
    await save(page)
    await expectAccessible(page)

    const made = await productNamed('ao khoac dong son')
    expect(made.skus).toHaveLength(4)
    expect(made.skus.map(({ price }: { price: number }) => price).sort()).toEqual([
      450_000, 450_000, 450_000, 470_000,
    ])
    await page.goto('/products')
    await page.getByLabel('Tên (không cần dấu), mã hoặc mã vạch').fill('dong son ao')
    await page.getByRole('link', { name: 'Áo khoác Đông Sơn' }).waitFor()
    await page.getByText('Tổng 1', { exact: true }).waitFor()
    await expectAccessible(page)
  })

  it.each([
    ['vi-VN', 'Giá bán', (thousands: number) => `${thousands}.000 ₫`],
    ['en-US', 'Price', (thousands: number) => `₫${thousands},000`],
  ] as const)(
    'shows and takes amounts as %s writes them, and pastes both forms',
    async (locale, label, shown) => {
      const page = await shop.open('/products/new', { locale })
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const field = page.getByRole('textbox', { name: label, exact: true })
      for (const typed of ['45000', '46.000', '47,000']) {
        await field.fill('')
        await field.pressSequentially(typed)
        await expect.poll(() => field.inputValue(), { message: typed }).toBe(shown(numberIn(typed) / 1_000))
      }
      for (const pasted of ['45.000', '46,000 đ', '₫47,000']) {
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`)
        await field.press('Control+a')
        await field.press('Control+v')
        await expect.poll(() => field.inputValue(), { message: pasted }).toBe(shown(numberIn(pasted) / 1_000))
      }
      for (const pasted of ['1.250.000', '1,250,000', '1.250.000,00 ₫']) {
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`)
        await field.press('Control+a')
        await field.press('Control+v')
        const whole = locale === 'vi-VN' ? '1.250.000 ₫' : '₫1,250,000'
        await expect.poll(() => field.inputValue(), { message: pasted }).toBe(whole)
      }
    },
  )

  it('takes amounts as people say them; what is no amount stays in its field, which says so, and is not saved as another one', async () => {
    const page = await shop.open('/products/new')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const field = page.getByRole('textbox', { name: 'Giá bán', exact: true })
    const name = page.getByLabel('Tên sản phẩm')
    const left = async (message: string) => {
      await name.focus()
      return expect.poll(() => field.inputValue(), { message })
    }
    const wrong = page.getByText('Hãy nhập một số tiền, như 20.000, 20k hoặc 1tr2.')
    for (const [typed, shown] of [
      ['20k', '20.000 ₫'],
      ['1tr2', '1.200.000 ₫'],
      ['350 nghìn', '350.000 ₫'],
      ['1,5 triệu', '1.500.000 ₫'],
      ['１２', '12 ₫'],
    ]) {
      await field.press('Control+a')
      await field.pressSequentially(typed!)
      await (await left(typed!)).toBe(shown)
    }
    // The first key replaces what is chosen, also when it is a letter.
    await field.press('Control+a')
    await field.pressSequentially('k20')
    await wrong.waitFor()
    await (await left('k20')).toBe('k20')
    for (const pasted of ['12 cái x 5.000', '250.000 - 300.000', '2e3']) {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(pasted)})`)
      await field.press('Control+a')
      await field.press('Control+v')
      await (await left(pasted)).toBe(pasted)
    }
    await wrong.waitFor()
    await expectAccessible(page)
    const vat = page.getByRole('textbox', { name: 'VAT (%)' })
    await vat.press('Control+a')
    await vat.pressSequentially('1e1')
    await page.getByText('Hãy nhập số phần trăm, như 8 hoặc 7,5.').waitFor()
    expect(await vat.inputValue()).toBe('1e1')
    await vat.press('Control+a')
    await vat.pressSequentially('7,5%')
    await name.fill('Khăn giá nói')
    await page.getByRole('button', { name: 'Tạo', exact: true }).click()
    await expectFocus(page, 'Giá bán')
    expect(await productNamed('Khăn giá nói')).toBeUndefined()
    await field.press('Control+a')
    await field.pressSequentially('1tr250')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/products\/[0-9a-f]{24}$/)
    expect(await productNamed('Khăn giá nói')).toMatchObject({ price: 1_250_000, vat: 7.5 })
  })

  it.each([1440, 390])(
    'is sent by its button only: Enter in a picker chooses, and finds without accents, at %i px',
    async (width) => {
      const page = await shop.open('/products/new', { viewport: { width, height: 844 } })
      await page.getByLabel('Tên sản phẩm').fill('Khăn thử Enter')
      await page.getByRole('textbox', { name: 'Giá bán' }).fill('45000')
      const category = page.getByRole('combobox', { name: 'Danh mục' })
      await category.click()
      // Until the list has come, text that replaces another one may be added to it.
      await page.getByRole('option').first().waitFor()
      await category.fill('khong co that')
      await page.keyboard.press('Enter')
      await category.fill('')
      // At a person's pace: the picker marks its first option with the key after the one that opens the list.
      await category.pressSequentially('gom', { delay: 100 })
      await page.keyboard.press('Enter')
      await expect.poll(() => category.inputValue()).toMatch(/Gốm/)
      expect(await productNamed('Khăn thử Enter')).toBeUndefined()
    },
  )

  it('keeps the SKUs of options that stay when one is added', async () => {
    const before = await productNamed('Non la theu hoa')
    const tea = await productNamed('Den long Hoi An')
    const page = await shop.open(`/products/${tea._id}`)
    await page.getByRole('textbox', { name: 'Các lựa chọn' }).fill('Xanh')
    await page.keyboard.press('Enter')
    await save(page)
    const after = await productNamed('Den long Hoi An')
    const ids = (product: { skus: { _id: string }[] }) => product.skus.map(({ _id }) => _id)
    expect(ids(after)).toHaveLength(4)
    expect(ids(after)).toEqual(expect.arrayContaining(ids(tea)))
    expect(await productNamed('Non la theu hoa')).toEqual(before)
  })

  it('receives stock into a warehouse once though the answer is lost and it is sent again, and shows the movement', async () => {
    const product = await productNamed('Tranh Dong Ho')
    const page = await shop.open(`/products/${product._id}`)
    await page.getByRole('button', { name: 'Nhập, xuất, kiểm kho' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Số lượng Gà đàn').fill('7')
    await dialog.getByLabel('Ghi chú').fill('Nhập thêm')
    const find = await loseAnswers(page, '**/v1/inventory/entries')
    await dialog.getByRole('button', { name: 'Ghi vào kho' }).click()
    await dialog
      .getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false })
      .waitFor({ timeout: 40_000 })
    find()
    await dialog.getByRole('button', { name: 'Ghi vào kho' }).click()
    await dialog.waitFor({ state: 'detached' })
    const stockOf = (one: { skus: { name: string; stock_quantity: number }[] }) =>
      one.skus.find(({ name }) => name === 'Gà đàn')!.stock_quantity
    expect(stockOf(await productNamed('Tranh Dong Ho'))).toBe(stockOf(product) + 7)
    await page.getByRole('combobox', { name: 'Phiên bản' }).last().click()
    await page.getByRole('option', { name: 'Gà đàn' }).click()
    await page.getByRole('cell', { name: 'Nhập thêm' }).waitFor()
    await page.getByRole('cell', { name: '+7' }).waitFor()
  })

  it('keeps the kind of a stock entry and its warehouses over a reload, with what was typed', async () => {
    const warehouse = { name: 'Kho giữ lựa chọn', address: '' }
    const made = (await shop.api('POST', '/api/external/v1/warehouses', warehouse)).body.data
    const product = await productNamed('Tranh Dong Ho')
    const page = await shop.open(`/products/${product._id}`)
    const dialog = page.getByRole('dialog')
    const open = page.getByRole('button', { name: 'Nhập, xuất, kiểm kho' })
    await open.click()
    await dialog.getByText('Chuyển kho', { exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Kho', exact: true }).click()
    await page.getByRole('option', { name: warehouse.name }).click()
    await dialog.getByLabel('Số lượng Gà đàn').fill('2')
    await page.reload()
    await open.click()
    await expect.poll(() => dialog.getByLabel('Số lượng Gà đàn').inputValue()).toBe('2')
    await expect.poll(() => dialog.getByRole('radio', { name: 'Chuyển kho' }).isChecked()).toBe(true)
    const from = dialog.getByRole('combobox', { name: 'Kho', exact: true })
    expect(await from.inputValue()).toBe(warehouse.name)
    await dialog.getByLabel('Số lượng Gà đàn').fill('')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await shop.api('DELETE', `/api/external/v1/warehouses/${made._id}`)
  })

  it('sets wholesale prices, and uploads an image that is dropped', async () => {
    const product = await productNamed('So tay giay do')
    const page = await shop.open(`/products/${product._id}`)
    await page.getByRole('button', { name: 'Thêm mức giá' }).click()
    await page.getByLabel('Giá mỗi chiếc').last().fill('99000')
    await save(page)
    const { wholesalePrices } = await productNamed('So tay giay do')
    expect(wholesalePrices.at(-1)).toMatchObject({ minQuantity: 10, price: 99_000 })

    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    const file = { name: 'so-tay.png', mimeType: 'image/png', buffer: picture }
    await page.locator('input[type="file"][aria-label^="Kéo ảnh"]').setInputFiles(file)
    await page.getByRole('img', { name: `Ảnh ${product.images.length + 1}` }).waitFor()
    await save(page)
    const address = (await productNamed('So tay giay do')).images.at(-1)
    expect((await fetch(address)).headers.get('content-type')).toMatch(/^image\//)
  })

  it('orders images by the keyboard; the first is the product’s face', async () => {
    const product = await productNamed('Tranh Dong Ho')
    const images = [product.images[0], `${product.images[0]}?2`, `${product.images[0]}?3`]
    const path = `${PRODUCTS}/${product._id}`
    await shop.api('PATCH', path, { shopId: product.shopId, images })
    const page = await shop.open(`/products/${product._id}`)
    await page.getByRole('button', { name: 'Đổi chỗ ảnh 3' }).focus()
    for (const key of ['Space', 'ArrowLeft', 'ArrowLeft', 'Space']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(300)
    }
    await expectAccessible(page)
    await save(page)
    expect((await productNamed('Tranh Dong Ho')).images).toEqual([images[2], images[0], images[1]])
  })

  it('offers extras in groups, which a second save keeps', async () => {
    const product = await productNamed('So tay giay do')
    const page = await shop.open(`/products/${product._id}`)
    await page.getByRole('button', { name: 'Thêm nhóm món' }).click()
    await page.getByLabel('Tên nhóm món').fill('Gói quà')
    await page.getByLabel('Bắt buộc chọn').check()
    await page.getByLabel('Tên món').fill('Hộp giấy')
    await page.getByLabel('Giá thêm').fill('15000')
    await page.getByRole('button', { name: 'Thêm món', exact: true }).click()
    await page.getByLabel('Tên món').last().fill('Nơ lụa')
    await save(page)
    const [group] = await extrasOf(product._id)
    expect(group).toMatchObject({ name: 'Gói quà', isRequired: true, maxSelect: 1 })
    expect(group.subItems).toMatchObject([
      { name: 'Hộp giấy', price: 15_000 },
      { name: 'Nơ lụa', price: 0 },
    ])
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Bỏ món Hộp giấy' }).click()
    await page.getByLabel('Chọn tối đa').fill('2')
    await save(page)
    await expect.poll(async () => (await extrasOf(product._id))[0].maxSelect).toBe(2)
    const [kept] = await extrasOf(product._id)
    expect(kept).toEqual({ ...group, maxSelect: 2, subItems: [group.subItems[1]] })
  })

  it('imports a file after a check that says what would come of it, and exports the list', async () => {
    const page = await shop.open('/products')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Xuất CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^products-.*\.csv$/)
    await page.getByRole('link', { name: 'Nhập từ tệp' }).click()
    const upload = (csv: string) =>
      page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'moi.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await upload('name,price,itemSku\nChậu cây đất nung,85000,CAY01\nChậu cây men xanh,khoảng trăm,CAY02\n')
    await page.getByRole('cell', { name: 'price', exact: true }).waitFor()
    await page.getByRole('cell', { name: 'Phải là số', exact: true }).waitFor()
    await expectAccessible(page)
    await expect.poll(() => page.getByRole('button', { name: 'Nhập vào cửa hàng' }).isDisabled()).toBe(true)
    await page.getByText('Chưa nhập được: có dòng sai.', { exact: false }).waitFor()
    await upload('name,price,itemSku\nChậu cây đất nung,85000,CAY01\nChậu cây men xanh,95000,CAY02\n')
    await page.getByRole('button', { name: 'Nhập vào cửa hàng' }).click({ timeout: 40_000 })
    await page.getByRole('heading', { name: 'Nhập sản phẩm', exact: true }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Xong' }).waitFor({ timeout: 40_000 })
    expect((await productNamed('chau cay dat nung')).price).toBe(85_000)
  })

  it('shows a name and a description that try to run as scripts as text', async () => {
    const name = `Áo ${ATTACK}`
    const description = `<script>document.title=2</script>${ATTACK}<a href="javascript:document.title=3">x</a>`
    const made = await shop.api('POST', PRODUCTS, {
      name,
      description,
      price: 1000,
    })
    const page = await shop.open('/products')
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Mô tả' }).inputValue()).toBe(description)
    await expect.poll(() => page.title()).toBe(`${name} · Shopbell`)
    await page.goto('/pos')
    await page.getByRole('combobox', { name: /^Quét mã vạch/ }).fill('ao img src')
    await page.getByRole('option', { name: ATTACK }).click()
    await page.getByRole('listitem').getByText(name, { exact: true }).waitFor()
    expect(await page.title()).toBe('Bán tại quầy · Shopbell')
    await shop.api('DELETE', `${PRODUCTS}/${made.body.data._id}`)
  })

  it.each([1440, 390])(
    'takes a product off sale and puts it back; deletion is named differently, and asks, at %i px',
    async (width) => {
      const name = `Quạt nan Chàng Sơn ${width} ${String(Math.random()).slice(2, 6)}`
      const made = await shop.api('POST', PRODUCTS, { name, price: 30_000 })
      const path = `${PRODUCTS}/${made.body.data._id}`
      const statusNow = async () => (await shop.api('GET', path)).body.data.status
      const page = await shop.open(`/products/${made.body.data._id}`, { viewport: { width, height: 844 } })
      const onSale = page.getByRole('switch', { name: 'Đang bán' })
      const row = page.getByRole('row', { name: new RegExp(name) })
      for (const [press, status, shown] of [
        ['uncheck', 'inactive', 'Ngừng kinh doanh'],
        ['check', 'active', 'Đang bán'],
      ] as const) {
        await onSale[press]()
        await page.getByRole('button', { name: 'Lưu', exact: true }).click()
        await expect.poll(statusNow).toBe(status)
        await page.goto(`/products?search=${encodeURIComponent(name)}`)
        await row.getByText(shown, { exact: true }).waitFor()
        await row.getByRole('link', { name }).click()
        await onSale.waitFor()
      }
      await page.getByRole('button', { name: 'Xóa sản phẩm' }).click()
      const question = page.getByRole('dialog')
      await question.getByText('không khôi phục được', { exact: false }).waitFor()
      await expectAccessible(page)
      await question.getByRole('button', { name: 'Đóng' }).last().click()
      await question.waitFor({ state: 'detached' })
      expect(await statusNow()).toBe('active')
      await page.getByRole('button', { name: 'Xóa sản phẩm' }).click()
      await question.getByRole('button', { name: 'Xóa sản phẩm' }).click()
      await page.getByText('Đã xóa sản phẩm').waitFor()
      expect((await shop.api('GET', path)).status).toBe(404)
    },
  )

  it('shows a viewer everything and lets them change nothing', async () => {
    const product = await productNamed('Tranh Dong Ho')
    const page = await shop.open(`/products/${product._id}`, { as: await shop.invite('viewer') })
    await page.getByLabel('Tên sản phẩm').waitFor()
    await expect.poll(() => page.getByLabel('Tên sản phẩm').isDisabled()).toBe(true)
    for (const name of ['Lưu', 'Chép xuống', 'Thêm mức giá', 'Nhập, xuất, kiểm kho', 'Xóa sản phẩm'])
      await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0)
  })
})
