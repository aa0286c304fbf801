import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()

/** How wide the hint of the list's search box is as a text in it, in px, and how much room it has. */
const SEARCH_HINT = `document.fonts.ready.then(() => {
  const field = document.querySelector('[data-list-search]')
  field.value = field.placeholder
  return { needed: field.scrollWidth, room: field.clientWidth }
})`

/** A field of the page with its label. */
type Labelled = { labels: { innerText: string }[] }

describe('the address of a list', () => {
  it('holds nothing of one tab in another: neither its search nor its page', async () => {
    const page = await shop.open('/operator')
    await page.getByLabel('Tìm theo tên').fill('moc')
    await page.waitForURL(/search=moc/)
    await page.getByRole('tab', { name: 'Nhật ký' }).click()
    await page.getByRole('combobox').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=audit')
    await page.goto('/operator?tab=audit&page=3')
    const asked = page.waitForRequest(/manage\/v1\/shops\?/)
    await page.getByRole('tab', { name: 'Cửa hàng' }).click()
    expect(new URL((await asked).url()).searchParams.get('page')).toBe('1')
    await expect.poll(() => page.getByLabel('Tìm theo tên').inputValue()).toBe('')
  })

  it('keeps the tab when a filter of it changes, and the search while the page is turned', async () => {
    const page = await shop.open('/operator?tab=audit')
    await page.getByRole('combobox').click()
    await page.getByRole('option').nth(1).click()
    await page.waitForURL(/action=/)
    expect(new URL(page.url()).searchParams.get('tab')).toBe('audit')
    await page.goto('/orders?search=84')
    await page.getByRole('button', { name: /^Trang 2 / }).click()
    await page.waitForURL(/page=2/)
    expect(new URL(page.url()).searchParams.get('search')).toContain('84')
  })

  it('is where each number of the home leads, for the day that it counts', async () => {
    const page = await shop.open('/')
    await page.getByRole('heading', { name: 'Doanh thu theo giờ' }).waitFor()
    await page.getByRole('combobox', { name: 'Khoảng thời gian' }).click()
    await page.getByRole('option', { name: '90 ngày qua' }).click()
    await page.getByRole('heading', { name: 'Doanh thu theo ngày' }).waitFor()
    expect(new URL(page.url()).searchParams.get('period')).toBe('"90"')
    await page.getByRole('list', { name: 'Doanh thu theo ngày' }).getByRole('link').last().click()
    await page.waitForURL(/\/orders\?from=(\d{4}-\d\d-\d\d)&to=\1&cancelled=no$/)
    // Today's orders; the demo may have none yet. overview.test.ts checks that the counts agree.
    await page.getByRole('heading', { level: 1, name: 'Đơn hàng' }).waitFor()
  })

  it.each(['vi-VN', 'en-US'])(
    'takes days as day, month and year in a browser set to %s, typed in any pace; what is no day filters nothing',
    async (locale) => {
      const page = await shop.open('/orders', { locale })
      const from = page.getByRole('textbox', { name: locale === 'vi-VN' ? 'Từ ngày' : 'From' })
      const ofDay = () => new URL(page.url()).searchParams.get('from')
      await from.pressSequentially('05/11/2026', { delay: 60 })
      await expect.poll(ofDay).toBe('2026-11-05')
      await page.keyboard.press('Backspace')
      await expect.poll(ofDay).toBeNull()
      expect(await from.inputValue()).toBe('05/11/202')
      await page.keyboard.press('Tab')
      const form = locale === 'vi-VN' ? 'ngày/tháng/năm' : 'dd/mm/yyyy'
      expect(await from.getAttribute('placeholder')).toBe(form)
      await page.getByText(`${form}.`).waitFor()
      await expectAccessible(page)
      await from.fill('6112026')
      await page.keyboard.press('Tab')
      expect(ofDay()).toBeNull()
      await from.fill('06112026')
      await expect.poll(ofDay).toBe('2026-11-06')
      await page.keyboard.press('Tab')
      await expect.poll(() => from.inputValue()).toBe('06/11/2026')
      await page.reload()
      await expect.poll(() => from.inputValue()).toBe('06/11/2026')
      await page.locator('input[type="date"]').first().fill('2026-11-07')
      await expect.poll(ofDay).toBe('2026-11-07')
      expect(await from.inputValue()).toBe('07/11/2026')
      await page.goto('/orders')
      await expect.poll(() => from.inputValue()).toBe('')
    },
  )

  it.each([1440, 390])(
    'shows the columns that the person chose, again after a reload, at %i px',
    async (width) => {
      const page = await shop.open('/customers', { viewport: { width, height: 844 } })
      const phone = page.getByRole('cell', { name: /0\d{3} \d{3} \d{3}/ })
      await phone.first().waitFor()
      const menu = page.getByRole('button', { name: 'Tùy chọn cột' })
      await menu.click()
      await page.getByRole('checkbox', { name: 'Điện thoại' }).uncheck()
      await expect.poll(() => phone.count()).toBe(0)
      await expectAccessible(page)
      await page.reload()
      await page.getByRole('row').nth(1).waitFor()
      expect(await phone.count()).toBe(0)
      const other = await shop.open('/customers', { as: await shop.invite('viewer') })
      await other
        .getByRole('cell', { name: /0\d{3} \d{3} \d{3}/ })
        .first()
        .waitFor()
      await menu.click()
      await page.getByRole('checkbox', { name: 'Điện thoại' }).check()
      await phone.first().waitFor()
    },
  )

  it('has columns to choose wherever it stands, and says its keys below its rows', async () => {
    const page = await shop.open('/orders')
    const menu = page.getByRole('button', { name: 'Tùy chọn cột' })
    for (const path of [
      '/orders',
      '/products',
      '/customers',
      '/messages',
      '/templates',
      '/news',
      '/wallet',
      '/operator',
    ]) {
      await page.goto(path)
      const last = page.getByRole('columnheader').last()
      await last.waitFor()
      await menu.click()
      const column = page.getByRole('dialog').getByRole('checkbox', { checked: true }).last()
      const title = (await column.evaluate((box) => (box as unknown as Labelled).labels[0]!.innerText)).trim()
      const heading = page.getByRole('columnheader', { name: title, exact: true })
      expect(await heading.count(), path).toBe(1)
      await column.uncheck()
      await expect.poll(() => heading.count(), { message: path }).toBe(0)
      await page.reload()
      await page.getByRole('columnheader').first().waitFor()
      expect(await heading.count(), path).toBe(0)
      await page.getByRole('button', { name: /phím tắt$/ }).waitFor()
    }
  }, 120_000)

  it('is walked by keys: j and k to a row, x selects it, Enter opens it, / goes to the search; back, it goes on there', async () => {
    const page = await shop.open('/orders')
    const links = page.getByRole('row').getByRole('link')
    await links.nth(1).waitFor()
    const codes = await links.allInnerTexts()
    const at = () => page.evaluate('document.activeElement.innerText')
    await page.keyboard.press('j')
    await expect.poll(at).toBe(codes[0])
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect.poll(at).toBe(codes[1])
    await page.keyboard.press('k')
    await expect.poll(at).toBe(codes[0])
    expect(await page.getByRole('checkbox', { name: `Chọn ${codes[1]}` }).isChecked()).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('jxk')
    await expect.poll(() => page.locator('[data-list-search]').inputValue()).toBe('jxk')
    await page.locator('[data-list-search]').fill('')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await links.nth(1).waitFor()
    await links.nth(1).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Đơn ${codes[1]}` }).waitFor()
    await page.goBack()
    await expect.poll(at).toBe(codes[1])
    await page.keyboard.press('j')
    await expect.poll(at).toBe(codes[2])
  })

  it('has the order of the heading that was pressed, of a field on a phone, again after a reload', async () => {
    const page = await shop.open('/products?size=50')
    const heading = page.getByRole('columnheader', { name: 'Giá bán' })
    const isSorted = () => heading.getAttribute('aria-sort')
    const prices = async () => {
      const cells = await page.locator('tbody td[data-title="Giá bán"]').allInnerTexts()
      return cells.map((text) => Number(text.replaceAll(/\D/g, '')))
    }
    await page.getByRole('row').nth(2).waitFor()
    const usual = await prices()
    expect(new Set(usual).size).toBeGreaterThan(2)
    expect(await isSorted()).toBeNull()
    await heading.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect.poll(isSorted).toBe('ascending')
    await expect.poll(prices).toEqual(usual.toSorted((one, other) => one - other))
    await page.keyboard.press('Enter')
    await expect.poll(isSorted).toBe('descending')
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-price')
    await page.reload()
    await expect.poll(prices).toEqual(usual.toSorted((one, other) => other - one))
    await expectAccessible(page)
    await heading.getByRole('button').click()
    await expect.poll(isSorted).toBeNull()
    await expect.poll(prices).toEqual(usual)
    expect(new URL(page.url()).search).toBe('?size=50')

    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('Sắp xếp').selectOption('Giá bán: cao đến thấp')
    await expect.poll(prices).toEqual(usual.toSorted((one, other) => other - one))
    await expectAccessible(page)
  })

  it('is sorted by a heading in each list that can be, in each language, and by a field on a phone', async () => {
    // The demo shop has two.
    const { products } = (await shop.api('GET', '/api/external/v1/products?limit=1&select=skus')).body.data
    const items = [{ skuId: products[0].skus[0]._id, quantity: 1 }]
    await shop.api('POST', '/api/external/v1/inventory/entries', { type: 'receive', items })
    for (const { path, vi, en, by, usual } of [
      { path: '/orders', vi: 'Số tiền', en: 'Amount', by: 'price', usual: 'Ngày tạo' },
      { path: '/customers', vi: 'Họ tên', en: 'Full name', by: 'fullName', usual: 'Ngày tạo' },
      { path: '/messages', vi: 'Lúc gửi', en: 'Sent at', by: 'sentAt', usual: 'Lúc gửi' },
      { path: '/templates', vi: 'Tên', en: 'Name', by: 'name' },
      { path: '/news', vi: 'Tiêu đề', en: 'Title', by: 'title' },
      { path: '/goods-received', vi: 'Thời gian', en: 'Time', by: 'createdAt', usual: 'Thời gian' },
    ]) {
      const page = await shop.open(path)
      const rows = page.locator('tbody tr')
      const sorted = (name: string) => page.getByRole('columnheader', { name }).getAttribute('aria-sort')
      await rows.nth(2).waitFor()
      if (usual !== undefined) expect(await sorted(usual)).toBe('descending')
      await page.getByRole('columnheader', { name: vi }).getByRole('button').click()
      await expect.poll(() => sorted(vi)).toBe('ascending')
      await expect.poll(() => page.locator('[data-list]').getAttribute('aria-busy')).toBe('false')
      expect(new URL(page.url()).searchParams.get('sort')).toBe(by)
      await rows.nth(2).waitFor()
      const upwards = await rows.allInnerTexts()
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByLabel('Sắp xếp').waitFor()
      await expectAccessible(page)

      const english = await shop.open(`${path}?sort=${by}`, { locale: 'en-GB' })
      const heading = english.getByRole('columnheader', { name: en })
      await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
      expect(await english.locator('tbody tr').count()).toBe(upwards.length)
      await english.close()
      await page.close()
    }
  })

  it('empties the search box when the search leaves the address', async () => {
    const page = await shop.open('/products?search=ao')
    const box = page.getByLabel('Tên (không cần dấu), mã hoặc mã vạch')
    await expect.poll(() => box.inputValue()).toBe('ao')
    await page.getByRole('link', { name: 'Sản phẩm', exact: true }).first().click()
    await expect.poll(() => box.inputValue()).toBe('')
  })

  it.each([1440, 390])(
    'says what is applied in chips, of which each takes its filter away and one takes all, at %i px',
    async (width) => {
      const address = '/messages?phone=0912345678&status=ERROR&delivered=yes&from=2020-11-05'
      const page = await shop.open(address, { viewport: { width, height: 844 } })
      const chips = page.getByRole('button', { name: /^Bỏ lọc: / })
      await expect
        .poll(async () => (await chips.allInnerTexts()).map((name) => name.replaceAll(/\s+/g, ' ')))
        .toEqual([
          'Bỏ lọc: Điện thoại: 0912345678',
          'Bỏ lọc: Trạng thái: Lỗi',
          'Bỏ lọc: Chỉ tin đã đến khách',
          'Bỏ lọc: Từ ngày 05/11/2020',
        ])
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Bỏ lọc: Điện thoại: 0912345678' }).click()
      await expect.poll(() => new URL(page.url()).search).toBe('?status=ERROR&delivered=yes&from=2020-11-05')
      await expect.poll(() => page.locator('[data-list-search]').inputValue()).toBe('')
      await page.getByRole('button', { name: 'Bỏ hết bộ lọc' }).click()
      await expect.poll(() => new URL(page.url()).search).toBe('')
      expect(await chips.count()).toBe(0)
    },
  )

  it('shows as many rows as are asked for, with a line between them', async () => {
    const page = await shop.open('/orders')
    await page.getByLabel('Số dòng mỗi trang').selectOption('100')
    await expect.poll(() => page.getByRole('row').count()).toBe(101)
    expect(page.url()).toContain('size=100')
    const line = `getComputedStyle(document.querySelector('tbody tr')).borderBottom`
    expect(await page.evaluate(line)).toMatch(/^1px solid rgb/)
  })
})

describe('the first rows of a list', () => {
  it('come into the place that was kept for them', async () => {
    const page = await shop.open('/settings')
    const held: (() => void)[] = []
    await page.route('**/api/external/**', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve))
      await route.continue().catch(() => undefined)
    })
    const tops = async () =>
      (await page.evaluate(
        `[...document.querySelectorAll('main tr')].slice(0, 3).map((row) => Math.round(row.getBoundingClientRect().top))`,
      )) as number[]
    for (const path of ['/orders', '/products', '/news']) {
      await page.goto(path)
      await page.getByRole('status', { name: 'Đang tải' }).locator('tr').nth(5).waitFor()
      const kept = await tops()
      for (const answer of held.splice(0)) answer()
      await page.getByRole('row').nth(2).waitFor()
      expect(await tops(), path).toEqual(kept)
    }
  })
})

describe('the search box of orders and products', () => {
  it.each([
    [1440, 'vi-VN'],
    [1440, 'en-US'],
    [390, 'vi-VN'],
    [390, 'en-US'],
  ])('shows its whole hint at %i px in %s', async (width, locale) => {
    const page = await shop.open('/orders', { viewport: { width, height: 844 }, locale })
    for (const path of ['/orders', '/products']) {
      await page.goto(path)
      await page.locator('[data-list-search]').waitFor()
      const { needed, room } = await page.evaluate<{ needed: number; room: number }>(SEARCH_HINT)
      expect(needed, path).toBeGreaterThan(0)
      expect(needed, path).toBeLessThanOrEqual(room)
    }
  })
})
