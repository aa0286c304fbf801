import { describe, expect, it } from 'vitest'
import { expectAccessible, loseAnswers, startConsole } from './support.ts'

const console = await startConsole()

describe('settings', () => {
  it('makes a key that works from outside, shown once, and changes its limit; revoked, it is refused', async () => {
    const page = await console.open('/settings?tab=keys')
    await page.getByRole('button', { name: 'Tạo khóa' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Tên khóa').fill('ERP của đối tác')
    await form.getByLabel('Số lượt gọi mỗi phút').fill('3')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Tạo', exact: true }).click()
    const key = await form.locator('pre').innerText()
    const outside = (path: string) =>
      fetch(console.url + path, { headers: { 'x-api-key': `service-partner ${key}` } })
    const wallet = await outside('/api/external/wallet')
    expect(wallet.status).toBe(200)
    expect(await wallet.json()).toMatchObject({ balance: expect.any(Number) })
    expect(wallet.headers.get('ratelimit-policy')).toContain('"key";q=3;w=60')
    await form.getByRole('button', { name: 'Đóng', exact: true }).last().click()
    await form.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)

    const row = page.getByRole('row', { name: 'ERP của đối tác' })
    await row.getByRole('cell', { name: '3', exact: true }).waitFor()
    const setLimit = async (text: string) => {
      await row.getByRole('button', { name: 'Đổi giới hạn' }).click()
      await form.getByLabel('Số lượt gọi mỗi phút').fill(text)
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Lưu', exact: true }).click()
      await form.waitFor({ state: 'detached' })
    }
    const policy = async () => (await outside('/api/external/wallet')).headers.get('ratelimit-policy')
    await setLimit('7')
    await row.getByRole('cell', { name: '7', exact: true }).waitFor()
    expect(await policy()).toContain('"key";q=7;w=60')
    await setLimit('')
    await row.getByRole('cell', { name: 'Không giới hạn riêng' }).waitFor()
    expect(await policy()).not.toContain('"key"')
    await row.getByRole('button', { name: 'Thu hồi' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Thu hồi' }).click()
    await row.getByText('Đã thu hồi').waitFor()
    expect((await outside('/api/external/wallet')).status).toBe(401)
  })

  it('offers a viewer nothing to change, and the API refuses what the console does not offer', async () => {
    const page = await console.open('/customers', { as: await console.invite('viewer') })
    await page.getByText('Chỉ xem', { exact: true }).waitFor()
    const CHANGES = /^(Thêm|Tạo|Đổi|Lưu|Xóa|Sửa|Gỡ|Thu hồi|Thay|Mời|Gửi|Nạp|Bật|Tắt)/
    for (const path of ['/', '/customers', '/news', '/wallet', '/settings']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect([path, await page.getByRole('main').getByRole('button', { name: CHANGES }).count()]).toEqual([
        path,
        0,
      ])
    }
    const [shopId, refused] = await page.evaluate(async () => {
      const me = (await (await fetch('/api/console/v1/me')).json()) as { data: { shops: { _id: string }[] } }
      const id = me.data.shops[0]!._id
      const send = async (method: string, path: string, body: object) => {
        const headers = { 'content-type': 'application/json', 'x-shop-id': id }
        return (await fetch(path, { method, headers, body: JSON.stringify(body) })).status
      }
      return [
        id,
        [
          await send('POST', '/api/external/v1/customers', { fullName: 'X', phone: '0912345678' }),
          await send('POST', '/api/external/news', { title: 'X', content: 'X' }),
          await send('PUT', '/api/external/wallet/alert', { lowBelow: 1 }),
          await send('POST', `/api/manage/v1/shops/${id}/keys`, { name: 'X' }),
          await send('POST', '/api/manage/v1/shops', { name: 'X' }),
        ],
      ] as const
    })
    expect(shopId).toMatch(/^[0-9a-f]{24}$/)
    expect(refused).toEqual([403, 403, 403, 401, 401])
    await page.goto('/operator')
    await page.getByText('Trang này dành cho người vận hành').waitFor()
  })
})

describe('members', () => {
  it('a person with an account takes an invitation by signing in to it, not as somebody else', async () => {
    const person = await console.invite('viewer')
    const page = await console.open('/settings?tab=members')
    await page.getByRole('button', { name: 'Mời thành viên' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Email').fill(person.email)
    await form.getByRole('button', { name: 'Mời thành viên' }).click()
    const link = await form.locator('pre').innerText()

    const others = await console.open(link)
    await others.getByText(`Bạn đang đăng nhập bằng ${console.owner.email}`).waitFor()
    await expectAccessible(others)
    await expect.poll(() => others.getByRole('button', { name: 'Tham gia' }).count()).toBe(0)

    const theirs = await console.open(link, { as: null })
    await theirs.getByLabel('Mật khẩu').fill('not the password')
    await theirs.getByRole('button', { name: 'Đăng nhập và tham gia' }).click()
    await theirs.getByText('Email hoặc mật khẩu không đúng.').waitFor()
    await theirs.getByLabel('Mật khẩu').fill(person.password)
    await expectAccessible(theirs)
    await theirs.getByRole('button', { name: 'Đăng nhập và tham gia' }).click()
    await theirs.getByRole('heading', { level: 1, name: 'Tổng quan' }).waitFor()
  })

  it('keys that a removed member issued are listed, and revoked by one button', async () => {
    const person = await console.invite('owner')
    const theirs = await console.open('/settings?tab=keys', { as: person })
    await theirs.getByRole('button', { name: 'Tạo khóa' }).first().click()
    const form = theirs.getByRole('dialog')
    await form.getByLabel('Tên khóa').fill('Khóa của người đi')
    await form.getByRole('button', { name: 'Tạo', exact: true }).click()
    const key = await form.locator('pre').innerText()
    const wallet = async () =>
      (
        await fetch(`${console.url}/api/external/wallet`, {
          headers: { 'x-api-key': `service-partner ${key}` },
        })
      ).status
    expect(await wallet()).toBe(200)

    const page = await console.open('/settings?tab=members')
    await page.getByRole('row', { name: person.email }).getByRole('button', { name: 'Gỡ' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Gỡ' }).click()
    const left = page.getByRole('dialog', { name: 'Khóa API còn dùng được' })
    await left.getByText(/Khóa của người đi/).waitFor()
    await expectAccessible(page)
    expect(await wallet()).toBe(200)
    await left.getByRole('button', { name: 'Thu hồi tất cả' }).click()
    await left.waitFor({ state: 'detached' })
    expect(await wallet()).toBe(401)
  })
})

describe('operator', () => {
  it('creates a shop with its key, tops its wallet up after asking, links an account and invites its owner', async () => {
    const page = await console.open('/operator')
    await page.getByRole('button', { name: 'Tạo cửa hàng' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Tên cửa hàng').fill('Tiệm <b>Đèn</b> Lồng')
    await form.getByRole('button', { name: 'Tạo', exact: true }).click()
    const key = await form.locator('pre').innerText()
    const wallet = async () =>
      (
        await fetch(`${console.url}/api/external/wallet`, {
          headers: { 'x-api-key': `service-partner ${key}` },
        })
      ).json()
    expect(await wallet()).toEqual({ balance: 0, held: 0 })
    await form.getByRole('link', { name: 'Mở cửa hàng' }).click()
    await page.getByRole('heading', { name: 'Tiệm <b>Đèn</b> Lồng', level: 1 }).waitFor()

    await page.getByLabel('Số tiền').fill('500000')
    await page.getByLabel('Ghi chú').fill('Phiếu thu 17')
    await page.getByRole('button', { name: 'Nạp tiền' }).click()
    const question = page.getByRole('dialog')
    await question.getByText(/500\.000\s₫ vào ví của Tiệm <b>Đèn<\/b> Lồng/).waitFor()
    expect(await wallet()).toEqual({ balance: 0, held: 0 })
    await question.getByRole('button', { name: 'Nạp tiền' }).click()
    await expect.poll(wallet).toEqual({ balance: 500_000, held: 0 })
    await page.getByText(/^500\.000\s₫$/).waitFor()

    await page.getByRole('button', { name: 'Liên kết OA' }).click()
    await form.getByLabel('Mã OA').fill('1234567890')
    await form.getByLabel('Tên OA').fill('Đèn Lồng')
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('OA 1234567890').waitFor()
    await page.getByRole('button', { name: 'Sửa', exact: true }).click()
    await form.getByLabel('Giá gửi theo số điện thoại').fill('300')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText(/Giá gửi theo số điện thoại: 300\s₫/).waitFor()

    await page.getByLabel('Email').fill('chu@denlong.example')
    await page.getByRole('button', { name: 'Mời chủ cửa hàng' }).click()
    await page.getByText(/\/invitation\?token=/).waitFor()
    await expectAccessible(page)
    await page.goto('/operator?tab=audit')
    // The demo shop has also been topped up, so there are several such entries.
    await page.getByRole('cell', { name: 'Nạp ví', exact: true }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Thay đổi' }).click()
    await page.getByRole('option', { name: 'Mời thành viên' }).click()
    await page.getByRole('cell', { name: 'Nạp ví' }).first().waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Mời thành viên' }).first().waitFor()
  })

  it('hands over a link with which a person sets a new password', async () => {
    const person = await console.invite('staff')
    const page = await console.open('/operator?tab=people')
    await page.getByLabel('Email').first().fill(person.email)
    await page.getByRole('button', { name: 'Tạo đường dẫn' }).click()
    const link = await page.locator('pre').innerText()
    await expectAccessible(page)
    const theirs = await console.open(link, { as: null })
    await theirs.getByLabel('Mật khẩu mới').fill('mật khẩu mới của tôi')
    await theirs.getByRole('button', { name: 'Đặt mật khẩu' }).click()
    await theirs.getByText('Đã đặt mật khẩu').waitFor()
    await console.open('/', { as: { ...person, password: 'mật khẩu mới của tôi' } })
  })

  it('G-69 suspends a shop after asking, whose key is then refused, and resumes it', async () => {
    const page = await console.open('/operator')
    await page.getByRole('button', { name: 'Tạo cửa hàng' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Tên cửa hàng').fill('Tiệm Gốm')
    await form.getByRole('button', { name: 'Tạo', exact: true }).click()
    const headers = { 'x-api-key': `service-partner ${await form.locator('pre').innerText()}` }
    const status = async () => (await fetch(`${console.url}/api/external/wallet`, { headers })).status
    await form.getByRole('link', { name: 'Mở cửa hàng' }).click()
    await page.getByLabel('Lý do').fill('Chưa thanh toán')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Tạm ngưng cửa hàng' }).click()
    expect(await status()).toBe(200)
    await dialog.getByRole('button', { name: 'Tạm ngưng cửa hàng' }).click()
    await page.getByText('Cửa hàng đang tạm ngưng').waitFor()
    await page.getByText('Chưa thanh toán').waitFor()
    expect(await status()).toBe(403)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Mở lại cửa hàng' }).click()
    await dialog.getByRole('button', { name: 'Mở lại cửa hàng' }).click()
    await page.getByRole('button', { name: 'Tạm ngưng cửa hàng' }).waitFor()
    expect(await status()).toBe(200)
  })

  it('G-69 deletes a shop only after its name is typed, offers its export, and withdraws the deletion', async () => {
    const page = await console.open('/operator')
    await page.getByRole('button', { name: 'Tạo cửa hàng' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Tên cửa hàng').fill('Tiệm Đóng Cửa')
    await form.getByRole('button', { name: 'Tạo', exact: true }).click()
    await form.getByRole('link', { name: 'Mở cửa hàng' }).click()
    const button = page.getByRole('button', { name: 'Xóa cửa hàng' })
    const name = page.getByLabel('Gõ tên cửa hàng để xác nhận')
    await name.fill('Tiệm Đóng')
    await expect.poll(() => button.isDisabled()).toBe(true)
    await name.fill('Tiệm Đóng Cửa')
    const dialog = page.getByRole('dialog')
    await button.click()
    await dialog.getByRole('button', { name: 'Xóa cửa hàng' }).click()
    await page.getByText('Cửa hàng đang chờ xóa').waitFor()
    await page.getByText('Chưa tải bản xuất', { exact: false }).waitFor()
    await expectAccessible(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Tải bản xuất dữ liệu' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^[0-9a-f]{24}\.ndjson$/)
    await page.getByRole('button', { name: 'Hủy yêu cầu xóa' }).click()
    await dialog.getByRole('button', { name: 'Hủy yêu cầu xóa' }).click()
    await page.getByText('Cửa hàng đang tạm ngưng').waitFor()
    await page.getByRole('button', { name: 'Mở lại cửa hàng' }).waitFor()
  })

  it('makes a member an operator, who sees every shop, and takes it away again', async () => {
    const person = await console.invite('viewer')
    const page = await console.open('/operator?tab=people')
    await page.getByLabel('Họ tên').fill('Người thử')
    await page.getByLabel('Email').last().fill(person.email)
    await page.getByRole('button', { name: 'Thêm người vận hành' }).click()
    const question = page.getByRole('dialog')
    await question.getByText(`Cho ${person.email} quyền vận hành mọi cửa hàng?`, { exact: false }).waitFor()
    await question.getByRole('button', { name: 'Thêm người vận hành' }).click()
    const row = page.getByRole('row', { name: person.email })
    await row.waitFor()
    const link = await page.locator('pre').innerText()
    await expectAccessible(page)
    const password = 'mật khẩu của người vận hành'
    const reset = await console.open(link, { as: null })
    await reset.getByLabel('Mật khẩu mới').fill(password)
    await reset.getByRole('button', { name: 'Đặt mật khẩu' }).click()
    await reset.getByText('Đã đặt mật khẩu').waitFor()
    const theirs = await console.open('/operator', { as: { ...person, password } })
    await theirs.getByRole('link', { name: 'Tiệm Nhà Mộc' }).waitFor()

    const own = page.getByRole('row', { name: console.owner.email })
    await expect.poll(() => own.getByRole('button').count()).toBe(0)
    await row.getByRole('button', { name: 'Thôi vận hành' }).click()
    await question.getByRole('button', { name: 'Thôi vận hành' }).click()
    await row.waitFor({ state: 'detached' })
    // The service caches for a few seconds who a session belongs to.
    const isRefused = async () => {
      await theirs.goto('/operator')
      await theirs.getByRole('navigation').getByRole('link', { name: 'Sản phẩm' }).waitFor()
      return theirs.getByText('Trang này dành cho người vận hành').isVisible()
    }
    await expect.poll(isRefused, { timeout: 20_000, interval: 1_000 }).toBe(true)
    await expect.poll(() => theirs.getByRole('link', { name: 'Vận hành' }).count()).toBe(0)
  })

  it('sets that an official account is charged on delivery, and unlinks it after asking', async () => {
    const page = await console.open('/operator')
    await page.getByRole('button', { name: 'Tạo cửa hàng' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tên cửa hàng').fill('Tiệm Nón')
    await dialog.getByRole('button', { name: 'Tạo' }).click()
    await dialog.getByRole('link', { name: 'Mở cửa hàng' }).click()
    await page.getByRole('button', { name: 'Liên kết OA' }).click()
    await dialog.getByLabel('Mã OA').fill('5550001234')
    await dialog.getByLabel('Tên OA').fill('Nón Lá')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('OA 5550001234').waitFor()
    await page.getByText('Trừ phí khi: Nền tảng nhận tin').waitFor()
    await page.getByRole('button', { name: 'Sửa' }).click()
    await dialog.getByRole('combobox', { name: 'Trừ phí khi' }).click()
    await page.getByRole('option', { name: 'Tin đến máy khách' }).click()
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('Trừ phí khi: Tin đến máy khách').waitFor()
    await page.getByRole('button', { name: 'Gỡ liên kết' }).click()
    await dialog.getByText(/Nón Lá/).waitFor()
    await dialog.getByRole('button', { name: 'Đóng' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText('OA 5550001234').count()).toBe(1)
    await page.getByRole('button', { name: 'Gỡ liên kết' }).click()
    await dialog.getByRole('button', { name: 'Gỡ liên kết' }).click()
    await page.getByText('OA 5550001234').waitFor({ state: 'detached' })
  })

  it('sets who sends a shop’s SMS, changes the price without the keys, and removes it after asking', async () => {
    const page = await console.open('/operator')
    await page.getByRole('button', { name: 'Tạo cửa hàng' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tên cửa hàng').fill('Tiệm Chiếu')
    await dialog.getByRole('button', { name: 'Tạo' }).click()
    await dialog.getByRole('link', { name: 'Mở cửa hàng' }).click()
    await page.getByRole('button', { name: 'Đặt đầu gửi SMS' }).click()
    await dialog.getByLabel('Brandname').fill('TIEMCHIEU')
    await dialog.getByLabel('Giá một SMS').fill('350')
    await dialog.getByLabel('Khóa API').fill('khoa-api')
    await dialog.getByLabel('Khóa bí mật').fill('khoa-bi-mat')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('Giá một SMS: 350').waitFor()
    await page.getByRole('button', { name: 'Đổi đầu gửi SMS' }).click()
    expect(await dialog.getByLabel('Khóa API').inputValue()).toBe('')
    await dialog.getByLabel('Giá một SMS').fill('420')
    await dialog.getByRole('button', { name: 'Lưu' }).click()
    await page.getByText('Giá một SMS: 420').waitFor()
    await page.getByRole('button', { name: 'Gỡ đầu gửi SMS' }).click()
    await dialog.getByRole('button', { name: 'Gỡ đầu gửi SMS' }).click()
    await page.getByRole('button', { name: 'Đặt đầu gửi SMS' }).waitFor()
    await page.goto('/operator?tab=audit')
    await page.getByRole('row').filter({ hasText: 'TIEMCHIEU' }).first().waitFor()
    // Two keys that were set, and not a change from one to the other.
    await page.getByText('apiKey, secretKey').waitFor()
  })

  it('books a top-up once when its response is lost and it is entered again after a reload', async () => {
    const page = await console.open('/operator')
    await page.getByRole('link', { name: 'Tiệm Nhà Mộc' }).first().click()
    const amount = page.getByLabel('Số tiền')
    await amount.fill('300000')
    await page.getByLabel('Ghi chú').fill('chuyển khoản 23/11')
    const add = async () => {
      await page.getByRole('button', { name: 'Nạp tiền' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Nạp tiền' }).click()
    }
    const balance = async () => (await console.api('GET', '/api/external/wallet')).body.balance
    const before = await balance()
    const find = await loseAnswers(page, '**/wallet/entries')
    await add()
    await page
      .getByText('Chưa rõ lần gửi trước đã được ghi hay chưa', { exact: false })
      .waitFor({ timeout: 40_000 })
    await find()
    await page.reload()
    await expect.poll(() => amount.inputValue()).toBe('300.000 ₫')
    await add()
    await expect.poll(() => amount.inputValue()).toBe('')
    expect((await balance()) - before).toBe(300_000)
  })
})

describe('accessibility', () => {
  it.each([
    '/',
    '/wallet',
    '/settings',
    '/settings?tab=webhooks',
    '/settings?tab=accounts',
    '/settings?tab=members',
    '/operator?tab=shops',
    '/operator?tab=health',
  ])('axe finds no serious problem on %s, in light and dark', async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await console.open(path, { colorScheme })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
      await page.context().close()
    }
  })
})
