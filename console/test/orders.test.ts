import { describe, expect, it } from 'vitest'
import { writeDay } from '../src/dates.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

const ORDERS = '/api/external/v1/orders'

async function sell(name: string): Promise<{ _id: string; code: string; price: number }> {
  const found = await shop.api('GET', '/api/external/v1/products?select=skus&search=phin')
  const body = { orderItems: [{ id: found.body.data.products[0].skus[0]._id, quantity: 1, name }] }
  return (await shop.api('POST', '/api/external/order/pos/create', body)).body.data
}

/** `-1.250.000 ₫` as a number. */
function vndOf(text: string): number {
  return Number(text.replace(/[^\d-]/g, ''))
}

/** The amounts before the total, and the total. */
function sumsIn(text: string): [number[], number] {
  const [before, after] = text.split('Tổng cộng')
  const amounts = (part: string) => (part.match(/-?[\d.]+\s*₫/g) ?? []).map(vndOf)
  return [amounts(before!), amounts(after!)[0]!]
}

describe('orders', () => {
  it('lists them with the counts of each status, filtered by status and by a day of the shop’s zone', async () => {
    const page = await shop.open('/orders')
    const counts = (await shop.api('GET', `${ORDERS}?limit=1`)).body.data.orderCountByStatus
    await page.getByRole('tab', { name: `Đã hủy ${counts.cancelled}` }).click()
    await page.getByText(`Tổng ${counts.cancelled}`, { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('tab', { name: /^Tất cả/ }).click()

    const { orders } = (await shop.api('GET', `${ORDERS}?limit=50`)).body.data
    const local = (iso: string) => new Date(Date.parse(iso) + 7 * 3_600_000).toISOString().slice(0, 10)
    const day = local(orders.at(-1).createdAt)
    await page.getByLabel('Từ ngày').fill(writeDay(day))
    await page.getByLabel('Đến ngày').fill(writeDay(day))
    const range = `startDate=${day}T00:00:00%2B07:00&endDate=${day}T23:59:59.999%2B07:00`
    const { total } = (await shop.api('GET', `${ORDERS}?limit=1&${range}`)).body.data.meta
    expect(total).toBeGreaterThan(0)
    await page.getByText(`Tổng ${total}`, { exact: true }).waitFor()
  })

  it.each([1440, 390])(
    'filters them by payment, channel and seller, whose fields and chips go together, at %i px',
    async (width) => {
      await sell('Của người bán')
      const page = await shop.open('/orders', { viewport: { width, height: 844 } })
      const choose = async (field: string, value: string) => {
        await page.getByRole('combobox', { name: field }).click()
        await page.getByRole('option', { name: value, exact: true }).click()
      }
      const shows = async (query: string) => {
        const { total } = (await shop.api('GET', `${ORDERS}?limit=1&${query}`)).body.data.meta
        expect(total).toBeGreaterThan(0)
        await page.getByText(`Tổng ${total}`, { exact: true }).waitFor()
      }
      await page.getByRole('row').nth(2).waitFor()
      for (const [name, value] of [
        ['Còn nợ', 'owed'],
        ['Đã trả', 'paid'],
        ['Chưa trả', 'not_paid'],
      ] as const) {
        await choose('Thanh toán', name)
        await shows(`paymentStatus=${value}`)
      }
      await choose('Kênh bán', 'Tại quầy')
      await shows('paymentStatus=not_paid&platform=mini_pos')
      const { sellers } = (await shop.api('GET', '/api/external/overview?days=92')).body.data
      const { soldBy, by } = sellers.find((one: { soldBy: string | null }) => one.soldBy !== null)
      await choose('Người bán', by.name)
      await shows(`paymentStatus=not_paid&platform=mini_pos&soldBy=${soldBy}`)
      await expectAccessible(page)
      await page.reload()
      const chips = page.getByRole('button', { name: /^Bỏ lọc: / })
      await expect
        .poll(async () => (await chips.allInnerTexts()).map((name) => name.replaceAll(/\s+/g, ' ')))
        .toEqual([
          'Bỏ lọc: Thanh toán: Chưa trả',
          'Bỏ lọc: Kênh bán: Tại quầy',
          `Bỏ lọc: Người bán: ${by.name}`,
        ])
      const seller = page.getByRole('combobox', { name: 'Người bán' })
      expect(await seller.inputValue()).toBe(by.name)
      await chips.last().click()
      await expect.poll(() => seller.inputValue()).toBe('Tất cả')
      await choose('Người bán', 'Không ghi người bán')
      await page.getByRole('button', { name: 'Bỏ lọc: Không ghi người bán' }).waitFor()
      await page.getByRole('button', { name: 'Bỏ hết bộ lọc' }).click()
      await expect.poll(() => new URL(page.url()).search).toBe('')
    },
  )

  it.each([1440, 390])(
    'shows the seller and the phone number once their columns are chosen, at %i px',
    async (width) => {
      const { body } = await shop.api('POST', '/api/external/v1/customers', {
        fullName: 'Khách có số',
        phone: `09${String(Date.now()).slice(-8)}`,
      })
      const { _id: userId, phone } = body.data
      const found = await shop.api('GET', '/api/external/v1/products?select=skus&search=phin')
      const orderItems = [{ id: found.body.data.products[0].skus[0]._id, quantity: 1 }]
      const order = { userId, orderItems }
      const { _id, code } = (await shop.api('POST', '/api/external/order/pos/create', order)).body.data
      const { soldBy } = (await shop.api('GET', `${ORDERS}/${_id}/timeline`)).body
      const page = await shop.open(`/orders?search=${code}`, { viewport: { width, height: 844 } })
      const row = page.getByRole('row').filter({ hasText: code })
      const cell = (title: string) => row.locator(`td[data-title="${title}"]`)
      await row.waitFor()
      expect(await cell('Điện thoại').or(cell('Người bán')).count()).toBe(0)
      await page.getByRole('button', { name: 'Tùy chọn cột' }).click()
      await page.getByRole('checkbox', { name: 'Điện thoại' }).check()
      await page.getByRole('checkbox', { name: 'Người bán' }).check()
      await page.getByRole('checkbox', { name: 'Hàng', exact: true }).uncheck()
      await page.reload()
      await expect
        .poll(async () => (await cell('Điện thoại').innerText()).replaceAll(' ', ''))
        .toContain(phone.slice(2))
      expect(await cell('Người bán').innerText()).toBe(soldBy.name)
      expect(await cell('Hàng').count()).toBe(0)
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    },
  )

  it('moves one on, records its payment, prints its receipt, and shows all of it in the timeline', async () => {
    const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const order = await sell(attack)
    const page = await shop.open('/orders')
    await page.getByLabel('Mã đơn, tên khách hoặc số điện thoại').fill(order.code)
    await page.getByRole('link', { name: order.code, exact: true }).click()
    await page.getByRole('cell', { name: attack }).waitFor()
    await expect.poll(() => page.title()).toBe(`Đơn ${order.code} · Shopbell`)
    await page.getByRole('button', { name: 'Xác nhận đơn' }).click()
    await page.getByText('Chờ xác nhận → Đã xác nhận').waitFor()
    await page.getByRole('button', { name: 'Ghi nhận thanh toán' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Nhận tiền').waitFor()
    await expectAccessible(page)
    const read = (await shop.api('GET', `${ORDERS}/${order._id}`)).body.data
    expect(read).toMatchObject({ status: 'confirmed', isPaid: true, paidAmount: order.price })
    await page.emulateMedia({ media: 'print' })
    const printed = await page.locator('body').innerText()
    expect(printed).toContain(`Hóa đơn ${order.code}`)
    expect(printed).not.toContain('Lịch sử')
  })

  it('shows sums that add up, on the page and on the receipt, with discounts of lines and of the order', async () => {
    const found = await shop.api('GET', '/api/external/v1/products?select=skus&search=ao%20dai%20lua')
    const [first, second] = found.body.data.products[0].skus
    const body = {
      orderItems: [
        { id: first._id, quantity: 2, discount: 10_000 },
        { id: second._id, quantity: 1, discount: 25_000 },
      ],
      discount: 20_000,
      shippingFee: 25_000,
    }
    const { _id, price } = (await shop.api('POST', '/api/external/order/pos/create', body)).body.data
    const page = await shop.open(`/orders/${_id}`)
    await page.getByText('Giảm theo dòng').first().waitFor()

    // Everything above the total, as a person would read it to add it up.
    const card = page
      .getByText('Thanh toán', { exact: true })
      .locator('xpath=ancestor::*[.//*[text()="Đã trả"]][1]')
    const [before, total] = sumsIn(await card.innerText())
    expect(before.length).toBe(4)
    expect([total, before.reduce((sum, vnd) => sum + vnd, 0)]).toEqual([price, price])

    await page.emulateMedia({ media: 'print' })
    const receipt = page.getByLabel('Hóa đơn').locator('table')
    const [parts, printed] = sumsIn(await receipt.last().innerText())
    expect([printed, parts.reduce((sum, vnd) => sum + vnd, 0)]).toEqual([price, price])
    const lines = await receipt.first().locator('td.num').allInnerTexts()
    const goods = lines.map(vndOf).reduce((sum, vnd) => sum + vnd, 0)
    expect(goods - 20_000 + 25_000).toBe(price)
  })

  it('cancels one with a reason, after asking; the reason is not lost where the request is', async () => {
    const order = await sell('Hủy đơn này')
    const page = await shop.open(`/orders/${order._id}`)
    await page.getByRole('button', { name: 'Hủy đơn' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Lý do hủy').fill('Khách đổi ý')
    await page.route(`**${ORDERS}/**`, (route) => route.abort())
    await dialog.getByRole('button', { name: 'Hủy đơn' }).click()
    await page.getByRole('alert').filter({ hasText: 'Không' }).first().waitFor()
    await page.unroute(`**${ORDERS}/**`)
    // The input is still guarded.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ở lại' }).click()
    await dialog.getByRole('button', { name: 'Hủy đơn' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Khách đổi ý').waitFor()
    const read = (await shop.api('GET', `${ORDERS}/${order._id}`)).body.data
    expect(read).toMatchObject({ status: 'cancelled', reasonCancel: 'Khách đổi ý' })
    await expect.poll(() => page.getByRole('button', { name: 'Trạng thái khác' }).count()).toBe(0)
  })

  it.each([1440, 390])(
    'takes what the customer pays now, for what is left; a payment meanwhile is shown, not overwritten; at %i px',
    async (width) => {
      const { _id, price } = await sell('Trả góp')
      const page = await shop.open(`/orders/${_id}`, { viewport: { width, height: 844 } })
      const dialog = page.getByRole('dialog')
      const paysNow = async (vnd: number) => {
        await page.getByRole('button', { name: 'Ghi nhận thanh toán' }).click()
        await dialog.getByLabel('Khách trả bây giờ').fill(String(vnd))
      }
      const save = () => dialog.getByRole('button', { name: 'Lưu' }).click()
      await paysNow(20_000)
      await save()
      await dialog.waitFor({ state: 'detached' })

      await paysNow(30_000)
      await shop.api('PATCH', `${ORDERS}/${_id}/payment`, { paidAmount: 25_000 })
      await save()
      await dialog.getByText('Đơn vừa có thay đổi khác').waitFor()
      await dialog.getByText(/Đã trả 25\.000\s₫/).waitFor()
      await expectAccessible(page)
      await save()
      await dialog.waitFor({ state: 'detached' })
      expect((await shop.api('GET', `${ORDERS}/${_id}`)).body.data.paidAmount).toBe(55_000)

      await page.getByRole('button', { name: 'Ghi nhận thanh toán' }).click()
      await expect
        .poll(async () => vndOf(await dialog.getByLabel('Khách trả bây giờ').inputValue()))
        .toBe(price - 55_000)
      await dialog.getByText('Hoàn tiền').click()
      expect(await dialog.getByLabel('Trả lại khách').inputValue()).toBe('')
      await dialog.getByLabel('Trả lại khách').fill('5000')
      await dialog.getByRole('button', { name: 'Hoàn tiền' }).click()
      await page
        .getByRole('dialog', { name: /^Hoàn tiền đơn/ })
        .getByRole('button', { name: 'Hoàn tiền' })
        .click()
      await page.getByText('Đã ghi nhận hoàn tiền').waitFor()
      const { gatewayPayments } = (await shop.api('GET', `${ORDERS}/${_id}`)).body.data
      expect(gatewayPayments.map(({ amount }: { amount: number }) => amount)).toEqual([
        20_000, 5_000, 30_000, -5_000,
      ])
    },
  )

  it.each([1440, 390])(
    'asks before an order with debt is completed, and how the money goes back of a paid one that is cancelled, at %i px',
    async (width) => {
      const owing = await sell('Còn nợ')
      await shop.api('PATCH', `${ORDERS}/${owing._id}/status`, { status: 'delivered' })
      const page = await shop.open(`/orders/${owing._id}`, { viewport: { width, height: 844 } })
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Hoàn tất đơn' }).click()
      await dialog.getByText(/Khách còn nợ/).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Hoàn tất đơn' }).click()
      await page.getByText('→ Hoàn tất').first().waitFor()

      const paid = await sell('Trả lại tiền')
      await shop.api('PATCH', `${ORDERS}/${paid._id}/payment`, { paidAmount: paid.price })
      await page.goto(`/orders/${paid._id}`)
      await page.getByRole('button', { name: 'Hủy đơn' }).click()
      await dialog.getByRole('combobox', { name: /^Trả lại khách/ }).click()
      await page.getByRole('option', { name: 'Chuyển khoản' }).click()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Hủy đơn' }).click()
      await dialog.waitFor({ state: 'detached' })
      const { data } = (await shop.api('GET', `${ORDERS}/${paid._id}`)).body
      expect(data).toMatchObject({ status: 'cancelled', paidAmount: 0 })
      expect(data.gatewayPayments.at(-1)).toMatchObject({ amount: -paid.price, method: 'transfer' })
    },
  )

  it.each([
    [
      'vi-VN',
      1440,
      'Ghi nhận thanh toán',
      'Hoàn tiền',
      'Trả lại khách',
      'Đơn sẽ còn nợ',
      'Đã ghi nhận hoàn tiền',
    ],
    [
      'vi-VN',
      390,
      'Ghi nhận thanh toán',
      'Hoàn tiền',
      'Trả lại khách',
      'Đơn sẽ còn nợ',
      'Đã ghi nhận hoàn tiền',
    ],
    [
      'en-GB',
      1440,
      'Record payment',
      'Refund',
      'Refunded to the customer',
      'The order will owe',
      'Refund recorded',
    ],
  ])(
    'offers no payment but a refund of a paid order, fills nothing in, and says what the order will owe, in %s at %i px',
    async (locale, width, payment, refund, label, owes, done) => {
      const { _id, code, price } = await sell('Đã trả đủ')
      await shop.api('PATCH', `${ORDERS}/${_id}/payment`, { paidAmount: price })
      await shop.api('PATCH', `${ORDERS}/${_id}/status`, { status: 'completed' })
      const paidNow = async () => (await shop.api('GET', `${ORDERS}/${_id}`)).body.data.paidAmount
      const page = await shop.open(`/orders/${_id}`, { locale, viewport: { width, height: 844 } })
      await page.getByRole('button', { name: refund }).click()
      expect(await page.getByRole('button', { name: payment }).count()).toBe(0)
      const dialog = page.getByRole('dialog', { name: refund, exact: true })
      const amount = dialog.getByLabel(label)
      await amount.waitFor()
      expect(await amount.inputValue()).toBe('')
      await amount.fill(String(price + 1))
      expect(await amount.getAttribute('aria-invalid')).toBe('true')
      expect(await dialog.getByRole('button', { name: refund }).isDisabled()).toBe(true)
      await amount.fill('10000')
      await dialog.getByText(owes).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: refund }).click()
      const question = page.getByRole('dialog', { name: code })
      await question
        .getByText(owes)
        .filter({ hasText: /10[.,]000/ })
        .waitFor()
      await expectAccessible(page)
      expect(await paidNow()).toBe(price)
      await question.getByRole('button', { name: refund }).click()
      await page.getByText(done).waitFor()
      expect(await paidNow()).toBe(price - 10_000)
      await page.getByRole('button', { name: payment }).waitFor()
    },
  )

  it('fills in what a customer paid too much, or paid for a cancelled order, and says that they get it back', async () => {
    const order = await sell('Trả thừa')
    await shop.api('PATCH', `${ORDERS}/${order._id}/payment`, { paidAmount: order.price })
    await shop.api('PATCH', `${ORDERS}/${order._id}/status`, { status: 'cancelled' })
    const page = await shop.open(`/orders/${order._id}`)
    await page.getByRole('button', { name: 'Hoàn tiền' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hoàn tiền', exact: true })
    await expect
      .poll(async () => vndOf(await dialog.getByLabel('Trả lại khách').inputValue()))
      .toBe(order.price)
    await dialog.getByRole('button', { name: 'Hoàn tiền' }).click()
    const question = page.getByRole('dialog', { name: order.code })
    await question.getByText('Khách nhận lại').waitFor()
    await question.getByRole('button', { name: 'Hoàn tiền' }).click()
    await page.getByText('Đã ghi nhận hoàn tiền').waitFor()
    expect((await shop.api('GET', `${ORDERS}/${order._id}`)).body.data.paidAmount).toBe(0)
    for (const name of ['Hoàn tiền', 'Ghi nhận thanh toán'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)

    const found = await shop.api('GET', '/api/external/v1/products?select=skus&search=phin')
    const orderItems = [{ id: found.body.data.products[0].skus[0]._id, quantity: 1, price: 100_000 }]
    const sold = { orderItems, paidAmount: 120_000 }
    const { _id } = (await shop.api('POST', '/api/external/order/pos/create', sold)).body.data
    await page.goto(`/orders/${_id}`)
    await page.getByRole('button', { name: 'Hoàn tiền' }).click()
    await expect.poll(async () => vndOf(await dialog.getByLabel('Trả lại khách').inputValue())).toBe(20_000)
  })

  it('exports what the filter shows as CSV', async () => {
    const page = await shop.open('/orders?status=cancelled')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Xuất CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^orders-.*\.csv$/)
  })

  it('offers a viewer the order to read, and nothing to change', async () => {
    const order = await sell('Chỉ xem')
    const actions = ['Hủy đơn', 'Ghi nhận thanh toán', 'Xác nhận đơn', 'Trạng thái khác']
    const ownersPage = await shop.open(`/orders/${order._id}`)
    for (const name of actions) await ownersPage.getByRole('button', { name }).waitFor()
    const page = await shop.open(`/orders/${order._id}`, { as: await shop.invite('viewer') })
    await page.getByRole('cell', { name: 'Chỉ xem' }).waitFor()
    for (const name of actions) await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
  })
})
