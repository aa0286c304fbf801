import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hold } from './counter.ts'
import { answer, expectAccessible, loseAnswers, sendBatch, startConsole } from './support.ts'

const console = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000' })

const CONFIRMATION = 'Xác nhận đơn hàng'
const post = async (path: string, body: object) => (await console.api('POST', path, body)).body.data

/** A lamp, with customers of whom some have bought it. */
async function makeLamp(name: string) {
  const lamp = await post('/api/external/v1/products', { name, price: 150_000 })
  const customer = (fullName: string, phone: string) =>
    post('/api/external/v1/customers', { fullName, phone })
  const buy = (userId: string, paidAmount = 150_000) =>
    post('/api/external/order/pos/create', {
      orderItems: [{ id: lamp._id, quantity: 1 }],
      userId,
      paidAmount,
    })
  return { lamp, customer, buy }
}

async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

async function isNarrowEnough(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('audiences', () => {
  it('chooses customers by what they bought, counts them, keeps them by name, changes and deletes them', async () => {
    const { customer, buy } = await makeLamp('Đèn lồng vải')
    await buy((await customer('Đào Thị Sen', '0912 700 110'))._id)
    await buy((await customer('Lý Văn Trúc', ''))._id)
    const page = await console.open('/messages/audiences')
    await page.getByText('Chưa có nhóm khách nào').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Thêm nhóm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Tên nhóm').fill('Mua đèn lồng')
    const goods = form.getByRole('combobox', { name: 'Mặt hàng' })
    await goods.fill('den long vai')
    await page.getByRole('option', { name: 'Đèn lồng vải' }).click()
    // The picker's list stays open for further choices.
    await form.getByLabel('Tên nhóm').click()
    await form.getByText('1 khách có số điện thoại. Thêm 1 khách không có số').waitFor()
    await expectAccessible(page)
    await isNarrowEnough(page)
    await form.getByRole('button', { name: 'Lưu' }).click()
    const row = page.getByRole('row', { name: /Mua đèn lồng/ })
    await row.getByText('Đã mua 1 sản phẩm').waitFor()

    await row.getByRole('button', { name: 'Mua đèn lồng', exact: true }).click()
    await form.getByText('Đèn lồng vải').waitFor()
    await form.getByRole('button', { name: 'Thêm điều kiện' }).click()
    const second = form.getByRole('group', { name: 'Điều kiện 2' })
    await second.getByRole('combobox', { name: 'Khách' }).click()
    await page.getByRole('option', { name: 'Chưa mua' }).click()
    await second.getByRole('combobox', { name: 'Thời gian' }).click()
    await page.getByRole('option', { name: 'Trong những ngày gần đây' }).click()
    await form.getByText('0 khách có số điện thoại.').waitFor()
    await second.getByLabel('Số ngày').fill('')
    await form.getByText('Điền đủ các điều kiện để đếm khách.').waitFor()
    await form.getByRole('button', { name: 'Lưu' }).click()
    await second.locator(':invalid').and(second.getByLabel('Số ngày')).waitFor()
    await form.getByRole('button', { name: 'Bỏ điều kiện 2' }).click()
    await form.getByLabel('Tên nhóm').fill('Khách mua đèn')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('row', { name: /Khách mua đèn/ }).waitFor()
    await isNarrowEnough(page)

    await page.getByRole('button', { name: 'Thêm nhóm khách' }).click()
    const name = form.getByLabel('Tên nhóm')
    await form.getByRole('button', { name: 'Mới mua tuần này' }).click()
    await expect.poll(() => name.inputValue()).toBe('Mới mua tuần này')
    await form.getByRole('button', { name: 'Khách còn nợ' }).click()
    await expect.poll(() => name.inputValue()).toBe('Khách còn nợ')
    await name.fill('khach mua den')
    // What was typed stays.
    await form.getByRole('button', { name: 'Khách còn nợ' }).click()
    expect(await name.inputValue()).toBe('khach mua den')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.getByText('Cửa hàng đã có nhóm khách tên “khach mua den”').waitFor()
    await form.getByLabel('Tên nhóm').fill('Còn nợ')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('row', { name: /Còn nợ\s+Còn nợ/ }).waitFor()
    await page.getByRole('button', { name: 'Xóa: Còn nợ' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa', exact: true }).click()
    await expect.poll(() => page.getByRole('row', { name: /Còn nợ\s+Còn nợ/ }).count()).toBe(0)
  })

  it('sends to an audience: columns by themselves, a test to oneself once, check, and those who were there', async () => {
    const { lamp, customer, buy } = await makeLamp('Lồng chim tre')
    await buy((await customer('Ngô Thị Lan', '0912 700 210'))._id)
    await buy((await customer('Hồ Văn Mộc', '0912 700 220'))._id)
    const conditions = [{ kind: 'bought', productIds: [lamp._id] }]
    await post('/api/external/v1/audiences', { name: 'Mua lồng chim', conditions })
    const page = await console.open('/messages/audiences')
    await page.getByRole('link', { name: 'Gửi tin cho Mua lồng chim' }).click()
    await page.getByText('2 khách có số điện thoại').waitFor()
    await choose(page, 'Mẫu tin', CONFIRMATION)
    const mapped = (label: string) => page.getByRole('combobox', { name: `Cột cho: ${label}` }).inputValue()
    await expect.poll(() => mapped('Tên khách hàng')).toBe('Họ tên')
    expect(await mapped('Mã đơn hàng')).toBe('Mã đơn gần nhất')
    expect(await mapped('Tổng tiền')).toBe('Tiền đơn gần nhất')
    await page.getByLabel('Xem trước tin nhắn: Dòng 1').getByText('Cảm ơn Ngô Thị Lan đã mua hàng').waitFor()
    await expectAccessible(page)
    await isNarrowEnough(page)

    const own = page.getByLabel('Số điện thoại của bạn')
    await own.fill('0912 700 290')
    await page.getByRole('link', { name: 'Sản phẩm', exact: true }).click()
    await page.getByRole('button', { name: 'Ở lại' }).click()
    expect(await own.inputValue()).toBe('0912 700 290')
    await page.getByRole('textbox', { name: 'Dòng', exact: true }).fill('2')
    const find = await loseAnswers(page, '**/notify-message/batches')
    await page.getByRole('button', { name: 'Gửi thử' }).click()
    await page
      .getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false })
      .waitFor({ timeout: 40_000 })
    find()
    await page.getByRole('button', { name: 'Gửi thử' }).click()
    await page.getByText('1 / 1').waitFor({ timeout: 30_000 })
    await expect
      .poll(() => console.receivedBy('84912700290'))
      .toMatchObject([{ customer_name: 'Hồ Văn Mộc', total_amount: '150.000đ' }])

    await customer('Khách đến sau', '0912 700 230').then(({ _id }) => buy(_id))
    await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
    await page.getByText('2 tin gửi được, 0 dòng không gửi.').waitFor()
    await sendBatch(page, 'Gửi 2 tin')
    await page.getByText('2 tin được nhận, 0 dòng không gửi.').waitFor()
    await expect.poll(() => console.receivedBy('84912700210')).toHaveLength(1)
    await expect.poll(() => console.receivedBy('84912700220')).toHaveLength(1)
    expect(await console.receivedBy('84912700230')).toEqual([])

    await page.goto('/messages/batches')
    const tested = page.getByRole('row', { name: /Gửi thử: Xác nhận đơn hàng/ })
    await tested.getByText('Gửi thử', { exact: true }).waitFor()
    await page.goto('/messages?phone=0912700290')
    await page
      .getByRole('row', { name: /0912 700 290/ })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: /Tin nhắn/ }).waitFor()
    await page.getByText('Gửi thử', { exact: true }).waitFor()
    const received = page.getByLabel('Xem trước tin nhắn')
    await received.getByText('Cảm ơn Hồ Văn Mộc đã mua hàng').waitFor()
    await page.getByText('Lịch sử', { exact: true }).first().waitFor()
    await expectAccessible(page)
    await isNarrowEnough(page)
  })

  it('shows each template’s messages, delivery, cost, quality and quota as plots and as a table, in both languages', async () => {
    const page = await console.open('/messages/results')
    const days = page.getByRole('list', { name: 'Tin theo ngày' })
    await days.waitFor()
    expect(await days.getByRole('listitem').count()).toBe(30)
    await page.getByText(/^Tốt từ /).waitFor()
    const { body } = await console.api('GET', '/api/external/notify-template/report?days=7')
    const first = body.data.templates[0]
    await choose(page, 'Khoảng thời gian', '7 ngày qua')
    await expect.poll(() => days.getByRole('listitem').count()).toBe(7)
    await page.getByText('Xem bằng bảng số').click()
    const rows = page.getByRole('table').getByRole('row')
    await expect.poll(() => rows.count()).toBe(8)
    const sent = (await rows.allInnerTexts())
      .slice(1)
      .map((text) => Number(text.split(/\s+/)[1]!.replace('.', '')))
    expect(sent.reduce((sum, one) => sum + one, 0)).toBe(first.total.accepted)
    await expectAccessible(page)
    await isNarrowEnough(page)
    const judge = (quality: string) =>
      fetch(`${console.simulatorUrl}/control/templates/${first.templateId}/quality`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ quality }),
      })
    await page.getByText('Nền tảng chưa báo hạn mức', { exact: false }).waitFor()
    expect((await judge('LOW')).status).toBe(200)
    const limited = await fetch(`${console.simulatorUrl}/control/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ templateDailyQuota: 500 }),
    })
    expect(limited.status).toBe(200)
    const judged = async () => {
      const report = await console.api('GET', '/api/external/notify-template/report')
      const { quality, dailyQuota } = report.body.data.templates[0]
      return [quality, dailyQuota]
    }
    await expect.poll(judged, { timeout: 30_000 }).toEqual(['LOW', 500])
    await page.reload()
    await page.getByRole('list', { name: 'Chất lượng theo ngày' }).waitFor()
    await page.getByText(/^Thấp từ /).waitFor()
    const quotas = page.getByRole('list', { name: 'Tin đã gửi và hạn mức theo ngày' })
    await quotas.getByRole('img', { name: /tin đã gửi, hạn mức 500$/ }).waitFor()
    await expectAccessible(page)
    const english = await console.open('/messages/results?period=90', { locale: 'en-US' })
    await english.getByRole('list', { name: 'Messages by day' }).waitFor()
    expect(await english.getByRole('list', { name: 'Messages by day' }).getByRole('listitem').count()).toBe(
      90,
    )
    await expectAccessible(english)
  })

  it('shows the operator the same of a shop, once it is in sight', async () => {
    const page = await console.open('/operator', { viewport: { width: 1440, height: 500 } })
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('template-report') && asked.push(request.url()))
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.getByRole('heading', { name: 'Kết quả theo mẫu · 30 ngày qua' }).waitFor()
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.getByRole('list', { name: 'Tin theo ngày' }).waitFor()
    expect(asked).not.toEqual([])
    await expectAccessible(page)
  })

  it('chosen after another one is read alone: the rows of the one before are not sent in its place', async () => {
    for (const [at, name] of ['Giỏ tre', 'Giỏ mây'].entries()) {
      const { lamp, customer, buy } = await makeLamp(name)
      await buy((await customer(`Khách mua ${name}`, `0912 700 24${at}`))._id)
      const conditions = [{ kind: 'bought', productIds: [lamp._id] }]
      await post('/api/external/v1/audiences', { name: `Mua ${name}`, conditions })
    }
    const page = await console.open('/messages/batches/new')
    await choose(page, 'Mẫu tin', CONFIRMATION)
    await page.getByText('Nhóm khách', { exact: true }).click()
    const check = page.getByRole('button', { name: 'Kiểm tra 1 dòng' })
    await choose(page, 'Nhóm khách', 'Mua Giỏ tre')
    await check.waitFor()
    const members = '**/audiences/*/customers?*'
    const end = await answer(page, members, (route) => route.fulfill({ status: 500, json: { message: 'x' } }))
    await choose(page, 'Nhóm khách', 'Mua Giỏ mây')
    await page.getByRole('button', { name: 'Thử lại' }).waitFor()
    expect(await check.count()).toBe(0)
    end()
    const goOn = await hold(page, members)
    for (const name of ['tre', 'mây', 'tre']) await choose(page, 'Nhóm khách', `Mua Giỏ ${name}`)
    goOn()
    await check.waitFor()
    await page.waitForTimeout(500)
    await page.getByLabel('Xem trước tin nhắn: Dòng 1').getByText('Cảm ơn Khách mua Giỏ tre').waitFor()
  })
})
