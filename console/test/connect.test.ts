import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { http, manageOver } from '../../server/test/support/process.ts'
import { orderTemplate } from '../../server/test/support/sending.ts'
import { eventually } from '../../server/test/support/service.ts'
import { expectAccessible, type Person, startConsole } from './support.ts'

const SECRETS = { appSecret: 'secret-of-token-requests', oaSecretKey: 'key-that-signs-events' }
const console = await startConsole({
  SIMULATOR_SECRET: SECRETS.oaSecretKey,
  SIMULATOR_APP_SECRET: SECRETS.appSecret,
  SIMULATOR_REVIEW_MS: '300',
})
const PASSWORD = 'a password of the tests'
const control = (path: string, body: object) => http(console.simulatorUrl, 'POST', `/control${path}`, body)

type Shop = { id: string; key: string; owner: Person }
let first: Shop
let second: Shop

/** A shop with money and an owner who has an account in the service. */
async function newShop(name: string): Promise<Shop> {
  const { body } = await manageOver(console.url, 'POST', '/shops', { name })
  const { shop, apiKey } = body.data
  const owner = { email: `owner-of-${shop._id}@people.example`, password: PASSWORD }
  const invited = await manageOver(console.url, 'POST', `/shops/${shop._id}/invitations`, {
    email: owner.email,
    role: 'owner',
  })
  const token = new URL(invited.body.data.link, console.url).searchParams.get('token')
  await http(console.url, 'POST', `/api/console/v1/invitations/${token}/accept`, {
    name: 'Chủ tiệm',
    password: PASSWORD,
  })
  await manageOver(console.url, 'POST', `/shops/${shop._id}/wallet/entries`, { amount: 100_000, note: 'nạp' })
  return { id: shop._id, key: apiKey, owner }
}

beforeAll(async () => {
  // Sets up the app once: its id and secrets, and its address in the platform's console, which the platform calls when
  // it is saved.
  await manageOver(console.url, 'POST', '/platform-apps', { appId: 'simulator', ...SECRETS })
  const saved = await control('/webhook', { address: `${console.url}/hooks/platform` })
  expect(saved.status).toBe(200)
  first = await newShop('Tiệm Nến Thơm')
  second = await newShop('Tiệm Gốm')
}, 60_000)

/** Presses the button and answers on the platform's page. */
async function consent(page: Page, oaId: string, answer: 'Allow' | 'Refuse' = 'Allow'): Promise<void> {
  await page.goto('/settings?tab=accounts')
  await page.getByRole('button', { name: /^(Kết nối OA|Connect an official account)$/ }).click()
  await page.getByLabel('Official account ID').fill(oaId)
  await page.getByRole('button', { name: answer }).click()
}

async function connect(page: Page, oaId: string, name: string): Promise<void> {
  await control('/settings', { oaId, name })
  await consent(page, oaId)
  await page.getByRole('heading', { name }).waitFor()
  await page.getByText(`OA ${oaId}`).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
}

const call = ({ key }: Shop, method: string, path: string, body?: object) =>
  http(console.url, method, `/api/external${path}`, body, { 'x-api-key': `service-partner ${key}` })

/** The shop's template of the account, after the platform's event has reported its approval. */
async function approvedTemplate(shop: Shop, oaId: string): Promise<string> {
  const made = await call(
    shop,
    'POST',
    '/notify-template/create',
    orderTemplate(oaId, `Xác nhận đơn ${oaId}`),
  )
  const id: string = made.body.template._id
  await call(shop, 'POST', `/notify-template/${id}/publish`)
  await eventually(async () => {
    const { body } = await call(shop, 'GET', `/notify-template/${id}`)
    return body.data.status === 'ENABLE'
  }, 20_000)
  return id
}

/** Sends to the phone and waits for the platform's receipt. */
async function sendAndReceive(shop: Shop, templateId: string, phone: string): Promise<void> {
  const { status } = await call(shop, 'POST', '/notify-message/send', {
    templateId,
    receiverPhone: phone,
    params: { customer_name: 'Lan', order_code: 'DH1' },
  })
  expect(status).toBe(200)
  await eventually(async () => (await receipts(shop)).includes(phone), 20_000)
}

/** The phones of the shop's messages that have a receipt in their timeline. */
async function receipts(shop: Shop): Promise<string[]> {
  const { body } = await call(shop, 'GET', '/notify-message/history?offset=100')
  const found = []
  for (const { id, phone } of body.histories as { id: string; phone: string }[]) {
    const message = await call(shop, 'GET', `/notify-message/messages/${id}`)
    if (message.body.data.events.some(({ kind }: { kind: string }) => kind === 'receipt')) found.push(phone)
  }
  return found.sort()
}

