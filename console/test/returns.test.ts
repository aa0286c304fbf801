import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, expectFocusKept, loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()

const ORDERS = '/api/external/v1/orders'
const ENTRIES = '/api/external/v1/inventory/entries'
const [main, other] = (await shop.api('GET', '/api/external/v1/warehouses')).body.data.warehouses.toSorted(
  (one: { isDefault: boolean }) => (one.isDefault ? -1 : 1),
)

/** A completed order of 3 pieces at 100,000 đồng and 1 of another product at 50,000; 10 of each were in stock. It is paid by default. */
async function sell(more: object = { isPaid: true }) {
  const skus = await Promise.all([makeSku('Áo len', 100_000), makeSku('Khăn lụa', 50_000)])
  const orderItems = skus.map(({ skuId }, at) => ({ id: skuId, quantity: at === 0 ? 3 : 1 }))
  const body = { orderItems, paymentMethod: 'cash', ...more }
  const { _id } = (await shop.api('POST', '/api/external/order/pos/create', body)).body.data
  await shop.api('PATCH', `${ORDERS}/${_id}/status`, { status: 'completed' })
  return { id: _id as string, coat: skus[0].skuId, scarf: skus[1].skuId, ...(await read(_id)) }
}

async function makeSku(name: string, price: number): Promise<{ skuId: string }> {
  const made = await shop.api('POST', '/api/external/v1/products', { name, price })
  const { data } = (await shop.api('GET', `/api/external/v1/products/${made.body.data.id}`)).body
  const skuId = data.skus[0]._id
  await shop.api('POST', ENTRIES, { type: 'receive', items: [{ skuId, quantity: 10 }] })
  return { skuId }
}

const read = async (id: string) => (await shop.api('GET', `${ORDERS}/${id}`)).body.data
const returnsOf = async (id: string) => (await shop.api('GET', `${ORDERS}/${id}/returns`)).body.data
async function stockOf(skuId: string, warehouseId: string = main._id): Promise<number> {
  const body = { type: 'count', items: [{ skuId, quantity: 0 }], warehouseId }
  return (await shop.api('POST', `${ENTRIES}/preview`, body)).body.data.items[0].stock
}

const WORDS = {
  'vi-VN': {
    button: 'Trả hàng',
    quantity: /^Số lượng trả: Áo len/,
    all: 'Trả tất cả',
    fee: 'Phí trả hàng',
    refund: 'Hoàn lại khách',
    method: 'Hình thức thanh toán',
    transfer: 'Chuyển khoản',
    note: 'Ghi chú',
    nothing: 'Hãy nhập số lượng khách trả.',
    consequence: /Khách nhận lại 180\.000\s₫\. 2 món nhập lại kho/,
    done: 'Đã ghi nhận trả hàng',
    returned: 'Hàng khách trả',
    net: 'Tổng sau trả hàng',
    step: 'Khách trả hàng',
    cameBack: 'trả lại 2',
  },
  'en-GB': {
    button: 'Return goods',
    quantity: /^Quantity returned: Áo len/,
    all: 'Return everything',
    fee: 'Return fee',
    refund: 'Refunded to the customer',
    method: 'Payment method',
    transfer: 'Transfer',
    note: 'Note',
    nothing: 'Enter how many the customer returns.',
    consequence: /The customer gets ₫180,000 back\. 2 pieces go back in stock/,
    done: 'Return recorded',
    returned: 'Returned goods',
    net: 'Total after returns',
    step: 'Goods returned',
    cameBack: '2 returned',
  },
}
type Words = (typeof WORDS)['vi-VN']

const dialogOf = (page: Page, words: Words) => page.getByRole('dialog', { name: words.button, exact: true })

async function openReturn(page: Page, words: Words = WORDS['vi-VN']) {
  await page.getByRole('button', { name: words.button, exact: true }).click()
  const dialog = dialogOf(page, words)
  await dialog.getByLabel(words.quantity).waitFor()
  return dialog
}

/** Presses the button of the form, and says yes to the question that follows. */
async function book(page: Page, code: string, words: Words = WORDS['vi-VN']): Promise<void> {
  await dialogOf(page, words).getByRole('button', { name: words.button, exact: true }).click()
  await page
    .getByRole('dialog', { name: code })
    .getByRole('button', { name: words.button, exact: true })
    .click()
}

/** `1.250.000 ₫` as a number. */
const vndIn = (text: string) => Number(text.replace(/\D/g, ''))

