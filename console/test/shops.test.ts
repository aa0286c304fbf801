import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { joinOtherShop } from './other-shop.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const other = await joinOtherShop(shop)
const { orders } = (await shop.api('GET', '/api/external/v1/orders?limit=5')).body.data
const chooser = (page: Page) => page.getByRole('combobox', { name: 'Cửa hàng' })

async function choose(page: Page, name: string) {
  await chooser(page).click()
  await page.getByRole('option', { name }).click()
}

/** Records everything that the page shows at any moment from now on. */
const WATCH = `
  window.seen = new Set()
  const look = () => { window.seen.add(document.querySelector('main').innerText); requestAnimationFrame(look) }
  look()`

describe('another shop', () => {
  it.each([
    ['/', /[1-9][\d.]*\s₫/, /Đã xong 0\/6/],
    ['/orders', new RegExp(orders[0].code), /Chưa có đơn hàng/],
    [`/orders/${orders[0]._id}`, new RegExp(orders[0].code), /Chưa có đơn hàng/],
  ])(
    'is shown at %s without anything of the one before, however slow its answer',
    async (path, ofThis, ofOther) => {
      const page = await shop.open(path)
      const shown = () => page.locator('main').innerText()
      await expect.poll(shown).toMatch(ofThis)
      const { promise: gate, resolve: open } = Promise.withResolvers<void>()
      await page.route('**/api/external/**', async (route) => {
        await gate
        await route.continue()
      })
      await choose(page, other.name)
      await expect.poll(() => chooser(page).inputValue()).toBe(other.name)
      await page.getByRole('status', { name: 'Đang tải' }).first().waitFor()
      await page.evaluate(WATCH)
      open()
      await expect.poll(shown).toMatch(ofOther)
      const seen = (await page.evaluate('[...window.seen]')) as string[]
      expect(seen.filter((text) => ofThis.test(text))).toEqual([])
    },
  )

  it('stays another window’s choice: this one shows its own again after a reload', async () => {
    const page = await shop.open('/orders')
    const home = await chooser(page).inputValue()
    const second = await page.context().newPage()
    await second.goto('/orders')
    await choose(second, other.name)
    await expect.poll(() => chooser(second).inputValue()).toBe(other.name)
    await page.reload()
    await expect.poll(() => chooser(page).inputValue()).toBe(home)
    const third = await page.context().newPage()
    await third.goto('/orders')
    await expect.poll(() => chooser(third).inputValue()).toBe(home)
    await second.reload()
    await expect.poll(() => chooser(second).inputValue()).toBe(other.name)
  })

  it.each([1440, 390])('shows on paper what is typed, before it is saved, at %i px', async (width) => {
    const page = await shop.open('/settings?tab=print', { viewport: { width, height: 844 } })
    const sheet = page.locator('[data-paper]')
    const saved = await sheet.innerText()
    await page.getByLabel('Địa chỉ').fill('27 Hàng Quạt')
    await page.getByLabel('Lời cuối hóa đơn').fill('Đổi trong 7 ngày')
    const bank = page.getByRole('combobox', { name: 'Ngân hàng nhận chuyển khoản' })
    await bank.click()
    await page.getByRole('option', { name: /Vietcombank/ }).click()
    const account = page.getByLabel(/^Số tài khoản/)
    await account.fill('1023 456 789')
    await page.getByLabel(/^Tên chủ tài khoản/).fill('NGUYEN THU HA')
    for (const text of ['27 Hàng Quạt', 'Đổi trong 7 ngày', '1023456789', 'NGUYEN THU HA'])
      await sheet.getByText(text).waitFor()
    await account.fill('')
    await sheet.getByText('NGUYEN THU HA').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Khổ giấy' }).click()
    await page.getByRole('option', { name: /58/ }).click()
    await expect.poll(() => sheet.getAttribute('data-paper')).toBe('58')
    await expectAccessible(page)
    await page.reload()
    await page.getByText('Đã mở lại những gì bạn nhập').waitFor()
    await sheet.getByText('27 Hàng Quạt').waitFor()
    expect(saved).not.toContain('27 Hàng Quạt')
  })

  it('prints only a phone number of digits and a tax code of their number', async () => {
    const page = await shop.open('/settings?tab=print')
    const [phone, taxCode] = [page.getByLabel('Số điện thoại'), page.getByLabel('Mã số thuế')]
    await phone.fill('0912 abc')
    await taxCode.fill('12')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    for (const field of [phone, taxCode])
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await phone.fill('0912 345 678')
    await taxCode.fill('0312345678-001')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText('Đã lưu', { exact: true }).waitFor()
  })

  it.each([
    ['keys', 'Thu hồi'],
    ['members', 'Chủ cửa hàng'],
  ])('cuts nothing off on a narrow phone, on the tab %s', async (tab, text) => {
    const page = await shop.open(`/settings?tab=${tab}`, { viewport: { width: 320, height: 800 } })
    const card = page.locator('[data-table]').first()
    await card.waitFor()
    if (tab === 'keys') {
      const label = card.getByRole('button', { name: text }).first().getByText(text)
      expect(await label.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    } else {
      const role = card.getByRole('combobox').first()
      expect(await role.inputValue()).toBe(text)
      expect(await role.evaluate((field) => field.scrollWidth - field.clientWidth)).toBeLessThanOrEqual(0)
    }
  })

  it('asks before what is typed is given up, and begins with an empty form', async () => {
    const page = await shop.open('/settings?tab=print')
    const home = await chooser(page).inputValue()
    const address = page.getByLabel('Địa chỉ')
    await address.fill('9 Hàng Gai')
    await choose(page, other.name)
    const question = page.getByRole('dialog')
    await question.getByText('Nội dung chưa lưu sẽ mất', { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Ở lại' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await chooser(page).inputValue()).toBe(home)
    expect(await address.inputValue()).toBe('9 Hàng Gai')
    await choose(page, other.name)
    await question.getByRole('button', { name: 'Bỏ thay đổi' }).click()
    await expect.poll(() => chooser(page).inputValue()).toBe(other.name)
    await expect.poll(() => address.inputValue()).toBe('')
    expect(await page.getByText('Đã mở lại những gì bạn nhập').count()).toBe(0)
  })
})

describe('another person', () => {
  it('finds nothing of what was typed in the window before they signed in', async () => {
    const page = await shop.open('/settings?tab=print')
    await page.getByLabel('Địa chỉ').fill('7 Hàng Bạc')
    await page.reload()
    await expect.poll(() => page.getByLabel('Địa chỉ').inputValue()).toBe('7 Hàng Bạc')
    const { email, password } = await shop.invite('owner')
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Mật khẩu' }).fill(password)
    await page.getByRole('button', { name: 'Đăng nhập' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
    await page.goto('/settings?tab=print')
    await page.getByLabel('Địa chỉ').waitFor()
    expect(await page.getByLabel('Địa chỉ').inputValue()).not.toBe('7 Hàng Bạc')
  })
})
