import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startConsole } from './support.ts'

const shop = await startConsole()

/** Whether no notice covers the element. */
async function isFree(one: Locator): Promise<boolean> {
  const place = (await one.boundingBox())!
  const notice = (await one.page().locator('.mantine-Notification-root').boundingBox())!
  const isBeside = place.x + place.width <= notice.x || notice.x + notice.width <= place.x
  return isBeside || place.y + place.height <= notice.y || notice.y + notice.height <= place.y
}

/** A product that was just saved, with the notice about it. The page has closed explanations of terms. */
async function savedProduct(width: number): Promise<Page> {
  const draft = { name: `Gối mây ${width}`, price: 90_000 }
  const { id } = (await shop.api('POST', '/api/external/v1/products', draft)).body.data
  const page = await shop.open(`/products/${id}`, { viewport: { width, height: 844 } })
  await page.getByLabel('Tên sản phẩm').fill(`Gối mây mới ${width}`)
  await page.getByRole('button', { name: 'Lưu', exact: true }).click()
  await page.locator('.mantine-Notification-root').waitFor()
  expect(await page.locator('[role="dialog"][popover]').count()).toBeGreaterThan(0)
  return page
}

it('a notice leaves the save button of a phone free', async () => {
  const page = await savedProduct(390)
  expect(await isFree(page.getByRole('button', { name: 'Lưu', exact: true }))).toBe(true)
})

it('a notice is beside the menu, whose account button stays free, at 1440 px', async () => {
  const page = await savedProduct(1440)
  const account = page.getByRole('navigation').locator('[aria-haspopup="menu"]')
  expect(await isFree(account)).toBe(true)
  const { x } = (await page.locator('.mantine-Notification-root').boundingBox())!
  const menu = (await page.getByRole('navigation').boundingBox())!
  expect(x).toBeGreaterThanOrEqual(menu.x + menu.width)
})