describe('goods that a customer brings back', () => {
  it.each([
    ['vi-VN', 1440, 'light'],
    ['vi-VN', 390, 'dark'],
    ['en-GB', 1440, 'light'],
  ] as const)(
    'are booked with a fee and the refund, are in stock again, and the order shows it, in %s at %i px, %s',
    async (locale, width, colorScheme) => {
      const words = WORDS[locale] as Words
      const { id, code, coat } = await sell()
      const page = await shop.open(`/orders/${id}`, { locale, colorScheme, viewport: { width, height: 844 } })
      const dialog = await openReturn(page, words)
      const quantity = dialog.getByLabel(words.quantity)
      expect(await quantity.inputValue()).toBe('0')
      await dialog.getByRole('button', { name: words.button, exact: true }).click()
      await dialog.getByText(words.nothing).waitFor()
      await dialog.locator(':focus[aria-invalid="true"]').and(quantity).waitFor()

      const refund = dialog.getByLabel(words.refund)
      const shown = async () => vndIn(await refund.inputValue())
      await dialog.getByRole('button', { name: words.all }).click()
      await expect.poll(shown).toBe(350_000)
      await quantity.fill('4')
      await dialog.getByText(locale === 'vi-VN' ? 'Chỉ còn 3.' : 'Only 3 left.').waitFor()
      await quantity.fill('2')
      await dialog.getByLabel(/Khăn lụa/).fill('0')
      await expect.poll(shown).toBe(200_000)
      await dialog.getByLabel(words.fee).fill('20000')
      await expect.poll(shown).toBe(180_000)
      await refund.fill('190000')
      await expect.poll(() => refund.getAttribute('aria-invalid')).toBe('true')
      await refund.fill('180000')
      await dialog.getByText(words.consequence).waitFor()
      await dialog.getByRole('combobox', { name: words.method }).click()
      await page.getByRole('option', { name: words.transfer }).click()
      await dialog.getByLabel(words.note).fill('Chật')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: words.button, exact: true }).click()
      const question = page.getByRole('dialog', { name: code })
      await question.getByText(words.consequence).waitFor()
      await expectAccessible(page)
      expect((await returnsOf(id)).returns).toEqual([])
      await question.getByRole('button', { name: words.button, exact: true }).press('Enter')
      await page.getByText(words.done).waitFor()
      await dialog.waitFor({ state: 'detached' })
      await expectFocusKept(page)

      const [booked] = (await returnsOf(id)).returns
      expect(booked).toMatchObject({
        amount: 180_000,
        fee: 20_000,
        refundAmount: 180_000,
        paymentMethod: 'transfer',
        warehouseId: main._id,
        note: 'Chật',
        lines: [{ quantity: 2, amount: 200_000 }],
      })
      expect(await read(id)).toMatchObject({ returnedAmount: 180_000, paidAmount: 170_000, isPaid: true })
      expect(await stockOf(coat)).toBe(9)
      await page.getByText(words.cameBack, { exact: true }).waitFor()
      await page.getByRole('heading', { name: words.returned }).waitFor()
      await page.getByText(words.step, { exact: true }).waitFor()
      const net = page.locator('main .no-print').getByText(words.net, { exact: true }).locator('xpath=..')
      await expect.poll(async () => vndIn(await net.innerText())).toBe(170_000)
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await page.emulateMedia({ media: 'print' })
      const receipt = await page.locator('section.print-only').innerText()
      expect(receipt).toContain(words.returned)
      expect(receipt).toMatch(/170[.,]000/)
    },
  )

  it('that are broken are not in stock; others are in the warehouse that is chosen; once all are back, the button is gone', async () => {
    const { id, code, coat, scarf } = await sell()
    const page = await shop.open(`/orders/${id}`, { as: await shop.invite('staff') })
    let dialog = await openReturn(page)
    await dialog.getByLabel(/Áo len/).fill('1')
    await dialog.getByLabel('Nhập lại kho').uncheck()
    expect(await dialog.getByRole('combobox', { name: 'Kho' }).count()).toBe(0)
    await dialog.getByText('1 món không nhập lại kho.').waitFor()
    await book(page, code)
    await page.getByText(/Hoàn 100\.000\s₫ \(Tiền mặt\) · Không nhập lại kho/).waitFor()
    expect([await stockOf(coat), await stockOf(scarf)]).toEqual([7, 9])

    await dialog.waitFor({ state: 'detached' })
    dialog = await openReturn(page)
    await dialog.getByText('Đã bán 3, còn 2').waitFor()
    await dialog.getByRole('button', { name: 'Trả tất cả' }).click()
    await dialog.getByRole('combobox', { name: 'Kho' }).click()
    await page.getByRole('option', { name: other.name }).click()
    await dialog.getByText(`3 món nhập lại kho (${other.name}).`).waitFor()
    await book(page, code)
    await page.getByText(`Đã nhập lại kho (${other.name})`).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Trả hàng' }).count()).toBe(0)
    expect([await stockOf(coat, other._id), await stockOf(scarf, other._id)]).toEqual([2, 1])
    expect(await read(id)).toMatchObject({ returnedAmount: 350_000, paidAmount: 0, isPaid: true })
  })

  it('of an order that is not fully paid lower its debt first', async () => {
    const { id, code } = await sell({ paidAmount: 200_000 })
    const page = await shop.open(`/orders/${id}`)
    const dialog = await openReturn(page)
    await dialog.getByText(/Khách còn nợ 150\.000\s₫ của đơn này/).waitFor()
    const refund = dialog.getByLabel('Hoàn lại khách')
    await dialog.getByLabel(/Áo len/).fill('1')
    await dialog.getByText(/Khách không nhận lại tiền\. Đơn sẽ còn nợ 50\.000\s₫\./).waitFor()
    expect(vndIn(await refund.inputValue())).toBe(0)
    await dialog.getByLabel(/Áo len/).fill('2')
    await dialog.getByText(/Khách nhận lại 50\.000\s₫\. Đơn không còn nợ\./).waitFor()
    expect(vndIn(await refund.inputValue())).toBe(50_000)
    await dialog.getByLabel(/Áo len/).fill('1')
    await expectAccessible(page)
    await book(page, code)
    await dialog.waitFor({ state: 'detached' })
    expect(await read(id)).toMatchObject({ returnedAmount: 100_000, paidAmount: 200_000, isPaid: false })
    await page.getByRole('button', { name: 'Ghi nhận thanh toán' }).click()
    const payment = page.getByRole('dialog', { name: 'Ghi nhận thanh toán' })
    await expect
      .poll(async () => vndIn(await payment.getByLabel('Khách trả bây giờ').inputValue()))
      .toBe(50_000)
    await page.goto(`/orders?search=${code}`)
    await page
      .getByRole('row')
      .filter({ hasText: code })
      .getByText(/^250\.000\s₫$/)
      .waitFor()
  })

  it('are booked once when the answer is lost and the same is sent again, after a reload too', async () => {
    const { id, code, coat } = await sell()
    const page = await shop.open(`/orders/${id}`)
    const dialog = await openReturn(page)
    await dialog.getByLabel(/Áo len/).fill('2')
    const find = await loseAnswers(page, `**${ORDERS}/*/returns`)
    await book(page, code)
    await dialog.getByText('Chưa rõ lần gửi trước đã được ghi hay chưa').waitFor({ timeout: 60_000 })
    find()
    await page.reload()
    await openReturn(page)
    await dialog.getByText('Chưa rõ lần gửi trước đã được ghi hay chưa').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Trả hàng', exact: true }).click()
    await page.getByText('Đã ghi nhận trả hàng').waitFor()
    expect((await returnsOf(id)).returns).toMatchObject([{ amount: 200_000, refundAmount: 200_000 }])
    expect(await stockOf(coat)).toBe(9)
  })

  it('after a colleague changed the order are not booked: the form shows what is left now', async () => {
    const { id, code, orderItems } = await sell()
    const page = await shop.open(`/orders/${id}`)
    const dialog = await openReturn(page)
    await dialog.getByLabel(/Áo len/).fill('3')
    const lines = [{ orderItemId: orderItems[0]._id, quantity: 2 }]
    await shop.api('POST', `${ORDERS}/${id}/returns`, { lines, refundAmount: 200_000 })
    await book(page, code)
    await dialog.getByText('Đơn vừa có thay đổi khác').waitFor()
    await dialog.getByText('Đã bán 3, còn 1').waitFor()
    await dialog.getByText('Chỉ còn 1.').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel(/Áo len/).fill('1')
    await dialog.getByText(/Khách nhận lại 100\.000\s₫/).waitFor()
    await book(page, code)
    await dialog.waitFor({ state: 'detached' })
    expect((await returnsOf(id)).returns).toMatchObject([{ amount: 200_000 }, { amount: 100_000 }])
    expect(await read(id)).toMatchObject({ paidAmount: 50_000, isPaid: true })
  })

  it('are named by the refund of a completed order, and offered neither before completion nor to a viewer', async () => {
    const { id } = await sell()
    const page = await shop.open(`/orders/${id}`)
    await page.getByRole('button', { name: 'Hoàn tiền' }).waitFor()
    // Neither the order nor its receipt names a VAT of 0.
    expect(await page.getByText('Trong đó VAT').count()).toBe(0)
    await page.getByRole('button', { name: 'Hoàn tiền' }).click()
    await page.getByRole('dialog').getByLabel('Trả lại khách').fill('10000')
    await page.getByText('Khách mang hàng trả lại thì bấm “Trả hàng”').waitFor()

    const viewer = await shop.open(`/orders/${id}`, { as: await shop.invite('viewer') })
    await viewer.getByRole('cell', { name: 'Áo len' }).waitFor()
    await viewer.waitForLoadState('networkidle')
    expect(await viewer.getByRole('button', { name: 'Trả hàng' }).count()).toBe(0)

    const { body } = await shop.api('POST', '/api/external/order/pos/create', {
      orderItems: [{ id: (await makeSku('Nón lá', 20_000)).skuId, quantity: 1 }],
    })
    await viewer.close()
    const open = await shop.open(`/orders/${body.data._id}`)
    await open.getByRole('button', { name: 'Xác nhận đơn' }).waitFor()
    await open.waitForLoadState('networkidle')
    expect(await open.getByRole('button', { name: 'Trả hàng' }).count()).toBe(0)
  })
})
