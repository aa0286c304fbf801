import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { counterOf, isReady, scan } from './counter.ts'
import { answer, expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { openCounter, skuOf } = counterOf(shop)
const honey = await skuOf('Mat ong')

const choice = (page: Page) => page.getByRole('combobox', { name: 'Bán từ kho' })

async function stockOf(): Promise<Record<string, { quantity: number }>> {
  const { warehouses } = (await shop.api('GET', '/api/external/v1/warehouses?limit=100')).body.data
  const levels = await Promise.all(
    warehouses.map(async ({ _id, name }: { _id: string; name: string }) => {
      const path = `/api/external/v1/products?barcode=${honey.barcode}&warehouseId=${_id}`
      const [product] = (await shop.api('GET', path)).body.data.products
      const sku = product.skus.find((one: { _id: string }) => one._id === honey._id)
      return [name, sku.warehouseStock]
    }),
  )
  return Object.fromEntries(levels)
}

describe('G-43 the counter of a branch', () => {
  it('has no choice of warehouses in a shop with one', async () => {
    const page = await openCounter()
    const { data, ...rest } = (await shop.api('GET', '/api/external/v1/warehouses?limit=100')).body
    const one = { ...rest, data: { ...data, warehouses: data.warehouses.slice(0, 1) } }
    await answer(page, '**/v1/warehouses?*', (route) => route.fulfill({ json: one }))
    const answered = page.waitForResponse('**/v1/warehouses?*')
    await page.reload()
    await answered
    await isReady(page)
    expect(await choice(page).count()).toBe(0)
  })

  it('sells from its own warehouse, shows that one’s stock, and keeps the choice over a reload', async () => {
    const branch = (await shop.api('POST', '/api/external/v1/warehouses', { name: 'Chi nhánh Huế' })).body
      .data
    await shop.api('POST', '/api/external/v1/inventory/entries', {
      type: 'receive',
      warehouseId: branch._id,
      items: [{ skuId: honey._id, quantity: 7 }],
    })
    const before = await stockOf()
    const page = await openCounter()
    await choice(page).click()
    await page.getByRole('option', { name: 'Chi nhánh Huế' }).click()
    await isReady(page)
    await page.reload()
    await isReady(page)
    await expect.poll(() => choice(page).inputValue()).toBe('Chi nhánh Huế')
    await page.getByText('Còn 7', { exact: true }).waitFor()
    await expectAccessible(page)
    await scan(page, honey.barcode)
    await page.getByLabel('Số lượng Mật ong hoa cà phê').waitFor()
    await page.keyboard.press('F9')
    await page.keyboard.press('Enter')
    await page.getByText(/^Đã bán DH/).waitFor()
    await page.getByText('Còn 6', { exact: true }).waitFor()
    const after = await stockOf()
    expect(after['Chi nhánh Huế']!.quantity).toBe(6)
    const main = Object.keys(before).find((name) => name !== 'Chi nhánh Huế')!
    expect(after[main]).toEqual(before[main])
  })

  it('sells from any again once its warehouse is gone', async () => {
    const page = await openCounter()
    await choice(page).click()
    await page.getByRole('option', { name: 'Chi nhánh Huế' }).click()
    await page.evaluate(
      `for (const [place] of Object.entries(localStorage)) if (place.startsWith('shopbell.pos-warehouse')) localStorage.setItem(place, '${'0'.repeat(24)}')`,
    )
    await page.reload()
    await isReady(page)
    await expect.poll(() => choice(page).inputValue()).toBe('Mọi kho')
  })
})
