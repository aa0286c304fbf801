import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectFocus, isStill, startConsole } from './support.ts'

const shop = await startConsole()

async function shopPage(): Promise<Page> {
  const page = await shop.open('/operator')
  await page.getByRole('link', { name: 'Nhà Mộc' }).first().click()
  await page.getByRole('button', { name: 'Kết nối OA' }).waitFor()
  return page
}

describe('a dialog opens at its first field', () => {
  it('of a customer', async () => {
    const page = await shop.open('/customers')
    const pressBeside = "document.querySelector('.mantine-Modal-overlay').click()"
    // The second press of a double click is beside the dialog, as soon as that is there, or where it was before it became smaller.
    const twice = (first: string) =>
      page.evaluate(`new Promise((resolve) => {
        ${first}
        const press = () => {
          if (document.querySelector('.mantine-Modal-overlay') === null) return requestAnimationFrame(press)
          ${pressBeside}
          resolve()
        }
        press()
      })`)
    const opener = page.getByRole('button', { name: 'Thêm khách' })
    await opener.waitFor()
    await twice(
      "[...document.querySelectorAll('button')].find((one) => one.innerText === 'Thêm khách').click()",
    )
    await expectFocus(page, 'Họ tên')
    await isStill(page)
    await twice("document.querySelector('[role=dialog] h2').click()")
    await isStill(page)
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.waitForTimeout(450)
    await page.evaluate(pressBeside)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('of an audience', async () => {
    const page = await shop.open('/messages/audiences')
    await page.getByRole('button', { name: 'Thêm nhóm khách' }).first().click()
    await expectFocus(page, 'Tên nhóm')
  })

  it('of an official account, and of an SMS sender', async () => {
    const page = await shopPage()
    await page.getByRole('button', { name: 'Kết nối OA' }).click()
    await expectFocus(page, 'Mã OA')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Đặt đầu gửi SMS' }).click()
    await expectFocus(page, 'Brandname')
  })

  it('of a key that is rotated', async () => {
    const page = await shop.open('/settings?tab=keys')
    await page.getByRole('button', { name: 'Thay khóa' }).first().click()
    await expectFocus(page, 'Khóa cũ còn dùng được')
  })

  it('of a shift, although it is loaded later', async () => {
    const page = await shop.open('/pos', { as: await shop.invite('staff') })
    await page.getByRole('button', { name: 'Ca làm việc' }).click()
    await expectFocus(page, 'Tiền đầu ca')
  })
})
