import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()

/** Presses the button twice: the answer to the first press is lost. */
async function createOverLoss(page: Page, address: string, button: string): Promise<void> {
  const find = await loseAnswers(page, `**${address}`)
  const create = page.getByRole('button', { name: button, exact: true })
  await create.click()
  await page.getByText('Không kết nối được máy chủ.', { exact: false }).first().waitFor()
  find()
  await create.click()
}

it('creates a category once when the answer is lost and the button is pressed again', async () => {
  const CATEGORIES = '/api/external/v1/categories'
  const page = await shop.open('/products/categories')
  await page.getByRole('button', { name: 'Thêm danh mục' }).click()
  await page.getByLabel('Tên danh mục').fill('Đồ sơn mài')
  await createOverLoss(page, CATEGORIES, 'Tạo')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { categories } = (await shop.api('GET', `${CATEGORIES}?limit=500`)).body.data
  expect(categories.filter(({ name }: { name: string }) => name === 'Đồ sơn mài').length).toBe(1)
})

it('creates an audience once when the answer is lost and the button is pressed again', async () => {
  const AUDIENCES = '/api/external/v1/audiences'
  const page = await shop.open('/messages/audiences')
  await page.getByRole('button', { name: 'Thêm nhóm khách' }).click()
  await page.getByRole('button', { name: 'Khách còn nợ' }).click()
  await page.getByLabel('Tên nhóm').fill('Còn nợ, một lần')
  await createOverLoss(page, AUDIENCES, 'Lưu')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { data } = (await shop.api('GET', AUDIENCES)).body
  expect(data.filter(({ name }: { name: string }) => name === 'Còn nợ, một lần').length).toBe(1)
})

it('creates a webhook once when the answer is lost and the button is pressed again', async () => {
  const WEBHOOKS = '/api/external/webhooks'
  const page = await shop.open('/settings?tab=webhooks')
  await page.getByRole('button', { name: 'Thêm webhook' }).first().click()
  await page.getByLabel('Địa chỉ nhận').fill('https://partner.example/once')
  await createOverLoss(page, WEBHOOKS, 'Lưu')
  await page.getByText('Mã bí mật').first().waitFor()
  const { data } = (await shop.api('GET', WEBHOOKS)).body
  expect(data.filter(({ url }: { url: string }) => url.endsWith('/once')).length).toBe(1)
})

it('creates a warehouse once when the answer is lost and the button is pressed again', async () => {
  const WAREHOUSES = '/api/external/v1/warehouses'
  const page = await shop.open('/settings?tab=warehouses')
  await page.getByRole('button', { name: 'Thêm kho' }).click()
  await page.getByLabel('Tên kho').fill('Kho một lần')
  await createOverLoss(page, WAREHOUSES, 'Tạo')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { warehouses } = (await shop.api('GET', WAREHOUSES)).body.data
  expect(warehouses.filter(({ name }: { name: string }) => name === 'Kho một lần').length).toBe(1)
})

it.each([
  ['a template', true],
  ['an unfinished template', false],
])('creates %s once when the answer is lost and the button is pressed again', async (what, isWhole) => {
  const TEMPLATES = '/api/external/notify-template'
  const page = await shop.open('/templates/new')
  if (isWhole) {
    await page.getByRole('button', { name: 'Chọn mẫu soạn sẵn' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mẫu soạn sẵn' })
    await dialog.getByLabel(/^Nhắc thanh toán/).click()
    await dialog.getByRole('button', { name: 'Dùng mẫu này' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.getByLabel('Tên mẫu').fill(what)
  await createOverLoss(page, `${TEMPLATES}/${isWhole ? 'create' : 'unfinished'}`, 'Lưu nháp')
  await page.waitForURL(isWhole ? /\/templates\/[0-9a-f]{24}$/ : /unfinished=[0-9a-f]{24}$/)
  const { body } = await shop.api('GET', isWhole ? TEMPLATES : `${TEMPLATES}/unfinished`)
  const all: { name: string }[] = isWhole ? body.templates : body.data
  expect(all.filter(({ name }) => name === what).length).toBe(1)
})

it('duplicates a template once when the answer is lost and the button is pressed again', async () => {
  const TEMPLATES = '/api/external/notify-template'
  const { templates } = (await shop.api('GET', `${TEMPLATES}?status=ENABLE`)).body
  const count = async () => (await shop.api('GET', TEMPLATES)).body.templates.length
  const before = await count()
  const page = await shop.open(`/templates/${templates[0]._id}`)
  await createOverLoss(page, `${TEMPLATES}/*/duplicate`, 'Nhân bản')
  await page.waitForURL((url) => !url.pathname.endsWith(templates[0]._id))
  expect(await count()).toBe(before + 1)
})

it('records a consent once when the answer is lost and the button is pressed again', async () => {
  const CONSENTS = '/api/external/v1/consents'
  const { data } = (
    await shop.api('POST', '/api/external/v1/customers', { fullName: 'Vũ Thị Một Lần', phone: '0977000991' })
  ).body
  const page = await shop.open(`/customers/${data._id}`)
  await page.getByLabel('Khách nói ở đâu').fill('tại quầy')
  await createOverLoss(page, CONSENTS, 'Ghi nhận từ chối')
  await page.getByText('Từ chối nhận').first().waitFor()
  const recorded = (await shop.api('GET', `${CONSENTS}?phone=0977000991`)).body.data
  expect(recorded.map(({ status }: { status: string }) => status)).toEqual(['withdrawn'])
})

it('keeps one draft of news when the answer to the first save is lost and the text goes on', async () => {
  const DRAFTS = '/api/external/v1/news-drafts'
  const page = await shop.open('/news/new')
  const find = await loseAnswers(page, `**${DRAFTS}`)
  const headline = page.getByRole('textbox', { name: /^Tiêu đề/ })
  await headline.fill('Hàng về')
  await page.getByText('Không kết nối được máy chủ.', { exact: false }).first().waitFor()
  find()
  await headline.fill('Hàng về rồi')
  await page.getByRole('button', { name: 'Lưu nháp' }).click()
  await page.waitForURL(/draft=[0-9a-f]{24}$/)
  const { data } = (await shop.api('GET', DRAFTS)).body
  expect(data.map(({ title }: { title: string }) => title)).toEqual(['Hàng về rồi'])
})
