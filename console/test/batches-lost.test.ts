import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { writeMoment } from '../src/dates.ts'
import { answer, expectAccessible, loseAnswers, sendBatch, startConsole } from './support.ts'

const console = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000' })

const CONFIRMATION = 'Xác nhận đơn hàng'
const NEW = '/messages/batches/new'
const CALLS = '**/notify-message/batches'
const HEADER = 'phone,customer_name,order_code,total_amount'
/** The client repeats a lost call before the page gives up. */
const GIVEN_UP_MS = 40_000

const post = async (path: string, body: object) => (await console.api('POST', path, body)).body.data

/** The batches of this name, or of its parts. */
async function batchesOf(name: string): Promise<{ name: string; accepted: number }[]> {
  const { data } = (await console.api('GET', '/api/external/notify-message/batches?limit=100')).body
  return data.filter((batch: { name: string }) => batch.name.startsWith(name))
}

/** Three numbers that no other test uses, and rows for them. */
function threeRows(start: number): { phones: string[]; rows: string } {
  const numbers = [1, 2, 3].map((n) => String(start + n))
  const rows = numbers.map((number, n) => `0${number},Khách ${n + 1},DH${n},1000`)
  return { phones: numbers.map((number) => `84${number}`), rows: [HEADER, ...rows].join('\n') }
}

const pasted = (page: Page) => page.getByRole('textbox', { name: 'Hoặc dán các dòng' })
const unsure = (page: Page) => page.getByRole('alert').filter({ hasText: 'Chưa rõ lượt gửi' })

async function chooseTemplate(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Mẫu tin' }).click()
  await page.getByRole('option', { name: CONFIRMATION }).click()
}

/** A page where everything is ready for the last button. */
async function prepared(name: string, rows: string): Promise<Page> {
  const page = await console.open(NEW)
  await chooseTemplate(page)
  await page.getByLabel('Tên lượt gửi').fill(name)
  await pasted(page).fill(rows)
  await check(page, '3')
  return page
}

async function check(page: Page, count: string): Promise<void> {
  await page.getByRole('button', { name: `Kiểm tra ${count} dòng` }).click()
  await page.getByText(`${count} tin gửi được, 0 dòng không gửi.`).waitFor({ timeout: 60_000 })
}

/** Sends, and loses every response. @returns a function after which responses arrive again */
async function sendInVain(page: Page, count: string): Promise<() => void> {
  const find = await loseAnswers(page, CALLS)
  await sendBatch(page, `Gửi ${count} tin`)
  await unsure(page).waitFor({ timeout: GIVEN_UP_MS })
  return find
}

async function sendSame(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Gửi lại đúng như vậy' }).click()
}

async function expectOnce(name: string, phones: string[]): Promise<void> {
  expect(await batchesOf(name)).toMatchObject([{ name, accepted: phones.length }])
  for (const phone of phones) await expect.poll(() => console.receivedBy(phone)).toHaveLength(1)
}

