import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Term, termTexts } from '../src/help/term-texts.ts'
import { customerTexts } from '../src/screens/customers/texts.ts'
import { batchTexts } from '../src/screens/messages/batches/batch-texts.ts'
import { draftTexts } from '../src/screens/news/drafts/draft-texts.ts'
import { newsTexts } from '../src/screens/news/texts.ts'
import { operatorTexts } from '../src/screens/operator/texts.ts'
import { orderTexts } from '../src/screens/orders/texts.ts'
import { overviewTexts } from '../src/screens/overview/texts.ts'
import { categoryTexts } from '../src/screens/products/categories/category-texts.ts'
import { importTexts } from '../src/screens/products/import/import-texts.ts'
import { productTexts } from '../src/screens/products/texts.ts'
import { settingsTexts } from '../src/screens/settings/texts.ts'
import { shiftTexts } from '../src/screens/shifts/texts.ts'
import { stockTexts } from '../src/screens/stock/texts.ts'
import { editorTexts } from '../src/screens/templates/editor/texts.ts'
import type { Language } from '../src/texts/catalogue.ts'
import { common } from '../src/texts/common.ts'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()

const CONFIRMATION = 'Xác nhận đơn hàng'
/** Each screen's own tests look at all of it. */
const NOTE = '[role="dialog"]'

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
  await expectAccessible(page, NOTE)
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

const TERMS = Object.keys(termTexts.vi) as Term[]

describe('every term', () => {
  const source = join(import.meta.dirname, '../src')
  const screens = globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !file.startsWith('help/'))
    .map((file) => readFileSync(join(source, file), 'utf8'))

  it.each(TERMS)('%s stands beside a word of a screen', (term) => {
    const isNamed = new RegExp(`\\bterm(=|: )['"]${term}['"]`)
    expect(screens.filter((text) => isNamed.test(text))).not.toEqual([])
  })

  it('is explained in both languages, under a name of its own', () => {
    expect(Object.keys(termTexts.en).toSorted()).toEqual(TERMS.toSorted())
    for (const terms of Object.values(termTexts)) {
      const all = Object.values(terms)
      expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
      for (const { name, text } of all) expect(`${name}: ${text}`).toMatch(/^\S.*: \S.*\.$/)
    }
  })
})

/** A screen, the button that opens a form in it, and the words with a mark there. */
type Place = {
  path: string
  press?: (language: Language) => string
  marks: (language: Language) => [word: string, term: Term][]
}

