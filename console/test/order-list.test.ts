import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parseCsv } from '../src/csv.ts'
import { writeDay } from '../src/dates.ts'
import { sellOne } from './sales.ts'
import { answer, expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

const ORDERS = '/api/external/v1/orders'

/** How many pixels of an empty field its placeholder leaves free. */
const placeholderSpace = (label: string) => `(() => {
  const field = [...document.querySelectorAll('label')].find((one) => one.innerText === '${label}').control
  const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field)
  const text = document.createElement('canvas').getContext('2d')
  text.font = [fontWeight, fontSize, fontFamily].join(' ')
  const inside = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  return inside - text.measureText(field.placeholder).width
})()`

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

    await page.setViewportSize({ width: 1366, height: 768 })
    for (const label of ['Từ ngày', 'Đến ngày']) {
      await page.getByLabel(label).fill('')
      expect(await page.evaluate(placeholderSpace(label))).toBeGreaterThanOrEqual(0)
    }
  })

  it('says of which orders goods came back, beside their amount without these', async () => {
    const { _id, code, price } = await sellOne(shop, 'Phin trả lại')
    const path = `${ORDERS}/${_id}`
    const { body } = await shop.api('PATCH', `${path}/status`, { status: 'completed' })
    const lines = [{ orderItemId: body.data.orderItems[0]._id, quantity: 1 }]
    expect((await shop.api('POST', `${path}/returns`, { lines })).status).toBe(201)
    const other = await sellOne(shop, 'Phin không trả')
    const page = await shop.open('/orders')
    const row = (order: string) => page.getByRole('row').filter({ hasText: order })
    await row(code).getByText('Có trả hàng', { exact: true }).waitFor()
    expect(await row(code).innerText()).toMatch(/\b0\s₫/)
    expect(price).toBeGreaterThan(0)
    expect(await row(other.code).getByText('Có trả hàng').count()).toBe(0)
    await expectAccessible(page)
  })

  it('says that the service cannot be reached, and shows them once it can', async () => {
    const page = await shop.open('/customers')
    await page.getByRole('row').nth(1).waitFor()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const away = await Promise.all([
      answer(page, `**${ORDERS}?*`, async (route) => {
        await released
        await route.abort()
      }),
      answer(page, '**/health/live', (route) => route.abort()),
    ])
    await page.getByRole('link', { name: /^Đơn hàng/ }).click()
    const SOON = { timeout: 15_000 }
    await page.getByRole('alert').getByText('Không kết nối được máy chủ.').waitFor(SOON)
    await expectAccessible(page)
    for (const end of away) end()
    release()
    await page.getByRole('row').nth(1).waitFor()
  })

  it.each([1440, 390])(
    'filters them by payment, channel and seller, whose fields and chips go together, at %i px',
    async (width) => {
      await sellOne(shop, 'Của người bán')
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
      const folded = page.getByRole('button', { name: /^Bộ lọc( \(\d\))?$/ })
      expect(await folded.count()).toBe(width === 390 ? 1 : 0)
      if (width === 390) await folded.click()
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
      if (width === 390) {
        expect(await folded.innerText()).toBe('Bộ lọc (3)')
        expect(await seller.count()).toBe(0)
        await folded.click()
      }
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
        // Not every number that begins with 099 exists.
        phone: `091${String(Date.now()).slice(-7)}`,
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

  it.each([
    ['vi-VN', 'Xuất CSV', 'Trạng thái', 'Đã hủy', 'Ngày tạo'],
    ['en-GB', 'Export CSV', 'Status', 'Cancelled', 'Created'],
  ])(
    'exports what the filter shows as CSV, in the words of %s',
    async (locale, button, status, word, created) => {
      const page = await shop.open('/orders?status=cancelled', { locale })
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^orders-.*\.csv$/)
      const [headings, ...rows] = parseCsv(await readFile(await file.path(), 'utf8'))
      expect(new Set(rows.map((row) => row[headings!.indexOf(status)]))).toEqual(new Set([word]))
      for (const row of rows) expect(row[headings!.indexOf(created)]).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d$/)
    },
  )
})
