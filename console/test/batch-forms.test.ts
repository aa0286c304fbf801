import { readFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { http } from '../../server/test/support/process.ts'
import { parseCsv } from '../src/csv.ts'
import { expectAccessible, sendBatch, startConsole } from './support.ts'

const console = await startConsole()

const TEMPLATES = '/api/external/notify-template'
const NAME = 'Hẹn giao hàng'

async function find(name: string) {
  const { templates } = (await console.api('GET', `${TEMPLATES}?limit=100`)).body
  return templates.find((template: { name: string }) => template.name === name)
}

/** An approved template with an amount, a time and a quantity. */
async function deliveryTemplate(): Promise<void> {
  const { oaId, tag, imageType, logoLight, logoDark, note } = await find('Xác nhận đơn hàng')
  const value = 'Chào <ten>, tiệm giao <so_luong> món vào <ngay_giao>, thu <so_tien> khi giao.'
  const { status, body } = await console.api('POST', `${TEMPLATES}/create`, {
    ...{ oaId, name: NAME, title: 'Hẹn giao hàng <ma>', tag, templateType: 'custom' },
    ...{ imageType, logoLight, logoDark, note, buttons: [], isCustomParams: true },
    contentBlocks: [{ id: '0d9b6a1e-55c3-4a52-8a43-6f0a53b1caaa', type: 'paragraph', value }],
    params: [
      { key: 'ten', label: 'Tên khách', techSetting: '1' },
      { key: 'ma', label: 'Mã đơn', techSetting: '4' },
      { key: 'so_tien', label: 'Số tiền', techSetting: '14' },
      { key: 'ngay_giao', label: 'Ngày giao', techSetting: '11' },
      { key: 'so_luong', label: 'Số lượng', techSetting: '10' },
    ],
  })
  expect([status, JSON.stringify(body)]).toEqual([200, expect.anything()])
  const { _id: id } = body.template
  const published = await console.api('POST', `${TEMPLATES}/${id}/publish`)
  expect([published.status, JSON.stringify(published.body)]).toEqual([200, expect.anything()])
  const approved = async () => {
    const { templates } = (await http(console.simulatorUrl, 'GET', '/control/templates')).body
    const ours = templates.find((template: { template_name: string }) => template.template_name === NAME)
    await http(console.simulatorUrl, 'POST', `/control/templates/${ours?.template_id}/approve`, {})
    expect((await find(NAME)).status).toBe('ENABLE')
  }
  await vi.waitFor(approved, { timeout: 30_000, interval: 200 })
}

async function openFile(page: Page, template: string, file: string, content: string | Uint8Array) {
  await page.getByRole('combobox', { name: /^(Mẫu tin|Template)/ }).click()
  await page.getByRole('option', { name: template }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: file, mimeType: '', buffer: Buffer.from(content as string) })
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

const formOf = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true })
const wallet = async () => (await console.api('GET', '/api/external/wallet')).body

