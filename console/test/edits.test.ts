import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { http, OPERATOR_TOKEN } from '../../server/test/support/process.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const colleague = await shop.invite('staff')
const TITLE = 'Đã có thay đổi khác sau khi bạn mở'
const PRODUCTS = '/api/external/v1/products'

async function makeProduct(name: string): Promise<string> {
  return (await shop.api('POST', PRODUCTS, { name, price: 45_000 })).body.data._id
}

async function readProduct(id: string) {
  return (await shop.api('GET', `${PRODUCTS}/${id}`)).body.data
}

/** The product in my tab and in a colleague's, both loaded before anything is saved. */
async function twoTabs(id: string, width = 1440): Promise<{ mine: Page; theirs: Page }> {
  const open = async (as?: typeof colleague) => {
    const page = await shop.open(`/products/${id}`, {
      viewport: { width, height: 844 },
      ...(as === undefined ? {} : { as }),
    })
    await page.getByLabel('Tên sản phẩm').waitFor()
    return page
  }
  return { mine: await open(), theirs: await open(colleague) }
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Lưu', exact: true }).click()
}

async function saveTheirs(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(new RegExp(`^${label}( \\*)?$`)).fill(value)
  await save(page)
  await page.getByText('Đã lưu sản phẩm').waitFor()
}

const question = (page: Page): Locator => page.getByRole('dialog', { name: TITLE })
const rowOf = (page: Page, field: string) =>
  question(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: field, exact: true }) })
    .innerText()
    .then((text) => text.split('\t').map((cell) => cell.trim()))

describe('G-71 two people on one product', () => {
  it.each([1440, 390])(
    'the second save shows both, and loses nothing until one is chosen: mine, at %i px',
    async (width) => {
      const id = await makeProduct(`Bình hoa ${width}`)
      const { mine, theirs } = await twoTabs(id, width)
      await mine.getByLabel('Tên sản phẩm').fill('Bình hoa của tôi')
      await saveTheirs(theirs, { 'Tên sản phẩm': 'Bình hoa của họ', 'Giá bán': '60000' })
      await save(mine)
      await question(mine).getByText('Người thử đã lưu lúc', { exact: false }).waitFor()
      expect(await rowOf(mine, 'Tên sản phẩm')).toEqual([
        'Tên sản phẩm',
        'Bình hoa của họ',
        'Bình hoa của tôi',
      ])
      expect(await rowOf(mine, 'Giá bán')).toEqual(['Giá bán', '60.000', 'Bạn không sửa: giữ bản đã lưu'])
      await expectAccessible(mine)
      await question(mine).getByRole('button', { name: 'Quay lại sửa' }).click()
      await question(mine).waitFor({ state: 'detached' })
      expect(await mine.getByLabel('Tên sản phẩm').inputValue()).toBe('Bình hoa của tôi')
      expect(await readProduct(id)).toMatchObject({ name: 'Bình hoa của họ', price: 60_000 })
      await save(mine)
      await question(mine).getByRole('button', { name: 'Lưu bản của tôi' }).click()
      await mine.getByText('Đã lưu sản phẩm').waitFor()
      expect(await readProduct(id)).toMatchObject({ name: 'Bình hoa của tôi', price: 60_000 })
      await mine.context().close()
      await theirs.context().close()
    },
  )

  it('theirs: the form has it, and the next change is saved on top of it', async () => {
    const id = await makeProduct('Ấm trà')
    const { mine, theirs } = await twoTabs(id)
    await mine.getByLabel('Tên sản phẩm').fill('Ấm trà của tôi')
    await saveTheirs(theirs, { 'Tên sản phẩm': 'Ấm trà của họ' })
    // What was typed before a reload is based on the earlier version.
    await mine.reload()
    await expect.poll(() => mine.getByLabel('Tên sản phẩm').inputValue()).toBe('Ấm trà của tôi')
    await save(mine)
    await question(mine).getByRole('button', { name: 'Lấy bản đã lưu' }).click()
    await expect.poll(() => mine.getByLabel('Tên sản phẩm').inputValue()).toBe('Ấm trà của họ')
    expect((await readProduct(id)).name).toBe('Ấm trà của họ')
    await mine.getByLabel(/^Mã vạch$/).fill('8936000000017')
    await save(mine)
    await mine.getByText('Đã lưu sản phẩm').waitFor()
    expect(await readProduct(id)).toMatchObject({ name: 'Ấm trà của họ', barcode: '8936000000017' })
  })

  it('asks nothing where the other changed what the form does not hold', async () => {
    const id = await makeProduct('Khay gỗ')
    const { mine } = await twoTabs(id)
    const { skus } = await readProduct(id)
    const wholesalePrices = [{ skuId: skus[0]._id, minQuantity: 10, price: 40_000 }]
    await shop.api('PUT', `${PRODUCTS}/${id}/wholesale-prices`, { wholesalePrices })
    await mine.getByLabel('Tên sản phẩm').fill('Khay gỗ lớn')
    await save(mine)
    await mine.getByText('Đã lưu sản phẩm').waitFor()
    expect((await readProduct(id)).name).toBe('Khay gỗ lớn')
  })
})

