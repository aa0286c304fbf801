import { readFile } from 'node:fs/promises'
import { writeXlsx } from 'hucre/xlsx'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { http, OPERATOR_TOKEN } from '../../server/test/support/process.ts'
import { parseCsv } from '../src/csv.ts'
import { writeMoment } from '../src/dates.ts'
import { hold } from './counter.ts'
import { expectAccessible, sendBatch, startConsole } from './support.ts'

const console = await startConsole()

const CONFIRMATION = 'Xác nhận đơn hàng'

async function choose(page: Page, template: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Mẫu tin' }).click()
  await page.getByRole('option', { name: template }).click()
}

async function open(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content as string) })
}

/** Runs in the page: a file is gone when it is read. */
const GONE = `Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))`

describe('batches', () => {
  it('sends a batch from CSV: columns, the rows as messages, price, refused rows to download, progress', async () => {
    const page = await console.open('/messages/batches/new')
    const template = (await page.getByRole('combobox', { name: 'Mẫu tin' }).boundingBox())!
    const name = (await page.getByRole('textbox', { name: 'Tên lượt gửi' }).boundingBox())!
    expect(name.y - template.y - template.height).toBeLessThan(60)
    await choose(page, CONFIRMATION)
    const csv = [
      '\uFEFFSĐT;Khách;Mã đơn hàng;Tổng tiền',
      '0912000201;"Trần ""Bi""; chị";DH1;100000',
      '0912000202;Lê C;DH2;200000',
      '123;Phạm D;DH3;300000',
      ';Vũ E;DH4;400000',
      '0912000205;Một cái tên dài hơn ba mươi ký tự;DH5;5',
      '+84 912 000 201;Trần Bi;DH6;100000',
    ].join('\r\n')
    await open(page, 'khach.csv', csv)
    const confirm = page.getByRole('button', { name: /^Gửi \d+ tin$/ })
    await expect.poll(() => confirm.count()).toBe(0)
    await page.getByRole('combobox', { name: 'Cột cho: Tên khách hàng' }).click()
    await page.getByRole('option', { name: 'Khách', exact: true }).click()
    const preview = page.getByLabel('Xem trước tin nhắn')
    await preview.getByText('Cảm ơn Trần "Bi"; chị đã mua hàng').waitFor()
    expect(await preview.count()).toBe(3)
    await page.getByText('Dòng 2–4, dòng cuối là 7').waitFor()
    await page.getByRole('button', { name: 'Các dòng sau' }).click()
    await page.getByText('Dòng 5 · Thiếu người nhận').waitFor()
    await page.getByLabel('Xem trước tin nhắn: Dòng 7').getByText('Cảm ơn Trần Bi đã mua hàng').waitFor()
    expect(await page.getByRole('button', { name: 'Các dòng sau' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Các dòng trước' }).click()
    await page.getByLabel('Xem trước tin nhắn: Dòng 2').waitFor()
    await page.getByText('5 tin × 200').waitFor()
    await expectAccessible(page)

    const wallet = async () =>
      ((await console.api('GET', '/api/external/wallet')).body as { balance: number }).balance
    const before = await wallet()
    await page.getByRole('button', { name: 'Kiểm tra 5 dòng' }).click()
    await page.getByText('2 tin gửi được, 4 dòng không gửi.').waitFor()
    const table = page.getByRole('table').filter({ hasText: 'Lý do' })
    expect(await table.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Dòng\s+Người nhận\s+Lý do/),
      expect.stringMatching(/4\s+123\s+Số điện thoại không hợp lệ \(ví dụ đúng: 0912 345 678\)/),
      expect.stringMatching(/5\s+Thiếu người nhận/),
      expect.stringMatching(/6\s+0912000205\s+Tên khách hàng không được dài quá 30 ký tự/),
      expect.stringMatching(/7\s+\+84 912 000 201\s+Trùng người nhận với dòng 2/),
    ])
    await page.getByText(`${new Intl.NumberFormat('vi').format(before - 400)}`).waitFor()
    expect(await wallet()).toBe(before)
    await page.getByLabel(/^Mỗi người nhận chỉ một tin/).uncheck()
    await page.getByRole('button', { name: 'Kiểm tra 5 dòng' }).click()
    await page.getByText('3 tin gửi được, 3 dòng không gửi.').waitFor()
    await page.getByLabel(/^Mỗi người nhận chỉ một tin/).check()
    await page.getByRole('button', { name: 'Kiểm tra 5 dòng' }).click()
    await page.getByText('2 tin gửi được, 4 dòng không gửi.').waitFor()
    await expectAccessible(page)

    await sendBatch(page, 'Gửi 2 tin')
    await page.getByText('2 tin được nhận, 4 dòng không gửi.').waitFor()
    await page.getByText('2 / 2').waitFor({ timeout: 30_000 })
    await expectAccessible(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Tải các dòng không gửi' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe('khach - dòng không gửi.csv')
    const [header, ...rows] = parseCsv(await readFile(await file.path(), 'utf8'))
    expect(header).toEqual(['SĐT', 'Khách', 'Mã đơn hàng', 'Tổng tiền', 'Dòng', 'Lý do'])
    expect(rows.map((row) => [row[0], row[4]])).toEqual([
      ['123', '4'],
      ['', '5'],
      ['0912000205', '6'],
      ['+84 912 000 201', '7'],
    ])
    expect(rows[0]![5]).toBe('Số điện thoại không hợp lệ (ví dụ đúng: 0912 345 678)')
    await expect
      .poll(() => console.receivedBy('84912000201'))
      .toMatchObject([{ customer_name: 'Trần "Bi"; chị' }])

    await page.goto('/messages/batches')
    await page.getByRole('link', { name: 'khach' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'khach' }).click()
    await page.getByRole('heading', { name: 'khach' }).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: 'Mẫu tin' })
      .getByRole('link', { name: CONFIRMATION })
      .waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Xem từng tin đã xong' }).click()
    await page.getByText('Lượt gửi: khach').waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
  })

  it('a corrected file of the same name is checked and sent again, even where the browser sees the same file', async () => {
    const page = await console.open('/messages/batches/new')
    await choose(page, CONFIRMATION)
    const header = 'phone,customer_name,order_code,total_amount'
    await open(page, 'sua.csv', `${header}\n0912000301,Sai Tên,DH1,1000`)
    await page.getByRole('button', { name: 'Kiểm tra 1 dòng' }).click()
    await page.getByText('1 tin gửi được, 0 dòng không gửi.').waitFor()
    const field = page.locator('input[type=file]')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /^Tệp Excel hoặc CSV(?! là gì)/ }).click()
    // Otherwise the browser would not report a file with the same path.
    expect(await field.inputValue()).toBe('')
    const corrected = `${header}\n0912000301,Đúng Tên,DH1,1000\n0912000302,Lê C,DH2,1000`
    const file = { name: 'sua.csv', mimeType: 'text/csv', buffer: Buffer.from(corrected) }
    await (await choosing).setFiles(file)
    await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
    await page.getByText('2 tin gửi được, 0 dòng không gửi.').waitFor()
    await sendBatch(page, 'Gửi 2 tin')
    await page.getByText('2 tin được nhận, 0 dòng không gửi.').waitFor()
    await expect.poll(() => console.receivedBy('84912000301')).toMatchObject([{ customer_name: 'Đúng Tên' }])
  })

  it('rows pasted from a spreadsheet go the same way, are kept over a reload until they are sent; corrected ones keep the columns that were chosen', async () => {
    const page = await console.open('/messages/batches/new')
    const header = 'Số máy\tKhách\tMã đơn hàng\tTổng tiền'
    const pasted = page.getByRole('textbox', { name: 'Hoặc dán các dòng' })
    await pasted.fill(`${header}\n0912000401\tTrần D, chị\tDH1\t1000\nxyz\tLê C\tDH2\t1000`)
    await page.getByText('Các dòng đã dán · 2 dòng').waitFor()
    await page.reload()
    await page.getByText('Các dòng đã dán · 2 dòng').waitFor()
    await choose(page, CONFIRMATION)
    for (const [label, column] of [
      ['Cột người nhận', 'Số máy'],
      ['Cột cho: Tên khách hàng', 'Khách'],
    ] as const) {
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: column, exact: true }).click()
    }
    await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
    await page.getByText('1 tin gửi được, 1 dòng không gửi.').waitFor()
    await expectAccessible(page)
    await pasted.fill(`${header}\n0912000401\tTrần D, chị\tDH1\t1000\n0912000402\tLê C\tDH2\t1000`)
    await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
    await page.getByText('2 tin gửi được, 0 dòng không gửi.').waitFor()
    await sendBatch(page, 'Gửi 2 tin')
    await page.getByText('2 tin được nhận, 0 dòng không gửi.').waitFor()
    await expect
      .poll(() => console.receivedBy('84912000401'))
      .toMatchObject([{ customer_name: 'Trần D, chị' }])
    await page.getByRole('link', { name: 'Đơn hàng', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Đơn hàng' }).waitFor()
  })

  it('a parameter may have one text for all; a typed name and pasted rows stay where another source is looked at; a workbook is refused', async () => {
    const page = await console.open('/messages/batches/new')
    const pasted = page.getByRole('textbox', { name: 'Hoặc dán các dòng' })
    await page.getByRole('textbox', { name: 'Tên lượt gửi' }).fill('Chào xuân')
    await pasted.fill('SĐT\tTên khách hàng\tTổng tiền\n0912000451\tTrần Bưởi\t1000\n')
    await choose(page, CONFIRMATION)
    await page.getByText('hãy chọn cột hoặc nội dung chung cho: Mã đơn hàng.').waitFor()
    await page.getByRole('combobox', { name: 'Cột cho: Mã đơn hàng' }).click()
    await page.getByRole('option', { name: 'Nội dung chung cho mọi tin…' }).click()
    await page.getByRole('textbox', { name: 'Nội dung chung: Mã đơn hàng' }).fill('XUAN-27')
    await page.getByLabel('Xem trước tin nhắn').getByText('XUAN-27').first().waitFor()
    await expectAccessible(page)
    await page.getByText('Nhóm khách', { exact: true }).click()
    await page.getByText('Tệp hoặc dán', { exact: true }).click()
    await page.getByText('Các dòng đã dán · 1 dòng').waitFor()
    await open(page, 'khach.xlsx', 'PK\u0003\u0004')
    await page.getByText('Không đọc được tệp Excel này', { exact: false }).waitFor()
    await pasted.fill('SĐT\tTên khách hàng\tTổng tiền\n0912000451\tTrần Bưởi\t1000\n')
    expect(await page.getByRole('textbox', { name: 'Tên lượt gửi' }).inputValue()).toBe('Chào xuân')
    await page.getByRole('combobox', { name: 'Cột cho: Mã đơn hàng' }).click()
    await page.getByRole('option', { name: 'Nội dung chung cho mọi tin…' }).click()
    await page.getByRole('textbox', { name: 'Nội dung chung: Mã đơn hàng' }).fill('XUAN-27')
    await page.getByRole('button', { name: 'Kiểm tra 1 dòng' }).click()
    await sendBatch(page, 'Gửi 1 tin')
    await expect.poll(() => console.receivedBy('84912000451')).toMatchObject([{ order_code: 'XUAN-27' }])
  })

  it('sends the rows of an Excel workbook: a number is a phone number, a date is written as a day', async () => {
    const page = await console.open('/messages/batches/new')
    await choose(page, CONFIRMATION)
    const rows = [
      ['SĐT', 'Tên khách hàng', 'Mã đơn hàng', 'Tổng tiền', 'Ngày'],
      [912_000_452, 'Lê Quýt', 'EX-1', 1_250_000, new Date(Date.UTC(2026, 10, 24))],
    ]
    await open(page, 'Khách tháng 11.xlsx', await writeXlsx({ sheets: [{ name: 'S', rows }] }))
    await page.getByText('Khách tháng 11.xlsx · 1 dòng').waitFor()
    expect(await page.getByRole('textbox', { name: 'Tên lượt gửi' }).inputValue()).toBe('Khách tháng 11')
    await page.getByRole('button', { name: 'Kiểm tra 1 dòng' }).click()
    await sendBatch(page, 'Gửi 1 tin')
    await expect
      .poll(() => console.receivedBy('84912000452'))
      .toMatchObject([{ customer_name: 'Lê Quýt', order_code: 'EX-1' }])
  })

  it('a workbook that is read late does not replace what was chosen after it', async () => {
    const page = await console.open('/messages/batches/new')
    const readOn = await hold(page, '**/worker-*.js')
    const late = await writeXlsx({ sheets: [{ name: 'S', rows: [['SĐT'], [912_000_453]] }] })
    await open(page, 'muộn.xlsx', late)
    await open(page, 'sau.csv', 'SĐT\n0912000454\n0912000455')
    await page.getByText('sau.csv · 2 dòng').waitFor()
    const isRead = page.waitForResponse('**/worker-*.js')
    readOn()
    await isRead
    // Longer than a workbook of two rows takes.
    await page.waitForTimeout(1_000)
    await page.getByText('sau.csv · 2 dòng').waitFor()
    expect(await page.getByRole('textbox', { name: 'Tên lượt gửi' }).inputValue()).toBe('sau')
  })

  it('a file that cannot be read says so, and the rows before it are not sent in its place', async () => {
    const page = await console.open('/messages/batches/new')
    await choose(page, CONFIRMATION)
    const rows = 'SĐT,Tên khách hàng,Mã đơn hàng,Tổng tiền\n0912000457,Lê Lựu,EX-3,1000'
    await open(page, 'trước.csv', rows)
    const check = page.getByRole('button', { name: 'Kiểm tra 1 dòng' })
    await check.waitFor()
    await page.evaluate(GONE)
    await open(page, 'mất.csv', rows)
    await page.getByText('Không đọc được tệp. Hãy chọn lại tệp.').waitFor()
    expect(await check.count()).toBe(0)
    await expectAccessible(page)
  })

  it('the template may be chosen while a workbook is read', async () => {
    const page = await console.open('/messages/batches/new')
    const readOn = await hold(page, '**/worker-*.js')
    const rows = [
      ['SĐT', 'Tên khách hàng', 'Mã đơn hàng', 'Tổng tiền'],
      [912_000_456, 'Lê Mận', 'EX-2', 1_000],
    ]
    await open(page, 'khach.xlsx', await writeXlsx({ sheets: [{ name: 'S', rows }] }))
    await choose(page, CONFIRMATION)
    readOn()
    await page.getByRole('button', { name: 'Kiểm tra 1 dòng' }).waitFor()
  })

  it('sends a large file in requests of a thousand rows, says why it waits, and cancels', async () => {
    const page = await console.open('/messages/batches/new')
    await choose(page, CONFIRMATION)
    const rows = Array.from({ length: 1_001 }, (_, n) => `091${String(3_000_000 + n)},Khách ${n},DH${n},1000`)
    await open(page, 'nhieu.csv', ['phone,customer_name,order_code,total_amount', ...rows].join('\n'))
    const tomorrow = new Date(Date.now() + 86_400_000 + 7 * 3_600_000).toISOString().slice(0, 16)
    const goOn = await hold(page, '**/batches/preview')
    await page.getByRole('button', { name: 'Kiểm tra 1.001 dòng' }).click()
    await page.getByText('Đã kiểm tra 0 / 1.001 dòng…').waitFor()
    goOn()
    await page.getByText('1.001 tin gửi được, 0 dòng không gửi.').waitFor({ timeout: 30_000 })
    const sending = page.getByRole('button', { name: 'Gửi 1.001 tin' })
    // An empty time would mean now.
    await page.getByLabel('Hẹn giờ gửi').fill('sáng mai')
    await expect.poll(() => sending.isDisabled()).toBe(true)
    await page.getByLabel('Hẹn giờ gửi').fill(writeMoment(tomorrow))
    // Another time is checked anew.
    await page.getByRole('button', { name: 'Kiểm tra 1.001 dòng' }).click()
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/batches'))
        keys.push(request.headers()['idempotency-key'])
    })
    await sendBatch(page, 'Gửi 1.001 tin')
    await page.getByText('1.001 tin được nhận, 0 dòng không gửi.').waitFor({ timeout: 30_000 })
    expect(new Set(keys).size).toBe(2)
    await page.getByText('Chờ tới giờ hẹn').first().waitFor()
    await page.getByRole('button', { name: 'Hủy phần chưa gửi' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hủy phần chưa gửi' }).click()
    await page.getByText('1.000 / 1.000').waitFor({ timeout: 30_000 })
    await page.getByText('Đã hủy: 1.000').waitFor()
    // They were not sent, but none of them failed.
    await page.getByRole('main').getByRole('link', { name: 'nhieu' }).first().click()
    await page.getByRole('link', { name: 'Xem tin đã hủy' }).click()
    await page.getByRole('button', { name: 'Bỏ lọc: Trạng thái: Đã hủy' }).waitFor()
    const states = page
      .getByRole('main')
      .getByRole('table')
      .getByText(/^(?:Lỗi|Đã hủy)$/)
    await expect.poll(() => states.allInnerTexts()).toEqual(Array(20).fill('Đã hủy'))
  })

  it('calls a batch without a name by its template and time', async () => {
    const { templates } = (await console.api('GET', '/api/external/notify-template?status=ENABLE')).body
    const template = templates.find(({ name }: { name: string }) => name === CONFIRMATION)
    const params = { customer_name: 'Chị Hoa', order_code: 'DH1', total_amount: '1000' }
    const { data } = (
      await console.api('POST', '/api/external/notify-message/batches', {
        templateId: template._id,
        messages: [{ receiverPhone: '0912000481', params }],
      })
    ).body
    const page = await console.open('/messages/batches')
    const link = page.locator(`a[href="/messages/batches/${data._id}"]`)
    // Until the templates have loaded, it is called a batch.
    await expect.poll(() => link.innerText()).toMatch(/^Xác nhận đơn hàng · \d\d:\d\d \d\d\/\d\d$/)
    const name = await link.innerText()
    await link.click()
    await page.waitForURL(`**/messages/batches/${data._id}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  })
})

describe('the question before a batch is sent', () => {
  const ROWS =
    'phone,customer_name,order_code,total_amount\n0912000491,Trần D,DH1,1000\n0912000492,Lê C,DH2,1000'
  const question = (page: Page) => page.getByRole('dialog', { name: 'Gửi tin cho khách?' })
  const vnd = (sum: number) => `${new Intl.NumberFormat('vi').format(sum)}\u00a0₫`

  async function checked(page: Page, name: string): Promise<void> {
    await choose(page, CONFIRMATION)
    await page.getByLabel('Tên lượt gửi').fill(name)
    await page.getByRole('textbox', { name: 'Hoặc dán các dòng' }).fill(ROWS)
    await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
    await page.getByText('2 tin gửi được, 0 dòng không gửi.').waitFor()
  }

  async function facts(page: Page): Promise<Record<string, string>> {
    await question(page).waitFor()
    const rows = await question(page).getByRole('row').allInnerTexts()
    return Object.fromEntries(rows.map((row) => row.split(/\t/)))
  }

  async function sent(name: string): Promise<{ total: number; scheduledAt: string | null }[]> {
    const { data } = (await console.api('GET', '/api/external/notify-message/batches?limit=100')).body
    return data.filter((batch: { name: string }) => batch.name === name)
  }

  async function balance(): Promise<number> {
    return (await console.api('GET', '/api/external/wallet')).body.balance
  }

  it.each([1440, 390])(
    'names number, template, time, cost and balance; Enter, Escape and Back send nothing, at %i px',
    async (width) => {
      const page = await console.open('/messages/batches/new', { viewport: { width, height: 844 } })
      const name = `Hỏi trước ${width}`
      const tomorrow = new Date(Date.now() + 86_400_000 + 7 * 3_600_000).toISOString().slice(0, 10)
      const isPlanned = width === 390
      if (isPlanned) await page.getByLabel('Hẹn giờ gửi').fill(writeMoment(`${tomorrow}T10:30`))
      await checked(page, name)
      const before = await balance()
      const send = page.getByRole('button', { name: 'Gửi 2 tin' })
      const hasFocus = () => send.evaluate((one) => one.matches(':focus'))

      await send.focus()
      await page.keyboard.press('Enter')
      expect(await facts(page)).toEqual({
        'Số tin': '2',
        'Mẫu tin': CONFIRMATION,
        'Giờ gửi': isPlanned ? expect.stringMatching(/^10:30 \d\d\/\d\d\/\d{4}$/) : 'Ngay bây giờ',
        'Chi phí cao nhất': vnd(400),
        'Số dư ví sau khi gửi': vnd(before - 400),
      })
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.keyboard.press('Enter')
      await question(page).waitFor({ state: 'detached' })
      await expect.poll(hasFocus).toBe(true)

      await send.click()
      await question(page).waitFor()
      await page.keyboard.press('Escape')
      await question(page).waitFor({ state: 'detached' })
      await expect.poll(hasFocus).toBe(true)

      await send.click()
      await question(page).getByRole('button', { name: 'Quay lại' }).click()
      await question(page).waitFor({ state: 'detached' })
      await expect.poll(hasFocus).toBe(true)
      expect(await sent(name)).toEqual([])
      expect(await balance()).toBe(before)

      await sendBatch(page, 'Gửi 2 tin')
      await page.getByText('2 tin được nhận, 0 dòng không gửi.').waitFor()
      const [batch, ...others] = await sent(name)
      expect(others).toEqual([])
      expect(batch!.scheduledAt).toBe(isPlanned ? `${tomorrow}T03:30:00.000Z` : null)
    },
  )

  it('has the balance of now: after a test, and after another message', async () => {
    const page = await console.open('/messages/batches/new')
    await checked(page, 'Sau khi thử')
    const before = await balance()
    const after = page.getByText('Số dư ví sau khi gửi', { exact: true }).locator('..')
    await expect.poll(() => after.innerText()).toContain(vnd(before - 400))
    await page.getByLabel('Số điện thoại của bạn').fill('0912 000 493')
    await page.getByRole('button', { name: 'Gửi thử' }).click()
    await page.getByText('1 / 1').waitFor({ timeout: 30_000 })
    await expect.poll(balance).toBe(before - 200)
    await expect.poll(() => after.innerText()).toContain(vnd(before - 600))

    const { templates } = (await console.api('GET', '/api/external/notify-template?status=ENABLE')).body
    const templateId = templates.find((one: { name: string }) => one.name === CONFIRMATION)._id
    const params = { customer_name: 'Chị Hoa', order_code: 'DH1', total_amount: '1000' }
    const message = { templateId, receiverPhone: '0912000494', params }
    expect((await console.api('POST', '/api/external/notify-message/send', message)).status).toBe(200)
    await page.getByRole('button', { name: 'Gửi 2 tin' }).click()
    await expect.poll(() => facts(page)).toMatchObject({ 'Số dư ví sau khi gửi': vnd(before - 800) })
    await expectAccessible(page)
  })

  it('counts the SMS that may go in place of each message, and goes with its screen', async () => {
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
    const [{ _id }] = (await http(console.url, 'GET', '/api/manage/v1/shops', undefined, operator)).body.data
    const sender = { brandname: 'NHAMOC', price: 800, apiKey: 'khoa', secretKey: 'bi-mat' }
    const path = `/api/manage/v1/shops/${_id}/sms`
    expect((await http(console.url, 'PUT', path, sender, operator)).status).toBe(200)
    const { templates } = (await console.api('GET', '/api/external/notify-template?status=ENABLE')).body
    const template = templates.find((one: { name: string }) => one.name === CONFIRMATION)
    const text = { text: 'Don hang cua ban da duoc nhan' }
    const sms = `/api/external/notify-template/${template._id}/sms-text`
    expect((await console.api('PUT', sms, text)).status).toBe(200)

    const page = await console.open('/messages/batches')
    await page.getByRole('link', { name: 'Gửi hàng loạt' }).first().click()
    await checked(page, 'Kèm SMS')
    const before = await balance()
    await page.getByRole('button', { name: 'Gửi 2 tin' }).click()
    expect(await facts(page)).toMatchObject({
      'Chi phí cao nhất': vnd(1_600),
      'Số dư ví sau khi gửi': vnd(before - 1_600),
    })
    await question(page).getByText('Chi phí cao nhất tính cả SMS', { exact: false }).waitFor()
    await page.goBack()
    await question(page).waitFor({ state: 'detached' })
    expect(await sent('Kèm SMS')).toEqual([])
  })
})
