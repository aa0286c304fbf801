import { describe, expect, it } from 'vitest'
import { AT_ONCE } from '../src/components/lists/bulk/run-bulk.ts'
import { bar, callOf, downloadSelected, ended, press } from './selected-rows.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000', SESSION_RATE_LIMIT_PER_MINUTE: '100000' })
const WIDTHS = [1440, 390]
const PRODUCTS = '/api/external/v1/products'
const ORDERS = '/api/external/v1/orders'

const call = callOf(shop)

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
      const exported = await downloadSelected(page)
      expect(new Set(exported.cellsOf('ID đơn hàng'))).toEqual(all)
      expect(new Set(exported.cellsOf('Trạng thái'))).toEqual(new Set(['Chờ xác nhận', 'Đã hủy']))
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

      const result = ended(page, 'Xác nhận')
      await press(page, 'Xác nhận')
      await result.getByText('Xác nhận 3 đơn đã chọn?').waitFor()
      await expectAccessible(page)
      await result.getByRole('button', { name: 'Đóng' }).last().click()
      await expect.poll(() => result.count()).toBe(0)
      expect((await call('GET', `${ORDERS}/${one._id}`)).status).toBe('pending')
      await press(page, 'Xác nhận')
      await result.getByRole('button', { name: 'Xác nhận' }).click()
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
    'change their prices with those of their variants, are hidden, get a category, each taken back; are exported, at %i px',
    async (width) => {
      const name = `Khăn lụa ${width}`
      const category = await call('POST', '/api/external/v1/categories', { name: `Lụa ${width}` })
      const former = await call('POST', '/api/external/v1/categories', { name: `Khăn ${width}` })
      const single = await call('POST', PRODUCTS, {
        name: `${name} trơn`,
        price: 20_000,
        categoryId: former._id,
      })
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
      // Somebody else changes this one between a change and its undo.
      const others = await call('POST', PRODUCTS, { name: `${name} dệt`, price: 7_000 })
      const read = (id: string) => call('GET', `${PRODUCTS}/${id}`)
      const edit = (body: object) =>
        call('PATCH', `${PRODUCTS}/${others.id}`, { ...body, shopId: others.shopId })
      const page = await shop.open(`/products?search=${encodeURIComponent(name)}`, {
        viewport: { width, height: 844 },
      })
      const undone = async (title: string, reason: string) => {
        const result = ended(page, `Hoàn tác: ${title}`)
        await result.getByText('Xong 2 dòng.').waitFor()
        expect(await result.getByRole('listitem').allInnerTexts()).toEqual([`${others.name}: ${reason}`])
        await result.getByRole('button', { name: 'Đóng' }).last().click()
        await expect.poll(() => result.count()).toBe(0)
      }
      for (const each of [single, varied, gone, others])
        await page.getByRole('checkbox', { name: `Chọn ${each.name}` }).check()
      await call('DELETE', `${PRODUCTS}/${gone.id}`)
      await press(page, 'Điều chỉnh giá')
      const form = ended(page, 'Điều chỉnh giá')
      await form.getByRole('button', { name: 'Đổi giá' }).click()
      await form.getByText('Hãy nhập một số khác 0.').waitFor()
      await form.getByLabel('Tăng hoặc giảm (%)').fill('-150')
      await form.getByRole('button', { name: 'Đổi giá' }).click()
      await form.getByText('Từ -90 đến 500 %.').waitFor()
      expect((await read(single.id)).price).toBe(20_000)
      await form.getByLabel('Tăng hoặc giảm (%)').fill('10')
      await form.getByText(`${name} trơn: 20.000 ₫ → 22.000 ₫`).waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Đổi giá' }).click()
      await form.getByRole('listitem').filter({ hasText: gone.name }).waitFor()
      expect(await form.getByRole('listitem').count()).toBe(1)
      expect((await read(single.id)).skus).toMatchObject([{ price: 22_000 }])
      const after = await read(varied.id)
      expect(after.price).toBe(17_000)
      const before = varied.skus
      expect(after.skus.map((sku: { _id: string }) => sku._id)).toEqual(
        before.map((sku: { _id: string }) => sku._id),
      )
      expect(after.skus).toMatchObject([{ price: 17_000, sku: `KS${width}` }, { price: 28_000 }])
      await edit({ price: 9_000 })
      await form.getByRole('button', { name: 'Hoàn tác' }).click()
      await undone('Điều chỉnh giá', 'giá hoặc phiên bản đã được đổi sau đó, nên giữ nguyên giá hiện tại')
      expect(await read(single.id)).toMatchObject({ price: 20_000, skus: [{ price: 20_000 }] })
      expect(await read(varied.id)).toMatchObject({
        price: 15_000,
        skus: [
          { _id: before[0]._id, price: 15_500, sku: `KS${width}` },
          { _id: before[1]._id, price: 25_000 },
        ],
      })
      expect((await read(others.id)).price).toBe(9_000)

      await bar(page).getByText('Đã chọn 1').waitFor()
      await press(page, 'Bỏ chọn')
      for (const each of [single, varied])
        await page.getByRole('checkbox', { name: `Chọn ${each.name}` }).check()
      const products = await downloadSelected(page)
      expect(new Set(products.cellsOf('ID sản phẩm, xin giữ nguyên'))).toEqual(
        new Set([single.id, varied.id]),
      )
      await press(page, 'Ngừng kinh doanh')
      await expect.poll(async () => (await read(varied.id)).status).toBe('inactive')
      await expect.poll(() => bar(page).count()).toBe(0)
      expect(await read(single.id)).toMatchObject({ status: 'inactive', slug: single.slug, price: 20_000 })
      await page.getByRole('button', { name: 'Hoàn tác' }).click()
      for (const { id } of [single, varied])
        await expect.poll(async () => (await read(id)).status).toBe('active')
      await page.getByText('Xong 2 dòng').last().waitFor()
      for (const each of [single, varied, others])
        await page.getByRole('checkbox', { name: `Chọn ${each.name}` }).check()
      await press(page, 'Chuyển danh mục')
      const move = ended(page, 'Chuyển danh mục')
      await move.getByLabel('Danh mục mới').fill(`Lụa ${width}`)
      await page.getByRole('option', { name: `Lụa ${width}` }).click()
      await move.getByRole('button', { name: 'Chuyển danh mục' }).click()
      await expect.poll(() => bar(page).count()).toBe(0)
      expect((await read(single.id)).categoryId).toBe(category._id)
      expect((await read(varied.id)).categoryId).toBe(category._id)
      await edit({ categoryId: former._id })
      await page.getByText('Xong 3 dòng').waitFor()
      await page.getByRole('button', { name: 'Hoàn tác' }).last().click()
      await undone('Chuyển danh mục', 'danh mục đã được đổi sau đó, nên giữ nguyên danh mục hiện tại')
      for (const [{ id }, categoryId] of [
        [single, former._id],
        [varied, null],
        [others, former._id],
      ])
        expect((await read(id)).categoryId).toBe(categoryId)
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

  it('are shown again where hiding them is taken back from its result; the offer goes with the list', async () => {
    const kept = await call('POST', PRODUCTS, { name: 'Lẵng tre 1', price: 5_000 })
    const gone = await call('POST', PRODUCTS, { name: 'Lẵng tre 2', price: 5_000 })
    const statusOf = async () => (await call('GET', `${PRODUCTS}/${kept.id}`)).status
    const page = await shop.open(`/products?search=${encodeURIComponent('Lẵng tre')}`)
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await bar(page).getByText('Đã chọn 2').waitFor()
    await call('DELETE', `${PRODUCTS}/${gone.id}`)
    await press(page, 'Ngừng kinh doanh')
    const result = ended(page, 'Ngừng kinh doanh')
    await result.getByRole('listitem').filter({ hasText: gone.name }).waitFor()
    expect(await statusOf()).toBe('inactive')
    await result.getByRole('button', { name: 'Hoàn tác' }).click()
    await expect.poll(statusOf).toBe('active')

    await press(page, 'Bỏ chọn')
    await page.getByRole('checkbox', { name: `Chọn ${kept.name}` }).check()
    await bar(page).getByText('Đã chọn 1').waitFor()
    await press(page, 'Ngừng kinh doanh')
    // The text of the product's page has a button of this name too.
    const offer = page
      .getByRole('button', { name: 'Hoàn tác' })
      .and(page.locator(':not(.mantine-RichTextEditor-control)'))
    await offer.last().waitFor()
    await page.getByRole('link', { name: kept.name }).click()
    await page.getByRole('heading', { level: 1, name: kept.name }).waitFor()
    await expect.poll(() => offer.count()).toBe(0)
  })
})