async function places(): Promise<Place[]> {
  const { api } = console
  const { _id: product } = (await api('GET', '/api/external/v1/products?limit=1')).body.data.products[0]
  const { _id: order } = (await api('GET', '/api/external/v1/orders?limit=1')).body.data.orders[0]
  const person = { fullName: 'Cô Hạnh', phone: '0912 000 961' }
  const { _id: customer } = (await api('POST', '/api/external/v1/customers', person)).body.data
  const { _id: shift } = (await api('POST', '/api/external/v1/shifts', { openingCash: 100_000 })).body.data
  await api('POST', '/api/external/webhooks', { url: 'https://erp.example.com/bell', events: ['*'] })
  const { shopId } = (await api('GET', `/api/external/v1/products/${product}`)).body.data
  const settings = (tab: string) => `/settings?tab=${tab}`
  return [
    {
      path: `/products/${product}`,
      marks: (l) => [
        [productTexts[l].originPrice, 'compareAtPrice'],
        [productTexts[l].vat, 'vat'],
        [productTexts[l].itemSku, 'skuCode'],
        [productTexts[l].stock, 'available'],
      ],
    },
    {
      path: '/products/categories',
      press: (l) => categoryTexts[l].add,
      marks: (l) => [[categoryTexts[l].slug, 'slug']],
    },
    { path: `/orders/${order}`, marks: (l) => [[orderTexts[l].vat, 'vat']] },
    { path: '/messages/batches/new', marks: (l) => [[batchTexts[l].file, 'csv']] },
    { path: '/products/import', marks: (l) => [[importTexts[l].title, 'csv']] },
    {
      path: '/news/new',
      marks: (l) => [
        [newsTexts[l].seo, 'seo'],
        [newsTexts[l].slug, 'slug'],
        [newsTexts[l].miniApp, 'miniApp'],
        [draftTexts[l].publishing, 'publishing'],
      ],
    },
    { path: `/customers/${customer}`, marks: (l) => [[customerTexts[l].consent, 'consent']] },
    { path: `/shifts/${shift}`, marks: (l) => [[shiftTexts[l].difference, 'cashDifference']] },
    { path: '/goods-received', marks: (l) => [[stockTexts[l].kinds.receive.title, 'goodsReceived']] },
    { path: '/stock-counts/new', marks: (l) => [[stockTexts[l].kinds.count.new, 'stockCount']] },
    { path: '/transfers/new', marks: (l) => [[stockTexts[l].kinds.transfer.new, 'transfer']] },
    { path: '/', marks: (l) => [[overviewTexts[l].lowStock, 'lowStock']] },
    { path: '/templates/new', marks: (l) => [[editorTexts[l].check, 'review']] },
    {
      path: settings('shop'),
      marks: (l) => [
        [settingsTexts[l].shop.oversell, 'oversell'],
        [settingsTexts[l].shop.lowStockAt, 'lowStock'],
      ],
    },
    {
      path: settings('keys'),
      press: (l) => settingsTexts[l].keys.add,
      marks: (l) => [
        [settingsTexts[l].keys.scopes, 'scope'],
        [settingsTexts[l].keys.maxPerMinute, 'rateLimit'],
      ],
    },
    {
      path: settings('webhooks'),
      press: (l) => settingsTexts[l].webhooks.add,
      marks: (l) => [[settingsTexts[l].webhooks.events, 'event']],
    },
    {
      path: settings('webhooks'),
      press: (l) => settingsTexts[l].webhooks.rotate,
      marks: (l) => [[settingsTexts[l].webhooks.secretName, 'webhookSecret']],
    },
    {
      path: '/operator?tab=health',
      marks: (l) => [
        [operatorTexts[l].health.platform, 'circuit'],
        [operatorTexts[l].health.queues, 'queue'],
      ],
    },
    {
      path: `/operator/shops/${shopId}`,
      press: (l) => operatorTexts[l].accounts.link,
      marks: (l) => [[operatorTexts[l].accounts.accessToken, 'token']],
    },
    {
      path: `/operator/shops/${shopId}`,
      press: (l) => operatorTexts[l].sms.set,
      marks: (l) => [[operatorTexts[l].sms.brandname, 'brandname']],
    },
  ]
}

describe('a mark', async () => {
  const all = await places()

  it.each([
    { language: 'vi', locale: 'vi-VN', width: 1440 },
    { language: 'en', locale: 'en-US', width: 390 },
  ] as const)(
    'explains the word beside it, also in a dialog, which Escape then leaves open, in $locale at $width px',
    async ({ language, locale, width }) => {
      const page = await console.open('/', { locale, viewport: { width, height: 844 } })
      for (const { path, press, marks } of all) {
        await page.goto(path)
        if (press !== undefined)
          await page
            .getByRole('button', { name: press(language) })
            .first()
            .click()
        for (const [word, term] of marks(language)) {
          const name = common[language].whatIs(word)
          const mark = page.getByRole('button', { name, exact: true })
          await mark.click()
          const note = page.getByRole('dialog', { name, exact: true })
          await note.getByText(termTexts[language][term].text).waitFor()
          if (term === marks(language)[0]![1]) await expectAccessible(page, NOTE)
          await page.keyboard.press('Escape')
          await note.waitFor({ state: 'detached' })
          expect(await mark.isVisible()).toBe(true)
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
    },
    240_000,
  )
})
