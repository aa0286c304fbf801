import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()
const PRODUCTS = '/api/external/v1/products'
const PHONE = { width: 390, height: 844 }

const newest = async (name: string) =>
  (await shop.api('GET', `${PRODUCTS}?limit=1&search=${encodeURIComponent(name)}&select=skus`)).body.data
    .products[0]
const movementsOf = async (skuId: string) =>
  (await shop.api('GET', `/api/external/v1/inventory/movements?skuId=${skuId}`)).body.data.movements
const isMade = (page: Page) => page.waitForURL(/\/products\/[0-9a-f]{24}$/)
/** Scrolls to the end of a product's page, where its history is loaded. */
async function toEnd(page: Page, field: string) {
  await page.getByLabel(field).waitFor()
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
}

describe('opening stock', () => {
  it('of a new product is received in an entry of its own, once', async () => {
    const page = await shop.open('/products/new')
    await page.getByLabel('Tên sản phẩm').fill('Chén sứ có sẵn')
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('30000')
    await page.getByLabel('Số lượng đang có').fill('12')
    await page.getByLabel('Giá nhập').fill('18500')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Tạo', exact: true }).click()
    await isMade(page)
    const [sku] = (await newest('chen su co san')).skus
    expect(sku.stock_quantity).toBe(12)
    expect(await movementsOf(sku._id)).toMatchObject([{ type: 'receive', quantity: 12, unitCost: 18_500 }])
  })

  it('of variants is written in a sheet, in English and on a phone too; a row that goes takes its pieces along', async () => {
    const page = await shop.open('/products/new', { locale: 'en-GB', viewport: PHONE })
    await page.getByLabel('Product name').fill('Mug in three sizes')
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('50000')
    await page.getByRole('button', { name: 'Add option group' }).click()
    await page.getByLabel('Group', { exact: true }).fill('Size')
    for (const word of ['S', 'M', 'L']) {
      await page.getByRole('textbox', { name: 'Options' }).fill(word)
      await page.keyboard.press('Enter')
    }
    for (const [name, pieces] of [
      ['S', '5'],
      ['M', '6'],
      ['L', '7'],
    ])
      await page.getByLabel(`Pieces in stock of ${name}`, { exact: true }).fill(pieces!)
    const small = page.getByLabel('Pieces in stock of S', { exact: true })
    await small.fill('1.5')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Enter a whole number, without a comma or a point.').waitFor()
    expect(await small.inputValue()).toBe('1.5')
    await small.fill('5')
    await page.getByLabel('Unit cost of M', { exact: true }).fill('22000')
    await page.getByLabel('Unit cost of L', { exact: true }).fill('23000')
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Options' }).press('Backspace')
    await expect.poll(() => page.getByLabel('Pieces in stock of L', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await isMade(page)
    const { skus } = await newest('mug in three sizes')
    expect(skus.map(({ stock_quantity: pieces }: { stock_quantity: number }) => pieces)).toEqual([5, 6])
    expect(await movementsOf(skus[0]._id)).toMatchObject([{ unitCost: null }])
    expect(await movementsOf(skus[1]._id)).toMatchObject([{ unitCost: 22_000 }])
  })

  it('typed before the product had variants becomes that of the first one', async () => {
    const page = await shop.open('/products/new')
    await page.getByLabel('Tên sản phẩm').fill('Khay tre hai cỡ')
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('40000')
    await page.getByLabel('Số lượng đang có').fill('9')
    await page.getByRole('button', { name: 'Thêm nhóm lựa chọn' }).click()
    await page.getByLabel('Nhóm', { exact: true }).fill('Cỡ')
    for (const word of ['Nhỏ', 'Lớn']) {
      await page.getByRole('textbox', { name: 'Các lựa chọn' }).fill(word)
      await page.keyboard.press('Enter')
    }
    const piecesOf = (name: string) => page.getByLabel(`Số lượng đang có của ${name}`, { exact: true })
    await piecesOf('Lớn').fill('4')
    expect(await piecesOf('Nhỏ').inputValue()).toBe('9')
    await page.getByRole('button', { name: 'Tạo', exact: true }).click()
    await isMade(page)
    const { skus } = await newest('khay tre hai co')
    expect(skus.map(({ stock_quantity: pieces }: { stock_quantity: number }) => pieces)).toEqual([9, 4])
  })

  it('whose response is lost leaves the product page and says where to look; it is booked once', async () => {
    const page = await shop.open('/products/new')
    await page.getByLabel('Tên sản phẩm').fill('Khay gỗ mất trả lời')
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('90000')
    await page.getByLabel('Số lượng đang có').fill('3')
    await loseAnswers(page, '**/inventory/entries')
    await page.getByRole('button', { name: 'Tạo', exact: true }).click()
    await isMade(page)
    await page.getByText('Chưa rõ đã lưu hay chưa: Tồn kho ban đầu.').waitFor()
    await page.getByText('Hãy xem mục Tồn kho').waitFor()
    await page.getByRole('heading', { name: 'Khay gỗ mất trả lời' }).waitFor()
    await expectAccessible(page)
    const [sku] = (await newest('khay go mat tra loi')).skus
    expect(await movementsOf(sku._id)).toMatchObject([{ quantity: 3 }])
  })
})

describe('the history of a product', () => {
  it('says who changed what, in both languages', async () => {
    const made = await shop.api('POST', PRODUCTS, { name: 'Ấm đất nung', price: 200_000 })
    const id = made.body.data._id
    const page = await shop.open(`/products/${id}`)
    await toEnd(page, 'Tên sản phẩm')
    await page.getByText('Tạo sản phẩm', { exact: true }).waitFor()
    await page.getByLabel('Tên sản phẩm').fill('Ấm đất nung Bát Tràng')
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('220000')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText('Giá bán: 200.000 ₫ → 220.000 ₫').waitFor()
    await page.getByText('Tên sản phẩm: Ấm đất nung → Ấm đất nung Bát Tràng').waitFor()
    const me = (await shop.api('GET', `${PRODUCTS}/${id}/history`)).body.data[0].by
    expect(me.type).toBe('member')
    await page.getByText(me.name).last().waitFor()
    await page.getByText(/Khóa API /).waitFor()
    await expectAccessible(page)

    const english = await shop.open(`/products/${id}`, { locale: 'en-GB', viewport: PHONE })
    await toEnd(english, 'Product name')
    await english.getByText('Price: ₫200,000 → ₫220,000').waitFor()
    await english.getByText('Product created', { exact: true }).waitFor()
    await expectAccessible(english)
  })
})