describe('a batch whose response was lost', () => {
  it('is kept over a reload, another screen and in another tab, and sent again as it was: one batch, one message each', async () => {
    const { phones, rows } = threeRows(912_810_100)
    const page = await prepared('Lạc đường', rows)
    const find = await sendInVain(page, '3')
    await unsure(page).getByText('Máy chủ chưa xác nhận 3 tin', { exact: false }).waitFor()
    await page.reload()
    await unsure(page).waitFor()
    expect(await page.getByRole('combobox', { name: 'Mẫu tin' }).count()).toBe(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('link', { name: 'Xem các lượt gửi' }).click()
    await page.getByRole('link', { name: 'Lạc đường' }).waitFor()
    await page.getByRole('link', { name: 'Gửi hàng loạt' }).first().click()
    await unsure(page).waitFor()
    const tab = await page.context().newPage()
    await tab.goto(NEW)
    await unsure(tab).waitFor()

    find()
    await sendSame(page)
    await page.getByText('3 tin được nhận, 0 dòng không gửi.').waitFor()
    await sendSame(tab)
    await tab.getByText('3 tin được nhận, 0 dòng không gửi.').waitFor()
    await expectOnce('Lạc đường', phones)

    await page.reload()
    await pasted(page).waitFor()
    expect(await pasted(page).inputValue()).toBe('')
  })

  it('offers no field whose change would make it another batch: neither rows nor name can differ, and no batch is doubled', async () => {
    const { phones, rows } = threeRows(912_810_200)
    const page = await prepared('Không đổi', rows)
    const find = await sendInVain(page, '3')
    find()
    expect(await pasted(page).count()).toBe(0)
    expect(await page.getByLabel('Tên lượt gửi').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Gửi \d|^Kiểm tra/ }).count()).toBe(0)
    await sendSame(page)
    await page.getByText('3 tin được nhận, 0 dòng không gửi.').waitFor()
    await expectOnce('Không đổi', phones)
    await page.getByRole('button', { name: 'Gửi lượt khác' }).click()
    expect(await pasted(page).inputValue()).toBe('')
    expect(await page.getByLabel('Tên lượt gửi').inputValue()).toBe('')
  })

  it('is given up only after a question that names the risk; the input stays, also over a reload', async () => {
    const { rows } = threeRows(912_810_300)
    const page = await prepared('Bỏ đi', rows)
    await (await sendInVain(page, '3'))()
    await page.reload()
    await page.getByRole('button', { name: 'Bỏ lượt gửi này' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('khách có thể nhận hai lần và ví bị trừ phí hai lần', { exact: false }).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Đóng' }).first().click()
    await question.waitFor({ state: 'detached' })
    await unsure(page).waitFor()
    await page.getByRole('button', { name: 'Bỏ lượt gửi này' }).click()
    await question.getByRole('button', { name: 'Bỏ lượt gửi này' }).click()
    await expect.poll(() => pasted(page).inputValue()).toBe(rows)
    await page.reload()
    await expect.poll(() => pasted(page).inputValue()).toBe(rows)
    expect(await page.getByLabel('Tên lượt gửi').inputValue()).toBe('Bỏ đi')
    expect(await unsure(page).count()).toBe(0)
  })

  it('stops a tab that was ready to send something else, which shows it instead', async () => {
    const { rows } = threeRows(912_810_400)
    const page = await prepared('Thẻ thứ nhất', rows)
    const tab = await page.context().newPage()
    await tab.goto(NEW)
    await chooseTemplate(tab)
    await tab.getByLabel('Tên lượt gửi').fill('Thẻ thứ hai')
    await pasted(tab).fill(rows)
    await check(tab, '3')
    await (await sendInVain(page, '3'))()
    await sendBatch(tab, 'Gửi 3 tin')
    await unsure(tab).waitFor()
    await tab.getByRole('heading', { name: 'Thẻ thứ nhất' }).waitFor()
    expect(await batchesOf('Thẻ thứ hai')).toEqual([])
  })

  it('is hidden from another person at the same browser, and there again for the first', async () => {
    const { phones, rows } = threeRows(912_810_500)
    const page = await prepared('Của tôi', rows)
    await (await sendInVain(page, '3'))()
    const signIn = async ({ email, password }: { email: string; password: string }) => {
      await page.context().clearCookies()
      await page.goto('/sign-in')
      await page.getByLabel('Email').fill(email)
      await page.locator('input[type=password]').fill(password)
      await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
      await page.getByRole('navigation').first().waitFor()
      await page.goto(NEW)
    }
    await signIn(await console.invite('staff'))
    await pasted(page).waitFor()
    expect(await pasted(page).inputValue()).toBe('')
    await signIn(console.owner)
    await unsure(page).waitFor()
    await sendSame(page)
    await page.getByText('3 tin được nhận, 0 dòng không gửi.').waitFor()
    await expectOnce('Của tôi', phones)
  })

  it('cannot be sent again after a day, when the service no longer knows its key', async () => {
    const { rows } = threeRows(912_810_600)
    const page = await prepared('Hôm qua', rows)
    await (await sendInVain(page, '3'))()
    await page.clock.setSystemTime(new Date(Date.now() + 24 * 3_600_000))
    await page.reload()
    await unsure(page).getByText('đã quá 23 giờ', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Gửi lại đúng như vậy' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Xem các lượt gửi' }).waitFor()
  })

  it('says the same in English', async () => {
    const { phones, rows } = threeRows(912_810_700)
    const page = await prepared('In English', rows)
    const find = await sendInVain(page, '3')
    await page.evaluate(`localStorage.setItem('shopbell.language', 'en')`)
    await page.reload()
    await page.getByText('The batch may or may not have been accepted').waitFor()
    await page.getByRole('link', { name: 'Check the batches' }).waitFor()
    find()
    await page.getByRole('button', { name: 'Send the same again' }).click()
    await page.getByText('3 messages accepted, 0 rows not sent.').waitFor()
    await expectOnce('In English', phones)
  })
})

