import { writeXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const CUSTOMERS = '/api/external/v1/customers'

async function found(search: string) {
  const { customers } = (
    await shop.api('GET', `${CUSTOMERS}?select=debt&search=${encodeURIComponent(search)}`)
  ).body.data
  return customers
}

async function upload(page: Page, name: string, content: Uint8Array | string) {
  const file = { name, mimeType: '', buffer: Buffer.from(content as string) }
  await page.locator('input[type="file"]').setInputFiles(file)
}

async function counts(page: Page) {
  const texts = await page
    .getByRole('status')
    .filter({ hasText: 'Thêm mới' })
    .locator('> div')
    .allInnerTexts()
  return Object.fromEntries(texts.map((text) => text.split(/\s*\n\s*/)))
}

describe('G-125 customers of another program', () => {
  it('come from a workbook with their debts: checked first, wrong rows named, and nothing twice', async () => {
    const before = (await shop.api('GET', CUSTOMERS)).body.data.meta.total
    const page = await shop.open('/customers')
    await page.getByRole('link', { name: 'Nhập từ tệp' }).click()
    const rows = [
      ['Mã khách hàng', 'Tên khách hàng', 'Điện thoại', 'Ngày sinh', 'Nợ cần thu hiện tại'],
      ['KH1', 'Đặng Thị Khế', 912_000_461, new Date(Date.UTC(1990, 10, 24)), 450_000],
      ['KH2', 'Lý Văn Me', '0912 000 462', '', -20_000],
      ['KH3', 'Lý Văn Sấu', '12', '', 0],
      ['KH4', 'Ngô Thị Chanh', '', '', 'hỏi lại'],
      ...Array.from({ length: 600 }, (_, n) => [`KH${n + 5}`, `Khách nhập ${n}`, '', '', 1_000 + n]),
    ]
    await upload(page, 'Danh sách khách.xlsx', await writeXlsx({ sheets: [{ name: 'S', rows }] }))
    const kind = (column: string) => page.getByRole('combobox', { name: `Cột “${column}” là gì?` })
    await expect.poll(() => kind('Nợ cần thu hiện tại').inputValue()).toBe('Nợ cũ')
    expect(await kind('Mã khách hàng').inputValue()).toBe('Bỏ qua cột này')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Kiểm tra' }).click()
    await page.getByRole('button', { name: 'Nhập 602 khách' }).waitFor()
    const said = {
      'Thêm mới': '602',
      'Bổ sung': '0',
      'Đã có đủ': '0',
      'Sai, bỏ qua': '2',
      'Ghi nợ cũ': '601',
    }
    expect(await counts(page)).toMatchObject(said)
    await page.getByText('1 khách có nợ âm', { exact: false }).waitFor()
    await page.getByRole('row', { name: '5 Nợ cũ “hỏi lại” không phải là số tiền' }).waitFor()
    await page.getByRole('row', { name: /^4 Điện thoại/ }).waitFor()
    expect((await shop.api('GET', CUSTOMERS)).body.data.meta.total).toBe(before)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Nhập 602 khách' }).click()
    await page.getByRole('heading', { name: 'Đã nhập' }).waitFor()
    expect(await counts(page)).toMatchObject(said)
    expect((await shop.api('GET', CUSTOMERS)).body.data.meta.total).toBe(before + 602)
    expect(await found('đặng thị khế')).toMatchObject([
      { phone: '84912000461', birthday: '1990-11-24', debt: 450_000 },
    ])
    expect(await found('lý văn me')).toMatchObject([{ debt: 0 }])

    await upload(page, 'again.xlsx', await writeXlsx({ sheets: [{ name: 'S', rows }] }))
    await page.getByRole('button', { name: 'Kiểm tra' }).click()
    await page.getByText('Không có khách nào để nhập.').waitFor()
    expect(await counts(page)).toMatchObject({
      'Thêm mới': '0',
      'Đã có đủ': '602',
      'Giữ nợ cũ đang có': '601',
    })
  })

  it('a file that cannot be read says why', async () => {
    const page = await shop.open('/customers/import')
    await upload(page, 'khach.xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]))
    await page.getByRole('alert').filter({ hasText: 'không mật khẩu' }).waitFor()
    await upload(page, 'khach.csv', 'Tên khách hàng\n')
    await page.getByRole('alert').filter({ hasText: 'không có dòng nào' }).waitFor()
    await upload(page, 'khach.pdf', 'x')
    await page.getByRole('alert').filter({ hasText: 'Chỉ nhận một tệp' }).waitFor()
  })
})

describe('G-124 what a customer owed before', () => {
  it('is recorded and corrected on the customer’s page, and paid before the orders', async () => {
    const { _id } = (await shop.api('POST', CUSTOMERS, { fullName: 'Vũ Thị Bòng' })).body.data
    const page = await shop.open(`/customers/${_id}`)
    await page.getByRole('button', { name: 'Ghi nợ cũ' }).click()
    await page.getByRole('dialog').getByLabel('Nợ cũ').fill('500k')
    await page.getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('500.000 ₫').first().waitFor()

    await page.getByRole('button', { name: 'Thu nợ' }).click()
    await page.getByLabel('Khách trả bây giờ').fill('200000')
    await page.getByRole('dialog').getByLabel('Trả cho các đơn').getByText('Nợ cũ').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Lưu' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await shop.api('GET', `${CUSTOMERS}/${_id}/debt`)).body.data).toMatchObject({
      debt: 300_000,
      opening: { amount: 500_000, paidAmount: 200_000, left: 300_000 },
    })

    await page.getByRole('button', { name: 'Sửa nợ cũ' }).click()
    await page.getByRole('dialog').getByLabel('Nợ cũ').fill('199999')
    await page.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('Không được ít hơn 200.000 ₫ khách đã trả.').waitFor()
    await page.getByRole('dialog').getByLabel('Nợ cũ').fill('200000')
    await page.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('Khách không nợ.').waitFor()
  })
})
