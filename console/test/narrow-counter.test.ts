import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { counterOf, isReady, SCAN, scan } from './counter.ts'
import { barcode } from './outage-sales.ts'
import { expectAccessible, expectFocus, startConsole } from './support.ts'

const shop = await startConsole()
const { skuOf } = counterOf(shop)

const LONG = 'Áo dài lụa tơ tằm Vạn Phúc thêu hoa sen tay dài cổ thuyền may theo số đo'

/** A product with a long name in two colours with a long name, in stock with 130 and 7. */
async function makeLongNames(): Promise<void> {
  const colours = ['Đỏ mận thêu chỉ vàng', 'Xanh']
  const options = colours.map((value, at) => ({ id: String(at), value }))
  const skus = colours.map((name, at) => ({ name, price: 1_129_500, variantOptionIds: [String(at)] }))
  const variants = [{ id: 'colour', name: 'Màu', options }]
  const body = { name: LONG, price: 1_129_500, variants, skus }
  const made = await shop.api('POST', '/api/external/v1/products', body)
  const { data } = (await shop.api('GET', `/api/external/v1/products/${made.body.data.id}`)).body
  const items = [130, 7].map((quantity, at) => ({ skuId: data.skus[at]._id, quantity }))
  const booked = await shop.api('POST', '/api/external/v1/inventory/entries', { type: 'receive', items })
  expect(booked.status).toBe(201)
}
await makeLongNames()

/** Less than the height of two lines of the smallest text. */
const TWO_LINES = 30

/** Expects that the stock and the price are one line high each and end at the same edge. */
async function expectNumbersWhole(rows: Locator): Promise<void> {
  expect(await rows.count()).toBe(2)
  const ends = []
  for (const text of ['Còn 130', 'Còn 7', /^1\.129\.500/]) {
    for (const one of await rows.getByText(text, { exact: true }).all()) {
      const { x, width, height } = (await one.boundingBox())!
      expect(height).toBeLessThan(TWO_LINES)
      ends.push(Math.round(x + width))
    }
  }
  expect(ends).toHaveLength(4)
  expect(new Set(ends).size).toBe(1)
}

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth')

describe.each([1440, 390])('the goods to choose from, %i px', (width) => {
  it.each(['/pos', '/goods-received/new'])(
    'show their stock and price on one line each below a long name, in the search of %s',
    async (path) => {
      const page = await shop.open(path, { viewport: { width, height: 844 } })
      await isReady(page)
      const choices = page.getByRole('option')
      // A search that a busy machine answers too late finds nothing yet in this browser's copy.
      const search = async (text: string) => {
        await page.getByLabel(SCAN).fill(text)
        await choices.first().waitFor({ timeout: 10_000 })
      }
      await search('vạn phúc thêu hoa sen').catch(() => search('tơ tằm vạn phúc'))
      await expectNumbersWhole(choices)
      expect(await widthOf(page)).toBe(width)
    },
  )

  it('do so in the dialog of a tile, whose title alone says the product’s name', async () => {
    const page = await shop.open('/pos', { viewport: { width, height: 844 } })
    await isReady(page)
    const all = page.getByRole('button', { name: 'Xem thêm sản phẩm' })
    if (width < 768) await all.click()
    await page.getByRole('button', { name: LONG }).click()
    const kinds = page.getByRole('dialog', { name: LONG }).getByRole('button', { name: 'Còn' })
    await kinds.first().waitFor()
    await expectNumbersWhole(kinds)
    expect(await kinds.filter({ hasText: LONG }).count()).toBe(0)
    await expectAccessible(page)
    await kinds.filter({ hasText: 'Xanh' }).click()
    await page.getByLabel(`Số lượng ${LONG} - Xanh`).waitFor()
  })
})

describe('a sale in a narrow window', () => {
  it.each([320, 360, 390])('fits with small and large amounts, %i px', async (width) => {
    const [cheap, dear] = [barcode(), barcode()]
    for (const [name, price, code] of [
      [`Xà phòng ${width}`, 37_000, cheap],
      [`Sập gụ ${width}`, 150_000_000, dear],
    ]) {
      const made = await shop.api('POST', '/api/external/v1/products', { name, price, barcode: code })
      expect(made.status).toBe(200)
    }
    const page = await shop.open('/pos', { viewport: { width, height: 844 } })
    await isReady(page)
    await scan(page, cheap)
    await page.getByLabel(`Số lượng Xà phòng ${width}`).waitFor()
    await scan(page, dear)
    await page.getByLabel(`Số lượng Sập gụ ${width}`).waitFor()
    expect(await widthOf(page)).toBe(width)
    expect(await page.evaluate(CUT)).toEqual([])
  })

  it('goes to the field for the cash when it is paid by several methods, above the total', async () => {
    const lamp = await skuOf('Den long')
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 700 },
    ]) {
      const page = await shop.open('/pos', { viewport })
      await isReady(page)
      await scan(page, lamp.barcode)
      await page.getByLabel(/^Số lượng Đèn lồng/).waitFor()
      await page.getByText('Nhiều cách', { exact: true }).click()
      await expectFocus(page, 'Trong đó tiền mặt')
      const field = (await page.getByLabel('Trong đó tiền mặt').boundingBox())!
      const total = (await page.locator('[data-form-actions]').boundingBox())!
      expect(field.y).toBeGreaterThan(0)
      expect(field.y + field.height).toBeLessThanOrEqual(total.y)
      await page.reload()
      await isReady(page)
    }
  })
})