describe('a batch of several calls', () => {
  it('goes on after a reload where a response was lost after the first thousand: each thousand is one batch', async () => {
    const page = await console.open(NEW)
    await chooseTemplate(page)
    const rows = Array.from({ length: 2_001 }, (_, n) => `0${914_000_000 + n},Khách ${n},DH${n},1000`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'nhieu.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([HEADER, ...rows].join('\n')),
    })
    const tomorrow = new Date(Date.now() + 86_400_000 + 7 * 3_600_000).toISOString().slice(0, 16)
    await page.getByLabel('Hẹn giờ gửi').fill(writeMoment(tomorrow))
    await check(page, '2.001')
    // The first call is answered; of the second, the service's response is lost.
    let isFirst = true
    const comeBack = await answer(page, CALLS, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      if (isFirst) await route.fulfill({ response })
      else await route.abort()
      isFirst = false
    })
    await sendBatch(page, 'Gửi 2.001 tin')
    await unsure(page).getByText('1.000 tin', { exact: false }).waitFor({ timeout: 60_000 })
    comeBack()
    await page.reload()
    await unsure(page).waitFor()
    await page.getByText('Đã chuyển 1.000 / 2.001 dòng').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Tải các dòng còn lại' }).click()
    expect((await downloading).suggestedFilename()).toBe('nhieu - dòng còn lại.csv')
    await page.getByRole('button', { name: 'Bỏ lượt gửi này' }).click()
    const question = page.getByRole('dialog')
    await question.getByText('1.000 dòng đã được chuyển và vẫn được gửi', { exact: false }).waitFor()
    await question.getByText('1 dòng chưa gửi sẽ không được gửi', { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Đóng' }).first().click()
    await question.waitFor({ state: 'detached' })
    await sendSame(page)
    await page.getByText('2.001 tin được nhận, 0 dòng không gửi.').waitFor({ timeout: 60_000 })
    const batches = await batchesOf('nhieu')
    expect(batches.map(({ name, accepted }) => [name, accepted]).toSorted()).toEqual([
      ['nhieu (1/3)', 1_000],
      ['nhieu (2/3)', 1_000],
      ['nhieu (3/3)', 1],
    ])
  })
})

describe('a batch to an audience', () => {
  it('whose response was lost goes once to those who were read, also after a reload and though others have joined', async () => {
    const lamp = await post('/api/external/v1/products', { name: 'Đèn dầu', price: 150_000 })
    const buy = async (fullName: string, phone: string) => {
      const customer = await post('/api/external/v1/customers', { fullName, phone })
      const orderItems = [{ id: lamp._id, quantity: 1 }]
      await post('/api/external/order/pos/create', { orderItems, userId: customer._id, paidAmount: 150_000 })
    }
    await buy('Ngô Thị Lan', '0912 810 801')
    await buy('Hồ Văn Mộc', '0912 810 802')
    await buy('Lý Thị Cúc', '0912 810 803')
    const conditions = [{ kind: 'bought', productIds: [lamp._id] }]
    const { _id: id } = await post('/api/external/v1/audiences', { name: 'Mua đèn dầu', conditions })
    const page = await console.open(`${NEW}?audience=${id}`)
    await page.getByText('3 khách có số điện thoại').waitFor()
    await chooseTemplate(page)
    await check(page, '3')
    await (await sendInVain(page, '3'))()
    await buy('Khách đến sau', '0912 810 804')
    await page.reload()
    await unsure(page).waitFor()
    await sendSame(page)
    await page.getByText('3 tin được nhận, 0 dòng không gửi.').waitFor()
    await expectOnce('Mua đèn dầu', ['84912810801', '84912810802', '84912810803'])
    expect(await console.receivedBy('84912810804')).toEqual([])
  })
})

describe('a browser that cannot store a batch', () => {
  it('sends none, because a lost response could then double it, and says so', async () => {
    const { rows } = threeRows(912_811_000)
    const page = await console.open('/messages/batches')
    await page.addInitScript(`Object.defineProperty(window, 'indexedDB', { value: undefined })`)
    await page.goto(NEW)
    await chooseTemplate(page)
    await page.getByLabel('Tên lượt gửi').fill('Không lưu được')
    await pasted(page).fill(rows)
    await check(page, '3')
    await sendBatch(page, 'Gửi 3 tin')
    await page.getByText('Chưa gửi tin nào: trình duyệt không lưu được', { exact: false }).waitFor()
    expect(await pasted(page).inputValue()).toBe(rows)
    expect(await batchesOf('Không lưu được')).toEqual([])
  })
})

describe('a batch that the service refuses', () => {
  it('can be corrected and sent at once, because nothing of it was accepted', async () => {
    const { phones, rows } = threeRows(912_810_900)
    const page = await prepared('Bị từ chối', rows)
    // As if the template had been deleted meanwhile.
    const comeBack = await answer(page, CALLS, async (route) => {
      const body = { ...route.request().postDataJSON(), templateId: '0123456789abcdef01234567' }
      await route.continue({ postData: JSON.stringify(body) })
    })
    await sendBatch(page, 'Gửi 3 tin')
    await page.getByRole('alert').filter({ hasText: 'Không thực hiện được' }).waitFor()
    comeBack()
    expect(await pasted(page).inputValue()).toBe(rows)
    await pasted(page).fill(rows.replace('Khách 3', 'Khách Ba'))
    await check(page, '3')
    await sendBatch(page, 'Gửi 3 tin')
    await page.getByText('3 tin được nhận, 0 dòng không gửi.').waitFor()
    await expectOnce('Bị từ chối', phones)
  })
})
