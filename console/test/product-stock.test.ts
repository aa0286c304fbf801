import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const PRODUCTS = '/api/external/v1/products'
const ENTRIES = '/api/external/v1/inventory/entries'

type Sku = { _id: string; name: string; stock_quantity: number; isActive: boolean }

const skusOf = async (id: string): Promise<Sku[]> =>
  (await shop.api('GET', `${PRODUCTS}/${id}?select=skus`)).body.data.skus

/** The pieces on hand of each variant by its name. */
async function stockOf(id: string): Promise<Record<string, number>> {
  const items = (await skusOf(id)).map(({ _id }) => ({ skuId: _id, quantity: 0 }))
  const { data } = (await shop.api('POST', `${ENTRIES}/preview`, { type: 'count', items })).body
  const stock = new Map(data.items.map((item: { skuId: string; stock: number }) => [item.skuId, item.stock]))
  return Object.fromEntries((await skusOf(id)).map(({ _id, name }) => [name, stock.get(_id) as number]))
}

/** A product with pieces of each of its options, or of itself, of which an order has reserved one of the first. */
async function makeProduct(name: string, pieces: number[], words: string[] = []): Promise<string> {
  const options = words.map((value) => ({ id: value, value }))
  const body = {
    name,
    price: 50_000,
    ...(words.length > 0 && {
      variants: [{ id: 'g', name: 'Mẫu', options }],
      skus: words.map((word) => ({ name: word, price: 50_000, variantOptionIds: [word] })),
    }),
  }
  const id = (await shop.api('POST', PRODUCTS, body)).body.data._id
  const skus = await skusOf(id)
  const items = pieces.map((quantity, at) => ({ skuId: skus[at]!._id, quantity }))
  expect((await shop.api('POST', ENTRIES, { type: 'receive', items })).status).toBe(201)
  const orderItems = [{ id: skus[0]!._id, quantity: 1 }]
  expect((await shop.api('POST', '/api/external/order/pos/create', { orderItems })).body.data.code).toMatch(
    /^DH/,
  )
  return id
}

async function addGroup(page: Page, group: string, words: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Thêm nhóm lựa chọn' }).click()
  await page.getByLabel('Nhóm', { exact: true }).last().fill(group)
  for (const word of words) {
    await page.getByRole('textbox', { name: 'Các lựa chọn' }).last().fill(word)
    await page.keyboard.press('Enter')
  }
}

const save = (page: Page, name = 'Lưu') => page.getByRole('button', { name, exact: true }).click()
const isSaved = (page: Page, words = 'Chưa lưu: ') =>
  page.getByText(words).first().waitFor({ state: 'detached' })