describe('the form of a batch’s values', async () => {
  await deliveryTemplate()

  it('of a workbook: amounts and days are as customers read them, in the preview, the test and the messages', async () => {
    const page = await console.open('/messages/batches/new')
    const rows = [
      ['SĐT', 'Tên khách', 'Mã đơn', 'Số tiền', 'Ngày giao', 'Số lượng'],
      ['0912000601', 'Chị Mận', 'DH1', 670_000, new Date(Date.UTC(2026, 10, 30)), 1_500],
      ['0912000602', 'Anh Đào', 'DH2', '1,250,000', '2026-12-01', 2],
    ]
    await openFile(page, NAME, 'giao.xlsx', await writeXlsx({ sheets: [{ name: 'S', rows }] }))
    const first = page.getByLabel('Xem trước tin nhắn: Dòng 2')
    await first.getByText('Chào Chị Mận, tiệm giao 1500 món vào 30/11/2026, thu 670.000đ khi giao.').waitFor()
    await page.getByLabel('Xem trước tin nhắn: Dòng 3').getByText('vào 01/12/2026, thu 1.250.000đ').waitFor()
    expect(await formOf(page, 'Định dạng: Số tiền').inputValue()).toBe('Số tiền, như 670.000đ')
    expect(await formOf(page, 'Định dạng: Ngày giao').inputValue()).toBe('Ngày, như 30/11/2026')
    expect(await formOf(page, 'Định dạng: Số lượng').inputValue()).toBe('Như trong tệp')
    expect(await page.getByRole('combobox', { name: 'Định dạng' }).count()).toBe(3)
    await expectAccessible(page)

    await choose(page, 'Định dạng: Số lượng', 'Số, như 670.000')
    await first.getByText('tiệm giao 1.500 món').waitFor()
    await choose(page, 'Định dạng: Số tiền', 'Như trong tệp')
    await first.getByText('thu 670000 khi giao').waitFor()
    await choose(page, 'Định dạng: Số tiền', 'Số tiền, như 670.000đ')
    await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
    await page.getByText('2 tin gửi được, 0 dòng không gửi.').waitFor()
    await sendBatch(page, 'Gửi 2 tin')
    const values = {
      ten: 'Chị Mận',
      ma: 'DH1',
      so_tien: '670.000đ',
      ngay_giao: '30/11/2026',
      so_luong: '1.500',
    }
    await expect.poll(() => console.receivedBy('84912000601')).toEqual([values])
    await expect
      .poll(() => console.receivedBy('84912000602'))
      .toMatchObject([{ so_tien: '1.250.000đ', ngay_giao: '01/12/2026', so_luong: '2' }])
  })

  it('values that do not fit are listed with row and reason before the check, and nothing is held for them', async () => {
    const page = await console.open('/messages/batches/new')
    const csv = [
      'SĐT,Tên khách,Mã đơn,Số tiền,Ngày giao,Số lượng',
      '0912000611,Chị Mận,DH1,abc,30/11/2026,1',
      '0912000612,Anh Đào,DH2,1000,31/11/2026,2',
      '0912000613,Chú Lê,DH3,200000,1/12/2026,3',
      '0912000614,Cô Lựu,DH4,2.5,32/12/2026,4',
      '0912000615,Bác Ổi,DH5,,3/12/2026,5',
      '0912000616,Cô Bưởi,DH6,300000,4/12/2026,5',
      '0912000617,Cô Na,DH7,400000,5/12/2026,5',
    ].join('\n')
    await openFile(page, NAME, 'giao.csv', csv)
    await page.getByText('Số tiền: “abc” không phải số tiền tròn đồng').first().waitFor()
    const table = page.getByRole('table').filter({ hasText: 'Lý do' })
    const misfits = [
      expect.stringMatching(/Dòng\s+Người nhận\s+Lý do/),
      expect.stringMatching(/2\s+0912000611\s+Số tiền: “abc” không phải số tiền tròn đồng/),
      expect.stringMatching(/3\s+0912000612\s+Ngày giao: “31\/11\/2026” không phải ngày có thật/),
      expect.stringMatching(
        /5\s+0912000614\s+Số tiền: “2.5” không phải .*; Ngày giao: “32\/12\/2026” không phải/,
      ),
    ]
    expect(await table.getByRole('row').allInnerTexts()).toEqual(misfits)
    expect(await page.getByLabel('Xem trước tin nhắn: Dòng 2').count()).toBe(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })

    // Their test would be another message than the batch's.
    await page.getByText('Không gửi được: Số tiền: “abc” không phải').waitFor()
    expect(await page.getByRole('button', { name: 'Gửi thử', exact: true }).isDisabled()).toBe(true)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Tải các dòng không gửi' }).click()
    const [, ...lost] = parseCsv(await readFile(await (await downloading).path(), 'utf8'))
    expect(lost.map((row) => [row[3], row[4], row[6]])).toEqual([
      ['abc', '30/11/2026', '2'],
      ['1000', '31/11/2026', '3'],
      ['2.5', '32/12/2026', '5'],
    ])
    const before = await wallet()
    await page.getByRole('button', { name: 'Kiểm tra 4 dòng' }).click()
    await page.getByText('3 tin gửi được, 4 dòng không gửi.').waitFor()
    expect(await wallet()).toEqual(before)

    await choose(page, 'Định dạng: Ngày giao', 'Như trong tệp')
    await choose(page, 'Định dạng: Số tiền', 'Như trong tệp')
    await page.getByRole('button', { name: 'Kiểm tra 7 dòng' }).waitFor()
    expect(await table.count()).toBe(0)
    await page.getByLabel('Xem trước tin nhắn: Dòng 3').getByText('vào 31/11/2026, thu 1000 khi').waitFor()
  })

  it('in English, and the choice of another column begins anew; values of customers of the shop have none', async () => {
    const page = await console.open('/messages/batches/new')
    await page.evaluate(`localStorage.setItem('shopbell.language', 'en')`)
    await page.reload()
    const csv = 'phone,ten,ma,so_tien,ngay_giao,so_luong,other\n0912000621,Mận,D1,abc,31/11/2026,1,5\n'
    await openFile(page, NAME, 'a.csv', `${csv}0912000622,Lê,D2,1000,2026-12-01,x,7`)
    expect(await formOf(page, 'Format: Số tiền').inputValue()).toBe('As in the file')
    await choose(page, 'Format: Số tiền', 'Amount, such as 670.000đ')
    await choose(page, 'Format: Ngày giao', 'Date, such as 30/11/2026')
    await page.getByText('Số tiền: “abc” is not an amount in whole đồng').first().waitFor()
    await page.getByText('Ngày giao: “31/11/2026” is not a date that exists').first().waitFor()
    await page.getByLabel('Message preview: Row 3').getByText('vào 01/12/2026, thu 1.000đ').waitFor()
    await choose(page, 'Column for: Số tiền', 'other')
    expect(await formOf(page, 'Format: Số tiền').inputValue()).toBe('Amount, such as 670.000đ')
    await choose(page, 'Format: Số tiền', 'As in the file')
    await choose(page, 'Column for: Số tiền', 'so_luong')
    await page.getByLabel('Message preview: Row 3').getByText('thu x khi giao').waitFor()
    await expectAccessible(page)

    const fullName = 'Cô Thị'
    const known = { fullName, phone: '0912000623', birthday: '1990-11-24' }
    const { body } = await console.api('POST', '/api/external/v1/customers', known)
    await page.goto(`/messages/batches/new?customers=${body.data._id}`)
    await page.getByRole('combobox', { name: /^Template/ }).click()
    await page.getByRole('option', { name: NAME }).click()
    await choose(page, 'Column for: Ngày giao', 'Birthday')
    await page.getByLabel('Message preview: Row 1').getByText('vào 24/11/1990').waitFor()
    expect(await page.getByRole('combobox', { name: /^Format/ }).count()).toBe(0)
  })
})
