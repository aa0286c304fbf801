import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { isReady, scan } from './counter.ts'
import { startConsole } from './support.ts'

const shop = await startConsole()
const PHONE = { viewport: { width: 390, height: 844 } }
/** As wide as a link or a code that somebody pastes. */
const LONG = 'https://noi-dung.example/'.padEnd(120, 'khongcodaucach')

/** Expects that nothing makes the page wider than the phone. */
async function isWithin(page: Page): Promise<void> {
  const widest = `Math.max(...[document.documentElement, ...document.querySelectorAll('main, main *, [role=dialog] *')]
    .filter((one) => !one.closest('.mantine-Tabs-list, table'))
    .map((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === 'visible'
      ? one.getBoundingClientRect().left + one.scrollWidth : one.getBoundingClientRect().right))`
  expect(await page.evaluate(widest)).toBeLessThanOrEqual(390)
}

it('long words stay within the phone: a note of goods', async () => {
  const sku = (await shop.api('GET', '/api/external/v1/products?select=skus&limit=1')).body.data.products[0]
    .skus[0]
  const items = [{ skuId: sku._id, quantity: 1 }]
  const body = { type: 'receive', note: LONG, supplier: LONG, items }
  const made = await shop.api('POST', '/api/external/v1/inventory/entries', body)
  const page = await shop.open(`/goods-received/${made.body.data._id}`, PHONE)
  await page.getByText(LONG, { exact: false }).first().waitFor()
  await isWithin(page)
})

it('long words stay within the phone: a customer’s note', async () => {
  const draft = { fullName: 'Ngô Thị Tơ', phone: '0912345001', note: LONG }
  const made = await shop.api('POST', '/api/external/v1/customers', draft)
  const page = await shop.open(`/customers/${made.body.data._id}`, PHONE)
  await page.getByText(LONG, { exact: false }).first().waitFor()
  await isWithin(page)
})

it('long words stay within the phone: an article’s title in the search preview', async () => {
  const page = await shop.open('/news/new', PHONE)
  await page.getByRole('textbox', { name: 'Tiêu đề' }).fill(LONG)
  await page.getByText(LONG.slice(0, 30), { exact: false }).first().waitFor()
  await isWithin(page)
})

it('long words stay within the phone: a webhook’s address', async () => {
  await shop.api('POST', '/api/external/webhooks', { url: LONG, events: ['*'] })
  const page = await shop.open('/settings?tab=webhooks', PHONE)
  await page.getByText(LONG.slice(0, 60), { exact: false }).first().waitFor()
  await isWithin(page)
})

it('long words stay within the phone: why cash was taken out of a shift', async () => {
  const { body } = await shop.api('POST', '/api/external/v1/shifts', { openingCash: 100_000 })
  const path = `/api/external/v1/shifts/${body.data._id}/cash`
  await shop.api('POST', path, { amount: -20_000, reason: LONG })
  const page = await shop.open(`/shifts/${body.data._id}`, PHONE)
  await page.getByText(LONG, { exact: false }).first().waitFor()
  await isWithin(page)
})

it('long words stay within the phone: what was added at the counter', async () => {
  const barcode = `893${String(Math.random()).slice(2, 12)}`
  await shop.api('POST', '/api/external/v1/products', { name: LONG, price: 20_000, barcode })
  const page = await shop.open('/pos', PHONE)
  await isReady(page)
  await scan(page, barcode)
  await page.getByText(`Đã thêm ${LONG}`).waitFor()
  await isWithin(page)
})
