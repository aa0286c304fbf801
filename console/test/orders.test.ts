import { describe, expect, it } from 'vitest'
import { sellOne } from './sales.ts'
import { answer, expectAccessible, expectFocusKept, startConsole } from './support.ts'

const shop = await startConsole()

const ORDERS = '/api/external/v1/orders'

const sell = (name: string) => sellOne(shop, name)

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

describe('an order', () => {
  it('closes the dialog of another order when the browser goes back to it', async () => {
    const [one, other] = [await sell('Đơn trước'), await sell('Đơn sau')]
    const page = await shop.open(`/orders/${one._id}`)
    const isShown = (code: string) => page.getByRole('heading', { level: 1, name: `Đơn ${code}` }).waitFor()
    await isShown(one.code)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill(other.code)
    await page.getByRole('option', { name: other.code }).first().click()
    await isShown(other.code)
    const record = page.getByRole('button', { name: 'Ghi nhận thanh toán' })
    await record.click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await isShown(one.code)
    await page.getByRole('dialog').waitFor({ state: 'detached', timeout: 5_000 })
    await record.waitFor()
  })

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
    const comeBack = await answer(page, `**${ORDERS}/**`, (route) => route.abort())
    await dialog.getByRole('button', { name: 'Hủy đơn' }).click()
    await page.getByRole('alert').filter({ hasText: 'Không' }).first().waitFor()
    comeBack()
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
      await paysNow(price + 1)
      await dialog.getByText(/^Khách chỉ còn nợ/).waitFor()
      await save()
      await dialog.getByLabel('Khách trả bây giờ').fill('20000')
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
      await dialog.getByRole('button', { name: 'Hoàn tất đơn' }).press('Enter')
      await page.getByText('→ Hoàn tất').first().waitFor()
      await expectFocusKept(page)

      const paid = await sell('Trả lại tiền')
      await shop.api('PATCH', `${ORDERS}/${paid._id}/payment`, { paidAmount: paid.price })
      await page.goto(`/orders/${paid._id}`)
      await page.getByRole('button', { name: 'Hủy đơn' }).click()
      await dialog.getByRole('combobox', { name: /^Trả lại khách/ }).click()
      await page.getByRole('option', { name: 'Chuyển khoản' }).click()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Hủy đơn' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await expectFocusKept(page)
      const { data } = (await shop.api('GET', `${ORDERS}/${paid._id}`)).body
      expect(data).toMatchObject({ status: 'cancelled', paidAmount: 0 })
      expect(data.gatewayPayments.at(-1)).toMatchObject({ amount: -paid.price, method: 'transfer' })
      await page.getByText('Đã hoàn tiền', { exact: true }).waitFor()
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
      for (const sum of [String(price + 1), '0']) {
        await amount.fill(sum)
        await dialog.getByRole('button', { name: refund }).click()
        await dialog.locator(':focus[aria-invalid="true"]').and(amount).waitFor()
      }
      expect(await page.getByRole('dialog', { name: code }).count()).toBe(0)
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
    const due = page.getByText('Phải trả lại khách', { exact: true }).and(page.locator(':visible'))
    await due.waitFor({ timeout: 10_000 })
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
    expect(await due.count()).toBe(0)

    const found = await shop.api('GET', '/api/external/v1/products?select=skus&search=phin')
    const orderItems = [{ id: found.body.data.products[0].skus[0]._id, quantity: 1, price: 100_000 }]
    const sold = { orderItems, paidAmount: 120_000 }
    const { _id } = (await shop.api('POST', '/api/external/order/pos/create', sold)).body.data
    await page.goto(`/orders/${_id}`)
    await page.getByRole('button', { name: 'Hoàn tiền' }).click()
    await expect.poll(async () => vndOf(await dialog.getByLabel('Trả lại khách').inputValue())).toBe(20_000)
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
