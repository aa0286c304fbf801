import { describe, expect, it } from 'vitest'
import { chooseCustomer, counterOf, hold, isReady, ORDERS, scan, typed } from './counter.ts'
import { expectAccessible, loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()
const { countOrders, openCounter, skuOf } = counterOf(shop)
const tea = await skuOf('Tra o long')
const WHO_OWES = 'Chọn khách hàng để biết ai nợ'

describe('a sale on credit', () => {
  it.each([
    [1440, 'Trả sau'],
    [390, 'Trả một phần'],
  ])(
    'needs a customer, also a new one of whom only the name was typed, at %i px: %s',
    async (width, paying) => {
      const before = await countOrders()
      const name = `Lan Bán Bún ${width}`
      const page = await shop.open('/pos', { viewport: { width, height: 900 } })
      await isReady(page)
      await scan(page, tea.barcode)
      await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
      await page.getByText(paying, { exact: true }).click()
      if (paying === 'Trả một phần') await page.getByLabel('Khách trả bây giờ').fill('10000')
      expect(await page.getByRole('button', { name: 'Bán', exact: true }).count()).toBe(0)
      await page.getByRole('button', { name: WHO_OWES }).click()
      await page.getByLabel('Khách hàng', { exact: true }).and(page.locator(':focus')).waitFor()
      expect(await countOrders()).toBe(before)
      await expectAccessible(page)

      await typed(page, name)
      await page.getByRole('option', { name: `Thêm khách “${name}”` }).waitFor()
      await page.keyboard.press('Enter')
      const form = page.getByRole('dialog', { name: 'Thêm khách mới' })
      await expect.poll(() => form.getByLabel('Họ tên').inputValue()).toBe(name)
      await form.getByLabel('Điện thoại').fill(`09${String(Math.random()).slice(2, 10)}`)
      await page.keyboard.press('Enter')
      await page.getByLabel('Bỏ khách hàng').waitFor()
      await page.getByRole('button', { name: 'Bán', exact: true }).click()
      await page.getByText(/^Đã bán DH/).waitFor()
      const [order] = (await shop.api('GET', ORDERS)).body.data.orders
      expect(order).toMatchObject({ isPaid: false, userId: { fullName: name } })
    },
  )
})

describe('what a customer owes', () => {
  it('is shown and paid at the counter once the customer is chosen, and is in the list of customers', async () => {
    const fullName = 'Phạm Nợ Lâu'
    const phone = `09${String(Math.random()).slice(2, 10)}`
    const made = (await shop.api('POST', '/api/external/v1/customers', { fullName, phone })).body.data
    const page = await openCounter()
    const chosen = page.getByText(fullName, { exact: true }).locator('xpath=..')
    await chooseCustomer(page, fullName)
    await page.waitForTimeout(500)
    expect(await chosen.getByText(/Còn nợ/).count()).toBe(0)
    const product = await shop.api('POST', '/api/external/v1/products', { name: 'Hàng nợ', price: 74_000 })
    const orderItems = [{ id: product.body.data._id, quantity: 1 }]
    const sale = { orderItems, userId: made._id, paidAmount: 0 }
    expect((await shop.api('POST', '/api/external/order/pos/create', sale)).status).toBe(200)
    await page.getByLabel('Bỏ khách hàng').click()
    await chooseCustomer(page, fullName)
    await chosen.getByText('Còn nợ 74.000').waitFor()
    await expectAccessible(page)
    await chosen.getByRole('button', { name: 'Thu nợ' }).click()
    const form = page.getByRole('dialog', { name: 'Thu nợ' })
    await form.getByLabel('Khách trả bây giờ').fill('30000')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    await chosen.getByText('Còn nợ 44.000').waitFor()
    expect(await page.getByLabel('Bỏ khách hàng').count()).toBe(1)

    await page.goto('/customers')
    const row = page.getByRole('row', { name: fullName })
    expect(await row.textContent()).toContain('44.000')
  })
})

describe('a name typed in the customer field', () => {
  it.each([
    [1440, 'Lan Xôi Gấc'],
    [390, 'Lan Bán Bún Ở Chợ Đồng Xuân'],
  ])(
    'is not lost where the field is left without a choice: it can still be added, at %i px: %s',
    async (width, name) => {
      const page = await shop.open('/pos', { viewport: { width, height: 900 } })
      await isReady(page)
      await scan(page, tea.barcode)
      await page.getByLabel(`Số lượng Trà ô long Lâm Đồng - ${tea.name}`).waitFor()
      await page.keyboard.press('F4')
      await typed(page, name)
      await page.getByRole('option', { name: `Thêm khách “${name}”` }).waitFor()
      const topOf = async (label: RegExp) =>
        (await page.locator('label').filter({ hasText: label }).boundingBox())!.y
      const distance = async () => (await topOf(/^Giảm cả đơn$/)) - (await topOf(/^Khách hàng$/))
      const before = await distance()
      await page.keyboard.press('F9')
      const offer = page.getByRole('button', { name: `Thêm khách “${name}”` })
      await offer.waitFor()
      // A press of the mouse leaves the field, so nothing may move before its release.
      expect(await distance()).toBe(before)
      await expectAccessible(page)
      await offer.click()
      const form = page.getByRole('dialog', { name: 'Thêm khách mới' })
      await expect.poll(() => form.getByLabel('Họ tên').inputValue()).toBe(name)
      await form.getByLabel('Họ tên').press('Enter')
      await page.getByLabel('Bỏ khách hàng').waitFor()
      await expect.poll(() => offer.count()).toBe(0)
    },
  )

  it('begins no new customer where only this browser’s copy was searched, because the service did not answer', async () => {
    const page = await openCounter()
    await page.route('**/v1/customers?*search=*', () => undefined)
    await page.keyboard.press('F4')
    await typed(page, 'Lan Cốm Vòng')
    await page.getByText('Không tìm thấy').waitFor()
    await page.getByText('Đã kết nối').waitFor()
    expect(await page.getByRole('option', { name: 'Thêm khách' }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.waitForTimeout(500)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('whose answer is late does not replace the customer who was chosen since', async () => {
    const names = ['Mai Đến Muộn', 'Mơ Đến Sớm']
    for (const fullName of names) await shop.api('POST', '/api/external/v1/customers', { fullName })
    const page = await openCounter()
    const goOn = await hold(page, '**/v1/customers?*search=Mai*')
    await page.keyboard.press('F4')
    await typed(page, names[0]!)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+a')
    await typed(page, names[1]!)
    await page.getByRole('option', { name: names[1]! }).click()
    await page.getByLabel('Bỏ khách hàng').waitFor()
    const answered = page.waitForResponse('**/v1/customers?*search=Mai*')
    goOn()
    await answered
    await page.waitForTimeout(500)
    expect(await page.getByText(names[1]!, { exact: true }).count()).toBe(1)
  })

  it('is one customer when the answer to its creation is lost and it is saved again', async () => {
    const name = 'Lan Mất Sóng'
    const page = await openCounter()
    await page.getByRole('button', { name: 'Thêm khách mới' }).click()
    const form = page.getByRole('dialog', { name: 'Thêm khách mới' })
    await form.getByLabel('Họ tên').fill(name)
    const find = await loseAnswers(page, '**/api/external/v1/customers')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.getByRole('alert').waitFor()
    find()
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByLabel('Bỏ khách hàng').waitFor()
    const path = `/api/external/v1/customers?search=${encodeURIComponent(name)}`
    expect((await shop.api('GET', path)).body.data.meta.total).toBe(1)
  })
})
