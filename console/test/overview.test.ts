import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { roundUp } from '../src/components/plots/round-up.ts'
import { queryOf } from '../src/screens/overview/period.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

beforeAll(async () => {
  // Sold with the demo key, so that there is a seller, and a number in every card on any day.
  const { body } = await shop.api('GET', '/api/external/v1/products?limit=3&select=skus')
  for (const { skus } of body.data.products) {
    const orderItems = [{ id: skus[0]._id, quantity: 2 }]
    const sold = await shop.api('POST', '/api/external/order/pos/create', { orderItems })
    expect(sold.status).toBe(200)
  }
})

/** Reads `1.234` in a text as a number. */
const numberIn = (text: string) => Number(/[\d.]+/.exec(text)![0].replaceAll('.', ''))

/** The length of the list at an address; an empty list shows a text instead. */
async function lengthAt(page: Page, address: string): Promise<number> {
  await page.goto(address)
  const total = page.getByText(/^Tổng [\d.]+\+?$/)
  const none = page.getByText('Không tìm thấy')
  await total.or(none).first().waitFor()
  return (await total.count()) === 0 ? 0 : numberIn(await total.innerText())
}

/** The links in a part of the home page, each with its text or name. */
const linksIn = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((links) =>
    links.map((link) => ({
      text: link.getAttribute('aria-label') ?? (link as unknown as { innerText: string }).innerText,
      to: link.getAttribute('href')!,
    })),
  )

describe('the period of the home', () => {
  it('is a day or the last days, today included', () => {
    expect(queryOf('today', '2026-11-23')).toEqual({ from: '2026-11-23', days: 1 })
    expect(queryOf('yesterday', '2026-11-01')).toEqual({ from: '2026-10-31', days: 1 })
    expect(queryOf('7', '2026-01-03')).toEqual({ from: '2025-12-28', days: 7 })
  })
})

describe('the axis of a plot', () => {
  it('ends at a round number that holds every bar', () => {
    expect([0, 1, 3, 7, 950_000, 1_000_000, 1_000_001].map(roundUp)).toEqual([
      2, 2, 4, 8, 1_000_000, 1_000_000, 2_000_000,
    ])
  })
})

