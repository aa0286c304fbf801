import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { manageOver } from '../../server/test/support/process.ts'
import { counterOf, isReady, scan } from './counter.ts'
import { barcode, outageOf } from './outage-sales.ts'
import { loseAnswers, signOut, startConsole } from './support.ts'

const shop = await startConsole()
const { makeProduct } = outageOf(shop)
const { countOrders } = counterOf(shop)

const UNKNOWN = 'Chưa rõ đơn đã được ghi hay chưa'
const fan = barcode()
await makeProduct('Quạt nan', fan, 100)
const quantity = (page: Page) => page.getByLabel('Số lượng Quạt nan')

/** Another tab of the same browser, at the counter. */
async function anotherTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto('/pos')
  await isReady(tab)
  return tab
}

/** Opens the counter with what another tab's storage holds, as a browser that duplicates or restores a tab. */
async function openWith(kept: unknown, tab: Page): Promise<void> {
  await tab.addInitScript(`if (sessionStorage.length === 0)
    for (const [name, value] of ${JSON.stringify(kept)}) sessionStorage.setItem(name, value)`)
  await tab.goto('/pos')
  await isReady(tab)
}

async function counterWith(pieces: number): Promise<Page> {
  const page = await shop.open('/pos')
  await isReady(page)
  await scan(page, `${pieces}*${fan}`)
  await expect.poll(() => quantity(page).inputValue()).toBe(String(pieces))
  return page
}

describe('open sales of a tab that was closed', () => {
  it('are open again in the next one, once, with the outcome that is not known, and are sold there once', async () => {
    const before = await countOrders()
    const first = await counterWith(2)
    await first.getByText('Thẻ', { exact: true }).click()
    await loseAnswers(first, '**/order/pos/create')
    await first.getByRole('button', { name: 'Bán', exact: true }).click()
    await first.getByRole('alert').filter({ hasText: UNKNOWN }).waitFor()
    await expect.poll(countOrders).toBe(before + 1)
    await first.getByRole('button', { name: 'Mở đơn mới' }).click()
    await isReady(first)
    await scan(first, `3*${fan}`)
    await expect.poll(() => quantity(first).inputValue()).toBe('3')
    const beside = await anotherTab(first)
    expect(await quantity(beside).count()).toBe(0)
    await first.close()

    const next = await anotherTab(beside)
    await next.getByText('Đã mở lại 2 đơn còn dở').waitFor()
    await expect.poll(() => quantity(next).inputValue()).toBe('2')
    await next.getByRole('alert').filter({ hasText: UNKNOWN }).waitFor()
    await next.getByRole('button', { name: 'Bán', exact: true }).click()
    await next.getByText(/^Đã bán DH/).waitFor()
    expect(await countOrders()).toBe(before + 1)
    await next.getByRole('tab', { name: /^Đơn 2/ }).click()
    await expect.poll(() => quantity(next).inputValue()).toBe('3')
    await next.getByRole('button', { name: 'Bán', exact: true }).click()
    await next.getByText('Chưa có sản phẩm nào').waitFor()
    expect(await countOrders()).toBe(before + 2)
    await next.reload()
    await isReady(next)
    expect(await quantity(next).count()).toBe(0)
    await next.close()
    const last = await anotherTab(beside)
    expect(await quantity(last).count()).toBe(0)
  })

  it('stay in a tab that is only reloaded, and are not open a second time', async () => {
    const page = await counterWith(4)
    await page.reload()
    await isReady(page)
    expect(await quantity(page).inputValue()).toBe('4')
    expect(await page.getByRole('tab').count()).toBeLessThanOrEqual(1)
  })

  it('are not open twice where the browser loads the tab again after another one took them over', async () => {
    const page = await counterWith(7)
    const kept = await page.evaluate('Object.entries(sessionStorage)')
    const beside = await page.context().newPage()
    await page.close()
    const next = await anotherTab(beside)
    await expect.poll(() => quantity(next).inputValue()).toBe('7')
    await openWith(kept, beside)
    await expect.poll(() => quantity(beside).count()).toBe(0)
    expect(await quantity(next).inputValue()).toBe('7')
  })

  it('stay in the duplicate of a tab, whatever becomes of that one', async () => {
    const page = await counterWith(8)
    const duplicate = await page.context().newPage()
    await openWith(await page.evaluate('Object.entries(sessionStorage)'), duplicate)
    const nameOf = (tab: Page) => tab.evaluate(`sessionStorage.getItem('shopbell.tab')`)
    await page.getByRole('button', { name: 'Bán', exact: true }).click()
    await page.getByText('Chưa có sản phẩm nào').waitFor()
    await expect
      .poll(async () => {
        await duplicate.keyboard.press('+')
        return (await nameOf(duplicate)) === (await nameOf(page))
      })
      .toBe(false)
    const pieces = await quantity(duplicate).inputValue()
    await duplicate.reload()
    await isReady(duplicate)
    expect(await quantity(duplicate).inputValue()).toBe(pieces)
    await page.reload()
    await isReady(page)
    expect(await quantity(page).count()).toBe(0)
  })

  it('are their person’s: another one who signs in there does not see them, the person does', async () => {
    const [lan, mai] = [await shop.invite('staff'), await shop.invite('staff')]
    const page = await shop.open('/pos', { as: lan })
    await isReady(page)
    await scan(page, `5*${fan}`)
    await expect.poll(() => quantity(page).inputValue()).toBe('5')
    const beside = await page.context().newPage()
    await page.close()
    const signIn = async ({ email, password }: typeof lan) => {
      const body = { email, password }
      await beside.context().clearCookies()
      await beside.request.post('/api/auth/sign-in/email', { data: body, headers: { origin: shop.url } })
      await beside.goto('/pos')
      await isReady(beside)
    }
    await signIn(mai)
    expect(await quantity(beside).count()).toBe(0)
    await signIn(lan)
    await expect.poll(() => quantity(beside).inputValue()).toBe('5')
  })

  it('stay in a tab in which the person signed out only to look at another one’s invitation', async () => {
    const [lan, mai] = [await shop.invite('staff'), await shop.invite('staff')]
    const page = await shop.open('/pos', { as: lan })
    await isReady(page)
    await scan(page, `9*${fan}`)
    await expect.poll(() => quantity(page).inputValue()).toBe('9')
    await page.goto(await invitationTo(mai.email))
    await page.getByRole('button', { name: 'Đăng xuất' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Đăng xuất' }).click()
    await page.getByLabel('Mật khẩu').waitFor()
    await page.request.post('/api/auth/sign-in/email', { data: lan, headers: { origin: shop.url } })
    await page.goto('/pos')
    await isReady(page)
    await expect.poll(() => quantity(page).inputValue()).toBe('9')
  })

  it('are gone after signing out, which asks first', async () => {
    const lan = await shop.invite('staff')
    const page = await shop.open('/pos', { as: lan })
    await isReady(page)
    await scan(page, `6*${fan}`)
    await expect.poll(() => quantity(page).inputValue()).toBe('6')
    const question = await signOut(page)
    await question.getByRole('button', { name: 'Đăng xuất' }).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate(COPIES)).toBe(0)
  })
})

/** The link with which an operator makes the member of the shop an owner. */
async function invitationTo(email: string): Promise<string> {
  const shops = await manageOver(shop.url, 'GET', '/shops')
  const path = `/shops/${shops.body.data[0]._id}/invitations`
  return (await manageOver(shop.url, 'POST', path, { email, role: 'owner' })).body.data.link
}

const COPIES = `Object.keys(localStorage).filter((one) => one.startsWith('shopbell.open-sales')).length`