describe('G-72 accounts are connected in the browser', () => {
  it('three accounts of two shops through one app: reviews and receipts reach the right shop, also after 80 idle days', async () => {
    const page = await console.open('/settings?tab=accounts', { as: first.owner })
    await expectAccessible(page)
    await connect(page, '1111111111111111111', 'Nến Thơm')
    await connect(page, '2222222222222222222', 'Nến Thơm Hà Nội')
    await connect(await console.open('/', { as: second.owner }), '3333333333333333333', 'Gốm Bát Tràng')
    const accounts = await Promise.all(
      [
        [first, '1111111111111111111', '84912000111'],
        [first, '2222222222222222222', '84912000222'],
        [second, '3333333333333333333', '84912000333'],
      ].map(async ([shop, oaId, phone]) => ({
        shop: shop as Shop,
        phone: phone as string,
        templateId: await approvedTemplate(shop as Shop, oaId as string),
      })),
    )
    for (const { shop, templateId, phone } of accounts) await sendAndReceive(shop, templateId, phone)
    await control('/clock', { days: 80 })
    for (const { shop, templateId, phone } of accounts)
      await sendAndReceive(shop, templateId, phone.replace('84912', '84913'))
    expect([await receipts(first), await receipts(second)]).toEqual([
      ['84912000111', '84912000222', '84913000111', '84913000222'],
      ['84912000333', '84913000333'],
    ])
    await control('/clock', { days: -80 })
  }, 120_000)

  it('a new shop’s home ticks its first steps by what the shop does', async () => {
    const shop = await newShop('Tiệm Trà')
    const page = await console.open('/', { as: shop.owner })
    await page.getByText('Đã xong 1/6').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Nạp tiền vào ví' }).getByLabel('Đã xong').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Thêm sản phẩm đầu tiên' }).click()
    await page.waitForURL(/\/products\/new$/)
    await call(shop, 'POST', '/v1/products', { name: 'Trà sen', price: 45_000 })
    await page.goto('/')
    await page.getByText('Đã xong 2/6').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Thêm sản phẩm đầu tiên' }).count()).toBe(0)
  })

  it('a new shop’s template and message pages lead to what is missing', async () => {
    const page = await console.open('/', { as: (await newShop('Tiệm Sách')).owner })
    for (const path of ['/messages/batches/new', '/messages/send']) {
      await page.goto(path)
      await page.getByText('Chưa có mẫu tin gửi được').waitFor()
      await expectAccessible(page)
      await page.getByRole('main').getByRole('link', { name: 'Tạo mẫu' }).click()
      await page.waitForURL(/\/templates\/new$/)
    }
    await page.getByText('Cửa hàng chưa kết nối OA nào.').waitFor()
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Kết nối OA' }).click()
    await page.waitForURL(/\/settings\?tab=accounts$/)
    await page.getByText('Chưa kết nối OA', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Kết nối OA' }).waitFor()
  })

  it('an account that cannot be renewed is shown on the overview and can be connected again', async () => {
    const oaId = '4444444444444444444'
    const page = await console.open('/', { as: second.owner })
    await connect(page, oaId, 'Gốm Chu Đậu')
    const templateId = await approvedTemplate(second, oaId)
    await control('/settings', { appSecret: 'replaced-in-the-platforms-console' })
    await control('/tokens/expire', { oaId })
    await call(second, 'POST', '/notify-message/send', {
      templateId,
      receiverPhone: '0912000444',
      params: { customer_name: 'Lan', order_code: 'DH1' },
    })
    await control('/settings', { appSecret: SECRETS.appSecret })
    await page.goto('/')
    await page.getByText('OA Gốm Chu Đậu mất kết nối').waitFor()
    await page.goto('/settings?tab=accounts')
    await page.getByText('Mất kết nối', { exact: true }).waitFor()
    await page.getByText('Ngừng gửi được từ').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Kết nối lại' }).click()
    await page.getByLabel('Official account ID').fill(oaId)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('Đã kết nối Gốm Chu Đậu').waitFor()
    await expect.poll(() => page.getByText('Mất kết nối', { exact: true }).count()).toBe(0)
    await sendAndReceive(second, templateId, '84912000444')
  }, 60_000)

  it('says on a page, in the reader’s language, why an account is not connected', async () => {
    const page = await console.open('/', { as: second.owner })
    await consent(page, 'oa-refused', 'Refuse')
    await page.getByText('Bạn chưa đồng ý trên trang của nền tảng').waitFor()
    await expectAccessible(page)

    await consent(page, '1111111111111111111')
    await page.getByText('Official Account 1111111111111111111 đã liên kết với cửa hàng khác').waitFor()
    await page.goto(page.url())
    await page.getByText('đã dùng hoặc đã quá mười phút').waitFor()
    await page.goto(`/oauth/platform/callback?code=made-up&oa_id=1&state=${second.id}.made-up`)
    await page.getByText('Lần kết nối này không có').waitFor()
    await page.getByRole('link', { name: 'Về danh sách OA' }).click()
    await page.getByRole('heading', { name: 'Gốm Bát Tràng' }).waitFor()

    const english = await console.open('/', { as: second.owner, locale: 'en-US' })
    await consent(english, '1111111111111111111')
    await english.getByText('The official account 1111111111111111111 is linked to another shop').waitFor()
    await english.goto('/oauth/platform/callback?code=x&state=nothing')
    await english.getByText('This address does not belong to a current attempt to connect').waitFor()
  }, 60_000)

  it('offers nothing to a member who is not an owner', async () => {
    const page = await console.open('/settings?tab=accounts', { as: await console.invite('staff') })
    await page.getByText('Đã kết nối').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Kết nối OA' }).count()).toBe(0)
  })
})
