import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { AT_ONCE, runBulk } from '../src/components/lists/bulk/run-bulk.ts'
import { parseCsv } from '../src/csv.ts'
import { repriced } from '../src/screens/products/bulk/new-price.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000', SESSION_RATE_LIMIT_PER_MINUTE: '100000' })
const WIDTHS = [1440, 390]
const PRODUCTS = '/api/external/v1/products'
const ORDERS = '/api/external/v1/orders'

async function call(method: string, path: string, body?: object) {
  const answer = await shop.api(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}

const bar = (page: Page) => page.getByRole('region', { name: 'Thao tác với các dòng đã chọn' })
const press = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click()
const ended = (page: Page, name: string) => page.getByRole('dialog', { name })
const firstColumn = async (page: Page, button: string) => {
  const downloading = page.waitForEvent('download')
  await press(page, button)
  const [, ...rows] = parseCsv(await readFile(await (await downloading).path(), 'utf8'))
  return new Set(rows.map(([id]) => id))
}

describe('what is done with many rows', () => {
  it('runs a few at a time, names the refused ones, and starts no more once stopped', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => n)
    let now = 0
    let most = 0
    const refusal = new Error('no')
    const act = async (row: number) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      now--
      if (row === 2) throw refusal
    }
    const progress: number[] = []
    const options = {
      isStopped: () => progress.length >= 6,
      isAway: (error: unknown) => error === refusal,
      onProgress: (n: number) => progress.push(n),
    }
    const { done, refused, left } = await runBulk(rows.slice(0, 2), act, options)
    expect({ done, refused, left }).toEqual({ done: [0, 1], refused: [], left: [] })
    const second = await runBulk(rows, act, options)
    expect(most).toBe(AT_ONCE)
    // No response came: running requests end, and no other begins.
    expect(second.refused).toEqual([{ row: 2, error: refusal }])
    expect([...second.done, 2, ...second.left].sort((a, b) => a - b)).toEqual(rows)
    expect(second.left.length).toBeGreaterThan(4)
  })

  it.each([
    [20_000, 10, 1_000, 22_000],
    [15_500, 10, 1_000, 17_000],
    [15_500, -10, 1, 13_950],
    [400, -10, 1_000, 360],
    [1_000, 10, 1_000, 1_100],
    [0, 10, 1_000, 0],
    [20_000, 0, 1_000, 20_000],
  ])('%i đ by %i percent, rounded to %i, is %i', (vnd, percent, stepVnd, after) => {
    expect(repriced(vnd, { percent, stepVnd })).toBe(after)
  })
})

describe('selected orders', () => {
  it.each(WIDTHS)(
    'are confirmed except those that cannot be, which are named; printed together; exported, at %i px',
    async (width) => {
      const customer = await call('POST', '/api/external/v1/customers', { fullName: `Ngô Thị Chọn ${width}` })
      const product = await call('POST', PRODUCTS, { name: `Túi vải ${width}`, price: 10_000 })
      const body = { orderItems: [{ id: product._id, quantity: 1 }], userId: customer._id }
      const orders = []
      for (let n = 0; n < 3; n++) orders.push(await call('POST', '/api/external/order/pos/create', body))
      const [one, two, three] = orders
      await call('PATCH', `${ORDERS}/${two._id}/status`, { status: 'cancelled' })
      const page = await shop.open('/', { viewport: { width, height: 844 } })
      await page.addInitScript('window.prints = 0; window.print = () => { window.prints++ }')
      await page.goto(`/orders?search=${encodeURIComponent(`Chọn ${width}`)}`)
      await page.getByRole('checkbox', { name: `Chọn ${one.code}` }).check()
      expect(await page.getByRole('checkbox', { name: `Chọn ${two.code}` }).isChecked()).toBe(false)
      await bar(page).getByText('Đã chọn 1').waitFor()
      await page.getByRole('checkbox', { name: 'Chọn cả trang' }).click()
      await bar(page).getByText('Đã chọn 3').waitFor()
      for (const button of await bar(page).getByRole('button').all()) {
        const { x, width: itsWidth } = (await button.boundingBox())!
        expect(x + itsWidth, await button.innerText()).toBeLessThan(width)
      }
      await expectAccessible(page)

      const all = new Set([one._id, two._id, three._id])
      expect(await firstColumn(page, 'Xuất CSV đã chọn')).toEqual(all)
      await press(page, 'In hóa đơn')
      await expect.poll(() => page.evaluate('window.prints')).toBe(1)
      await page.emulateMedia({ media: 'print' })
      const receipts = page.getByRole('region', { name: 'Hóa đơn' })
      expect(await receipts.count()).toBe(3)
      expect(await receipts.nth(2).isVisible()).toBe(true)
      for (const receipt of await receipts.all())
        expect(await receipt.innerText()).toContain('Thu ngân: Khóa API')
      expect(await page.locator('[data-table]').isVisible()).toBe(false)
      await page.emulateMedia({ media: 'screen' })
      await page.evaluate(`window.dispatchEvent(new Event('afterprint'))`)
      await expect.poll(() => receipts.count()).toBe(0)

      await press(page, 'Xác nhận')
      const result = ended(page, 'Xác nhận')
      await result.getByText('Xong 2 dòng.').waitFor()
      const refused = result.getByRole('listitem').filter({ hasText: two.code })
      expect(await refused.innerText()).toContain(
        'Đơn hàng ở trạng thái Đã hủy không chuyển sang Đã xác nhận được',
      )
      expect(await result.getByRole('listitem').count()).toBe(1)
      await expectAccessible(page)
      await result.getByRole('button', { name: 'Đóng' }).last().click()
      await bar(page).getByText('Đã chọn 1').waitFor()
      const statuses = (await call('GET', `${ORDERS}?ids=${[...all]}`)).orders
      expect(
        new Map(statuses.map((each: { _id: string; status: string }) => [each._id, each.status])),
      ).toEqual(
        new Map([
          [one._id, 'confirmed'],
          [two._id, 'cancelled'],
          [three._id, 'confirmed'],
        ]),
      )
    },
  )

  it('are nothing for a viewer to change', async () => {
    const page = await shop.open('/orders', { as: await shop.invite('viewer') })
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await bar(page).getByRole('button', { name: 'In hóa đơn' }).waitFor()
    expect(await bar(page).getByRole('button', { name: 'Xác nhận' }).count()).toBe(0)
  })
})

