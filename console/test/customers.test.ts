import { describe, expect, it } from 'vitest'
import { expectAccessible, loseAnswers, startConsole } from './support.ts'

const console = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000' })

const post = async (path: string, body: object) => (await console.api('POST', path, body)).body.data

/**
 * Creates a customer who owes these orders.
 * @returns the customer's id
 */
async function owing(fullName: string, phone: string, orders: number[]): Promise<string> {
  const customer = await post('/api/external/v1/customers', { fullName, phone })
  const product = await post('/api/external/v1/products', { name: `Hàng của ${fullName}`, price: 1_000 })
  for (const sum of orders) {
    const body = {
      orderItems: [{ id: product._id, quantity: sum / 1_000 }],
      userId: customer._id,
      paidAmount: 0,
    }
    await post('/api/external/order/pos/create', body)
  }
  return customer._id
}

const debtOf = async (customer: string): Promise<number> =>
  (await console.api('GET', `/api/external/v1/customers/${customer}/debt`)).body.data.debt

describe('customers', () => {
  it.each([
    [1440, 'Đặng Thị Mười', 'dang muoi', '0912 345 678'],
    [390, 'Đoàn Thị Chín', 'doan chin', '0912 345 679'],
  ])(
    'adds one, found by its name without accents; what the service refuses stands at its field, at %i px',
    async (width, name, folded, phone) => {
      const page = await console.open('/customers', { viewport: { width, height: 844 } })
      await page.getByRole('button', { name: 'Thêm khách' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Họ tên').fill(name)
      await form.getByLabel('Điện thoại').fill('123')
      await form.getByRole('button', { name: 'Lưu' }).click()
      await expect.poll(() => form.getByLabel('Điện thoại').getAttribute('aria-invalid')).toBe('true')
      await form.getByText('Không hợp lệ (ví dụ đúng: 0912 345 678)', { exact: true }).waitFor()
      await expect.poll(() => form.getByLabel('Họ tên').inputValue()).toBe(name)
      await form.getByLabel('Điện thoại').fill(phone)
      await form.getByRole('button', { name: 'Lưu' }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.goto('/customers')
      const search = page.getByLabel('Tên hoặc số điện thoại')
      const national = phone.slice(1)
      for (const text of [folded, phone, `+84 ${national}`, `84${national.replaceAll(' ', '')}`]) {
        const answered = page.waitForResponse(
          (response) => new URL(response.url()).searchParams.get('search') === text,
        )
        await search.fill('')
        await search.fill(text)
        await answered
        await page.getByRole('row', { name: new RegExp(`${name}.*${phone}`) }).waitFor()
      }
      await expectAccessible(page)
    },
  )

  it('adds one once when its answer is lost and it is saved again', async () => {
    const name = 'Đỗ Không Số'
    const page = await console.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Họ tên').fill(name)
    const find = await loseAnswers(page, '**/api/external/v1/customers')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.getByRole('alert').waitFor()
    find()
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const path = `/api/external/v1/customers?search=${encodeURIComponent(name)}`
    expect((await console.api('GET', path)).body.data.meta.total).toBe(1)
  })

  it('G-77 records that a customer opts out, with where it was said', async () => {
    const page = await console.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Họ tên').fill('Vũ Thị Tám')
    await form.getByLabel('Điện thoại').fill('0977 000 111')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('heading', { level: 1, name: 'Vũ Thị Tám' }).waitFor()
    const consent = page.getByRole('region', { name: 'Nhận tin chăm sóc và hậu mãi' })
    await consent.getByText('Chưa ghi nhận').waitFor()
    await consent.getByRole('button', { name: 'Ghi nhận từ chối' }).click()
    await expect.poll(() => consent.getByLabel('Khách nói ở đâu').getAttribute('aria-invalid')).toBe('true')
    await consent.getByLabel('Khách nói ở đâu').fill('tại quầy')
    await consent.getByRole('button', { name: 'Ghi nhận từ chối' }).click()
    await consent.getByText('Từ chối nhận').waitFor()
    await consent.getByText(/, tại quầy$/).waitFor()
    await expectAccessible(page)
  })

  it('keeps another country’s number when its customer is saved again', async () => {
    const page = await console.open('/customers')
    await page.getByRole('button', { name: 'Thêm khách' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Họ tên').fill('John Lê')
    await form.getByLabel('Điện thoại').fill('+1 202 555 0123')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('heading', { level: 1, name: 'John Lê' }).waitFor()
    await page.getByRole('button', { name: 'Sửa' }).click()
    await expect.poll(() => form.getByLabel('Điện thoại').inputValue()).toBe('+12025550123')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    await page.goto('/customers')
    await page.getByRole('row', { name: /John Lê.*\+12025550123/ }).waitFor()
  })

  it.each([1440, 390])(
    'has a page with orders, notes and what is owed, which one payment pays, the oldest order first, at %i px',
    async (width) => {
      const customer = await post('/api/external/v1/customers', {
        fullName: `Lê Thị Sen ${width}`,
        phone: `0913000${width < 1000 ? 390 : 144}`,
        note: 'Lấy hàng thứ bảy',
      })
      const product = await post('/api/external/v1/products', { name: `Mứt sen ${width}`, price: 100_000 })
      const codes: string[] = []
      for (const paidAmount of [30_000, 0, 0]) {
        const body = { orderItems: [{ id: product._id, quantity: 1 }], userId: customer._id, paidAmount }
        codes.push((await post('/api/external/order/pos/create', body)).code)
      }
      const page = await console.open('/customers', { viewport: { width, height: 844 } })
      await page.getByRole('link', { name: customer.fullName }).click()
      await page.getByRole('heading', { level: 1, name: customer.fullName }).waitFor()
      await page.getByText('Lấy hàng thứ bảy').waitFor()
      await page.getByText('3 đơn chưa trả đủ').waitFor()
      await page.getByText('Chưa gửi tin nào').waitFor()
      for (const code of codes) await page.getByRole('table').getByRole('link', { name: code }).waitFor()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Thu nợ' }).click()
      const form = page.getByRole('dialog', { name: 'Thu nợ' })
      await expect.poll(() => form.getByLabel('Khách trả bây giờ').inputValue()).toBe('270.000 ₫')
      await form.getByLabel('Khách trả bây giờ').fill('300000')
      await form.getByText('Nhiều hơn số khách còn nợ.').waitFor()
      await form.getByLabel('Khách trả bây giờ').fill('0')
      await form.getByRole('button', { name: 'Lưu' }).click()
      await form.getByText('Hãy nhập số lớn hơn 0.').waitFor()
      await form.getByLabel('Khách trả bây giờ').fill('90000')
      const spread = form.getByRole('region', { name: 'Trả cho các đơn' })
      await spread.getByText('còn 80.000').waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Lưu' }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByText('2 đơn chưa trả đủ').waitFor()
      const { debt, oldest } = (await console.api('GET', `/api/external/v1/customers/${customer._id}/debt`))
        .body.data
      expect([debt, oldest.map(({ code, left }: { code: string; left: number }) => [code, left])]).toEqual([
        180_000,
        [
          [codes[1], 80_000],
          [codes[2], 100_000],
        ],
      ])
    },
  )

  it('books a payment once when its response is lost, even if its dialog is closed, the page reloaded and the payment entered again', async () => {
    const customer = await owing('Trần Thị Lụa', '0913000555', [100_000, 100_000])
    const page = await console.open(`/customers/${customer}`)
    const find = await loseAnswers(page, '**/v1/customers/*/payments')
    const open = async () => {
      await page.getByRole('button', { name: 'Thu nợ' }).click()
      return page.getByRole('dialog', { name: 'Thu nợ' })
    }
    const form = await open()
    await form.getByLabel('Khách trả bây giờ').fill('60000')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.getByText('Không kết nối được máy chủ').waitFor({ timeout: 40_000 })
    await form.getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false }).waitFor()
    // The debt was read again after the payment.
    await form.getByText('Khách còn nợ 140.000', { exact: false }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Bỏ thay đổi' }).click()
    await form.waitFor({ state: 'detached' })
    await page.reload()
    find()

    await open()
    await form.getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false }).waitFor()
    await form.getByLabel('Khách trả bây giờ').fill('60000')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await debtOf(customer)).toBe(140_000)

    await open()
    expect(await form.getByText('Chưa rõ lần gửi trước', { exact: false }).count()).toBe(0)
    await form.getByLabel('Khách trả bây giờ').fill('60000')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await debtOf(customer)).toBe(80_000)
  })

  it('shows the amount owed now beside a payment that exceeds it', async () => {
    const customer = await owing('Bùi Văn Gốm', '0913000556', [100_000])
    const page = await console.open(`/customers/${customer}`)
    await page.getByRole('button', { name: 'Thu nợ' }).click()
    const form = page.getByRole('dialog', { name: 'Thu nợ' })
    await expect.poll(() => form.getByLabel('Khách trả bây giờ').inputValue()).toBe('100.000 ₫')
    await post(`/api/external/v1/customers/${customer}/payments`, { amount: 70_000, paymentMethod: 'cash' })
    await form.getByRole('button', { name: 'Lưu' }).click()
    await form.getByText('Khách còn nợ 30.000', { exact: false }).waitFor()
    await expect.poll(() => form.getByLabel('Khách trả bây giờ').getAttribute('aria-invalid')).toBe('true')
    await form.getByText('Nhiều hơn số khách còn nợ.').waitFor()
  })

  it('says how many more orders are owed than it lists, and what a payment gives them', async () => {
    const customer = await owing('Đỗ Thị Nhiều', '0913000557', Array(103).fill(1_000))
    const page = await console.open(`/customers/${customer}`)
    await page.getByText('103 đơn chưa trả đủ').waitFor()
    await page.getByText('và 3 đơn mới hơn').waitFor()
    await page.getByRole('button', { name: 'Thu nợ' }).click()
    const form = page.getByRole('dialog', { name: 'Thu nợ' })
    const spread = form.getByRole('region', { name: 'Trả cho các đơn' })
    await expect.poll(() => spread.innerText()).toMatch(/trong 3 đơn mới hơn\s+3\.000\s₫$/)
    await form.getByLabel('Khách trả bây giờ').fill('101500')
    await expect.poll(() => spread.innerText()).toMatch(/trong 3 đơn mới hơn\s+1\.500\s₫$/)
    await form.getByLabel('Khách trả bây giờ').fill('99500')
    await expect.poll(() => spread.innerText()).toMatch(/còn 500\s₫\s*500\s₫$/)
  })

  it('offers a viewer nothing to change', async () => {
    const page = await console.open('/customers', { as: await console.invite('viewer') })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Thêm khách' }).count()).toBe(0)
  })
})
