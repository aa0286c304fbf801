import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole()

describe('settings', () => {
  it('say that a webhook needs an event, where none is chosen', async () => {
    const page = await console.open('/settings?tab=webhooks')
    await page.getByRole('button', { name: 'Thêm webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Thêm webhook' })
    await form.getByLabel('Mọi sự kiện').uncheck()
    await form.getByText('Chọn ít nhất một sự kiện.').waitFor()
    expect(await form.getByRole('button', { name: 'Lưu' }).isDisabled()).toBe(true)
    await expectAccessible(page)
  })

  it.each([
    ['/settings?tab=keys', 'Tạo khóa', 'Tên khóa', 'ERP', 'Tạo'],
    ['/settings?tab=webhooks', 'Thêm webhook', 'Địa chỉ nhận', 'https://partner.example/hook', 'Lưu'],
    ['/operator', 'Tạo cửa hàng', 'Tên cửa hàng', 'Tiệm Sen', 'Tạo'],
  ])(
    'at %s, Escape does not take a secret away that is shown only once',
    async (path, add, label, text, send) => {
      const page = await console.open(path)
      await page.getByRole('button', { name: add }).first().click()
      const form = page.getByRole('dialog', { name: add })
      await form.getByLabel(label).fill(text)
      await form.getByRole('button', { name: send, exact: true }).click()
      const secret = form.getByRole('status').locator('pre')
      await secret.waitFor()
      await page.keyboard.press('Escape')
      // Longer than a dialog takes to close.
      await page.waitForTimeout(500)
      expect(await secret.isVisible()).toBe(true)
    },
  )

  it('makes a key that works from outside, shown once, and changes its limit; revoked, it is refused', async () => {
    const page = await console.open('/settings?tab=keys')
    await page.getByRole('button', { name: 'Tạo khóa' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByText('Chọn ít nhất một quyền.').waitFor()
    await form.getByLabel('Tên khóa').fill('ERP của đối tác')
    await form.getByRole('textbox', { name: 'Số lượt gọi mỗi phút' }).fill('3')
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
      await form.getByRole('textbox', { name: 'Số lượt gọi mỗi phút' }).fill(text)
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

  it('shows old keys on further pages, so that any of them can be revoked', async () => {
    const page = await console.open('/settings?tab=keys')
    await page.getByRole('button', { name: 'Tạo khóa' }).first().waitFor()
    await page.evaluate(async () => {
      const me = (await (await fetch('/api/console/v1/me')).json()) as { data: { shops: { _id: string }[] } }
      const make = (name: string) =>
        fetch(`/api/manage/v1/shops/${me.data.shops[0]!._id}/keys`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name }),
        })
      await make('Khóa cũ nhất')
      for (let n = 0; n < 100; n++) await make(`Khóa ${n}`)
    })
    await page.reload()
    const older = page.getByRole('button', { name: 'Cũ hơn' })
    const row = page.getByRole('row', { name: 'Khóa cũ nhất' })
    await page.getByRole('row', { name: 'Khóa 99' }).waitFor()
    while (!(await row.isVisible())) {
      const address = page.url()
      await older.click()
      await expect.poll(() => page.url()).not.toBe(address)
      await page.locator('[data-list][aria-busy=false]').waitFor()
    }
    await row.getByRole('button', { name: 'Thu hồi' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Thu hồi' }).click()
    await row.getByText('Đã thu hồi').waitFor()
    await expectAccessible(page)
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

  it('an owner reads the shop’s audit log and filters it; staff do not see it', async () => {
    const owner = await console.invite('owner')
    const page = await console.open('/settings?tab=audit', { as: owner })
    const joined = page.getByRole('row').filter({ hasText: 'Nhận lời mời' })
    await joined.filter({ hasText: 'Chủ cửa hàng' }).first().waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Thay đổi' }).click()
    const options = page.getByRole('option')
    expect(await options.filter({ hasText: 'Thêm người vận hành' }).count()).toBe(0)
    await options.filter({ hasText: 'Mời thành viên' }).click()
    await page.getByRole('row').filter({ hasText: 'Mời thành viên' }).first().waitFor()
    await expect.poll(() => joined.count()).toBe(0)

    const theirs = await console.open('/settings?tab=audit', { as: await console.invite('staff') })
    await theirs.getByRole('tab', { name: 'Webhook' }).waitFor()
    expect(await theirs.getByRole('tab', { name: 'Nhật ký' }).count()).toBe(0)
  })

  it('keys of an owner who becomes staff, or is removed, are listed, and revoked by one button', async () => {
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
    const row = page.getByRole('row', { name: person.email })
    const left = page.getByRole('dialog', { name: 'Khóa API còn dùng được' })
    await row.getByRole('combobox').click()
    await page.getByRole('option', { name: 'Nhân viên' }).click()
    await left.getByText(/Khóa của người đi/).waitFor()
    await expectAccessible(page)
    await left.getByRole('button', { name: 'Giữ lại' }).click()
    await left.waitFor({ state: 'detached' })

    await row.getByRole('button', { name: 'Gỡ' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Gỡ' }).click()
    await left.getByText(/Khóa của người đi/).waitFor()
    expect(await wallet()).toBe(200)
    await left.getByRole('button', { name: 'Thu hồi tất cả' }).click()
    await left.waitFor({ state: 'detached' })
    expect(await wallet()).toBe(401)
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
