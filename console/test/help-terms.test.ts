import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()
afterAll(() => expect(console.pageErrors).toEqual([]))

const CONFIRMATION = 'Xác nhận đơn hàng'

/** The id of the demo's template of which messages were sent. */
async function confirmationId(): Promise<string> {
  const { templates } = (await console.api('GET', '/api/external/notify-template?size=100')).body
  return templates.find(({ name }: { name: string }) => name === CONFIRMATION)._id
}

/** Opens the explanation of a term, reads it and closes it by the keyboard. */
async function explained(page: Page, question: string): Promise<string> {
  await page.getByRole('button', { name: question }).click()
  const note = page.getByRole('dialog', { name: question })
  await note.getByRole('link').waitFor()
  await expectAccessible(page)
  const text = await note.innerText()
  await page.keyboard.press('Escape')
  await note.waitFor({ state: 'detached' })
  return text
}

const LANGUAGES = [
  {
    locale: 'vi-VN',
    terms: {
      tag: ['Nhóm nội dung là gì?', 'chăm sóc khách hàng (tag 2)'],
      quality: ['Chất lượng là gì?', 'bị giảm hạn mức'],
      quota: ['Tin đã gửi và hạn mức theo ngày là gì?', 'chờ đến 0 giờ hôm sau'],
      uid: ['UID là gì?', 'dùng thay số điện thoại'],
    },
    template: 'Mẫu tin',
    paste: 'Hoặc dán các dòng',
    check: 'Kiểm tra 1 dòng',
    batchQuota: 'Hạn mức là gì?',
    search: 'Tìm trong trợ giúp',
    searched: ['nhom noi dung', 'Nhóm nội dung'],
  },
  {
    locale: 'en-US',
    terms: {
      tag: ['What is Content level?', 'customer care (tag 2)'],
      quality: ['What is Quality?', 'lower the quota'],
      quota: ['What is Messages and daily quota?', 'wait until the next midnight'],
      uid: ['What is UID?', 'instead of a phone number'],
    },
    template: 'Template',
    paste: 'Or paste rows',
    check: 'Check 1 row',
    batchQuota: 'What is Quota?',
    search: 'Search help',
    searched: ['content level', 'Content level'],
  },
] as const

describe('a hard term of messages', () => {
  it.each(LANGUAGES)('is explained where it appears, and on the help page, in $locale', async (given) => {
    const { locale, terms } = given
    const [, customerCare] = terms.tag
    const page = await console.open(`/templates/${await confirmationId()}`, { locale })
    expect(await explained(page, terms.tag[0])).toContain(customerCare)
    await page.goto('/templates/new')
    expect(await explained(page, terms.tag[0])).toContain(customerCare)

    await page.goto('/messages/results')
    expect(await explained(page, terms.quality[0])).toContain(terms.quality[1])
    expect(await explained(page, terms.quota[0])).toContain(terms.quota[1])

    await page.goto('/messages/send')
    expect(await explained(page, terms.uid[0])).toContain(terms.uid[1])

    await page.goto('/messages/batches/new')
    await page.getByRole('combobox', { name: given.template }).click()
    await page.getByRole('option', { name: CONFIRMATION }).click()
    const rows = 'phone,customer_name,order_code,total_amount\n0912000951,Anh Nam,DH1,1000'
    await page.getByRole('textbox', { name: given.paste }).fill(rows)
    expect(await explained(page, terms.uid[0])).toContain(terms.uid[1])
    await page.getByRole('button', { name: given.check }).click()
    expect(await explained(page, given.batchQuota)).toContain(terms.quota[1])

    await page.goto('/help')
    await page.getByRole('searchbox', { name: given.search }).fill(given.searched[0])
    await page.getByRole('term').filter({ hasText: given.searched[1] }).waitFor()
    await page.getByText(customerCare, { exact: false }).waitFor()
    expect(await page.getByRole('term').count()).toBe(1)
  })
})
