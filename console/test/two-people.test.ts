import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { counterOf, isReady, scan } from './counter.ts'
import { joinOtherShop } from './other-shop.ts'
import { startConsole } from './support.ts'

const shop = await startConsole()
const { skuOf } = counterOf(shop)
await joinOtherShop(shop)
const colleague = await shop.invite('staff')

/** Somebody signs in in another tab of the same browser, without the first person's having signed out. */
async function signInBeside(page: Page, { email, password } = colleague): Promise<Page> {
  const beside = await page.context().newPage()
  await beside.goto('/sign-in')
  await beside.getByLabel('Email').fill(email)
  await beside.getByLabel('Mật khẩu').fill(password)
  await beside.getByRole('button', { name: 'Đăng nhập' }).click()
  await beside
    .getByText(/^Chào /)
    .first()
    .waitFor()
  return beside
}

const account = (page: Page) => page.getByRole('navigation').locator('[aria-haspopup="menu"]')

it('shows a tab as the person has it who has signed in in another one, without a question', async () => {
  const page = await shop.open('/customers')
  await page.getByRole('combobox', { name: 'Cửa hàng' }).waitFor()
  await page.getByRole('button', { name: 'Thêm khách' }).click()
  await page.getByRole('dialog').getByLabel('Họ tên').fill('Còn gõ dở')
  await signInBeside(page)
  await expect.poll(() => account(page).innerText(), { timeout: 15_000 }).toContain('Người thử')
  // The colleague has one shop only.
  await expect.poll(() => page.getByRole('combobox', { name: 'Cửa hàng' }).count()).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('keeps the first person’s open sale for them, and does not show it to the other one', async () => {
  const honey = await skuOf('Mat ong')
  const page = await shop.open('/pos')
  await isReady(page)
  await scan(page, honey.barcode)
  const quantity = (one: Page) => one.getByLabel('Số lượng Mật ong hoa cà phê')
  await quantity(page).waitFor()
  const beside = await signInBeside(page)
  await expect.poll(() => account(page).innerText(), { timeout: 15_000 }).toContain('Người thử')
  await isReady(page)
  expect(await quantity(page).count()).toBe(0)
  await page.close()
  await signInBeside(beside, shop.owner)
  await beside.goto('/pos')
  await quantity(beside).waitFor()
})
