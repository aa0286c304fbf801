import { describe, expect, it } from 'vitest'
import { queryOf } from '../src/screens/overview/period.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

async function call(method: string, path: string, body?: object) {
  const answer = await shop.api(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}

describe('the period of the profit report', () => {
  it('is a day, this month until today, and the whole month before, also over a new year', () => {
    expect(queryOf('month', '2026-11-23')).toEqual({ from: '2026-11-01', days: 23 })
    expect(queryOf('lastMonth', '2026-11-23')).toEqual({ from: '2026-10-01', days: 31 })
    expect(queryOf('lastMonth', '2027-01-01')).toEqual({ from: '2026-12-01', days: 31 })
    expect(queryOf('lastMonth', '2028-03-31')).toEqual({ from: '2028-02-01', days: 29 })
    expect(queryOf('7', '2028-03-31')).toEqual({ from: '2028-03-25', days: 7 })
    expect(queryOf('today', '2028-03-01')).toEqual({ from: '2028-03-01', days: 1 })
    expect(queryOf('yesterday', '2028-03-01')).toEqual({ from: '2028-02-29', days: 1 })
  })
})

describe('the profit report', () => {
  it.each([1440, 390])(
    'adds up what a sale brought, and says which lines have no cost, at %i px',
    async (width) => {
      const { total: before } = await call('GET', '/api/external/v1/reports/profit?days=30')
      const make = async (name: string) => {
        const { id } = await call('POST', '/api/external/v1/products', { name, price: 900_000 })
        return (await call('GET', `/api/external/v1/products/${id}`)).skus[0]._id as string
      }
      const [known, unknown] = [await make(`Tượng gỗ ${width}`), await make(`Tranh cũ ${width}`)]
      await call('POST', '/api/external/v1/inventory/entries', {
        type: 'receive',
        items: [{ skuId: known, quantity: 4, unitCost: 500_000 }],
      })
      const orderItems = [known, unknown].map((id) => ({ id, quantity: 1 }))
      await call('POST', '/api/external/order/pos/create', { orderItems })
      const { total } = await call('GET', '/api/external/v1/reports/profit?days=30')
      expect(total.profit - before.profit).toBe(400_000)
      expect(total.linesWithoutCost - before.linesWithoutCost).toBe(1)

      const page = await shop.open('/profit', { viewport: { width, height: 844 } })
      const vnd = (value: number) => value.toLocaleString('vi-VN')
      await page
        .getByText(`${vnd(total.profit)} ₫`)
        .first()
        .waitFor()
      const percent = /^-?[\d,]+%/
      await page
        .getByText(new RegExp(`${percent.source} của ${vnd(total.salesWithCost)}\\s₫ có giá vốn$`))
        .waitFor()
      await page.getByText(`${total.linesWithoutCost} trên`, { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Xem các hàng này' }).click()
      await expect.poll(() => new URL(page.url()).searchParams.get('goods')).toBe('without-cost')
      await page.getByRole('link', { name: `Tranh cũ ${width}` }).waitFor()
      expect(await page.getByRole('link', { name: `Tượng gỗ ${width}` }).count()).toBe(0)
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await page.getByRole('combobox', { name: 'Khoảng thời gian' }).click()
      await page.getByRole('option', { name: 'Tháng trước' }).click()
      await expect.poll(() => page.url()).toContain('period=lastMonth')
      await expect.poll(() => page.getByText(`${vnd(total.profit)} ₫`).count()).toBe(0)
    },
  )

  it('lists the goods behind the lines without a cost that the home counts', async () => {
    const page = await shop.open('/?period=today')
    const hint = page.getByRole('link', { name: /^\d+ dòng chưa có giá vốn$/ })
    const lines = Number.parseInt(await hint.innerText(), 10)
    await hint.click()
    await page.getByRole('heading', { name: 'Hàng đã bán chưa có giá vốn' }).waitFor()
    const rows = page.getByRole('main').getByRole('table').first().getByRole('row')
    await page.getByRole('link', { name: 'Tranh cũ 390' }).waitFor()
    const counted = (await rows.allInnerTexts()).slice(1).map((row) => Number(row.split('\t')[1]))
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(lines)
  })

  it.each(['staff', 'viewer'] as const)('is not shown to a %s, who finds costs nowhere', async (role) => {
    const { id } = await call('POST', '/api/external/v1/products', { name: `Lọ men ${role}`, price: 90_000 })
    const [sku] = (await call('GET', `/api/external/v1/products/${id}`)).skus
    const items = [{ skuId: sku._id, quantity: 3, unitCost: 43_210 }]
    const note = await call('POST', '/api/external/v1/inventory/entries', { type: 'receive', items })
    const page = await shop.open('/profit', { as: await shop.invite(role) })
    await page.getByText('Chỉ chủ cửa hàng xem được giá vốn và lợi nhuận.').waitFor()
    expect(await page.getByRole('navigation').getByText('Lợi nhuận').count()).toBe(0)
    for (const path of [`/products/${id}`, `/goods-received/${note._id}`, '/goods-received']) {
      await page.goto(path)
      await page.getByRole('main').getByRole('row').nth(1).waitFor()
      await page.waitForLoadState('networkidle')
      const shown = await page.getByRole('main').innerText()
      expect(shown, path).not.toMatch(/43\.210|129\.630|Giá vốn/)
    }
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
