import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { http } from '../../server/test/support/process.ts'
import { writeMoment } from '../src/dates.ts'
import { formatTime, momentOf } from '../src/format.ts'
import { expectAccessible, sendBatch, startConsole } from './support.ts'

const console = await startConsole({ RECIPIENT_LIMIT_OTHER: '1/86400' })

const control = async (path: string, body: object) => {
  const answer = await http(console.simulatorUrl, 'POST', `/control${path}`, body)
  expect(answer.status).toBe(200)
}

const wallet = async () => (await console.api('GET', '/api/external/wallet')).body

async function choose(page: Page, label: string, template: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: template }).click()
}

async function findTemplate(name: string) {
  const { templates } = (await console.api('GET', '/api/external/notify-template?limit=100')).body
  return templates.find((template: { name: string }) => template.name === name)
}

/** The template of the demo that may not be sent to who opted out, once it is approved. */
async function approvedOffer(): Promise<{ _id: string; name: string }> {
  const name = 'Tặng mã sau khi mua'
  const { templates } = (await http(console.simulatorUrl, 'GET', '/control/templates')).body
  const { template_id: id } = templates.find(
    (template: { template_name: string }) => template.template_name === name,
  )
  await control(`/templates/${id}/approve`, {})
  await expect.poll(async () => (await findTemplate(name)).status, { timeout: 30_000 }).toBe('ENABLE')
  return findTemplate(name)
}

describe('the check of a batch', () => {
  it('shows who opted out and who is over the cap, each with its reason, and holds nothing for them', async () => {
    const { _id: templateId, name } = await approvedOffer()
    const params = { customer_name: 'Chị Hoa', voucher_code: 'MOC50K' }
    const send = { templateId, receiverPhone: '0912000903', params }
    expect((await console.api('POST', '/api/external/notify-message/send', send)).status).toBe(200)
    const said = { phone: '0912000902', status: 'withdrawn', source: 'gọi tổng đài' }
    expect((await console.api('POST', '/api/external/v1/consents', said)).status).toBe(201)

    const page = await console.open('/messages/batches/new')
    await choose(page, 'Mẫu tin', name)
    const rows = ['0912000901', '0912000902', '0912000903'].map((phone) => `${phone},Chị Hoa,MOC50K`)
    const pasted = ['phone,customer_name,voucher_code', ...rows].join('\n')
    await page.getByRole('textbox', { name: 'Hoặc dán các dòng' }).fill(pasted)
    const before = await wallet()
    await page.getByRole('button', { name: 'Kiểm tra 3 dòng' }).click()
    await page.getByText('1 tin gửi được, 2 dòng không gửi.').waitFor()
    const table = page.getByRole('table').filter({ hasText: 'Lý do' })
    expect(await table.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Dòng\s+Người nhận\s+Lý do/),
      expect.stringMatching(/3\s+0912000902\s+Khách đã từ chối nhận tin chăm sóc và hậu mãi/),
      expect.stringMatching(/4\s+0912000903\s+Người nhận này đã nhận đủ số tin loại này/),
    ])
    await expectAccessible(page)
    expect(await wallet()).toEqual(before)

    await sendBatch(page, 'Gửi 1 tin')
    await page.getByText('1 tin được nhận, 2 dòng không gửi.').waitFor()
    const { price } = await findTemplate(name)
    await expect
      .poll(wallet, { timeout: 30_000 })
      .toEqual({ balance: before.balance - price, held: before.held })
  })

  it('says how many wait for the quota and until when, which is what sending then does', async () => {
    const { _id: templateId } = await findTemplate('Xác nhận đơn hàng')
    const params = { customer_name: 'Anh Nam', order_code: 'DH1', total_amount: '1000' }
    const messages = [{ receiverPhone: '0912000911', params }]
    const preview = await console.api('POST', '/api/external/notify-message/batches/preview', {
      templateId,
      messages,
    })
    const { dailyQuota } = (await http(console.simulatorUrl, 'GET', '/control/settings')).body
    const { left, resumesAt } = preview.body.data.quota
    await control('/settings', { dailyQuota: dailyQuota - left + 2 })

    const page = await console.open('/messages/batches/new')
    await choose(page, 'Mẫu tin', 'Xác nhận đơn hàng')
    const rows = ['11', '12', '13', '14', '15'].map((end) => `09120009${end},Anh Nam,DH1,1000`)
    const pasted = ['phone,customer_name,order_code,total_amount', ...rows].join('\n')
    await page.getByRole('textbox', { name: 'Hoặc dán các dòng' }).fill(pasted)
    await page.getByRole('button', { name: 'Kiểm tra 5 dòng' }).click()
    await page.getByText('5 tin gửi được, 0 dòng không gửi.').waitFor()
    const until = formatTime(resumesAt, 'vi')
    expect(until).toMatch(/^00:00 /)
    await page.getByText(`ngày gửi chỉ còn 2 tin: 3 tin chờ đến ${until}, phí vẫn tạm giữ.`).waitFor()
    await expectAccessible(page)

    // Another time has another quota.
    const tomorrow = momentOf(new Date(Date.now() + 86_400_000).toISOString()).slice(0, 10)
    await page.getByLabel('Hẹn giờ gửi').fill(writeMoment(`${tomorrow}T23:00`))
    await expect.poll(() => page.getByRole('button', { name: 'Gửi 5 tin' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Kiểm tra 5 dòng' }).click()
    await page.getByText(/Giờ gửi rơi vào ban đêm .*, 5 tin chờ đến 06:00/).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Hẹn giờ gửi').fill('')
    await page.getByRole('button', { name: 'Kiểm tra 5 dòng' }).click()
    await page.getByText(/ngày gửi chỉ còn 2 tin/).waitFor()

    await sendBatch(page, 'Gửi 5 tin')
    await page.getByText('Đã hết hạn mức ngày của nền tảng', { exact: false }).waitFor({ timeout: 30_000 })
    await page.getByText('Đã gửi: 2').waitFor({ timeout: 30_000 })
    await page.getByText('Còn lại: 3').waitFor({ timeout: 30_000 })
    await control('/settings', { dailyQuota })
  })

  it('says the same in English, and that the quota is enough', async () => {
    const page = await console.open('/messages/batches/new', { locale: 'en-US' })
    await choose(page, 'Template', 'Xác nhận đơn hàng')
    const pasted = 'phone,customer_name,order_code,total_amount\n0912000921,Anh Nam,DH1,1000'
    await page.getByRole('textbox', { name: 'Or paste rows' }).fill(pasted)
    await page.getByRole('button', { name: 'Check 1 row' }).click()
    await page.getByText(/quota of that day leaves [\d,]+ messages, enough for this batch/).waitFor()
    await control('/faults', [{ kind: '5xx', endpoint: '/message/quota', share: 1, status: 503 }])
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('The platform did not say the official account’s quota.', { exact: false }).waitFor()
    await control('/faults', [])

    await page.getByRole('button', { name: 'Send 1 message' }).click()
    const question = page.getByRole('dialog', { name: 'Send the messages?' })
    await question.getByRole('row', { name: 'Highest cost' }).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Back' }).click()
    await question.waitFor({ state: 'detached' })
  })
})
