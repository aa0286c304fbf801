import { describe, expect, it } from 'vitest'
import { bar, callOf, downloadAll, downloadSelected } from './selected-rows.ts'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000', SESSION_RATE_LIMIT_PER_MINUTE: '100000' })
const WIDTHS = [1440, 390]
const call = callOf(shop)

describe('selected customers', () => {
  const CUSTOMERS = '/api/external/v1/customers'

  it.each(WIDTHS)(
    'are exported, and are the recipients of a batch except those without a phone number, at %i px',
    async (width) => {
      const name = `Mai Thị Gửi ${width}`
      const phone = `0912 70${width === 390 ? 1 : 2} 9`
      const one = await call('POST', CUSTOMERS, { fullName: `${name} một`, phone: `${phone}10` })
      const two = await call('POST', CUSTOMERS, {
        fullName: `${name} hai`,
        phone: `${phone}20`,
        birthday: '1990-11-24',
      })
      const silent = await call('POST', CUSTOMERS, { fullName: `${name} ba` })
      const left = await call('POST', CUSTOMERS, { fullName: `${name} bốn`, phone: `${phone}40` })
      const page = await shop.open(`/customers?search=${encodeURIComponent(name)}`, {
        viewport: { width, height: 844 },
      })
      for (const each of [one, two, silent])
        await page.getByRole('checkbox', { name: `Chọn ${each.fullName}` }).check()
      await bar(page).getByText('Đã chọn 3').waitFor()
      await expectAccessible(page)
      const chosen = await downloadSelected(page)
      expect(new Set(chosen.cellsOf('ID khách hàng'))).toEqual(new Set([one.id, two.id, silent.id]))
      const found = await downloadAll(page)
      expect(found.headings.slice(0, 3)).toEqual(['Họ tên', 'Điện thoại', 'Email'])
      expect(found.cellsOf('ID khách hàng')).toEqual([left.id, silent.id, two.id, one.id])

      await bar(page).getByRole('link', { name: 'Gửi tin nhắn' }).click()
      await page
        .getByText('2 khách có số điện thoại. Thêm 1 khách không có số nên không nhận được tin.')
        .waitFor()
      await page.reload()
      await page.getByText('2 khách có số điện thoại.', { exact: false }).waitFor()
      const choose = async (field: string, option: string) => {
        await page.getByRole('combobox', { name: field, exact: true }).click()
        await page.getByRole('option', { name: option }).click()
      }
      await choose('Mẫu tin', 'Xác nhận đơn hàng')
      const mapped = page.getByRole('combobox', { name: 'Cột cho: Tên khách hàng' })
      await expect.poll(() => mapped.inputValue()).toBe('Họ tên')
      await page
        .getByLabel('Xem trước tin nhắn: Dòng 1')
        .getByText(`Cảm ơn ${name} hai đã mua hàng`)
        .waitFor()
      await choose('Cột cho: Mã đơn hàng', 'Ngày sinh')
      await choose('Cột cho: Tổng tiền', 'Số điện thoại')
      await page.getByText('24/11/1990').first().waitFor()
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.getByRole('button', { name: 'Kiểm tra 2 dòng' }).click()
      await page.getByText('1 tin gửi được, 1 dòng không gửi.').waitFor()

      await page.getByText('Tệp hoặc dán', { exact: true }).click()
      await page.getByLabel('Hoặc dán các dòng').waitFor()
      await expect.poll(() => mapped.count()).toBe(0)
      await page.getByText('Khách đã chọn', { exact: true }).click()
      await expect.poll(() => mapped.inputValue()).toBe('Họ tên')
    },
  )

  it('without any phone number get no messages, and unknown ids are left out', async () => {
    const { _id } = await call('POST', CUSTOMERS, { fullName: 'Khách không số' })
    const page = await shop.open(`/messages/batches/new?customers=${_id},${'f'.repeat(24)}`)
    await page.getByText('Không khách nào đã chọn có số điện thoại.').waitFor()
    await page.getByText('Thêm 1 khách không có số', { exact: false }).waitFor()
    // Nothing was entered, so leaving asks nothing.
    await page.getByRole('link', { name: 'Sản phẩm', exact: true }).click()
    await page.waitForURL('**/products')
  })

  it('are no longer selected on the return from sending to them', async () => {
    const page = await shop.open('/customers')
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await bar(page).getByRole('link', { name: 'Gửi tin nhắn' }).click()
    await page.getByRole('heading', { level: 1, name: 'Gửi hàng loạt' }).waitFor()
    await page.goBack()
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).waitFor()
    expect(await bar(page).count()).toBe(0)
  })

  it('are exported by a viewer, who sends nothing', async () => {
    const page = await shop.open('/customers', { as: await shop.invite('viewer') })
    await page.getByRole('checkbox', { name: 'Chọn cả trang' }).check()
    await bar(page).getByRole('button', { name: 'Xuất CSV đã chọn' }).waitFor()
    expect(await bar(page).getByRole('link', { name: 'Gửi tin nhắn' }).count()).toBe(0)
  })
})

describe('selected messages', () => {
  const HISTORY = '/api/external/notify-message/history'

  it.each(WIDTHS)(
    'are exported, alone or with all that a filter finds, by a viewer too, at %i px',
    async (width) => {
      const { histories } = (await shop.api('GET', `${HISTORY}?offset=3`)).body
      const page = await shop.open('/messages', {
        as: await shop.invite('viewer'),
        viewport: { width, height: 844 },
      })
      const boxes = page.getByRole('checkbox', { name: /^Chọn (?!cả)/ })
      await boxes.nth(0).check()
      await boxes.nth(2).check()
      await bar(page).getByText('Đã chọn 2').waitFor()
      await expectAccessible(page)
      const chosen = await downloadSelected(page)
      expect(new Set(chosen.cellsOf('Mã tin'))).toEqual(new Set([histories[0]._id, histories[2]._id]))

      await page.goto(new URL('/messages?status=ERROR', page.url()).href)
      await page.getByRole('button', { name: 'Xuất CSV', exact: true }).waitFor()
      expect(await bar(page).count()).toBe(0)
      const failed = (await shop.api('GET', `${HISTORY}?status=ERROR&offset=100`)).body
      const found = await downloadAll(page)
      expect(found.headings.slice(0, 3)).toEqual(['Lúc gửi', 'Gửi bằng', 'Điện thoại'])
      expect(found.cellsOf('Mã tin')).toEqual(failed.histories.map(({ _id }: { _id: string }) => _id))
      expect(new Set(found.cellsOf('Trạng thái'))).toEqual(new Set(['Lỗi']))
    },
  )
})
