import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { http, OPERATOR_TOKEN } from '../../server/test/support/process.ts'
import { answer, expectAccessible, startConsole } from './support.ts'

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

describe('G-71 one person', () => {
  it('who reloads before the response to a save has arrived goes on from what was saved, and can change it back', async () => {
    const id = await makeProduct('Quạt giấy')
    const status = async () => (await readProduct(id)).status
    const page = await shop.open(`/products/${id}`)
    const onSale = page.getByRole('switch', { name: 'Đang bán' })
    const { promise: reloaded, resolve } = Promise.withResolvers<void>()
    const end = await answer(page, `**${PRODUCTS}/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      await route.fetch()
      await reloaded
      await route.abort().catch(() => undefined)
    })
    await onSale.uncheck()
    await save(page)
    await expect.poll(status).toBe('inactive')
    end()
    await page.reload()
    resolve()
    await onSale.check()
    await save(page)
    await expect.poll(status, { timeout: 10_000 }).toBe('active')
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
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  it('on what the shop prints: shows the other’s change before it is overwritten', async () => {
    const page = await shop.open('/settings?tab=print')
    const address = page.getByLabel('Địa chỉ')
    await address.fill('12 Hàng Đào')
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

  const shopId = async (): Promise<string> =>
    (await http(shop.url, 'GET', '/api/manage/v1/shops', undefined, operator)).body.data[0]._id
  const manage = async (method: string, path: string, body?: unknown) => {
    const answer = await http(
      shop.url,
      method,
      `/api/manage/v1/shops/${await shopId()}${path}`,
      body,
      operator,
    )
    expect(answer.status).toBeLessThan(300)
    return answer.body.data
  }

  it('on the wallet’s threshold', async () => {
    const page = await shop.open('/wallet')
    const field = page.getByLabel('Báo khi số dư thấp hơn')
    await field.fill('70000')
    const path = '/api/external/wallet/alert'
    expect((await shop.api('PUT', path, { lowBelow: 50_000 })).status).toBe(200)
    await save(page)
    await question(page).getByText('Khóa API', { exact: false }).waitFor()
    const row = (await rowOf(page, 'Báo khi số dư thấp hơn')).map((text) => text.replace(/\s/g, ' '))
    expect(row.slice(1)).toEqual(['50.000 ₫', '70.000 ₫'])
    expect((await shop.api('GET', path)).body.lowBelow).toBe(50_000)
    await question(page).getByRole('button', { name: 'Lấy bản đã lưu' }).click()
    await expect.poll(async () => (await field.inputValue()).replace(/\s/g, ' ')).toBe('50.000 ₫')
    await field.fill('60000')
    await save(page)
    await page.getByText('Đã lưu mức báo').waitFor()
    expect((await shop.api('GET', path)).body.lowBelow).toBe(60_000)
  })

  it('on a key’s limit, over its dialog', async () => {
    const { key } = await manage('POST', '/keys', { name: 'Máy tính tiền', maxPerMinute: 10 })
    const page = await shop.open('/settings?tab=keys')
    const row = page.getByRole('row').filter({ hasText: 'Máy tính tiền' })
    await row.getByRole('button', { name: 'Đổi giới hạn' }).click()
    const form = page.getByRole('dialog', { name: 'Đổi giới hạn' })
    await form.getByRole('textbox', { name: 'Số lượt gọi mỗi phút' }).fill('30')
    await manage('PATCH', `/keys/${key._id}`, { maxPerMinute: 20 })
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).waitFor()
    expect((await rowOf(page, 'Số lượt gọi mỗi phút')).slice(1)).toEqual(['20', '30'])
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await form.waitFor({ state: 'detached' })
    expect((await manage('GET', `/keys/${key._id}`)).key.maxPerMinute).toBe(30)
  })

  it.each([1440, 390])('on an official account that two operators change, at %i px', async (width) => {
    const account = await manage('POST', '/official-accounts', { oaId: `oa-${width}`, name: `OA ${width}` })
    const page = await shop.open(`/operator/shops/${await shopId()}`, { viewport: { width, height: 844 } })
    // The new account is the last one in the list.
    await page.getByText(`OA oa-${width}`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sửa', exact: true }).last().click()
    const form = page.getByRole('dialog', { name: 'Cập nhật OA' })
    await form.getByRole('textbox', { name: 'Giá gửi theo UID' }).fill('250')
    await form.getByLabel('Khóa bí mật').fill('bi-mat-cua-toi')
    await manage('PATCH', `/official-accounts/${account._id}`, { priceUID: 300 })
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).waitFor()
    expect((await rowOf(page, 'Giá gửi theo UID')).slice(1)).toEqual(['300', '250'])
    expect((await rowOf(page, 'Khóa bí mật')).slice(1)).toEqual(['—', '••••••'])
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await form.waitFor({ state: 'detached' })
    const saved = (await manage('GET', '/official-accounts')).at(-1)
    expect(saved).toMatchObject({ priceUID: 250, hasSecretKey: true })
  })

  it('on an SMS sender, also one that another operator removed', async () => {
    const body = { brandname: 'TIEMA', price: 800, apiKey: 'khoa', secretKey: 'bi-mat' }
    await manage('PUT', '/sms', body)
    const page = await shop.open(`/operator/shops/${await shopId()}`)
    await page.getByRole('button', { name: 'Đổi đầu gửi SMS' }).click()
    const form = page.getByRole('dialog', { name: 'Đổi đầu gửi SMS' })
    await form.getByLabel('Giá một SMS').fill('900')
    await manage('DELETE', '/sms')
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).waitFor()
    expect((await rowOf(page, 'Giá một SMS')).slice(1)).toEqual(['—', '900'])
    await question(page).getByRole('button', { name: 'Quay lại sửa' }).click()
    await manage('PUT', '/sms', { ...body, brandname: 'TIEMB' })
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).getByRole('button', { name: 'Lấy bản đã lưu' }).click()
    expect(await form.getByRole('textbox', { name: 'Brandname' }).inputValue()).toBe('TIEMB')
  })

  it('on an SMS sender that another operator sets first', async () => {
    if ((await manage('GET', '/sms')) !== null) await manage('DELETE', '/sms')
    const page = await shop.open(`/operator/shops/${await shopId()}`)
    await page.getByRole('button', { name: 'Đặt đầu gửi SMS' }).click()
    const form = page.getByRole('dialog', { name: 'Đặt đầu gửi SMS' })
    for (const [label, value] of Object.entries({ Brandname: 'TIEMC', 'Giá một SMS': '700' }))
      await form.getByRole('textbox', { name: label }).fill(value)
    for (const field of await form.locator('input[type="password"]').all()) await field.fill('khoa-cua-toi')
    await manage('PUT', '/sms', { brandname: 'TIEMD', price: 750, apiKey: 'khoa', secretKey: 'bi-mat' })
    await form.getByRole('button', { name: 'Lưu', exact: true }).click()
    await question(page).waitFor()
    expect((await rowOf(page, 'Brandname')).slice(1)).toEqual(['TIEMD', 'TIEMC'])
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await manage('GET', '/sms')).toMatchObject({ brandname: 'TIEMC', price: 700 })
  })

  it.each([1440, 390])('on a member’s role, which is saved as it is chosen, at %i px', async (width) => {
    await shop.invite('staff')
    const newest = async () => (await manage('GET', '/members')).members.at(-1)
    const { _id: id, email } = await newest()
    const page = await shop.open('/settings?tab=members', { viewport: { width, height: 844 } })
    const field = page
      .getByRole('row')
      .filter({ hasText: email })
      .getByRole('combobox', { name: /^Vai trò/ })
    const choose = async (role: string) => {
      await field.click()
      await page.getByRole('option', { name: role, exact: true }).click()
    }
    await field.waitFor()
    await manage('PATCH', `/members/${id}`, { role: 'owner' })
    await choose('Chỉ xem')
    await question(page).waitFor()
    expect((await rowOf(page, 'Vai trò')).slice(1)).toEqual(['Chủ cửa hàng', 'Chỉ xem'])
    expect((await newest()).role).toBe('owner')
    await question(page).getByRole('button', { name: 'Lấy bản đã lưu' }).click()
    await expect.poll(() => field.inputValue()).toBe('Chủ cửa hàng')
    // What the list now shows is what the next choice begins with.
    await choose('Chỉ xem')
    await page.getByText('Đã đổi vai trò').waitFor()
    expect((await newest()).role).toBe('viewer')
  })

  it('on a template’s text for SMS, also one that is removed', async () => {
    const { templates } = (await shop.api('GET', '/api/external/notify-template?status=ENABLE')).body
    const path = `/api/external/notify-template/${templates[0]._id}/sms-text`
    expect((await shop.api('PUT', path, { text: 'Don hang da giao' })).status).toBe(200)
    const page = await shop.open(`/templates/${templates[0]._id}`)
    const field = page.getByLabel('Nội dung SMS')
    await field.fill('Đơn hàng đã giao')
    expect((await shop.api('PUT', path, { text: null })).status).toBe(200)
    await page.getByRole('button', { name: 'Lưu nội dung SMS' }).click()
    await question(page).waitFor()
    expect((await rowOf(page, 'Nội dung SMS')).slice(1)).toEqual(['—', 'Đơn hàng đã giao'])
    await question(page).getByRole('button', { name: 'Quay lại sửa' }).click()
    expect((await shop.api('GET', path)).body.data.smsFallback).toBeNull()
    await page.getByRole('button', { name: 'Lưu nội dung SMS' }).click()
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await page.getByText('Đã lưu nội dung SMS').waitFor()
    expect((await shop.api('GET', path)).body.data.smsFallback.text).toBe('Đơn hàng đã giao')
    // Removed in this form, while another changed it: asked too.
    expect((await shop.api('PUT', path, { text: 'Cua ho' })).status).toBe(200)
    await page.getByRole('button', { name: 'Không gửi SMS nữa' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Không gửi SMS nữa' }).click()
    expect((await rowOf(page, 'Nội dung SMS')).slice(1)).toEqual(['Cua ho', '—'])
    await question(page).getByRole('button', { name: 'Lưu bản của tôi' }).click()
    await page.getByRole('button', { name: 'Không gửi SMS nữa' }).waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('')
    expect((await shop.api('GET', path)).body.data.smsFallback).toBeNull()
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