describe('the home', () => {
  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('fits its window and is accessible at %i px, %s', async (width, colorScheme) => {
    const page = await shop.open('/', { viewport: { width, height: 844 }, colorScheme })
    for (const name of ['Doanh thu theo giờ', 'Cần làm', 'Bán chạy', 'Sắp hết hàng', 'Theo người bán']) {
      await page.getByRole('heading', { name }).waitFor()
    }
    await page.getByRole('link', { name: /^Lợi nhuận\s+-?[\d.]+/ }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await expectAccessible(page)
  })

  it('opens behind each number a list with as many', async () => {
    const page = await shop.open('/?period=30')
    await page.getByRole('heading', { name: 'Tin nhắn theo ngày' }).waitFor()
    const main = (name: RegExp) => page.getByRole('link', { name })
    const orders = main(/^Đơn hàng\s*[\d.]+$/)
    const delivered = main(/^Tin đã đến khách\s*[\d.]+$/)
    const lists: { says: number; to: string; what: string }[] = []
    for (const link of [orders, delivered]) {
      const what = (await link.innerText()).replaceAll(/\s+/g, ' ')
      lists.push({ what, says: numberIn(what), to: (await link.getAttribute('href'))! })
    }
    const counted = (texts: { text: string; to: string }[], pattern: RegExp) =>
      texts.flatMap(({ text, to }) => {
        const says = pattern.exec(text)?.[1]
        return says === undefined ? [] : [{ what: text, says: numberIn(says), to }]
      })
    const ordersOf = await linksIn(page, '[aria-label="Doanh thu theo ngày"] a')
    const days = counted(ordersOf.slice(-2), /: ([\d.]+) đơn/)
    const messagesOf = await linksIn(page, '[aria-label="Tin nhắn theo ngày"] a')
    const messages = counted(messagesOf.slice(-2), /: ([\d.]+) tin đã gửi/)
    const lines = await linksIn(page, 'main ol a, main ul a')
    const goods = counted(lines, /trong ([\d.]+) đơn$/)
    const sellers = counted(lines, /\n([\d.]+) đơn\n/)
    const waiting = counted(lines, /^([\d.]+)\s+đơn /)
    expect(waiting.map(({ what }) => what).join()).toMatch(/đơn khách còn nợ, cần thu [\d.]+\s₫/)
    for (const found of [days, messages, goods, sellers, waiting]) expect(found.length).toBeGreaterThan(0)
    lists.push(...days, ...messages, ...goods.slice(0, 2), ...sellers, ...waiting)
    const low = await page.getByRole('link', { name: /^Xem [\d.]+ sản phẩm$/ }).all()
    for (const link of low) {
      const what = await link.innerText()
      lists.push({ what, says: numberIn(what), to: (await link.getAttribute('href'))! })
    }
    for (const { what, says, to } of lists) {
      expect(await lengthAt(page, new URL(to, shop.url).href), `${what} ${to}`).toBe(says)
    }
  }, 240_000)

  it('compares today with yesterday and a week ago up to the same time, each with its orders', async () => {
    const page = await shop.open('/')
    await page.getByRole('link', { name: /^ví [\d.]+\s₫, đủ hơn một năm như tuần qua$/ }).waitFor()
    const hint = page.getByRole('link', { name: /^hôm qua lúc này [\d.]+$/ })
    const says = numberIn(await hint.innerText())
    const to = (await hint.getAttribute('href'))!
    expect(await lengthAt(page, new URL(to, shop.url).href)).toBe(says)
    // A filter without its own field is shown as a chip, and removed by one press.
    await page.getByRole('button', { name: 'Bỏ lọc: Không tính đơn đã hủy' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('cancelled')).toBe(false)
    await page.getByRole('button', { name: /^Bỏ lọc: .* – / }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  it.each(['today', 'yesterday'])('opens behind the profit of %s the report of that day', async (period) => {
    const page = await shop.open(`/?period=${period}`)
    const profit = page.getByRole('link', { name: /^Lợi nhuận\s*-?[\d.]+/ })
    const says = numberIn(await profit.innerText())
    // The revenue beside it includes shipping.
    await page.getByText(/^-?[\d.,]+% doanh thu hàng hóa$/).waitFor()
    await profit.click()
    await page.getByRole('heading', { name: 'Lợi nhuận', level: 1 }).waitFor()
    expect(new URL(page.url()).searchParams.get('period')).toBe(period)
    const figure = page.locator('main').getByText('Lợi nhuận', { exact: true }).nth(1).locator('..')
    await expect.poll(async () => numberIn(await figure.innerText())).toBe(says)
  })

  it('lists the sellers after the fifth below the line that sums them up', async () => {
    const { body } = await shop.api('GET', '/api/external/v1/products?limit=1&select=skus')
    const orderItems = [{ id: body.data.products[0].skus[0]._id, quantity: 1 }]
    for (let seller = 0; seller < 6; seller++) {
      const till = await shop.open('/help', { as: await shop.invite('staff') })
      const { data: me } = await (await till.request.get('/api/console/v1/me')).json()
      const headers = { origin: shop.url, 'x-shop-id': me.shops[0]._id }
      const url = '/api/external/order/pos/create'
      const sold = await till.request.post(url, { data: { orderItems }, headers })
      expect(sold.status()).toBe(200)
    }
    // The demo's own sales of the day, which no member made, come in the course of it.
    const { data: overview } = (await shop.api('GET', '/api/external/overview?days=1')).body
    const left = overview.sellers.length - 5
    expect(left).toBeGreaterThan(0)
    const page = await shop.open('/')
    const others = page.getByText(new RegExp(`^${left} người khác, [\\d.]+ đơn$`))
    const orders = numberIn((await others.innerText()).split(',')[1]!)
    const each = page.locator('details').getByRole('link')
    expect(await each.count()).toBe(0)
    await others.click()
    await expectAccessible(page)
    const counts = await each.evaluateAll((links) => links.map((link) => link.textContent))
    expect(counts).toHaveLength(left)
    expect(counts.reduce((sum, text) => sum + numberIn(/[\d.]+ đơn/.exec(text!)![0]), 0)).toBe(orders)
  })

  it('shows no profit to staff and viewers', async () => {
    const page = await shop.open('/', { as: await shop.invite('staff') })
    await page.getByRole('link', { name: /^Trung bình một đơn/ }).waitFor()
    expect(await page.getByText('Lợi nhuận').count()).toBe(0)
  })

  it('names the act of a task to who may do it: staff handle orders, an operator tops up, a viewer sees', async () => {
    const { status } = await shop.api('PUT', '/api/external/wallet/alert', { lowBelow: 1_000_000_000 })
    expect(status).toBe(200)
    const tasks = async (role: 'owner' | 'staff' | 'viewer' | 'operator') => {
      const page = await shop.open('/', role === 'operator' ? {} : { as: await shop.invite(role) })
      const links = page.locator('main ul').filter({ hasText: 'Ví còn' }).getByRole('link')
      await links.filter({ hasText: 'Ví còn' }).waitFor()
      return links.evaluateAll((all) =>
        all.map((one) => ({ act: one.lastElementChild!.textContent, to: one.getAttribute('href')! })),
      )
    }
    const staff = await tasks('staff')
    expect(staff.find(({ to }) => to === '/orders?status=pending')?.act).toBe('Xác nhận')
    const walletOf = (all: { act: string | null; to: string }[]) =>
      all.find(({ to }) => to === '/wallet' || to.startsWith('/operator/'))
    for (const all of [staff, await tasks('owner')])
      expect(walletOf(all)).toEqual({ act: 'Xem', to: '/wallet' })
    const operator = walletOf(await tasks('operator'))!
    expect(operator.act).toBe('Nạp')
    expect(operator.to).toMatch(/^\/operator\/shops\/[0-9a-f]{24}$/)
    expect(new Set((await tasks('viewer')).map(({ act }) => act))).toEqual(new Set(['Xem']))
  })
})
