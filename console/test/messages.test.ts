import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { answer, expectAccessible, loseAnswers, startConsole } from './support.ts'

const console = await startConsole()

const CONFIRMATION = 'Xác nhận đơn hàng'

async function choose(page: Page, template: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Mẫu tin' }).click()
  await page.getByRole('option', { name: template }).click()
}

describe('messages', () => {
  it('can be filtered by each template, also in a shop with more than a hundred', async () => {
    const TEMPLATES = '/api/external/notify-template'
    const { templates } = (await console.api('GET', `${TEMPLATES}?status=ENABLE`)).body
    const { _id, name } = templates[0]
    for (let made = 0; made < 100; made++) await console.api('POST', `${TEMPLATES}/${_id}/duplicate`)
    const page = await console.open('/messages')
    await page.getByRole('combobox', { name: 'Mẫu tin' }).click()
    await page.getByRole('option', { name, exact: true }).click({ timeout: 10_000 })
    await expect.poll(() => page.url()).toContain('template=')
  })

  it.each([1440, 390])(
    'names a missing value as the form does, above it and at its field, at %i px',
    async (width) => {
      const page = await console.open('/messages/send', { viewport: { width, height: 844 } })
      await choose(page, CONFIRMATION)
      await page.getByRole('textbox', { name: 'Số điện thoại' }).fill('0912 000 118')
      await page.getByLabel('Tên khách hàng').fill('Chị Hoa')
      await page.getByRole('button', { name: 'Gửi tin' }).click()
      const note = page.getByRole('main').getByRole('alert').filter({ hasText: 'Mã đơn hàng là bắt buộc' })
      await note.waitFor()
      expect(await note.innerText()).not.toContain('order_code')
      await expect.poll(() => page.getByLabel('Mã đơn hàng').getAttribute('aria-invalid')).toBe('true')
      await expectAccessible(page)
    },
  )

  it('marks the values that it needs, and shows all problems at their fields at once', async () => {
    const page = await console.open('/messages/send')
    await choose(page, CONFIRMATION)
    const phone = page.getByRole('textbox', { name: 'Số điện thoại' })
    const [name, code, total] = ['Tên khách hàng', 'Mã đơn hàng', 'Tổng tiền'].map((label) =>
      page.getByLabel(label),
    )
    const fields = [phone, name!, code!, total!]
    for (const field of fields) expect(await field.getAttribute('required')).not.toBeNull()
    await phone.fill('12')
    await name!.fill('x'.repeat(31))
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    for (const field of fields) await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Không được dài quá 30 ký tự').waitFor()
    expect(await page.getByText('Hãy điền ô này').count()).toBe(2)
    await expectAccessible(page)
    await page.getByLabel('Chỉ gửi thử').check()
    for (const field of [name!, code!, total!]) expect(await field.getAttribute('required')).toBeNull()
  })

  it('sends one by an approved template and sees it received; a missing value is reported at its field', async () => {
    const page = await console.open('/messages/send')
    await choose(page, CONFIRMATION)
    await page.getByRole('textbox', { name: 'Số điện thoại' }).fill('0912 000 111')
    await page.getByLabel('Tên khách hàng').fill('<b>Chị Hoa</b>')
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    const code = page.getByLabel('Mã đơn hàng')
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await code.fill('DH77')
    await page.getByLabel('Tổng tiền').fill('120000')
    await page.getByLabel('Xem trước tin nhắn').getByText('Cảm ơn <b>Chị Hoa</b> đã mua hàng').waitFor()
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page.getByText('Khách đã nhận được').waitFor({ timeout: 30_000 })
    await page.getByRole('heading', { name: 'Tin nhắn · 0912 000 111' }).waitFor()
    const main = page.getByRole('main')
    await main.getByText(/^Đã trừ phí: [1-9]\d*\s₫$/).waitFor()
    await main.getByText('Mã đơn hàng', { exact: true }).waitFor()
    expect(await main.innerText()).not.toContain('<order_code>')
    expect(await console.receivedBy('84912000111')).toEqual([
      { customer_name: '<b>Chị Hoa</b>', order_code: 'DH77', total_amount: '120000' },
    ])
    await expectAccessible(page)
  })

  it('explains why one failed, and resends it as a new message, once even if the response is lost', async () => {
    const page = await console.open('/messages/send')
    await choose(page, CONFIRMATION)
    await page.getByRole('textbox', { name: 'Số điện thoại' }).fill('0912000001')
    for (const [label, value] of [
      ['Tên khách hàng', 'Anh Nam'],
      ['Mã đơn hàng', 'DH78'],
      ['Tổng tiền', '90000'],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByLabel('Tên khách hàng').inputValue()).toBe('Anh Nam')

    await page.goto('/messages?phone=0912000001&status=ERROR')
    const row = page.getByRole('row', { name: /0912 000 001/ })
    await row.waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await expect.poll(() => row.textContent()).not.toContain('{')
    await expectAccessible(page)
    await row.getByRole('link').click()
    await page.getByText('Nền tảng từ chối', { exact: true }).waitFor()
    await page.getByText(/^Đã hoàn phí: [1-9]\d*\s₫$/).waitFor()
    // As in a shop that has had a hundred newer ones approved since.
    const showAll = await answer(page, /notify-template\?.*status=ENABLE/, (route) =>
      route.fulfill({ json: { success: true, templates: [] } }),
    )
    await page.getByRole('link', { name: 'Gửi lại thành tin mới' }).click()
    const phone = page.getByRole('textbox', { name: 'Số điện thoại' })
    await expect.poll(() => phone.inputValue()).toBe('0912 000 001')
    await expect.poll(() => page.getByLabel('Mã đơn hàng').inputValue()).toBe('DH78')
    showAll()
    await phone.fill('0912000112')
    const find = await loseAnswers(page, '**/notify-message/send')
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page
      .getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false })
      .waitFor({ timeout: 40_000 })
    find()
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page.getByText('Khách đã nhận được').waitFor({ timeout: 30_000 })
    expect(await console.receivedBy('84912000112')).toHaveLength(1)
  })

  it.each([1440, 390])(
    'finds a template without accents, and Enter in its picker chooses and sends nothing, at %i px',
    async (width) => {
      const page = await console.open('/messages/send', { viewport: { width, height: 844 } })
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
      await page.getByRole('textbox', { name: 'Số điện thoại' }).fill('0912000113')
      const picker = page.getByRole('combobox', { name: 'Mẫu tin' })
      await picker.fill('khong co that')
      await page.keyboard.press('Enter')
      await picker.fill('xac nhan don')
      // A result of the service's search, which also searches texts. The number of results depends on the reviews of the
      // demo.
      await page.getByRole('option', { name: CONFIRMATION }).waitFor()
      const marked = page.locator('[role="option"][data-combobox-selected]')
      while ((await marked.allInnerTexts())[0] !== CONFIRMATION) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(() => picker.inputValue()).toBe(CONFIRMATION)
      expect(sent.filter((url) => url.includes('/notify-message'))).toEqual([])
    },
  )

  it('Enter chooses the template that is marked, also where the service’s answer moved it meanwhile', async () => {
    const page = await console.open('/messages/send')
    const picker = page.getByRole('combobox', { name: 'Mẫu tin' })
    await picker.click()
    await page.getByRole('option', { name: CONFIRMATION }).waitFor()
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
    // Other results are listed before it.
    await page.route(/search=/, async (route) => {
      const found = await route.fetch()
      const body = await found.json()
      const other = { ...body.templates[0], _id: 'f'.repeat(24), name: 'Mẫu khác' }
      await asked
      await route.fulfill({ response: found, json: { ...body, templates: [other, ...body.templates] } })
    })
    await picker.fill('xac nhan don')
    const marked = page.locator('[role="option"][data-combobox-selected]')
    while ((await marked.allInnerTexts())[0] !== CONFIRMATION) await page.keyboard.press('ArrowDown')
    answer()
    await page.getByRole('option', { name: 'Mẫu khác' }).first().waitFor()
    expect(await marked.allInnerTexts()).toEqual([CONFIRMATION])
    await page.keyboard.press('Enter')
    await expect.poll(() => picker.inputValue()).toBe(CONFIRMATION)
  })

  it('Enter chooses nothing where the service’s answer no longer has the template that was marked', async () => {
    const page = await console.open('/messages/send')
    const picker = page.getByRole('combobox', { name: 'Mẫu tin' })
    await picker.click()
    await page.getByRole('option', { name: CONFIRMATION }).waitFor()
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/search=/, async (route) => {
      const found = await route.fetch()
      const body = await found.json()
      const others = [1, 2, 3].map((n) => ({
        ...body.templates[0],
        _id: String(n).repeat(24),
        name: `Mẫu khác ${n}`,
      }))
      await asked
      await route.fulfill({ response: found, json: { ...body, templates: others } })
    })
    await picker.fill('xac nhan don')
    const marked = page.locator('[role="option"][data-combobox-selected]')
    while ((await marked.allInnerTexts())[0] !== CONFIRMATION) await page.keyboard.press('ArrowDown')
    answer()
    await page.getByRole('option', { name: 'Mẫu khác 1' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await picker.inputValue()).toBe('xac nhan don')
    await page.getByText('Chọn mẫu để điền nội dung', { exact: false }).waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => marked.count()).toBe(1)
  })

  it('keeps the history while a phone number is incomplete, and says when days are reversed', async () => {
    const page = await console.open('/messages')
    await page.getByRole('row').nth(1).waitFor()
    const asked = page.waitForRequest(/history\?/)
    await page.getByLabel('Điện thoại').fill('201')
    await page.getByText('Nhập đủ số điện thoại để lọc.').waitFor()
    expect((await asked).url()).not.toContain('phone=')
    await page.getByRole('row').nth(1).waitFor()
    await page.getByLabel('Điện thoại').fill('')
    await page.getByLabel('Từ ngày').fill('20/11/2026')
    await page.getByLabel('Đến ngày').fill('10/11/2026')
    await page.getByText('Hai ngày bị đảo ngược').waitFor()
    await expectAccessible(page)
  })

  it('filters the history in the address, days in the shop’s zone', async () => {
    const page = await console.open('/messages')
    const asked = page.waitForRequest(/history\?.*from=2026-10-31T17%3A00%3A00.000Z/)
    await page.getByLabel('Từ ngày').fill('01/11/2026')
    await asked
    expect(page.url()).toContain('from=2026-11-01')
    await page.goBack()
  })

  it('lets a viewer look and send nothing', async () => {
    const viewer = await console.invite('viewer')
    const page = await console.open('/messages', { as: viewer })
    await page.getByRole('table').waitFor()
    const main = page.getByRole('main')
    await expect.poll(() => main.getByRole('link', { name: /^Gửi/ }).count()).toBe(0)
    await page.getByRole('row').nth(1).getByRole('link').click()
    await page.getByText('Lịch sử', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Gửi lại' }).count()).toBe(0)
    await page.goto('/messages/send')
    await page.getByText('Vai trò của bạn chỉ được xem.').waitFor()
    await page.goto('/messages/batches/new')
    await page.getByText('Vai trò của bạn chỉ được xem.').waitFor()
  })

  it('says that the history of an old message or order was deleted, and asks for it no more', async () => {
    const [record] = (await console.api('GET', '/api/external/notify-message/history?status=RECEIVED')).body
      .histories
    const [order] = (await console.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders
    const page = await console.open(`/messages/${record._id}`)
    const gone = page.getByText('Các bước trước đó đã quá thời hạn lưu và được xóa.')
    await page.getByText('Đã tiếp nhận').waitFor()
    expect(await gone.count()).toBe(0)
    await console.whileStopped('truncate message_events, order_events')
    await page.reload()
    await gone.waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes(record._id)) asked++
    })
    await page.waitForTimeout(3_000)
    expect(asked).toBe(0)
    await page.goto(`/orders/${order._id}`)
    await gone.waitFor()
  })
})
