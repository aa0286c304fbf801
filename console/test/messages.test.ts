import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { parseCsv } from '../src/screens/messages/batches/csv.ts'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()
afterAll(() => expect(console.pageErrors).toEqual([]))

const CONFIRMATION = 'Xác nhận đơn hàng'

async function choose(page: Page, template: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Mẫu tin' }).click()
  await page.getByRole('option', { name: template }).click()
}

async function open(page: Page, name: string, csv: string): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csv) })
}

/** What a customer's phone has got. */
async function receivedBy(phone: string): Promise<Record<string, string>[]> {
  const answer = await fetch(`${console.simulatorUrl}/control/messages`)
  const { messages } = (await answer.json()) as {
    messages: { phone?: string; params: Record<string, string> }[]
  }
  return messages.filter((message) => message.phone === phone).map(({ params }) => params)
}

describe('messages', () => {
  it('sends one by an approved template and sees it received; a missing value stands at its field', async () => {
    const page = await console.open('/messages/send')
    await choose(page, CONFIRMATION)
    await page.getByRole('textbox', { name: 'Số điện thoại' }).fill('0912 000 111')
    await page.getByLabel('Tên khách hàng').fill('<b>Chị Hoa</b>')
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    const code = page.getByLabel('Mã đơn hàng')
    await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await code.fill('DH77')
    await page.getByLabel('Tổng tiền').fill('120000')
    await page.getByLabel('Xem trước tin nhắn').getByText('Cảm ơn <b>Chị Hoa</b> đã mua hàng').waitFor()
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page.getByText('Khách đã nhận được').waitFor({ timeout: 30_000 })
    await page.getByRole('heading', { name: 'Tin nhắn · 0912 000 111' }).waitFor()
    expect(await receivedBy('84912000111')).toEqual([
      { customer_name: '<b>Chị Hoa</b>', order_code: 'DH77', total_amount: '120000' },
    ])
    await expectAccessible(page)
  })

  it('tells in words why one failed, and resends it as a new message', async () => {
    const page = await console.open('/messages/send')
    await choose(page, CONFIRMATION)
    await page.getByRole('textbox', { name: 'Số điện thoại' }).fill('0912000001')
    for (const [label, value] of [
      ['Tên khách hàng', 'Anh Nam'],
      ['Mã đơn hàng', 'DH78'],
      ['Tổng tiền', '90000'],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByLabel('Tên khách hàng').inputValue()).toBe('Anh Nam')

    await page.goto('/messages?phone=0912000001&status=ERROR')
    const row = page.getByRole('row', { name: /0912 000 001/ })
    await row.waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await expect.poll(() => row.textContent()).not.toContain('{')
    await expectAccessible(page)
    await row.getByRole('link').click()
    await page.getByText('Nền tảng từ chối', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Gửi lại thành tin mới' }).click()
    const phone = page.getByRole('textbox', { name: 'Số điện thoại' })
    await expect.poll(() => phone.inputValue()).toBe('0912 000 001')
    await expect.poll(() => page.getByLabel('Mã đơn hàng').inputValue()).toBe('DH78')
    await phone.fill('0912000112')
    await page.getByRole('button', { name: 'Gửi tin' }).click()
    await page.getByText('Khách đã nhận được').waitFor({ timeout: 30_000 })
  })

  it('filters the history in the address, days in the shop’s zone', async () => {
    const page = await console.open('/messages')
    const asked = page.waitForRequest(/history\?.*from=2026-10-31T17%3A00%3A00.000Z/)
    await page.getByLabel('Từ ngày').fill('2026-11-01')
    await asked
    expect(page.url()).toContain('from=2026-11-01')
    await page.goBack()
  })

  it('sends a batch from CSV: columns, row 1, price, refused rows to download, progress', async () => {
    const page = await console.open('/messages/batches/new')
    await choose(page, CONFIRMATION)
    const csv = [
      '\uFEFFSĐT;Khách;Mã đơn hàng;Tổng tiền',
      '0912000201;"Trần ""Bi""; chị";DH1;100000',
      '0912000202;Lê C;DH2;200000',
      '123;Phạm D;DH3;300000',
      ';Vũ E;DH4;400000',
      '0912000205;Một cái tên dài hơn ba mươi ký tự;DH5;5',
    ].join('\r\n')
    await open(page, 'khach.csv', csv)
    const confirm = page.getByRole('button', { name: /^Gửi \d+ tin$/ })
    await expect.poll(() => confirm.count()).toBe(0)
    await page.getByRole('combobox', { name: 'Cột cho: Tên khách hàng' }).click()
    await page.getByRole('option', { name: 'Khách', exact: true }).click()
    const preview = page.getByLabel('Xem trước tin nhắn')
    await preview.getByText('Cảm ơn Trần "Bi"; chị đã mua hàng').waitFor()
    await page.getByText('4 tin × 200').waitFor()
    await page.getByText('800').waitFor()
    await expectAccessible(page)

    await confirm.click()
    await page.getByText('2 tin được nhận, 3 dòng bị từ chối.').waitFor()
    await page.getByText('2 / 2').waitFor({ timeout: 30_000 })
    await expectAccessible(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Tải các dòng bị từ chối' }).click()
    const [header, ...rows] = parseCsv(await readFile(await (await downloading).path(), 'utf8'))
    expect(header).toEqual(['SĐT', 'Khách', 'Mã đơn hàng', 'Tổng tiền', 'Dòng', 'Lý do'])
    expect(rows.map((row) => [row[0], row[4]])).toEqual([
      ['123', '4'],
      ['', '5'],
      ['0912000205', '6'],
    ])
    expect(rows[0]![5]).toBe('"receiverPhone" không phải là số điện thoại hợp lệ')
    await expect.poll(() => receivedBy('84912000201')).toMatchObject([{ customer_name: 'Trần "Bi"; chị' }])

    await page.goto('/messages/batches')
    await page.getByRole('link', { name: 'khach' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'khach' }).click()
    await page.getByRole('heading', { name: 'khach' }).waitFor()
    await page.getByText('"receiverPhone" không phải là số điện thoại hợp lệ').waitFor()
    await expectAccessible(page)
  })

  it('hands a large file in by calls of a thousand, says why it waits, and cancels', async () => {
    const page = await console.open('/messages/batches/new')
    await choose(page, CONFIRMATION)
    const rows = Array.from({ length: 1_001 }, (_, n) => `091${String(3_000_000 + n)},Khách ${n},DH${n},1000`)
    await open(page, 'nhieu.csv', ['phone,customer_name,order_code,total_amount', ...rows].join('\n'))
    const tomorrow = new Date(Date.now() + 86_400_000 + 7 * 3_600_000).toISOString().slice(0, 16)
    await page.getByLabel('Hẹn giờ gửi').fill(tomorrow)
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/batches'))
        keys.push(request.headers()['idempotency-key'])
    })
    await page.getByRole('button', { name: 'Gửi 1.001 tin' }).click()
    await page.getByText('1.001 tin được nhận, 0 dòng bị từ chối.').waitFor({ timeout: 30_000 })
    expect(new Set(keys).size).toBe(2)
    await page.getByText('Chờ tới giờ hẹn').first().waitFor()
    await page.getByRole('button', { name: 'Hủy phần chưa gửi' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hủy phần chưa gửi' }).click()
    await page.getByText('1.000 / 1.000').waitFor({ timeout: 30_000 })
    await page.getByText('Đã hủy: 1.000').waitFor()
  })

  it('lets a viewer look and send nothing', async () => {
    const viewer = await console.invite('viewer')
    const page = await console.open('/messages', { as: viewer })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('link', { name: /^Gửi/ }).count()).toBe(0)
    await page.getByRole('row').nth(1).getByRole('link').click()
    await page.getByText('Lịch sử', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Gửi lại' }).count()).toBe(0)
    await page.goto('/messages/send')
    await page.getByText('Vai trò của bạn chỉ được xem.').waitFor()
    await page.goto('/messages/batches/new')
    await page.getByText('Vai trò của bạn chỉ được xem.').waitFor()
  })
})
