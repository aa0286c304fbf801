import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { counterOf, isReady, SCAN, scan } from './counter.ts'
import { barcode, outageOf } from './outage-sales.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const { openCounter } = counterOf(shop)
const { makeProduct } = outageOf(shop)

/** A product in two sizes whose barcode both have. @returns the barcode */
async function makeSizes(name: string): Promise<string> {
  const common = barcode()
  const variants = [
    {
      id: 'size',
      name: 'Cỡ',
      options: [
        { id: 'm', value: 'M' },
        { id: 'l', value: 'L' },
      ],
    },
  ]
  const skus = ['M', 'L'].map((size) => ({
    name: size,
    price: 50_000,
    variantOptionIds: [size.toLowerCase()],
  }))
  const body = { name, price: 50_000, barcode: common, variants, skus }
  expect((await shop.api('POST', '/api/external/v1/products', body)).status).toBe(200)
  return common
}

/** Holds back the service's responses about a code. @returns a function that lets them go on */
async function hold(page: Page, code: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(
    ({ href }) => href.includes('/v1/products?') && href.includes(code),
    async (route) => {
      await released.promise
      await route.continue()
    },
  )
  return released.resolve
}

const pieces = (page: Page) => page.getByLabel(/^Số lượng /)
const lines = async (page: Page) =>
  Promise.all(
    (await pieces(page).all()).map(async (one) => [
      await one.getAttribute('aria-label'),
      await one.inputValue(),
    ]),
  )

describe('a scanned code that several products have', () => {
  it.each([1440, 390])(
    'leaves the field empty and asks which; Enter adds as many as were scanned; at %i px',
    async (width) => {
      const common = await makeSizes('Áo đũi')
      const page = await shop.open('/pos', { viewport: { width, height: 900 } })
      await isReady(page)
      await scan(page, `3*${common}`)
      await page.getByRole('option').first().waitFor()
      expect(await page.getByLabel(SCAN).inputValue()).toBe('')
      await expectAccessible(page)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await pieces(page).waitFor()
      expect(await lines(page)).toEqual([['Số lượng Áo đũi - L', '3']])
      expect(await page.getByRole('option').count()).toBe(0)
    },
  )

  it('is listed if the next piece is scanned instead of choosing; that piece is in the sale, and the question comes again', async () => {
    const [common, other] = [await makeSizes('Áo lụa'), barcode()]
    await makeProduct('Khăn lụa', other, 9)
    const page = await openCounter()
    await scan(page, common)
    await page.getByRole('option').first().waitFor()
    await scan(page, other)
    await page.getByLabel('Số lượng Khăn lụa').waitFor()
    await page.getByText(`Chưa thêm được “${common}”`).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    await page.getByRole('button', { name: `Tìm lại “${common}”` }).click()
    await page.getByRole('option', { name: 'Áo lụa - M' }).click()
    await page.getByLabel('Số lượng Áo lụa - M').waitFor()
    expect(await page.getByText('Chưa thêm được').count()).toBe(0)
    expect(await pieces(page).count()).toBe(2)
  })

  it('is listed if its answer comes while the next code is in the field, whose Enter adds only that code’s piece', async () => {
    const [common, other] = [await makeSizes('Áo gai'), barcode()]
    await makeProduct('Khăn gai', other, 9)
    const page = await openCounter()
    const release = await hold(page, common)
    await scan(page, common)
    await page.keyboard.type(other)
    release()
    await page.getByText(`Chưa thêm được “${common}”`).waitFor()
    expect(await page.getByLabel(SCAN).inputValue()).toBe(other)
    await page.keyboard.press('Enter')
    await pieces(page).first().waitFor()
    expect(await lines(page)).toEqual([['Số lượng Khăn gai', '1']])
  })

  it('waits its turn while another question is open', async () => {
    const [first, second] = [await makeSizes('Áo tơ'), await makeSizes('Áo nhung')]
    const page = await openCounter()
    const release = await hold(page, second)
    await scan(page, second)
    await scan(page, first)
    await page.getByRole('option', { name: 'Áo tơ - M' }).waitFor()
    release()
    await page.getByText(`Chưa thêm được “${second}”`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Số lượng Áo tơ - M').waitFor()
    expect(await pieces(page).count()).toBe(1)
  })

  it('asks also if it was scanned into another field; Escape dismisses the question', async () => {
    const common = await makeSizes('Áo len')
    const page = await openCounter()
    await page.getByLabel('Giảm cả đơn').focus()
    await scan(page, common)
    await page.getByRole('option', { name: 'Áo len - L' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    expect(await page.getByText('Chưa thêm được').count()).toBe(0)
  })
})