it('a long sale keeps its total, its button and the newest line in view, on a laptop and a tablet, also while away', async () => {
  const codes = Array.from({ length: 9 }, () => barcode())
  for (const [at, code] of codes.entries()) {
    const body = { name: `Bánh in số ${at}`, price: 10_000, barcode: code }
    expect((await shop.api('POST', '/api/external/v1/products', body)).status).toBe(200)
  }
  for (const viewport of [
    { width: 1366, height: 768 },
    { width: 820, height: 1180 },
  ]) {
    const page = await shop.open('/pos', { viewport })
    await isReady(page)
    for (const [at, code] of codes.entries()) {
      await scan(page, code)
      await page.getByLabel(`Số lượng Bánh in số ${at}`).waitFor()
      await expect.poll(() => page.evaluate(IN_VIEW)).toEqual({ line: true, total: true, button: true })
    }
    expect(await page.evaluate(CUT)).toEqual([])
    // An older line again.
    await scan(page, codes[0]!)
    await expect.poll(() => page.getByLabel('Số lượng Bánh in số 0').inputValue()).toBe('2')
    await expect.poll(() => page.evaluate(IN_VIEW)).toEqual({ line: true, total: true, button: true })
    await page.context().setOffline(true)
    await page.locator('[data-away]').waitFor({ timeout: 40_000 })
    await expect.poll(() => page.evaluate(IN_VIEW)).toEqual({ line: true, total: true, button: true })
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Xóa giỏ' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa giỏ' }).click()
  }
})

it('on a phone the total says how many pieces are sold, and leads to them', async () => {
  const lamp = await skuOf('Den long')
  const page = await shop.open('/pos', { viewport: { width: 390, height: 844 } })
  await isReady(page)
  await scan(page, `3*${lamp.barcode}`)
  const line = page.getByLabel(/^Số lượng Đèn lồng/)
  await line.waitFor()
  await page.getByRole('button', { name: '3 món' }).click()
  await expect.poll(() => page.evaluate(IN_VIEW)).toEqual({ line: true, total: true, button: true })
  await expectAccessible(page)
})

it('the card with the total has an edge at its bottom, also while it is higher than the window', async () => {
  const lamp = await skuOf('Den long')
  const page = await shop.open('/pos', { viewport: { width: 1440, height: 900 } })
  await isReady(page)
  await expect.poll(() => page.evaluate(EDGE)).toEqual({ isCutOff: true, isClosed: true })
  await scan(page, lamp.barcode)
  await page.getByLabel(/^Số lượng Đèn lồng/).waitFor()
  await page.setViewportSize({ width: 1440, height: 1400 })
  await expect.poll(() => page.evaluate(EDGE)).toEqual({ isCutOff: false, isClosed: true })
})

/** Whether the chosen line, the total and the button are in the window, the line not behind the total. */
const IN_VIEW = `(() => {
  const bar = document.querySelector('[data-form-actions]').getBoundingClientRect()
  const within = (box, bottom) => box.top >= 0 && box.bottom <= bottom + 1
  return {
    line: within(document.querySelector('li[aria-current=true]').getBoundingClientRect(), bar.top),
    total: within(bar, innerHeight),
    button: within(document.querySelector('[data-form-actions] button[type=submit]').getBoundingClientRect(), innerHeight),
  }
})()`

/** Whether the till does not show all of its card, and whether the total ends it with a line. */
const EDGE = `(() => {
  const total = document.querySelector('[data-form-actions]')
  const till = total.closest('[class*="till"]')
  const isLast = Math.abs(till.getBoundingClientRect().bottom - total.getBoundingClientRect().bottom) < 1
  return {
    isCutOff: till.scrollHeight > till.clientHeight,
    isClosed: isLast && parseFloat(getComputedStyle(total).borderBottomWidth) > 0,
  }
})()`

/** Placeholders and names of choices that are cut off, and what ends beyond the window. */
const CUT = `[
  ...[...document.querySelectorAll('li input')]
    .filter((one) => one.placeholder !== '' && one.value === '' && one.scrollWidth > one.clientWidth),
  ...[...document.querySelectorAll('.mantine-SegmentedControl-label *')].filter((one) => one.scrollWidth > one.clientWidth),
  ...[...document.querySelectorAll('main li *')].filter((one) => one.getBoundingClientRect().right > innerWidth),
].map((one) => one.placeholder || one.textContent)`

it('a laptop shows two rows of goods at once, above the shortcuts', async () => {
  const page = await shop.open('/pos', { viewport: { width: 1366, height: 768 } })
  await isReady(page)
  const tiles = page.getByRole('region', { name: 'Chọn sản phẩm' })
  const eighth = (await tiles.getByRole('button', { name: /₫/ }).nth(7).boundingBox())!
  expect(eighth.y + eighth.height).toBeLessThanOrEqual(768)
  const keys = (await page.getByRole('region', { name: 'Phím tắt' }).boundingBox())!
  expect(keys.y).toBeGreaterThan(eighth.y)
})
