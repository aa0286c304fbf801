import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { http, manageOver } from '../../server/test/support/process.ts'
import { startConsole } from './support.ts'

const SECRETS = { appSecret: 'secret-of-token-requests', oaSecretKey: 'key-that-signs-events' }
const console = await startConsole({
  SIMULATOR_SECRET: SECRETS.oaSecretKey,
  SIMULATOR_APP_SECRET: SECRETS.appSecret,
  SIMULATOR_REVIEW_MS: '300',
})
const control = (path: string, body: object) => http(console.simulatorUrl, 'POST', `/control${path}`, body)

/**
 * The time that a person needs, by the keystroke-level model (Card, Moran and Newell): for a decision, for moving a
 * hand and clicking, and for a key by somebody who types seldom.
 */
const DECIDE_MS = 1_350
const CLICK_MS = 1_100
const KEY_MS = 280
/** The time to read a screen that is seen for the first time. */
const READ_SCREEN_MS = 8_000
const MOST_MINUTES = 15

const VALUES = {
  'Mã đơn hàng': 'DH1',
  'Tên khách hàng': 'Lan',
  'Ngày đặt hàng': '24/11/2026',
  'Tổng tiền': '45000',
  'Địa chỉ nhận hàng': '1 Lê Lợi, Hà Nội',
  'Liên hệ cửa hàng': '024 3825 0000',
}

/** Acts as a person who does not know the console, and counts what they do. */
function hand(page: Page) {
  const done = { clicks: 0, keys: 0, screens: 0 }
  return {
    done,
    async click(target: Locator) {
      await target.click()
      done.clicks++
    },
    async type(label: string, text: string) {
      const named = page.getByLabel(new RegExp(`^${label}( \\*)?$`))
      await named.and(page.locator('input:not([type=radio])')).fill(text)
      done.clicks++
      done.keys += text.length
    },
    /** Waits for the screen's heading and counts the time to read the screen. */
    async arrive(heading: string | RegExp) {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      done.screens++
    },
    personMs: () => done.clicks * (DECIDE_MS + CLICK_MS) + done.keys * KEY_MS + done.screens * READ_SCREEN_MS,
  }
}

describe('the owner of a new shop', () => {
  it('gets from the link of an invitation to the first sale and the first message by the steps of the home alone', async ({
    annotate,
  }) => {
    await manageOver(console.url, 'POST', '/platform-apps', { appId: 'simulator', ...SECRETS })
    await control('/webhook', { address: `${console.url}/hooks/platform` })
    const { body } = await manageOver(console.url, 'POST', '/shops', { name: 'Tiệm Trà Sen' })
    const shopPath = `/shops/${body.data.shop._id}`
    const email = 'chu@tiemtrasen.example'
    const invited = await manageOver(console.url, 'POST', `${shopPath}/invitations`, { email, role: 'owner' })

    const from = performance.now()
    const link = new URL(invited.body.data.link, console.url)
    const page = await console.open(link.pathname + link.search, { as: null })
    const { click, type, arrive, done, personMs } = hand(page)
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

    await type('Tên của bạn', 'Trần Thị Sen')
    await type('Mật khẩu mới', 'mot mat khau dai')
    await click(button('Tham gia'))
    await arrive('Tổng quan')

    const numbers = page.getByRole('heading', { name: 'Doanh thu theo giờ' })
    expect(await numbers.count()).toBe(0)
    await click(page.getByRole('link', { name: 'Thêm sản phẩm đầu tiên' }))
    await arrive(/./)
    await type('Tên sản phẩm', 'Trà sen Tây Hồ')
    await type('Giá bán', '45000')
    await type('Số lượng đang có', '20')
    await click(button('Tạo'))
    await arrive('Trà sen Tây Hồ')

    const home = page.getByRole('link', { name: 'Tổng quan' })
    await click(home)
    await arrive('Tổng quan')
    await page.getByText('Đã xong 2/6').waitFor()
    await click(page.getByRole('link', { name: 'Kết nối tài khoản OA' }))
    await arrive(/./)
    await control('/settings', { oaId: '5555555555555555555', name: 'Trà Sen' })
    await click(button('Kết nối OA'))
    await page.getByLabel('Official account ID').fill('5555555555555555555')
    await click(button('Allow'))
    await page.getByText('OA 5555555555555555555').waitFor()

    await click(home)
    await arrive('Tổng quan')
    await click(page.getByRole('link', { name: 'Có một mẫu tin được duyệt' }))
    await arrive(/./)
    await click(button('Chọn mẫu soạn sẵn'))
    await click(button('Dùng mẫu này'))
    const logo = await sharp({ create: { width: 200, height: 60, channels: 3, background: '#0a5' } })
      .png()
      .toBuffer()
    for (const ground of ['sáng', 'tối']) {
      const choosing = page.waitForEvent('filechooser')
      await click(button(`Tải ảnh lên: Logo cho nền ${ground}`))
      await (await choosing).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      await expect
        .poll(() => page.getByLabel(`Logo cho nền ${ground}`, { exact: true }).inputValue())
        .toContain('/images/')
    }
    await click(button('Gửi duyệt'))
    await page.getByText('Đang dùng', { exact: true }).first().waitFor()

    await click(page.getByRole('link', { name: 'Gửi thử' }))
    await arrive('Gửi một tin')
    await type('Số điện thoại', '0912000333')
    await click(button('Gửi tin'))
    await page.getByText('Khách đã nhận được').waitFor()

    // The operator tops up the wallet, by the note that the wallet shows.
    await click(home)
    await arrive('Tổng quan')
    await numbers.waitFor()
    await click(page.getByRole('link', { name: 'Nạp tiền vào ví' }))
    await arrive('Ví')
    await manageOver(console.url, 'POST', `${shopPath}/wallet/entries`, { amount: 100_000, note: 'nạp' })
    await click(page.getByRole('link', { name: 'Gửi và lịch sử' }))
    await arrive(/./)
    await click(page.getByRole('link', { name: 'Gửi tin' }))
    await arrive('Gửi một tin')
    await click(page.getByRole('combobox', { name: 'Mẫu tin' }))
    await click(page.getByRole('option', { name: 'Xác nhận đơn hàng' }))
    await type('Số điện thoại', '0912000444')
    for (const [label, value] of Object.entries(VALUES)) await type(label, value)
    await click(button('Gửi tin'))
    await page.getByText('Khách đã nhận được').waitFor()

    await click(home)
    await arrive('Tổng quan')
    await page.getByText('Đã xong 5/6').waitFor()
    await click(page.getByRole('link', { name: 'Bán đơn đầu tiên' }))
    await click(button(/Trà sen Tây Hồ/))
    await click(button(/^50.000/))
    await click(button('Bán'))
    await page.getByText(/^Đã bán DH/).waitFor()
    await click(page.getByRole('link', { name: 'Trình đơn' }).or(home).first())
    await arrive('Tổng quan')
    await expect.poll(() => page.getByText('Bắt đầu với Shopbell').count()).toBe(0)
    const minutes = (personMs() + performance.now() - from) / 60_000
    await annotate(
      `${minutes.toFixed(1)} minutes by the model: ${done.screens} screens read, ${done.clicks} clicks, ${done.keys} keys, the machine ${((performance.now() - from) / 1000).toFixed(0)} s`,
    )
    expect(minutes).toBeLessThan(MOST_MINUTES)
  }, 120_000)
})
