import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CAMERA, counterOf, hold, isReady, ORDERS, PATIENT, SCAN, scan, typed } from './counter.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { countOrders, openCounter, skuOf } = counterOf(shop)

async function expectFocusOn(question: Locator, button: string) {
  const isFocused = () =>
    question.getByRole('button', { name: button }).evaluate((one) => one.matches(':focus'))
  await expect.poll(isFocused).toBe(true)
}

describe('point of sale', () => {
  it('sells by keyboard and scanner: two scans, a quantity, cash and change; the stock goes down', async () => {
    const [tea, cup] = [await skuOf('Tra o long'), await skuOf('Coc gom', 1)]
    const before = await countOrders()
    const page = await openCounter()
    await scan(page, tea.barcode)
    await scan(page, cup.barcode)
    await scan(page, tea.barcode)
    await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
    await page.getByLabel(`Số lượng Cốc gốm quai tròn - ${cup.name}`).waitFor()
    await expect
      .poll(() => page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).inputValue(), PATIENT)
      .toBe('2')
    await page.keyboard.press('F2')
    await page.keyboard.press('Enter')
    await expectAccessible(page)

    const price = 2 * tea.price + cup.price
    await page.locator('[aria-live] >> text=/^\\d/').first().waitFor()
    await page.keyboard.press('F9')
    await typed(page, '1000000')
    await page.getByText('Tiền thừa').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    await isReady(page)

    expect(await countOrders()).toBe(before + 1)
    const order = (await shop.api('GET', ORDERS)).body.data.orders[0]
    expect(order).toMatchObject({
      price,
      isPaid: true,
      paidAmount: price,
      status: 'completed',
      paymentMethod: 'cash',
    })
    expect((await skuOf('Tra o long')).stock_quantity).toBe(tea.stock_quantity - 2)
    expect((await skuOf('Coc gom', 1)).stock_quantity).toBe(cup.stock_quantity - 1)
    const given = new Intl.NumberFormat('vi-VN').format(1_000_000 - price)
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: 'Đã bán' }).innerText())
      .toContain(given)

    await page.emulateMedia({ media: 'print' })
    const printed = () => page.locator('body').innerText()
    await expect.poll(printed).toContain(order.code)
    expect(await printed()).toContain(`Trà ô long Lâm Đồng - ${tea.name}`)
    expect(await printed()).not.toContain('Phím tắt')
  })

  it('a scan made while a sale is being sent begins the next sale', async () => {
    const [honey, tea] = [await skuOf('Mat ong'), await skuOf('Tra o long')]
    const page = await openCounter()
    await scan(page, honey.barcode)
    await page.getByLabel('Số lượng Mật ong hoa cà phê').waitFor()
    const find = await hold(page, '**/v1/products?**')
    const record = await hold(page, '**/order/pos/create')
    const sending = page.waitForRequest('**/order/pos/create')
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await sending
    await scan(page, tea.barcode)
    find()
    await page.getByText('Đã thêm Trà ô long Lâm Đồng').waitFor()
    record()
    await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
    await expect.poll(() => page.getByLabel('Số lượng Mật ong hoa cà phê').count()).toBe(0)
    // The next sale is shown before this one is recorded.
    const newest = async () => (await shop.api('GET', ORDERS)).body.data.orders[0].price
    await expect.poll(newest).toBe(honey.price)
  })

  it('sets fewer than five short timers in two seconds while nobody uses it', async () => {
    const honey = await skuOf('Mat ong')
    const page = await openCounter()
    await scan(page, honey.barcode)
    await page.getByLabel('Số lượng Mật ong hoa cà phê').waitFor()
    await page.getByText(/^Trong đó VAT \d/).waitFor({ state: 'attached' })
    await page.waitForTimeout(1_000)
    await page.evaluate(`
      window.timers = 0
      const original = window.setTimeout
      window.setTimeout = (act, ms, ...rest) => {
        if (ms < 1_000) window.timers += 1
        return original(act, ms, ...rest)
      }`)
    await page.waitForTimeout(2_000)
    expect(await page.evaluate('window.timers')).toBeLessThan(5)
  })

  it('finds a product by words without accents, a customer by phone, and takes both discounts', async () => {
    const page = await openCounter()
    await typed(page, '2*ao dai lua')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'Áo dài lụa Vạn Phúc' }).waitFor()
    await page.keyboard.press('F3')
    await typed(page, '10000000')
    await page.getByText('Quá 2.500.000').waitFor()
    await page.getByRole('button', { name: 'Bán', exact: true, disabled: true }).waitFor()
    await page.keyboard.press('F3')
    await typed(page, '100000')
    await page.keyboard.press('Enter')
    await page.keyboard.press('F8')
    await typed(page, '2%')
    await page.getByText('Giảm 48.000').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('F8')
    await typed(page, '5000000')
    await page.getByText('Nhiều hơn tiền hàng 2.400.000').waitFor()
    await page.getByRole('button', { name: 'Bán', exact: true, disabled: true }).waitFor()
    await page.keyboard.press('F8')
    await typed(page, '50000')
    await page.keyboard.press('Enter')
    await page.keyboard.press('F4')
    await typed(page, '0903100000')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Bỏ khách hàng').waitFor()
    await page.getByText('2.350.000').first().waitFor()
    const shown = async (text: string) => {
      const row = page.getByText(text, { exact: true }).locator('xpath=following-sibling::*[1]')
      return Number((await row.innerText()).replace(/[^\d-]/g, ''))
    }
    const discount = Number((await page.getByLabel('Giảm cả đơn').inputValue()).replace(/\D/g, ''))
    const sum = (await shown('Tiền hàng')) + (await shown('Giảm theo dòng')) - discount
    expect([sum, await shown('Khách phải trả')]).toEqual([2_350_000, 2_350_000])
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    const order = (await shop.api('GET', ORDERS)).body.data.orders[0]
    expect(order).toMatchObject({ price: 2_350_000, userId: { phone: '84903100000' } })
  })

  it('on a phone sells by touch: a tile asks which kind, and the button is in view before any scrolling; on the whole screen the menu is gone', async () => {
    const lamp = await skuOf('Den long')
    const page = await shop.open('/pos', { viewport: { width: 390, height: 844 } })
    await isReady(page)
    const tiles = page.getByRole('region', { name: 'Chọn sản phẩm' })
    await tiles.getByRole('button', { name: /Đèn lồng Hội An/ }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: lamp.barcode }).click()
    await page.getByRole('button', { name: `Thêm một Đèn lồng Hội An - ${lamp.name}` }).click()
    await isReady(page)
    const sell = page.getByRole('button', { name: 'Bán', exact: true })
    await page.evaluate('window.scrollTo(0, 0)')
    const box = (await sell.boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(844)
    await expectAccessible(page)
    await sell.click()
    await page.getByText(/^Đã bán DH/).waitFor()
    expect((await shop.api('GET', ORDERS)).body.data.orders[0].price).toBe(2 * lamp.price)
    await page.setViewportSize({ width: 1440, height: 900 })
    const menu = page.getByRole('link', { name: 'Đơn hàng' }).first()
    await menu.waitFor()
    const bottom = await sell.boundingBox()
    expect(bottom!.y + bottom!.height).toBeLessThanOrEqual(900)
    await page.getByRole('button', { name: 'Toàn màn hình' }).click()
    await expect.poll(() => menu.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Thoát toàn màn hình' }).click()
    await expect.poll(() => menu.isVisible()).toBe(true)
  })

  it('makes a customer of an unknown phone number in two fields, and sells to them', async () => {
    const phone = `09${String(Math.random()).slice(2, 10)}`
    const page = await openCounter()
    await page.keyboard.press('F4')
    await typed(page, phone)
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Thêm khách mới' })
    await expect.poll(() => form.getByLabel('Điện thoại').inputValue()).toBe(phone)
    expect(await form.getByRole('textbox').count()).toBe(2)
    await form.getByLabel('Họ tên').fill('Phạm Thị Ổi')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByLabel('Bỏ khách hàng').waitFor()
    await page.getByText('Phạm Thị Ổi').first().waitFor()
    const { customers } = (await shop.api('GET', `/api/external/v1/customers?search=${phone}`)).body.data
    expect(customers).toMatchObject([{ fullName: 'Phạm Thị Ổi', phone: `84${phone.slice(1)}` }])
    const tea = await skuOf('Tra o long')
    await isReady(page)
    await scan(page, tea.barcode)
    await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    const [order] = (await shop.api('GET', ORDERS)).body.data.orders
    expect(order).toMatchObject({ price: tea.price, userId: { _id: customers[0]._id } })
  })

  it('asks before a quantity far above the stock is sold; a scan changes the sale and answers nothing', async () => {
    const name = 'Ốp lưng in hình'
    const barcode = `893${String(Math.random()).slice(2, 12)}`
    await shop.api('POST', '/api/external/v1/products', { name, price: 1_000, barcode })
    const { _id: skuId } = await skuOf(name)
    const items = [{ skuId, quantity: 1_196 }]
    await shop.api('POST', '/api/external/v1/inventory/entries', { type: 'receive', items })
    const before = await countOrders()
    const page = await openCounter()
    const sell = page.getByRole('button', { name: 'Bán', exact: true })
    const question = page.getByRole('dialog', { name: 'Bạn có chắc không?' })
    const quantity = page.getByLabel(`Số lượng ${name}`)
    await scan(page, barcode)
    await quantity.fill('5000')
    await sell.click()
    await question.getByText(`Bán 5.000 ${name}? Trong kho chỉ còn 1.196.`, { exact: true }).waitFor()
    await expectFocusOn(question, 'Sửa lại')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })

    await sell.click()
    await question.waitFor()
    await scan(page, barcode)
    await question.waitFor({ state: 'detached' })
    await expect.poll(() => quantity.inputValue()).toBe('5001')
    await sell.click()
    await expectFocusOn(question, 'Sửa lại')
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await countOrders()).toBe(before)

    await sell.click()
    await question.getByRole('button', { name: 'Bán', exact: true }).click()
    await page.getByText(/^Đã bán DH/).waitFor()
    await question.waitFor({ state: 'detached' })
    expect((await shop.api('GET', ORDERS)).body.data.orders[0].price).toBe(5_001_000)

    await isReady(page)
    await scan(page, barcode)
    await quantity.fill('99')
    await sell.click()
    await expect.poll(countOrders).toBe(before + 2)
    expect(await question.count()).toBe(0)
  })

  it('offers the customer who has the phone number of a new one', async () => {
    const phone = '0911222333'
    const body = { fullName: 'Nguyễn Văn Có Rồi', phone }
    expect((await shop.api('POST', '/api/external/v1/customers', body)).status).toBe(201)
    const page = await openCounter()
    await page.getByRole('button', { name: 'Thêm khách mới' }).click()
    const form = page.getByRole('dialog', { name: 'Thêm khách mới' })
    await form.getByLabel('Điện thoại').fill(`+84 ${phone.slice(1)}`)
    await form.getByLabel('Họ tên').fill('Nguyễn Văn A')
    await page.keyboard.press('Enter')
    await form.getByText('Số 0911 222 333 là của khách Nguyễn Văn Có Rồi.').waitFor()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Chọn Nguyễn Văn Có Rồi' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByLabel('Bỏ khách hàng').waitFor()
    await page.getByText('Nguyễn Văn Có Rồi', { exact: true }).waitFor()
  })

  it('offers the wholesale price that a line’s quantity reaches, sells at it once it is taken, and offers the single price again below it', async () => {
    const name = 'Bánh cốm Hàng Than'
    const barcode = `893${String(Math.random()).slice(2, 12)}`
    const made = await shop.api('POST', '/api/external/v1/products', { name, price: 50_000, barcode })
    const path = `/api/external/v1/products/${made.body.data._id}`
    const [sku] = (await shop.api('GET', path)).body.data.skus
    const prices = [
      { skuId: sku._id, minQuantity: 5, price: 45_000 },
      { skuId: sku._id, minQuantity: 10, price: 40_000 },
    ]
    expect((await shop.api('PUT', `${path}/wholesale-prices`, { wholesalePrices: prices })).status).toBe(200)
    const page = await openCounter()
    await scan(page, barcode)
    const line = page.getByRole('list', { name: 'Hàng trong đơn' }).getByRole('listitem')
    await line.filter({ hasText: name }).waitFor()
    const quantity = page.getByLabel(`Số lượng ${name}`)
    const offers = () => line.getByRole('button', { name: /giá/ }).allInnerTexts()
    const plain = async () => (await offers()).map((text) => text.replaceAll('\u00a0', ' '))
    expect(await offers()).toEqual([])
    await quantity.fill('5')
    await expect.poll(plain).toEqual(['Lấy giá sỉ 45.000 ₫ (từ 5)'])
    await quantity.fill('12')
    await expect.poll(plain).toEqual(['Lấy giá sỉ 40.000 ₫ (từ 10)'])
    await expectAccessible(page)
    await line.getByRole('button', { name: /giá sỉ/ }).click()
    await expect.poll(plain).toEqual([])
    await quantity.fill('4')
    await expect.poll(plain).toEqual(['Về giá lẻ 50.000 ₫'])
    await quantity.fill('10')
    await expect.poll(plain).toEqual([])
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    expect((await shop.api('GET', ORDERS)).body.data.orders[0]).toMatchObject({ price: 400_000 })
  })

  it('finds a customer by a name without accents; Enter alone takes none of several', async () => {
    for (const [at, fullName] of ['Nguyễn Thị Đào Phai', 'Trần Đào Phai'].entries())
      await shop.api('POST', '/api/external/v1/customers', { fullName, phone: `09135550${at}1` })
    const page = await openCounter()
    await page.keyboard.press('F4')
    await typed(page, 'dao phai')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Bỏ khách hàng').count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByLabel('Bỏ khách hàng').waitFor()
    await page
      .getByText(/Đào Phai$/)
      .first()
      .waitFor()
  })

  it('scans by the camera where the browser reads barcodes, each piece once; elsewhere there is no button', async () => {
    const without = await openCounter()
    expect(await without.getByRole('button', { name: 'Quét bằng máy ảnh' }).count()).toBe(0)
    const tea = await skuOf('Tra o long')
    const page = await shop.open('/', { viewport: { width: 390, height: 844 } })
    await page.addInitScript(CAMERA)
    await page.goto('/pos')
    await isReady(page)
    await page.getByRole('button', { name: 'Quét bằng máy ảnh' }).click()
    const camera = page.getByRole('dialog', { name: 'Quét bằng máy ảnh' })
    await camera.getByText('Đưa mã vạch vào khung hình.').waitFor()
    await expectAccessible(page)
    await page.evaluate(`window.before = '${tea.barcode}'`)
    await camera.getByText(`Đã quét ${tea.barcode}`).waitFor()
    await page.evaluate('window.looks = 0')
    await expect.poll(() => page.evaluate('window.looks')).toBeGreaterThan(3)
    await page.keyboard.press('Escape')
    await camera.waitFor({ state: 'detached' })
    const quantity = page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`)
    await expect.poll(() => quantity.inputValue()).toBe('1')
    await expect
      .poll(() => page.evaluate('window.tracks.every((one) => one.readyState === "ended")'))
      .toBe(true)
  })

  it('holds an order while another is sold, over a reload too', async () => {
    const [tea, lamp] = [await skuOf('Tra o long'), await skuOf('Den long')]
    const page = await openCounter()
    await scan(page, tea.barcode)
    await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
    await page.keyboard.press('F7')
    await page.getByRole('tab', { name: 'Đơn 2' }).waitFor()
    await scan(page, lamp.barcode)
    await page.getByLabel(`Số lượng Đèn lồng Hội An - ${lamp.name}`).waitFor()
    expect(await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).count()).toBe(0)
    await expectAccessible(page)
    await page.reload()
    await isReady(page)
    await page.getByLabel(`Số lượng Đèn lồng Hội An - ${lamp.name}`).waitFor()
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    await page.keyboard.press('F6')
    await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([expect.stringMatching(/^Đơn 1/)])
    await isReady(page)
    const order = (await shop.api('GET', ORDERS)).body.data.orders[0]
    expect(order.price).toBe(lamp.price)
  })

  it('distinguishes a found code from an unknown one by a sound and a short vibration', async () => {
    const tea = await skuOf('Tra o long')
    const page = await openCounter()
    await page.evaluate(HEARD)
    const heard = () => page.evaluate('window.heard')
    await scan(page, tea.barcode)
    await expect.poll(heard).toEqual([
      ['vibration', 80],
      ['sound', 1_320, 0.08],
    ])
    await page.evaluate('window.heard.length = 0')
    await scan(page, '0000000000000')
    await expect.poll(heard).toEqual([
      ['vibration', 280],
      ['sound', 220, 0.28],
    ])
  })

  it('says that a code is unknown and stays ready; a viewer cannot sell', async () => {
    const page = await openCounter()
    await scan(page, '0000000000000')
    await page.getByText('Không có sản phẩm nào với “0000000000000”.').waitFor()
    await expect.poll(() => page.getByLabel(SCAN).inputValue()).toBe('')
    const viewer = await shop.open('/pos', { as: await shop.invite('viewer') })
    await viewer.getByText('Vai trò của bạn chỉ được xem, không bán hàng được.').waitFor()
    await expect.poll(() => viewer.getByLabel(SCAN).count()).toBe(0)
  })
})

/** Runs in the page: records the vibrations in ms, and the sounds in Hz and seconds. */
const HEARD = `
  window.heard = []
  navigator.vibrate = (ms) => window.heard.push(['vibration', ms])
  const stop = OscillatorNode.prototype.stop
  OscillatorNode.prototype.stop = function (at) {
    window.heard.push(['sound', this.frequency.value, Math.round((at - this.context.currentTime) * 100) / 100])
    return stop.call(this, at)
  }
`
