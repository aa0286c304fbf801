import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { joinOtherShop } from './other-shop.ts'
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

/** Reads `1.234`, or in English `1,234`, in a text as a number. */
const numberIn = (text: string) => Number(/[\d.,]+/.exec(text)![0].replaceAll(/[.,]/g, ''))

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

/** Run in the page: the links of the home that are underlined, and where the texts of the tasks begin. */
const UNDERLINED = `[...document.querySelectorAll('main a')]
  .filter((link) => getComputedStyle(link).textDecorationLine !== 'none')
  .map((link) => link.textContent)`
const LEFT_OF_TASKS = `[...document.querySelectorAll('main ul a[href*="/orders?"] > span, main ul a[href*="/templates?"] > span')]
  .map((text) => Math.round(text.getBoundingClientRect().left))`
/** Runs in the page: the pixels of the card that are left below its plot. */
const LEFT_BELOW_PLOT = `(() => {
  const plot = document.querySelector('[aria-label="Doanh thu theo giờ"]')
  const card = plot.parentElement.parentElement
  return card.getBoundingClientRect().bottom - plot.getBoundingClientRect().bottom
})()`

/** Shows the page in English. */
async function inEnglish(page: Page) {
  await page.evaluate(`localStorage.setItem('shopbell.language', 'en')`)
  await page.reload()
  await page.getByRole('heading', { name: 'Best sellers' }).waitFor()
}

/**
 * The numbers of the home that count records, each with the address of its list. `words` are the names of the plots by
 * day, and of each kind of link a pattern with its number.
 */
async function countsIn(
  page: Page,
  words: { byDay: string; messagesByDay: string } & Record<
    'total' | 'orders' | 'messages' | 'goods' | 'seller' | 'waiting' | 'low',
    RegExp
  >,
) {
  await page.getByRole('heading', { name: words.messagesByDay }).waitFor()
  const links = await linksIn(page, 'main a')
  const counted = (of: typeof links, pattern: RegExp) =>
    of.flatMap(({ text, to }) => {
      const says = pattern.exec(text)?.[1]
      return says === undefined ? [] : [{ what: text, says: numberIn(says), to }]
    })
  const lastDays = async (plot: string) => (await linksIn(page, `[aria-label="${plot}"] a`)).slice(-2)
  const found = [
    counted(links, words.total),
    counted(await lastDays(words.byDay), words.orders),
    counted(await lastDays(words.messagesByDay), words.messages),
    counted(links, words.goods).slice(0, 2),
    counted(links, words.seller),
    counted(links, words.waiting),
    counted(links, words.low),
  ]
  for (const some of found) expect(some.length).toBeGreaterThan(0)
  return found.flat()
}

async function chooseIn(page: Page, field: string, option: string) {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}

/**
 * Opens the home of a new shop of the owner, in which `sell` makes and sells a product, and `make` makes one and returns
 * its SKU.
 */