describe('G-71 two people on one customer', () => {
  it('asks over the dialog of the form, and keeps it for going back', async () => {
    const customers = '/api/external/v1/customers'
    const { _id: id } = (await shop.api('POST', customers, { fullName: 'Vũ Thị Mơ' })).body.data
    const page = await shop.open('/customers')
    await page.getByRole('link', { name: 'Vũ Thị Mơ' }).click()
    await page.getByRole('button', { name: 'Sửa' }).click()
    const form = page.getByRole('dialog', { name: 'Sửa' })
    await form.getByLabel('Ghi chú').fill('Khách quen')
    await shop.api('PATCH', `${customers}/${id}`, { note: 'Nợ 20.000' })
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).getByText('Khóa API', { exact: false }).waitFor()
    expect(await rowOf(page, 'Ghi chú')).toEqual(['Ghi chú', 'Nợ 20.000', 'Khách quen'])
    await page.keyboard.press('Escape')
    await question(page).waitFor({ state: 'detached' })
    expect(await form.getByLabel('Ghi chú').inputValue()).toBe('Khách quen')
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await form.waitFor({ state: 'detached' })
    const { body } = await shop.api('GET', `${customers}?ids=${id}`)
    expect(body.data.customers[0].note).toBe('Khách quen')
  })
})

describe('G-71 two people on other records', () => {
  it('on what the shop prints: shows the other’s change before it is saved over', async () => {
    const page = await shop.open('/settings?tab=print')
    const address = page.getByLabel('Địa chỉ')
    await address.fill('12 Hàng Đào')
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const [{ _id }] = (await http(shop.url, 'GET', '/api/manage/v1/shops', undefined, operator)).body.data
    const path = `/api/manage/v1/shops/${_id}`
    const theirs = { address: '9 Lý Quốc Sư', taxCode: '0101234567' }
    expect((await http(shop.url, 'PATCH', path, theirs, operator)).status).toBe(200)
    await save(page)
    await question(page).waitFor()
    expect(await rowOf(page, 'Địa chỉ')).toEqual(['Địa chỉ', '9 Lý Quốc Sư', '12 Hàng Đào'])
    await expectAccessible(page)
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await page.getByText('Đã lưu', { exact: true }).waitFor()
    const { shop: saved } = (await http(shop.url, 'GET', path, undefined, operator)).body.data
    expect(saved).toMatchObject({ address: '12 Hàng Đào', taxCode: '0101234567' })
  })

  it('on an audience: its conditions are shown in words, and stay where only the name is mine', async () => {
    const audiences = '/api/external/v1/audiences'
    const conditions = [{ kind: 'debt', atLeast: 100_000 }]
    const { _id } = (await shop.api('POST', audiences, { name: 'Khách nợ', conditions })).body.data
    const page = await shop.open('/messages/audiences')
    await page.getByRole('button', { name: 'Khách nợ', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Sửa nhóm khách' })
    await form.getByLabel('Tên nhóm').fill('Khách nợ của tôi')
    const theirs = { name: 'Khách nợ nhiều', conditions: [{ kind: 'debt', atLeast: 900_000 }] }
    expect((await shop.api('PATCH', `${audiences}/${_id}`, theirs)).status).toBe(200)
    await save(page)
    await question(page).getByText('Khóa API', { exact: false }).waitFor()
    expect(await rowOf(page, 'Tên nhóm')).toEqual(['Tên nhóm', 'Khách nợ nhiều', 'Khách nợ của tôi'])
    expect((await rowOf(page, 'Điều kiện')).slice(1).map((text) => text.replace(/\s/g, ' '))).toEqual([
      'Còn nợ từ 900.000 ₫',
      'Bạn không sửa: giữ bản đã lưu',
    ])
    await expectAccessible(page)
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await form.waitFor({ state: 'detached' })
    const all = (await shop.api('GET', audiences)).body.data
    expect(all.find((one: { _id: string }) => one._id === _id)).toMatchObject({
      name: 'Khách nợ của tôi',
      conditions: theirs.conditions,
    })
  })
})