describe('stock of a product whose options change', () => {
  it.each([1440, 390])(
    'moves to the first variant when a product gets options, with its reservation, after asking, at %i px',
    async (width) => {
      const id = await makeProduct(`Lọ hoa ${width}`, [100])
      const [before] = await skusOf(id)
      const page = await shop.open(`/products/${id}`, { viewport: { width, height: 844 } })
      await addGroup(page, 'Màu', ['Đỏ', 'Xanh', 'Vàng'])
      await save(page)
      const question = page.getByRole('dialog', { name: 'Chuyển hàng sang phiên bản mới?' })
      await question
        .getByText(`“Lọ hoa ${width}” còn 100 cái trong kho (1 đã giữ cho đơn)`, { exact: false })
        .filter({ hasText: '“Đỏ”' })
        .waitFor()
      await expectAccessible(page)
      await question.getByRole('button', { name: 'Quay lại' }).click()
      await question.waitFor({ state: 'detached' })
      expect(await skusOf(id)).toHaveLength(1)
      await save(page)
      await question.getByRole('button', { name: 'Chuyển hàng và lưu' }).click()
      await isSaved(page)
      expect(await stockOf(id)).toEqual({ Đỏ: 100, Xanh: 0, Vàng: 0 })
      const [first] = await skusOf(id)
      expect(first).toMatchObject({ _id: before!._id, stock_quantity: 99 })
      await page.reload()
      await expect.poll(() => page.getByLabel('Giá Đỏ', { exact: true }).inputValue()).toBe('50.000')
    },
  )

  it.each([
    [
      'vi-VN',
      1440,
      'Lưu',
      /còn 115 cái trong kho \(1 đã giữ cho đơn\).* vẫn tính vào tồn kho/,
      'Giữ lại',
      'Bỏ',
    ],
    [
      'vi-VN',
      390,
      'Lưu',
      /còn 115 cái trong kho \(1 đã giữ cho đơn\).* vẫn tính vào tồn kho/,
      'Giữ lại',
      'Bỏ',
    ],
    [
      'en-GB',
      1440,
      'Save',
      /has 115 in stock \(1 reserved for orders\).* still count as stock/,
      'Keep',
      'Remove',
    ],
  ])(
    'is named before its variant is removed, which may be kept, in %s at %i px',
    async (locale, width, word, sentence, keep, remove) => {
      const id = await makeProduct(`Tranh ${locale} ${width}`, [115, 7], ['Lợn đàn', 'Gà'])
      const page = await shop.open(`/products/${id}`, { locale, viewport: { width, height: 844 } })
      const words = page.getByRole('textbox', { name: locale === 'vi-VN' ? 'Các lựa chọn' : 'Options' })
      const price = page.getByLabel(locale === 'vi-VN' ? 'Giá Lợn đàn' : 'Price of Lợn đàn', { exact: true })
      await price.fill('60000')
      const removeIt = async () => {
        await words.focus()
        await page.keyboard.press('Backspace')
        await page.keyboard.press('Backspace')
        await words.fill('Gà')
        await page.keyboard.press('Enter')
        await expect.poll(() => price.count()).toBe(0)
        await save(page, word)
      }
      await removeIt()
      const question = page.getByRole('dialog')
      await question.getByText('“Lợn đàn”').filter({ hasText: sentence }).waitFor()
      // The other one was removed too, and typed again.
      expect(await question.getByText('Gà').count()).toBe(0)
      await expectAccessible(page)
      await question.getByRole('button', { name: keep }).click()
      await question.waitFor({ state: 'detached' })
      await expect.poll(async () => (await price.inputValue()).replace(/\D/g, '')).toBe('60000')
      expect(await skusOf(id)).toHaveLength(2)
      await removeIt()
      await question.getByRole('button', { name: remove }).click()
      await isSaved(page, locale === 'vi-VN' ? 'Chưa lưu: ' : 'Not saved: ')
      expect(await stockOf(id)).toEqual({ Gà: 7 })
      // Less the piece that is reserved.
      const { data } = (await shop.api('GET', `${PRODUCTS}/${id}`)).body
      expect(data.stock_quantity).toBe(115 + 7 - 1)
    },
  )

  it('stays with the variants when they get a second group, and is not asked about where there is none', async () => {
    const id = await makeProduct('Khăn lụa', [5, 6], ['Trơn', 'Hoa'])
    const page = await shop.open(`/products/${id}`)
    await addGroup(page, 'Cỡ', ['To', 'Nhỏ'])
    await save(page)
    const question = page.getByRole('dialog')
    await question
      .getByText('“Hoa” còn 6 cái trong kho. Số hàng này chuyển sang phiên bản “Hoa / To”')
      .waitFor()
    await question.getByRole('button', { name: 'Chuyển hàng và lưu' }).click()
    await isSaved(page)
    expect(await stockOf(id)).toEqual({ 'Trơn / To': 5, 'Trơn / Nhỏ': 0, 'Hoa / To': 6, 'Hoa / Nhỏ': 0 })
    await page.getByRole('textbox', { name: 'Các lựa chọn' }).last().focus()
    await page.keyboard.press('Backspace')
    await save(page)
    await isSaved(page)
    expect(await stockOf(id)).toEqual({ 'Trơn / To': 5, 'Hoa / To': 6 })
  })
})

it('a transfer from the warehouse that was to receive it goes the other way', async () => {
  const page = await shop.open(`/products/${await makeProduct('Lư đồng', [3])}`)
  await page.getByRole('button', { name: 'Nhập, xuất, kiểm kho' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Chuyển kho', { exact: true }).click()
  const places = dialog.getByRole('combobox')
  const read = () => Promise.all([places.nth(0).inputValue(), places.nth(1).inputValue()])
  const [from, to] = await read()
  await places.nth(0).click()
  await page.getByRole('option', { name: to, exact: true }).click()
  await expect.poll(read).toEqual([to, from])
})

it('shows a long name on two lines, so that the other columns of the list stay in view', async () => {
  const name = `${'Bình gốm vẽ tay men rạn '.repeat(10).trim()} ${'x'.repeat(80)}`
  await shop.api('POST', PRODUCTS, { name, price: 20_000 })
  const page = await shop.open('/products', { viewport: { width: 1280, height: 800 } })
  const link = page.getByRole('link', { name })
  await link.waitFor()
  const box = (await link.boundingBox())!
  expect(box.height).toBeLessThan(48)
  expect(await link.getAttribute('title')).toBe(name)
  const hidden = `(() => {
    const frame = document.querySelector('[data-table]')
    return frame.scrollWidth - frame.clientWidth
  })()`
  expect(await page.evaluate(hidden)).toBe(0)
})