describe('selected products', () => {
  it.each(WIDTHS)(
    'change their prices with those of their variants, are hidden, get a category, are exported, at %i px',
    async (width) => {
      const name = `Khăn lụa ${width}`
      const category = await call('POST', '/api/external/v1/categories', { name: `Lụa ${width}` })
      const single = await call('POST', PRODUCTS, { name: `${name} trơn`, price: 20_000 })
      const varied = await call('POST', PRODUCTS, {
        name: `${name} hoa`,
        price: 15_000,
        variants: [
          {
            id: 'g',
            name: 'Cỡ',
            options: [
              { id: 's', value: 'S' },
              { id: 'l', value: 'L' },
            ],
          },
        ],
        skus: [
          { name: 'S', price: 15_500, variantOptionIds: ['s'], sku: `KS${width}` },
          { name: 'L', price: 25_000, variantOptionIds: ['l'] },
        ],
      })
      const gone = await call('POST', PRODUCTS, { name: `${name} cũ`, price: 5_000 })
      const read = (id: string) => call('GET', `${PRODUCTS}/${id}`)
      const page = await shop.open(`/products?search=${encodeURIComponent(name)}`, {
        viewport: { width, height: 844 },
      })
      for (const each of [single, varied, gone])
        await page.getByRole('checkbox', { name: `Chọn ${each.name}` }).check()
      await call('DELETE', `${PRODUCTS}/${gone.id}`)
      await press(page, 'Điều chỉnh giá')
      const form = ended(page, 'Điều chỉnh giá')
      await form.getByLabel('Tăng hoặc giảm (%)').fill('10')
      await form.getByText(`${name} trơn: 20.000 ₫ → 22.000 ₫`).waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Đổi giá' }).click()
      await form.getByRole('listitem').filter({ hasText: gone.name }).waitFor()
      expect(await form.getByRole('listitem').count()).toBe(1)
      await form.getByRole('button', { name: 'Đóng' }).last().click()
      expect((await read(single.id)).skus).toMatchObject([{ price: 22_000 }])
      const after = await read(varied.id)
      expect(after.price).toBe(17_000)
      const before = varied.skus
      expect(after.skus.map((sku: { _id: string }) => sku._id)).toEqual(
        before.map((sku: { _id: string }) => sku._id),
      )
      expect(after.skus).toMatchObject([{ price: 17_000, sku: `KS${width}` }, { price: 28_000 }])

      await bar(page).getByText('Đã chọn 1').waitFor()
      await press(page, 'Bỏ chọn')
      for (const each of [single, varied])
        await page.getByRole('checkbox', { name: `Chọn ${each.name}` }).check()
      expect(await firstColumn(page, 'Xuất CSV đã chọn')).toEqual(new Set([single.id, varied.id]))
      await press(page, 'Ngừng kinh doanh')
      await expect.poll(async () => (await read(varied.id)).status).toBe('inactive')
      await expect.poll(() => bar(page).count()).toBe(0)
      expect(await read(single.id)).toMatchObject({ status: 'inactive', slug: single.slug, price: 22_000 })
      for (const each of [single, varied])
        await page.getByRole('checkbox', { name: `Chọn ${each.name}` }).check()
      await press(page, 'Chuyển danh mục')
      const move = ended(page, 'Chuyển danh mục')
      await move.getByLabel('Danh mục mới').fill(`Lụa ${width}`)
      await page.getByRole('option', { name: `Lụa ${width}` }).click()
      await move.getByRole('button', { name: 'Chuyển danh mục' }).click()
      await expect.poll(() => bar(page).count()).toBe(0)
      expect((await read(single.id)).categoryId).toBe(category._id)
      expect((await read(varied.id)).categoryId).toBe(category._id)
    },
  )

  it('are still selected when one comes back from a record; one that was deleted there is not, nor those of another search', async () => {
    const made: { id: string; name: string }[] = []
    for (const n of [1, 2, 3]) made.push(await call('POST', PRODUCTS, { name: `Nón lá ${n}`, price: 5_000 }))
    const page = await shop.open(`/products?search=${encodeURIComponent('Nón lá')}`)
    for (const { name } of made) await page.getByRole('checkbox', { name: `Chọn ${name}` }).check()
    await page.getByRole('link', { name: made[0]!.name }).click()
    await page.getByRole('heading', { name: made[0]!.name }).waitFor()
    await page.goBack()
    await bar(page).getByText('Đã chọn 3').waitFor()
    for (const { name } of made) {
      expect(await page.getByRole('checkbox', { name: `Chọn ${name}` }).isChecked()).toBe(true)
    }
    await page.getByRole('link', { name: made[1]!.name }).click()
    await page.getByRole('button', { name: 'Xóa sản phẩm' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa sản phẩm' }).click()
    await page.waitForURL((url) => url.pathname === '/products')
    await page.locator('[data-list-search]').waitFor()
    expect(await bar(page).count()).toBe(0)
    await page.goBack()
    await page.goBack()
    await bar(page).getByText('Đã chọn 2').waitFor()
    expect(await page.getByRole('checkbox', { name: `Chọn ${made[2]!.name}` }).isChecked()).toBe(true)
  })

  it('are shown as a record was changed meanwhile, and are not selected again by who leaves while they are done', async () => {
    const made: { id: string; name: string }[] = []
    for (const n of [1, 2]) made.push(await call('POST', PRODUCTS, { name: `Đèn lồng ${n}`, price: 5_000 }))
    const page = await shop.open(`/products?search=${encodeURIComponent('Đèn lồng')}`)
    for (const { name } of made) await page.getByRole('checkbox', { name: `Chọn ${name}` }).check()
    await page.getByRole('link', { name: made[0]!.name }).click()
    await page.getByRole('textbox', { name: 'Giá bán' }).fill('8000')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText('Đã lưu').first().waitFor()
    await page.goBack()
    await press(page, 'Điều chỉnh giá')
    const form = ended(page, 'Điều chỉnh giá')
    await form.getByLabel('Tăng hoặc giảm (%)').fill('50')
    await form.getByText(`${made[0]!.name}: 8.000 ₫ → 12.000 ₫`).waitFor()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    await page.route('**/v1/products/*?*', async (route) => {
      await gate
      await route.continue()
    })
    await form.getByRole('button', { name: 'Đổi giá' }).click()
    await page.getByRole('dialog').getByText('0 / 2').waitFor()
    await page.goForward()
    await page.waitForURL(`**/products/${made[0]!.id}`)
    open()
    for (const [at, price] of [12_000, 8_000].entries()) {
      await expect.poll(async () => (await call('GET', `${PRODUCTS}/${made[at]!.id}`)).price).toBe(price)
    }
    await page.goBack()
    await page.getByRole('checkbox', { name: `Chọn ${made[1]!.name}` }).waitFor()
    expect(await bar(page).count()).toBe(0)
  })

  it('stop when asked to, and rows that were not started stay selected', async () => {
    for (let n = 0; n < 8; n++) await call('POST', PRODUCTS, { name: `Giỏ mây ${n}`, price: 5_000 })
    const page = await shop.open(`/products?search=${encodeURIComponent('Giỏ mây')}`)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/v1/products/*?*', async (route) => {
      asked++
      await gate
      await route.continue()
    })
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await press(page, 'Ngừng kinh doanh')
    const dialog = ended(page, 'Ngừng kinh doanh')
    await expect.poll(() => asked).toBe(AT_ONCE)
    await dialog.getByText('0 / 8').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Dừng lại' }).click()
    open()
    await dialog.getByText('4 dòng chưa thực hiện, vẫn đang được chọn').waitFor()
    await dialog.getByRole('button', { name: 'Đóng' }).last().click()
    await bar(page).getByText('Đã chọn 4').waitFor()
    const { products } = await call('GET', `${PRODUCTS}?search=${encodeURIComponent('Giỏ mây')}`)
    expect(products.filter((one: { status: string }) => one.status === 'inactive')).toHaveLength(4)
  })
})

describe('selected customers', () => {
  const CUSTOMERS = '/api/external/v1/customers'

  it.each(WIDTHS)(
    'are exported, and are the recipients of a batch except those without a phone number, at %i px',
    async (width) => {
      const name = `Mai Thị Gửi ${width}`
      const phone = `0912 70${width === 390 ? 1 : 2} 9`
      const one = await call('POST', CUSTOMERS, { fullName: `${name} một`, phone: `${phone}10` })
      const two = await call('POST', CUSTOMERS, {
        fullName: `${name} hai`,
        phone: `${phone}20`,
        birthday: '1990-11-24',
      })
      const silent = await call('POST', CUSTOMERS, { fullName: `${name} ba` })
      const left = await call('POST', CUSTOMERS, { fullName: `${name} bốn`, phone: `${phone}40` })
      const page = await shop.open(`/customers?search=${encodeURIComponent(name)}`, {
        viewport: { width, height: 844 },
      })
      for (const each of [one, two, silent])
        await page.getByRole('checkbox', { name: `Chọn ${each.fullName}` }).check()
      await bar(page).getByText('Đã chọn 3').waitFor()
      await expectAccessible(page)
      expect(await firstColumn(page, 'Xuất CSV đã chọn')).toEqual(new Set([one.id, two.id, silent.id]))
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Xuất CSV', exact: true }).click()
      const [header, ...rows] = parseCsv(await readFile(await (await downloading).path(), 'utf8'))
      expect(header!.slice(0, 3)).toEqual(['id', 'fullName', 'phone'])
      expect(rows.map(([id]) => id)).toEqual([left.id, silent.id, two.id, one.id])

      await bar(page).getByRole('link', { name: 'Gửi tin nhắn' }).click()
      await page
        .getByText('2 khách có số điện thoại. Thêm 1 khách không có số nên không nhận được tin.')
        .waitFor()
      await page.reload()
      await page.getByText('2 khách có số điện thoại.', { exact: false }).waitFor()
      const choose = async (field: string, option: string) => {
        await page.getByRole('combobox', { name: field, exact: true }).click()
        await page.getByRole('option', { name: option }).click()
      }
      await choose('Mẫu tin', 'Xác nhận đơn hàng')
      const mapped = page.getByRole('combobox', { name: 'Cột cho: Tên khách hàng' })
      await expect.poll(() => mapped.inputValue()).toBe('Họ tên')
      await page
        .getByLabel('Xem trước tin nhắn: Dòng 1')
        .getByText(`Cảm ơn ${name} hai đã mua hàng`)
        .waitFor()
      await choose('Cột cho: Mã đơn hàng', 'Ngày sinh')
      await choose('Cột cho: Tổng tiền', 'Số điện thoại')
      await page.getByText('24/11/1990').first().waitFor()
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
      await page.getByText('1 tin gửi được, 1 dòng không gửi.').waitFor()

      await page.getByText('Tệp hoặc dán', { exact: true }).click()
      await page.getByLabel('Hoặc dán các dòng').waitFor()
      await expect.poll(() => mapped.count()).toBe(0)
      await page.getByText('Khách đã chọn', { exact: true }).click()
      await expect.poll(() => mapped.inputValue()).toBe('Họ tên')
    },
  )

  it('without any phone number get no messages, and unknown ids are left out', async () => {
    const { _id } = await call('POST', CUSTOMERS, { fullName: 'Khách không số' })
    const page = await shop.open(`/messages/batches/new?customers=${_id},${'f'.repeat(24)}`)
    await page.getByText('Không khách nào đã chọn có số điện thoại.').waitFor()
    await page.getByText('Thêm 1 khách không có số', { exact: false }).waitFor()
    // Nothing was entered, so leaving asks nothing.
    await page.getByRole('link', { name: 'Sản phẩm', exact: true }).click()
    await page.waitForURL('**/products')
  })

  it('are no longer selected on the return from sending to them', async () => {
    const page = await shop.open('/customers')
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await bar(page).getByRole('link', { name: 'Gửi tin nhắn' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gửi hàng loạt' }).waitFor()
    await page.goBack()
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).waitFor()
    expect(await bar(page).count()).toBe(0)
  })

  it('are exported by a viewer, who sends nothing', async () => {
    const page = await shop.open('/customers', { as: await shop.invite('viewer') })
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await bar(page).getByRole('button', { name: 'Xuất CSV đã chọn' }).waitFor()
    expect(await bar(page).getByRole('link', { name: 'Gửi tin nhắn' }).count()).toBe(0)
  })
})
