import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { http, OPERATOR_TOKEN } from '../../server/test/support/process.ts'
import { isReady, openShift, openShiftDialog } from './counter.ts'
import { joinOtherShop } from './other-shop.ts'
import { barcode, isCopied, outageOf, sell, waiting } from './outage-sales.ts'
import { answer, expectAccessible, type Person, signOut, startConsole } from './support.ts'

const shop = await startConsole()
const { makeProduct, ordersOf } = outageOf(shop)
/** The addresses that the counter requests from the service. */
const AWAY = /\/(health|order|products|customers|changes)/

describe('sales that wait', () => {
  it('429 stops the queue until later; 500 keeps that sale and lets the next one go; each arrives once', async () => {
    const [tray, vase] = [barcode(), barcode()]
    await makeProduct('Khay khảm trai', tray, 10)
    await makeProduct('Lọ gốm men', vase, 10)
    const { page, network } = await openWithNetwork()
    const before = (await ordersOf(1)).total
    await sell(page, [tray])
    await sell(page, [vase])
    await waiting(page, 2).waitFor()

    network.answer = () => 429
    await expect.poll(() => network.answered.filter(({ status }) => status === 429).length).toBeGreaterThan(1)
    const [first] = network.asked
    const limited = network.answered.filter(({ status }) => status === 429).map(({ key }) => key)
    expect([...new Set(limited)]).toEqual([first])
    await waiting(page, 2).waitFor()

    network.answer = (key) => (key === first ? 500 : undefined)
    await waiting(page, 1).waitFor({ timeout: 60_000 })
    expect(await page.getByRole('alert').count()).toBe(0)
    expect((await ordersOf(1)).total).toBe(before + 1)

    network.answer = () => undefined
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect((await ordersOf(1)).total).toBe(before + 2)
  })

  it('go on past one whose response does not come while the service is there; that one arrives later, once', async () => {
    const [lute, drum] = [barcode(), barcode()]
    await makeProduct('Đàn tỳ bà', lute, 10)
    await makeProduct('Trống cơm', drum, 10)
    const { page, network } = await openWithNetwork()
    const before = (await ordersOf(1)).total
    await sell(page, [lute])
    await sell(page, [drum])
    await waiting(page, 2).waitFor()
    const [first] = network.asked
    network.answer = (key) => (key === first ? 'never' : undefined)
    await waiting(page, 1).waitFor({ timeout: 60_000 })
    await page.getByText('Đã kết nối').waitFor()
    expect((await ordersOf(1)).total).toBe(before + 1)
    network.answer = () => undefined
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect((await ordersOf(1)).total).toBe(before + 2)
  })

  it('belong to their shop: another one sends and shows none of them; back in theirs they arrive there', async () => {
    const bowl = barcode()
    await makeProduct('Bát men rạn', bowl, 10)
    const other = await joinOtherShop(shop)
    const { page, network } = await openWithNetwork()
    const before = (await ordersOf(1)).total
    await sell(page, [bowl])
    await waiting(page, 1).waitFor()
    const choose = (name: string) =>
      page
        .getByRole('combobox', { name: 'Cửa hàng' })
        .click()
        .then(() => page.getByRole('option', { name }).click())
    const home = await page.getByRole('combobox', { name: 'Cửa hàng' }).inputValue()

    await choose(other.name)
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached' })
    network.answer = () => undefined
    await page.getByText('Đã kết nối').waitFor()
    const count = await attemptsAtRest(page, network)
    await page.goto('/pos')
    await isReady(page)
    expect(await page.getByText('đơn chờ gửi').count()).toBe(0)
    expect(network.attempts).toBe(count)

    await choose(home)
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached' })
    await expect.poll(async () => (await ordersOf(1)).total).toBe(before + 1)
    expect(await other.countOrders()).toBe(0)
  })

  it('name their seller, are in no shift that was opened since, and warn before a shift is closed without them', async () => {
    const soap = barcode()
    await makeProduct('Xà phòng bồ kết', soap, 10)
    const { page, network } = await openWithNetwork(await shop.invite('staff'))
    await isCopied(page)
    const comeBack = await answer(page, AWAY, (route) => route.abort())
    const unopened = page.getByText('Bạn chưa mở ca: tiền bán không vào ca nào.')
    await sell(page, [soap])
    await waiting(page, 1).waitFor()
    expect(await unopened.count()).toBe(0)
    // Opening a shift needs the service, which a broken connection would show as away.
    network.answer = () => 429
    comeBack()
    await page.waitForTimeout(1_100)
    await openShift(page, 520_000)
    const panel = await openShiftDialog(page)
    await panel.getByText('Máy này còn 1 đơn chưa gửi được', { exact: false }).waitFor()
    await expectAccessible(page)

    network.answer = () => undefined
    await page.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    await panel.getByText('Máy này còn', { exact: false }).waitFor({ state: 'detached' })
    const [{ _id }] = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders
    const { note, paidAmount } = (await shop.api('GET', `/api/external/v1/orders/${_id}`)).body.data
    expect(paidAmount).toBe(20_000)
    expect(note).toMatch(/^Người thử bán tại quầy lúc .* phiếu tạm T-/)
    // The customer comes back with the slip.
    const found = await shop.api('GET', `/api/external/v1/orders?search=${note.slice(-8)}`)
    expect(found.body.data.orders).toMatchObject([{ _id, reference: note.slice(-8) }])
    const [shift] = (await shop.api('GET', '/api/external/v1/shifts?limit=1')).body.data
    expect(shift).toMatchObject({ openingCash: 520_000, expectedCash: 520_000 })

    await page.reload()
    await openShiftDialog(page)
    await panel.getByLabel('Tiền mặt đếm được').fill('520000')
    await panel.getByRole('button', { name: 'Đóng ca' }).click()
    await unopened.waitFor()
    await expectAccessible(page)
  })

  it('are asked about before one signs out, and stay where a viewer signs in next', async () => {
    const comb = barcode()
    await makeProduct('Lược sừng', comb, 10)
    const { page, network } = await openWithNetwork()
    const before = (await ordersOf(1)).total
    await sell(page, [comb])
    await waiting(page, 1).waitFor()
    const question = await signOut(page)
    await question.getByText('Máy này còn 1 đơn chờ gửi.', { exact: false }).waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Ở lại' }).click()
    await question.waitFor({ state: 'detached' })
    await waiting(page, 1).waitFor()

    await leave(page)
    network.answer = () => undefined
    const { attempts } = network
    await signIn(page, await shop.invite('viewer'))
    await page.waitForTimeout(1_000)
    expect(network.attempts).toBe(attempts)
    await leave(page)
    await signIn(page, shop.owner)
    await expect.poll(async () => (await ordersOf(1)).total).toBe(before + 1)
  })
})

