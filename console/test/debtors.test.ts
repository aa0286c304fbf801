import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { bar, callOf, downloadAll } from './selected-rows.ts'
import { answer, expectAccessible, startConsole } from './support.ts'

const shop = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000' })
const call = callOf(shop)
const CUSTOMERS = '/api/external/v1/customers'

/** Everyone who owes, the largest debt first. The first one added owes the most. */
let names: string[]
let sum: number
beforeAll(async () => {
  const debts: [string, number][] = [
    ['Ngô Thị Nợ Nhiều', 9_000_000_000],
    ['Vũ Thị Không Nợ', 0],
    ['Ngô Văn Nợ Ít', 1],
    ['Ngô Văn Nợ Vừa', 8_000_000_000],
  ]
  for (const [fullName, openingDebt] of debts) await call('POST', CUSTOMERS, { fullName, openingDebt })
  const { customers, meta } = await call('GET', `${CUSTOMERS}?debt=owed&sortBy=debt&limit=100`)
  names = customers.map(({ fullName }: { fullName: string }) => fullName)
  sum = meta.debt
  expect([names.slice(0, 2), names.at(-1)]).toEqual([['Ngô Thị Nợ Nhiều', 'Ngô Văn Nợ Vừa'], 'Ngô Văn Nợ Ít'])
})

const namesOf = (page: Page) => page.locator('tbody tr td:first-child a').allInnerTexts()
/** The demo shop has more debtors than a page. */
const pageOf = (all: string[]) => all.slice(0, 20)
const found = (page: Page) => expect.poll(() => namesOf(page), { timeout: 10_000 })
const chooseOwing = (page: Page) => page.getByRole('button', { name: 'Đang nợ', exact: true }).click()
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

describe('the customers who owe something', () => {
  it.each([1440, 390])(
    'are listed by one choice, the largest debt first, with what all of them owe, at %i px',
    async (width) => {
      const page = await shop.open('/customers', { viewport: { width, height: 844 } })
      await page.getByText('Vũ Thị Không Nợ').waitFor()
      await chooseOwing(page)
      await found(page).toEqual(pageOf(names))
      expect(parameters(page)).toEqual({ debt: 'owed' })
      const inAll = new Intl.NumberFormat('vi-VN').format(sum)
      await page.getByText(new RegExp(`^Còn nợ tổng cộng ${inAll}\\s*₫$`)).waitFor()
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)

      const field = page.getByLabel('Tên hoặc số điện thoại')
      await field.fill('ngo van')
      await found(page).toEqual(['Ngô Văn Nợ Vừa', 'Ngô Văn Nợ Ít'])
      await page.getByText(/^Còn nợ tổng cộng 8\.000\.000\.001\s*₫$/).waitFor()
      expect((await downloadAll(page)).cellsOf('Họ tên')).toEqual(['Ngô Văn Nợ Vừa', 'Ngô Văn Nợ Ít'])
      await field.fill('')
      await page.getByRole('button', { name: 'Bỏ lọc: Đang nợ' }).click()
      await page.getByText('Vũ Thị Không Nợ').waitFor()
      await expect.poll(() => parameters(page)).toEqual({})
      expect(await page.getByText(/^Còn nợ tổng cộng/).count()).toBe(0)
    },
  )

  it('are sorted by the heading of their debts, which sorts nothing without the filter', async () => {
    const page = await shop.open('/customers?debt=owed')
    const debt = page.getByRole('columnheader', { name: 'Công nợ' })
    const created = page.getByRole('columnheader', { name: 'Ngày tạo' })
    await found(page).toEqual(pageOf(names))
    expect(await debt.getAttribute('aria-sort')).toBe('descending')
    await created.getByRole('button').click()
    await expect.poll(() => created.getAttribute('aria-sort')).toBe('descending')
    await debt.getByRole('button').click()
    await found(page).toEqual(pageOf(names))
    expect(parameters(page)).toEqual({ debt: 'owed' })
    await page.goto('/customers?debt=owed&sort=debt')
    await found(page).toEqual(pageOf(names.toReversed()))
    expect(await debt.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'Bỏ lọc: Đang nợ' }).click()
    await page.getByText('Vũ Thị Không Nợ').waitFor()
    expect(await debt.getByRole('button').count()).toBe(0)
    await expect.poll(() => created.getAttribute('aria-sort')).toBe('descending')
  })

  it('are only some of them, and have no sum, when there are too many orders to add up: the list says so', async () => {
    const page = await shop.open('/customers')
    const { data } = (await shop.api('GET', `${CUSTOMERS}?debt=owed&sortBy=debt&select=debt&total=capped`))
      .body
    const meta = { ...data.meta, isCut: true, totalPrecision: 'at_least', debt: null }
    await answer(page, /v1\/customers\?.*debt=owed/, (route) =>
      route.fulfill({ json: { data: { ...data, meta } } }),
    )
    await chooseOwing(page)
    await page.getByText('Tệp CSV có đủ.').waitFor()
    expect(await page.getByText(/^Còn nợ tổng cộng/).count()).toBe(0)
  })

  it('who are selected are no longer selected without the filter', async () => {
    const page = await shop.open('/customers?debt=owed')
    await page.getByRole('checkbox', { name: 'Chọn Ngô Thị Nợ Nhiều' }).check()
    await bar(page).getByText('Đã chọn 1').waitFor()
    await page.getByRole('columnheader', { name: 'Công nợ' }).getByRole('button').click()
    await found(page).toEqual(pageOf(names.toReversed()))
    await bar(page).getByText('Đã chọn 1').waitFor()
    await page.getByRole('button', { name: 'Bỏ lọc: Đang nợ' }).click()
    await page.getByText('Vũ Thị Không Nợ').waitFor()
    await expect.poll(() => bar(page).count()).toBe(0)
  })

  it('are kept as a saved view', async () => {
    const page = await shop.open('/customers?debt=owed', { as: await shop.invite('staff') })
    await found(page).toEqual(pageOf(names))
    await page.getByRole('button', { name: 'Bộ lọc đã lưu' }).click()
    const dialog = page.getByRole('dialog', { name: 'Bộ lọc đã lưu' })
    await dialog.getByLabel('Tên cho bộ lọc đang dùng').fill('Khách nợ')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto('/customers')
    await page.getByText('Vũ Thị Không Nợ').waitFor()
    await page.getByRole('group', { name: 'Bộ lọc đã lưu' }).getByRole('button', { name: 'Khách nợ' }).click()
    await found(page).toEqual(pageOf(names))
  })
})