async function openEmptyShop() {
  const other = await joinOtherShop(shop)
  const page = await shop.open('/')
  await chooseIn(page, 'Cửa hàng', other.name)
  await page.getByText('Đã xong 0/6').waitFor()
  const headers = { origin: shop.url, 'x-shop-id': other.id }
  const post = async (path: string, data: object) => {
    const response = await page.request.post(path, { data, headers })
    expect(response.ok()).toBe(true)
    return (await response.json()).data
  }
  const make = async (name: string): Promise<string> => {
    const { _id } = await post('/api/external/v1/products', { name, price: 45_000 })
    const made = await page.request.get(`/api/external/v1/products/${_id}`, { headers })
    return (await made.json()).data.skus[0]._id
  }
  const sell = async () => {
    const orderItems = [{ id: await make('Trà sen'), quantity: 1 }]
    await post('/api/external/order/pos/create', { orderItems })
  }
  return { page, sell, make, post }
}

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
    const shownWidth = () => page.evaluate('document.documentElement.scrollWidth')
    expect(await shownWidth()).toBeLessThanOrEqual(width)
    await expectAccessible(page)
    expect(await page.evaluate(UNDERLINED)).toEqual([])
    expect(new Set((await page.evaluate(LEFT_OF_TASKS)) as number[]).size).toBe(1)
    expect(await page.evaluate(LEFT_BELOW_PLOT)).toBeLessThan(24)
    await inEnglish(page)
    await page.getByRole('heading', { name: 'Revenue by hour' }).waitFor()
    expect(await shownWidth()).toBeLessThanOrEqual(width)
  })

  it('opens behind each number a list with as many, the same in English', async () => {
    const page = await shop.open('/?period=30')
    const lists = await countsIn(page, {
      byDay: 'Doanh thu theo ngày',
      messagesByDay: 'Tin nhắn theo ngày',
      total: /^(?:Đơn hàng|Tin đã đến khách)\s*([\d.]+)$/,
      orders: /: ([\d.]+) đơn/,
      messages: /: ([\d.]+) tin đã gửi/,
      goods: /trong ([\d.]+) đơn$/,
      seller: /\n([\d.]+) đơn\n/,
      waiting: /^([\d.]+)\s+(?:đơn|mẫu tin) /,
      low: /^Xem ([\d.]+) sản phẩm$/,
    })
    const whats = lists.map(({ what }) => what).join('\n')
    for (const task of [/đơn khách còn nợ, cần thu [\d.]+\s₫/, /\d\s+mẫu tin bị từ chối/])
      expect(whats).toMatch(task)
    // The simulator ends a review meanwhile, before or after the home is shown.
    const stays = ({ to }: { to: string }) => !to.includes('PENDING_REVIEW')
    const english = await countsIn(await shop.open('/?period=30', { locale: 'en-GB' }), {
      byDay: 'Revenue by day',
      messagesByDay: 'Messages by day',
      total: /^(?:Orders|Messages delivered)\s*([\d,]+)$/,
      orders: /: ([\d,]+) orders?/,
      messages: /: ([\d,]+) sent/,
      goods: /in ([\d,]+) orders?$/,
      seller: /\n([\d,]+) orders?\n/,
      waiting: /^([\d,]+)\s+(?:orders?|templates?) /,
      low: /^See ([\d,]+) products?$/,
    })
    const counts = (of: typeof lists) => of.filter(stays).map(({ says, to }) => ({ says, to }))
    expect(counts(english)).toEqual(counts(lists))
    for (const { what, says, to } of lists.filter(stays)) {
      expect(await lengthAt(page, new URL(to, shop.url).href), `${what} ${to}`).toBe(says)
    }
  }, 240_000)

  it('lists as low on stock what was ever in stock, up to the pieces that the owner sets', async () => {
    const { page, sell, make, post } = await openEmptyShop()
    await sell()
    for (const [name, quantity] of [
      ['Bánh cốm', 4],
      ['Mứt dừa', 12],
    ] as const) {
      const items = [{ skuId: await make(name), quantity }]
      await post('/api/external/v1/inventory/entries', { type: 'receive', items })
    }
    await page.reload()
    await page.getByRole('link', { name: 'Xem 1 sản phẩm' }).waitFor()
    await page.getByRole('link', { name: 'Bánh cốm' }).waitFor()
    await page.goto('/settings')
    const limit = page.getByRole('textbox', { name: 'Báo sắp hết hàng khi còn' })
    expect(await limit.inputValue()).toBe('5')
    await limit.fill('12')
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await page.getByText('Đã lưu cài đặt').waitFor()
    await expectAccessible(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'Xem 2 sản phẩm' }).click()
    await page.getByText('Sắp hết hàng: còn 12 cái trở xuống').waitFor()
    await page.getByText('Tổng 2', { exact: true }).waitFor()
    const links = await linksIn(page, 'tbody a')
    expect(links.map(({ text }) => text)).toEqual(['Bánh cốm', 'Mứt dừa'])
  })

  it.each([
    ['vi-VN', /^Doanh thu ([\d.]+)/, /cần thu ([\d.]+)/, /^Cộng ([\d.]+)\s₫/, /còn nợ ([\d.]+)\s₫$/],
    ['en-GB', /^Revenue ₫([\d,]+)/, /₫([\d,]+) to collect/, /^₫([\d,]+) in all/, /₫([\d,]+) owed$/],
  ])('opens behind each sum a list that comes to it, in %s', async (locale, revenue, task, sum, rest) => {
    const page = await shop.open('/?period=30', { locale })
    await page.getByRole('link').filter({ hasText: task }).waitFor()
    const links = (await linksIn(page, 'main a')).map(({ text, to }) => ({
      text: text.replaceAll(/\s+/g, ' '),
      to: new URL(to, shop.url).href,
    }))
    for (const [says, comesTo] of [
      [revenue, sum],
      [task, rest],
    ] as const) {
      const { text, to } = links.find((link) => says.test(link.text))!
      await page.goto(to)
      const line = page.getByText(sum)
      await line.waitFor()
      expect(numberIn(comesTo.exec(await line.innerText())![1]!)).toBe(numberIn(says.exec(text)![1]!))
    }
    await expectAccessible(page)
  })

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

  it('opens behind each bar of the hours the orders of its own day', async () => {
    const page = await shop.open('/?period=yesterday')
    const bars = page.getByRole('list', { name: 'Doanh thu theo giờ' })
    await bars.waitFor()
    const most = async (day: string) => {
      const links = await linksIn(page, '[aria-label="Doanh thu theo giờ"] a')
      const counted = links.flatMap(({ text, to }) => {
        const says = new RegExp(`^\\d+h ${day}: (\\d+) đơn, `).exec(text)?.[1]
        return says === undefined ? [] : [{ says: Number(says), to }]
      })
      return counted.reduce((one, other) => (other.says > one.says ? other : one))
    }
    const found = [await most('hôm qua'), await most('hôm kia')]
    for (const { says, to } of found) {
      expect(says).toBeGreaterThan(0)
      expect(await lengthAt(page, new URL(to, shop.url).href)).toBe(says)
    }
  })

  it('shows a new shop its first steps with their reasons and acts instead of zeros, and numbers with its first sale', async () => {
    const { page, sell } = await openEmptyShop()
    const steps = page.getByRole('main').getByRole('list').first()
    const acts = await steps
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.lastElementChild!.textContent))
    expect(acts).toEqual([
      'Thêm hàng hóa',
      'Nhập hàng',
      'Kết nối OA',
      'Tạo mẫu tin',
      'Xem cách nạp',
      'Bán hàng',
    ])
    const reasons = await steps.locator('small').allInnerTexts()
    expect(new Set(reasons).size).toBe(6)
    const numbers = page.getByRole('main').getByText(/^(Doanh thu|Doanh thu theo giờ|Bán chạy)$/)
    expect(await numbers.count()).toBe(0)
    expect(await page.getByRole('combobox', { name: 'Khoảng thời gian' }).count()).toBe(0)
    await expectAccessible(page)
    await sell()
    await page.reload()
    await expect.poll(() => numbers.count()).toBe(3)
    await page.getByText('Đã xong 2/6').waitFor()
  })

  it('words a comparison by the period of the numbers shown, once each, where all earlier sums are equal', async () => {
    const { page, sell } = await openEmptyShop()
    await sell()
    await page.reload()
    const compared = (words: RegExp) => page.getByRole('main').getByRole('link', { name: words }).count()
    const sums = () => Promise.all([compared(/^hôm qua lúc này 0\s₫$/), compared(/^7 ngày trước đó 0\s₫$/)])
    await expect.poll(sums).toEqual([1, 0])
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/external/overview?**', async (route) => {
      await gate
      await route.continue()
    })
    await chooseIn(page, 'Khoảng thời gian', '7 ngày qua')
    await page.locator('[aria-busy="true"]').waitFor()
    expect(await sums()).toEqual([1, 0])
    answer()
    await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
    expect(await sums()).toEqual([0, 1])
  })

  it.each(['today', 'yesterday'])('opens behind the profit of %s the report of that day', async (period) => {
    const page = await shop.open(`/?period=${period}`)
    const profit = page.getByRole('link', { name: /^Lợi nhuận\s*-?[\d.]+/ })
    const says = numberIn(await profit.innerText())
    // The revenue beside it includes shipping.
    await page.getByText(/^-?[\d.,]+% (doanh thu hàng hóa|của -?[\d.]+\s₫ có giá vốn)$/).waitFor()
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

describe('the results by template', () => {
  it('open behind the numbers sent, delivered and failed the messages that they count', async () => {
    const page = await shop.open('/messages/results?period=90')
    await page.getByRole('list', { name: 'Tin theo ngày' }).waitFor()
    const { templates } = (await shop.api('GET', '/api/external/notify-template/report?days=90')).body.data
    const failing = templates.find(({ total }: { total: { failed: number } }) => total.failed > 0)
    await page.getByRole('combobox', { name: 'Mẫu tin' }).click()
    await page.getByRole('option', { name: failing.name, exact: true }).click()
    await page.getByRole('link', { name: `Lỗi: ${failing.total.failed}` }).waitFor()
    const counted = (await linksIn(page, 'main a')).flatMap(({ text, to }) => {
      const says = /^(?:Tin đã gửi\s*|Lỗi: |Tới máy khách: )([\d.]+)$/.exec(text)?.[1]
      return says === undefined ? [] : [{ says: numberIn(says), to }]
    })
    const { accepted, failed, delivered } = failing.total
    expect(counted.map(({ says }) => says)).toEqual([accepted, failed, delivered])
    for (const { says, to } of counted) expect(await lengthAt(page, new URL(to, shop.url).href)).toBe(says)
  })
})
