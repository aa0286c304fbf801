import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SCAN } from './counter.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const finder = (page: Page) => page.getByRole('dialog', { name: 'Tìm nhanh (Ctrl+K)' })
const marked = (page: Page) => finder(page).locator('[role="option"][aria-selected="true"]')

async function open(page: Page) {
  await page.keyboard.press('Control+k')
  await finder(page).locator('input:focus').waitFor()
}

describe('Ctrl+K', () => {
  it('goes to a screen, an action or a record by a part of its name without accents, also from within a field', async () => {
    const made = await shop.api('POST', '/api/external/v1/customers', { fullName: 'Đặng Thị Tìm Nhanh' })
    const page = await shop.open('/orders')
    await page.getByRole('row').nth(1).waitFor()
    await page.getByRole('main').getByRole('textbox').first().click()
    await open(page)
    await expectAccessible(page)
    await page.keyboard.type('kiem kho')
    await expect.poll(() => marked(page).innerText()).toBe('Kiểm kho')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => marked(page).innerText()).toBe('Kiểm kho mới')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/stock-counts/new')
    // The screen takes the focus when it is loaded.
    await page.locator(`input[aria-label="${SCAN}"]:focus`).waitFor()
    await expect.poll(() => finder(page).count()).toBe(0)

    await open(page)
    await page.keyboard.type('tim nhanh')
    await finder(page).getByRole('group', { name: 'Khách hàng' }).getByText('Đặng Thị Tìm Nhanh').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/customers/${made.body.data._id}`)

    await open(page)
    await page.keyboard.type('zzzzqqq')
    await finder(page).getByText('Không tìm thấy gì').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => finder(page).count()).toBe(0)
  })

  it('finds templates, articles, and messages by a phone number or the message id, also for a viewer', async () => {
    const article = await shop.api('POST', '/api/external/news', {
      title: 'Khai trương tìm nhanh',
      content: '<p>Mời ghé tiệm</p>',
    })
    const { histories } = (await shop.api('GET', '/api/external/notify-message/history?channel=phone')).body
    const sent = histories[0]
    const page = await shop.open('/orders', { as: await shop.invite('viewer') })
    await page.getByRole('row').nth(1).waitFor()
    const first = async (typed: string, group: string) => {
      await open(page)
      await page.keyboard.type(typed)
      const option = finder(page).getByRole('group', { name: group }).getByRole('option').first()
      await option.waitFor()
      return option
    }
    await (await first('xac nhan don', 'Mẫu tin')).click()
    await page.getByRole('heading', { level: 1, name: 'Xác nhận đơn hàng' }).waitFor()

    await (await first('khai truong tim', 'Tin tức')).click()
    await page.waitForURL(`**/news/${article.body.data._id}`)

    await (await first(`0${sent.phone.slice(2)}`, 'Tin nhắn')).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await (await first(sent._id, 'Tin nhắn')).click()
    await page.waitForURL(`**/messages/${sent._id}`)
  })

  it('does what the open order offers, opens a tab of the settings, changes theme and language, and signs out after the questions', async () => {
    const sold = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders[0]
    const page = await shop.open(`/orders/${sold._id}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const choose = async (typed: string, name: string) => {
      await open(page)
      await page.keyboard.type(typed)
      await finder(page).getByRole('option', { name }).first().click()
      await expect.poll(() => finder(page).count()).toBe(0)
    }
    await page.getByRole('heading', { level: 1, name: sold.code }).waitFor()
    await choose('in hoa don', 'In hóa đơn')
    await page.getByRole('dialog', { name: 'Xem bản in' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await choose('sao chep', `Sao chép ${sold.code}`)
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(sold.code)
    await choose('duong dan', 'Sao chép đường dẫn trang này')
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(page.url())

    await choose('toi', 'Giao diện tối')
    await page.locator('[data-mantine-color-scheme="dark"]').waitFor()
    await choose('khoa api', 'Khóa API')
    await page.waitForURL('**/settings?tab=keys')

    await page.goto('/pos')
    await page.getByRole('combobox', { name: SCAN }).fill('Tra o long')
    await page.getByRole('option').first().click()
    await page.getByLabel(/^Số lượng /).waitFor()
    await choose('dang xuat', 'Đăng xuất')
    const question = page.getByRole('dialog', { name: 'Bạn có chắc không?' })
    await question.getByRole('button', { name: 'Ở lại' }).click()
    await choose('english', 'English')
    await page.locator('html[lang="en"]').waitFor()
  })

  it('lists only what contains the words, and an order with its total after returns', async () => {
    const { data: made } = (
      await shop.api('POST', '/api/external/v1/products', { name: 'Đèn trả lại', price: 100_000 })
    ).body
    const skuId = (await shop.api('GET', `/api/external/v1/products/${made.id}`)).body.data.skus[0]._id
    await shop.api('POST', '/api/external/v1/inventory/entries', {
      type: 'receive',
      items: [{ skuId, quantity: 2 }],
    })
    const orderItems = [{ id: skuId, quantity: 2 }]
    const body = { orderItems, paymentMethod: 'cash', isPaid: true }
    const { _id } = (await shop.api('POST', '/api/external/order/pos/create', body)).body.data
    const path = `/api/external/v1/orders/${_id}`
    const sold = (await shop.api('PATCH', `${path}/status`, { status: 'completed' })).body.data
    const lines = [{ orderItemId: sold.orderItems[0]._id, quantity: 1 }]
    await shop.api('POST', `${path}/returns`, { lines, refundAmount: 100_000 })

    const page = await shop.open('/orders')
    await page.getByRole('row').nth(1).waitFor()
    await open(page)
    await page.keyboard.type('xác')
    await finder(page).getByRole('option', { name: 'Xác nhận đơn hàng' }).waitFor()
    const options = await finder(page).getByRole('option').allInnerTexts()
    expect(options.filter((option) => !option.toLowerCase().includes('xác'))).toEqual([])

    await finder(page).getByRole('combobox').fill(sold.code)
    await finder(page)
      .getByRole('group', { name: 'Đơn hàng' })
      .getByText(/^100\.000\s₫$/)
      .waitFor()
  })

  it('tells products of one name apart by their code', async () => {
    const products = [
      { name: 'Khay mứt Tết', price: 90_000, itemSku: 'KHAY-01', barcode: '8930000777011' },
      { name: 'Khay mứt Tết', price: 90_000, barcode: '8930000777028' },
      { name: 'Khay mứt Tết', price: 95_000 },
    ]
    for (const body of products)
      expect((await shop.api('POST', '/api/external/v1/products', body)).status).toBe(200)
    const page = await shop.open('/orders')
    await page.getByRole('row').nth(1).waitFor()
    await open(page)
    await page.keyboard.type('khay mut')
    const found = finder(page).getByRole('group', { name: 'Sản phẩm' }).getByRole('option')
    await expect.poll(() => found.count()).toBe(3)
    const texts = (await found.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    expect(texts.toSorted()).toEqual([
      'Khay mứt Tết 8930000777028 · 90.000 ₫',
      'Khay mứt Tết 95.000 ₫',
      'Khay mứt Tết KHAY-01 · 90.000 ₫',
    ])
  })

  it('gives the focus back to where it was', async () => {
    const page = await shop.open('/orders')
    const order = page.getByRole('main').getByRole('row').nth(1).getByRole('link').first()
    await order.focus()
    await open(page)
    await page.keyboard.press('Escape')
    await expect.poll(() => finder(page).count()).toBe(0)
    await page.getByRole('main').locator('a:focus').waitFor()
  })

  it('takes what is typed while it is being fetched', async () => {
    const page = await shop.open('/orders')
    await page.getByRole('row').nth(1).waitFor()
    const { promise: isTyped, resolve: fetched } = Promise.withResolvers<void>()
    await page.route('**/palette-*.js', async (route) => {
      await isTyped
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('kiem kho')
    fetched()
    await expect.poll(() => marked(page).innerText()).toBe('Kiểm kho')
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  })

  it('is a button on a phone, and offers a viewer nothing to write', async () => {
    const viewer = await shop.invite('viewer')
    const page = await shop.open('/', { viewport: { width: 390, height: 844 }, as: viewer })
    await page.getByRole('button', { name: 'Tìm nhanh (Ctrl+K)' }).click()
    await finder(page).getByRole('option', { name: 'Đơn hàng' }).waitFor()
    expect(await finder(page).getByRole('group', { name: 'Việc cần làm' }).count()).toBe(0)
    await expectAccessible(page)
    await finder(page).getByRole('combobox').fill('san pham')
    await finder(page).getByRole('option', { name: 'Sản phẩm', exact: true }).first().click()
    await page.waitForURL('**/products')
  })
})

describe('help', () => {
  it('explains a hard word where it appears, and every word and task on a page that is searched without accents', async () => {
    const page = await shop.open('/wallet')
    await page.getByRole('button', { name: 'Tạm giữ là gì?' }).click()
    const note = page.getByRole('dialog', { name: 'Tạm giữ là gì?' })
    await note.getByText('Phí của những tin đang gửi', { exact: false }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await note.waitFor({ state: 'detached' })
    await page.locator('button[aria-label="Tạm giữ là gì?"]:focus').waitFor()

    await open(page)
    await page.keyboard.type('tro giup')
    await expect.poll(() => marked(page).innerText()).toBe('Trợ giúp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Bán tại quầy' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Tìm trong trợ giúp' }).fill('gia von')
    await page.getByRole('term').filter({ hasText: 'Giá vốn' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Bán tại quầy' }).count()).toBe(0)
  })
})