describe('a refused sale that two tabs show', () => {
  it('is sent again once, where both send it', async () => {
    const { before, first, second, arrive } = await refusedInTwoTabs('Gáo dừa', { isDeaf: true })
    await first.getByRole('button', { name: 'Gửi lại' }).click()
    arrive()
    await first.getByText('đơn chờ gửi').waitFor({ state: 'detached' })
    await expect.poll(totalNow).toBe(before + 1)
    await second.getByRole('button', { name: 'Gửi lại' }).click()
    await second.getByText(/^Phiếu tạm/).waitFor({ state: 'detached' })
    await second.getByText('đơn chờ gửi').waitFor({ state: 'detached' })
    expect(await totalNow()).toBe(before + 1)
  })

  it('is not discarded by one after the other has sent it again', async () => {
    const { before, first, second, arrive } = await refusedInTwoTabs('Rổ tre', { isDeaf: true })
    await first.getByRole('button', { name: 'Gửi lại' }).click()
    await waiting(first, 1).waitFor()
    await second.getByRole('button', { name: 'Bỏ phiếu' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Bỏ phiếu' }).click()
    await waiting(second, 1).waitFor()
    arrive()
    await first.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect(await totalNow()).toBe(before + 1)
  })

  it('disappears from one when the other has sent it again', async () => {
    const { before, first, second, arrive } = await refusedInTwoTabs('Thúng tre', { isDeaf: false })
    await first.getByRole('button', { name: 'Gửi lại' }).click()
    await second.getByText(/^Phiếu tạm/).waitFor({ state: 'detached' })
    await waiting(second, 1).waitFor()
    arrive()
    await second.getByText('đơn chờ gửi').waitFor({ state: 'detached', timeout: 60_000 })
    expect(await totalNow()).toBe(before + 1)
  })
})

/**
 * Two tabs of a counter that show a sale which the service refused. From then on none arrives until `arrive`. A deaf
 * second tab hears nothing from the first, like a tab that the browser has frozen.
 */
async function refusedInTwoTabs(product: string, { isDeaf }: { isDeaf: boolean }) {
  const code = barcode()
  await makeProduct(product, code, 10)
  // Tests before this one sign the owner out.
  const { page: first, network } = await openWithNetwork(await shop.invite('staff'))
  const before = await totalNow()
  await sell(first, [code])
  await waiting(first, 1).waitFor()
  network.answer = () => 409
  await first.getByText(/^Phiếu tạm/).waitFor({ timeout: 60_000 })
  network.answer = () => 429
  const second = await first.context().newPage()
  if (isDeaf)
    await second.addInitScript(`Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set() {} })`)
  await second.goto('/pos')
  await second.getByText(/^Phiếu tạm/).waitFor()
  const arrive = () => {
    network.answer = () => undefined
  }
  return { before, first, second, arrive }
}

describe('the counter’s waiting sales of another person', () => {
  it.each([1440, 390])('are that person’s, and the order says who sent them, at %i px', async (width) => {
    const fan = barcode()
    await makeProduct(`Quạt nan ${width}`, fan, 10)
    const staff = await shop.invite('staff')
    const { page, network } = await openWithNetwork(staff, width)
    await sell(page, [fan])
    await waiting(page, 1).waitFor()
    await leave(page)
    const before = await totalNow()
    network.answer = () => undefined
    const sender = await shop.invite('staff')
    await signIn(page, sender)
    await expect.poll(totalNow, { timeout: 60_000 }).toBe(before + 1)
    const [{ _id }] = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders
    const { soldBy, sentBy } = (await shop.api('GET', `/api/external/v1/orders/${_id}/timeline`)).body
    expect([soldBy.id, sentBy.id]).toEqual([await memberId(staff), await memberId(sender)])
    const order = await shop.open(`/orders/${_id}`, { as: sender, viewport: { width, height: 844 } })
    await order.getByText('Người bán: Người thử').waitFor()
    await order.getByText('Người thử bán, Người thử gửi khi có mạng lại').waitFor()
    await expectAccessible(order)
    await order.getByRole('button', { name: 'In hóa đơn' }).click()
    await order.getByRole('dialog').getByText('Thu ngân: Người thử').waitFor()
  })

  it('arrive in the sender’s name where the seller has left the shop, and their note names the seller', async () => {
    const broom = barcode()
    await makeProduct('Chổi đót', broom, 10)
    const staff = await shop.invite('staff')
    const { page, network } = await openWithNetwork(staff)
    // Away before it is first sent: what was sent can only be repeated unchanged, without a note.
    await isCopied(page)
    const comeBack = await answer(page, AWAY, (route) => route.abort())
    await sell(page, [broom])
    await waiting(page, 1).waitFor()
    comeBack()
    await leave(page)
    await manageMembers('DELETE', `/${await memberId(staff)}`)
    const before = await totalNow()
    network.answer = () => undefined
    const sender = await shop.invite('staff')
    await signIn(page, sender)
    await expect.poll(totalNow, { timeout: 60_000 }).toBe(before + 1)
    const [{ _id }] = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders
    const { soldBy, sentBy } = (await shop.api('GET', `/api/external/v1/orders/${_id}/timeline`)).body
    expect([soldBy.id, sentBy]).toEqual([await memberId(sender), null])
    const { note } = (await shop.api('GET', `/api/external/v1/orders/${_id}`)).body.data
    expect(note).toMatch(/^Người thử bán tại quầy lúc/)
  })
})

const totalNow = async (): Promise<number> =>
  (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.meta.total

async function manageMembers(method: string, path: string) {
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const [{ shopId }] = (await shop.api('GET', '/api/external/v1/orders?limit=1')).body.data.orders
  const address = `/api/manage/v1/shops/${shopId}/members${path}`
  const { status, body } = await http(shop.url, method, address, undefined, operator)
  expect(status).toBe(200)
  return body.data
}

async function memberId(person: Person): Promise<string> {
  const { members } = await manageMembers('GET', '')
  return members.find(({ email }: { email: string }) => email === person.email)._id
}

/**
 * Signs out although sales wait. The network must not be back before: while one signs out, the seller's own session
 * would still send them.
 */
async function leave(page: Page): Promise<void> {
  await (await signOut(page)).getByRole('button', { name: 'Đăng xuất' }).click()
  await page.waitForURL('**/sign-in')
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Mật khẩu' }).fill(password)
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

type Network = {
  /** The keys of the sales that the counter has sent, in the order of their first attempts. */
  asked: string[]
  /** How many requests with any of these keys the counter has sent. */
  attempts: number
  /** The responses that the network gave in place of the service. */
  answered: { key: string; status: number }[]
  /**
   * The status with which the network answers in place of the service; 0 if the connection breaks, `never` if no response
   * comes, undefined if the service answers.
   */
  answer: (key: string) => number | 'never' | undefined
}

/** A counter whose sales pass through a network that fails as configured. Initially none arrives. */
async function openWithNetwork(as?: Person, width = 1440): Promise<{ page: Page; network: Network }> {
  const viewport = { width, height: 844 }
  const page = await shop.open('/pos', as === undefined ? { viewport } : { as, viewport })
  await isReady(page)
  const network: Network = { asked: [], attempts: 0, answered: [], answer: () => 0 }
  // In every tab.
  await page.context().route('**/order/pos/create', async (route) => {
    const key = (await route.request().headerValue('idempotency-key'))!
    network.attempts++
    if (!network.asked.includes(key)) network.asked.push(key)
    const status = network.answer(key)
    if (status === 'never') return
    if (status === undefined) return route.continue()
    network.answered.push({ key, status })
    if (status === 0) return route.abort()
    await route.fulfill({ status, json: { statusCode: status, message: 'of the network' } })
  })
  return { page, network }
}

/** How many requests with sales the counter has sent, after those in flight have ended. */
async function attemptsAtRest(page: Page, network: Network): Promise<number> {
  for (;;) {
    const { attempts } = network
    await page.waitForTimeout(1_000)
    if (network.attempts === attempts) return attempts
  }
}
