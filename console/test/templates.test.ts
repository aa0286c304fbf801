import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const console = await startConsole({ SIMULATOR_REVIEW_MS: '1500' })

const preview = (page: Page) => page.getByLabel('Xem trước tin nhắn')
const pathOf = (page: Page) => new URL(page.url()).pathname

async function templateNamed(name: string): Promise<string> {
  const { body } = await console.api(
    'GET',
    `/api/external/notify-template?search=${encodeURIComponent(name)}`,
  )
  return body.templates[0]._id
}

describe('templates', () => {
  it('lists them by status, a rejected one with its reasons', async () => {
    const page = await console.open('/templates')
    await page.getByRole('tab', { name: 'Bị từ chối' }).click()
    const row = page.getByRole('row', { name: /Giảm giá cuối tuần/ })
    await row.getByText('Nội dung quảng cáo không được dùng với tag 1').waitFor()
    expect(page.url()).toContain('status=REJECTED')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await expectAccessible(page)
  })

  it('keeps a text for SMS of an approved one, says what it comes to, and drops it after asking', async () => {
    const { body } = await console.api('GET', '/api/external/notify-template?status=ENABLE')
    const [template] = body.templates
    const page = await console.open(`/templates/${template._id}`)
    const text = page.getByLabel('Nội dung SMS')
    await text.fill('Don <khong_khai_bao> da giao')
    await page.getByRole('button', { name: 'Lưu nội dung SMS' }).click()
    await page
      .getByText(/không được chứa <khong_khai_bao>/)
      .first()
      .waitFor()
    await text.fill('Don hang cua ban da giao')
    await page.getByRole('button', { name: 'Lưu nội dung SMS' }).click()
    await page.getByText(/Nội dung này là 1 SMS\. Cửa hàng chưa có đầu gửi SMS/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Không gửi SMS nữa' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Không gửi SMS nữa' }).click()
    await expect.poll(() => text.inputValue()).toBe('')
  })

  it('writes one with parameters declared by typing, publishes it and sees it approved', async () => {
    const page = await console.open('/templates/new')
    await page.getByLabel('Tên mẫu').fill('Báo đơn đã giao hàng')
    await page.getByLabel('Tiêu đề tin nhắn').pressSequentially('Đơn <order_code> đã đến nơi')
    await page.getByLabel('Nội dung đoạn').fill('Chào <customer_name>, <b>cảm ơn</b> bạn đã mua hàng.')
    await expect.poll(() => page.getByLabel('Tên hiển thị của order_code').inputValue()).toBe('Mã')
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Loại dữ liệu của customer_name' }).inputValue())
      .toBe('Tên khách hàng – tối đa 30 ký tự')
    await expect.poll(() => page.getByLabel(/^Tên hiển thị của/).count()).toBe(3)
    await page.getByLabel('Nội dung đoạn').fill('Chào <customer_name>, cảm ơn bạn đã mua hàng.')
    await expect.poll(() => page.getByLabel(/^Tên hiển thị của/).count()).toBe(2)
    await page.getByLabel('Giá trị mẫu của order_code').fill('DH2048')
    await preview(page).getByText('Đơn DH2048 đã đến nơi').waitFor()

    await page.getByRole('button', { name: 'Thêm bảng' }).click()
    await page.getByLabel('Nhãn dòng 1').fill('Mã đơn')
    await page.getByLabel('Giá trị dòng 1').fill('<order_code>')
    await page.getByRole('combobox', { name: 'Màu dòng 1' }).click()
    await page.getByRole('option', { name: 'Thành công (xanh lá)' }).click()
    await page.getByRole('button', { name: 'Xóa dòng 2' }).click()
    await preview(page).getByRole('cell', { name: 'DH2048' }).waitFor()

    const logo = await sharp({ create: { width: 200, height: 60, channels: 3, background: '#0a5' } })
      .png()
      .toBuffer()
    for (const ground of ['sáng', 'tối']) {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: `Tải ảnh lên: Logo cho nền ${ground}` }).click()
      await (await choosing).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      await expect
        .poll(() => page.getByLabel(`Logo cho nền ${ground}`, { exact: true }).inputValue())
        .toContain('/images/')
    }
    await page.getByText('Nền tối', { exact: true }).click()
    await expect
      .poll(() =>
        preview(page)
          .locator('img')
          .evaluate((image) => image.naturalWidth),
      )
      .toBe(200)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Gửi duyệt' }).click()
    await page.getByText('Đang dùng', { exact: true }).first().waitFor({ timeout: 30_000 })
    await page.getByText('Theo số điện thoại').waitFor()
    await page.getByRole('link', { name: 'Gửi thử' }).waitFor()
    // The owner wrote and submitted it.
    expect(await page.getByText(/ · Nguyễn Thị Mộc/).count()).toBe(2)
    await expectAccessible(page)
  })

  it('inserts a parameter at the caret by the keyboard: a new one by its name, then an existing one', async () => {
    const page = await console.open('/templates/new', { viewport: { width: 390, height: 844 } })
    const text = page.getByLabel('Nội dung đoạn')
    await text.fill('Chào bạn, đơn đã giao.')
    for (let step = 0; step < ', đơn đã giao.'.length; step += 1) await page.keyboard.press('ArrowLeft')
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key)
    const newParam = page.getByRole('menuitem', { name: 'Tham số mới…' })
    await newParam.waitFor()
    await expectAccessible(page)
    await expect.poll(() => newParam.evaluate((item) => item.matches(':focus'))).toBe(true)
    await page.keyboard.press('Enter')
    const name = page.getByRole('dialog').getByLabel('Tên tham số')
    await expect.poll(() => name.evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.type('Tên khách')
    await page.getByText('Trong tin: <ten_khach>').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => text.inputValue()).toBe('Chào bạn<ten_khach>, đơn đã giao.')
    await page.keyboard.type(' ơi')
    await expect.poll(() => text.inputValue()).toBe('Chào bạn<ten_khach> ơi, đơn đã giao.')
    expect(pathOf(page)).toBe('/templates/new')

    const title = page.getByLabel('Tiêu đề tin nhắn')
    await page.getByRole('button', { name: 'Chèn tham số: Tiêu đề tin nhắn' }).click()
    await page.getByRole('menuitem', { name: '<ten_khach>' }).click()
    await expect.poll(() => title.inputValue()).toBe('<ten_khach>')
    await expect.poll(() => title.evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.press('Control+z')
    await expect.poll(() => title.inputValue()).toBe('')
  })

  it('begins a new one from a starter, in either language, with the logos of the shop', async () => {
    const page = await console.open('/templates/new')
    await page.getByLabel('Tên mẫu').fill('Nháp')
    await page.getByRole('button', { name: 'Chọn mẫu soạn sẵn' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mẫu soạn sẵn' })
    await dialog.getByLabel(/^Cảm ơn và mời đánh giá/).click()
    await preview(page).last().getByText('Rất hài lòng').waitFor()
    await dialog.getByText('Nội dung đang viết sẽ được thay').waitFor()
    await expectAccessible(page)
    await dialog.getByText('Tiếng Anh', { exact: true }).click()
    await preview(page).last().getByText('Very satisfied').waitFor()
    await dialog.getByText('Tiếng Việt', { exact: true }).click()
    await dialog.getByLabel(/^Nhắc thanh toán/).click()
    await dialog.getByRole('button', { name: 'Dùng mẫu này' }).click()
    await expect.poll(() => page.getByLabel('Tên mẫu').inputValue()).toBe('Nhắc thanh toán công nợ')
    await expect.poll(() => page.getByLabel('Logo cho nền sáng', { exact: true }).inputValue()).not.toBe('')
    await page.getByText('Không có gì phải sửa.').waitFor()
    await preview(page).getByText('Khoản còn phải trả của bạn sắp đến hạn').waitFor()
    await preview(page).getByText('750.000đ', { exact: true }).waitFor()
  })

  it('keeps an unfinished one in any state, to be continued on another machine until it is a template', async () => {
    const first = await console.open('/templates/new')
    await first.getByLabel('Nội dung đoạn').fill('Chào <customer_name>, hàng bạn chờ đã về.')
    await first.getByRole('button', { name: 'Lưu nháp' }).click()
    await first.getByText('Đã lưu bản viết dở').waitFor()
    await expect.poll(() => first.url()).toContain('/templates/new?unfinished=')
    await first.getByLabel('Mô tả').fill('Báo hàng về')
    await first.getByRole('button', { name: 'Lưu nháp' }).click()
    await expect
      .poll(async () => {
        const { body } = await console.api('GET', '/api/external/notify-template/unfinished')
        return body.data.map(({ __v }: { __v: number }) => __v)
      })
      .toEqual([1])

    const second = await console.open('/templates')
    await second.getByRole('tab', { name: 'Viết dở 1', exact: true }).click()
    const link = second.getByRole('link', { name: 'Chưa đặt tên' })
    await link.waitFor()
    await expectAccessible(second)
    await link.click()
    await expect
      .poll(() => second.getByLabel('Nội dung đoạn').inputValue())
      .toBe('Chào <customer_name>, hàng bạn chờ đã về.')
    expect(await second.getByLabel('Mô tả').inputValue()).toBe('Báo hàng về')
    await second.getByLabel('Tên mẫu').fill('Báo hàng bạn chờ đã về')
    await second.getByLabel('Tiêu đề tin nhắn').fill('Hàng bạn chờ đã về')
    await second.getByRole('button', { name: 'Lưu nháp' }).click()
    await expect.poll(() => pathOf(second)).toMatch(/^\/templates\/[0-9a-f]{24}$/)
    const { body } = await console.api('GET', '/api/external/notify-template/unfinished')
    expect(body).toEqual({ data: [] })
    const kept = { name: 'Nháp cũ', content: '{}' }
    await console.api('POST', '/api/external/notify-template/unfinished', kept)
    await second.goto(`${console.url}/templates?status=UNFINISHED`)
    await second.getByRole('button', { name: 'Xóa bản viết dở: Nháp cũ' }).click()
    await second.getByRole('dialog').getByRole('button', { name: 'Xóa' }).click()
    await second.getByText('Không có mẫu viết dở').waitFor()
  })

  it('shows a long one on a phone that keeps its height and scrolls to what is written, and the page stays where it is', async () => {
    const page = await console.open('/templates/new')
    const text = page.getByLabel('Nội dung đoạn')
    await text.fill('Chào bạn.')
    const check = page.getByRole('heading', { name: 'Kiểm tra' })
    const toTop = () => page.evaluate('window.scrollTo(0, 0)')
    await toTop()
    const [before, top] = [(await preview(page).boundingBox())!, (await check.boundingBox())!.y]
    for (let count = 0; count < 4; count++) await page.getByRole('button', { name: 'Thêm đoạn văn' }).click()
    for (const index of [0, 1, 2, 3, 4])
      await text.nth(index).fill(`${'Hàng đã về. '.repeat(30)}Hết ${index}`)
    const isShown = (words: string) =>
      preview(page)
        .getByText(words)
        .evaluate((part) => {
          const [its, phone] = [
            part.getBoundingClientRect(),
            part.closest('section')!.getBoundingClientRect(),
          ]
          return its.bottom > phone.top && its.bottom < phone.bottom
        })
    await expect.poll(() => isShown('Hết 4')).toBe(true)
    await page.getByLabel('Tiêu đề tin nhắn').fill('Hàng bạn chờ đã về')
    await expect.poll(() => isShown('Hàng bạn chờ đã về')).toBe(true)
    expect(await isShown('Hết 4')).toBe(false)
    await toTop()
    await expect.poll(async () => (await preview(page).boundingBox())!).toEqual(before)
    expect((await check.boundingBox())!.y).toBe(top)
    await expectAccessible(page)
  })

  it.each(['vi-VN', 'en-US'])('calls each field and button by a name of its own, in %s', async (locale) => {
    const page = await console.open('/templates/new', { locale })
    const form = page.getByRole('main').locator('form')
    const add = (vi: string, en: string) =>
      form.getByRole('button', { name: locale === 'vi-VN' ? vi : en, exact: true }).click()
    await add('Thêm đoạn văn', 'Add paragraph')
    for (const _ of [1, 2]) await add('Thêm bảng', 'Add table')
    for (const _ of [1, 2]) await add('Thêm nút', 'Add button')
    await form
      .getByRole('textbox', { name: /Nội dung đoạn|Paragraph text/ })
      .first()
      .fill('<customer_name>, <order_code>')
    await form.getByText('order_code').first().waitFor()
    const names = [...(await form.ariaSnapshot()).matchAll(/- (textbox|combobox|checkbox|button) "([^"]+)"/g)]
    expect(names.length).toBeGreaterThan(40)
    const all = names.map(([, role, name]) => `${role} ${name}`)
    expect(all.filter((one, at) => all.indexOf(one) < at)).toEqual([])
  })

  it('orders blocks by the keyboard, in the preview too', async () => {
    const page = await console.open('/templates/new')
    await page.getByLabel('Nội dung đoạn').fill('Đoạn thứ nhất')
    await page.getByRole('button', { name: 'Thêm đoạn văn' }).click()
    await page.getByLabel('Nội dung đoạn').nth(1).fill('Đoạn thứ hai')
    await page.getByRole('button', { name: /Kéo để đổi chỗ khối 2/ }).focus()
    for (const key of ['Space', 'ArrowUp', 'Space']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(300)
    }
    await expect
      .poll(() => preview(page).locator('p').allTextContents())
      .toEqual(['Đoạn thứ hai', 'Đoạn thứ nhất'])
  })

  it('shows problems beside the fields while typing, and keeps what was typed when publishing is refused', async () => {
    const page = await console.open('/templates/new')
    const title = page.getByLabel('Tiêu đề tin nhắn')
    await title.fill('Ngắn')
    await expect
      .poll(() => title.evaluate((input) => input.closest('.mantine-InputWrapper-root')?.textContent))
      .toContain('từ 9 đến 65 ký tự')
    expect(await page.getByLabel('Tên mẫu').getAttribute('aria-invalid')).not.toBe('true')
    await page.getByRole('button', { name: 'Gửi duyệt' }).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByLabel('Tên mẫu').getAttribute('aria-invalid')).toBe('true')
    await expect
      .poll(() => page.getByLabel('Logo cho nền sáng', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await expect.poll(() => title.inputValue()).toBe('Ngắn')
    await page.getByRole('link', { name: 'Khách hàng' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ở lại' }).click()
    expect(pathOf(page)).toBe('/templates/new')
  })

  it('names a parameter and its problems as the editor does, and asks to remove one that is no longer used', async () => {
    const page = await console.open('/templates/new')
    const check = page.locator('[aria-live="polite"]').filter({ hasText: 'còn thiếu' })
    const text = page.getByLabel('Nội dung đoạn')
    await text.fill('Mã số <xyz>')
    await check.getByText('Loại dữ liệu của xyz: hãy chọn một loại.').waitFor()
    await page.getByLabel('Tên hiển thị của xyz').fill('Số lô')
    await text.fill('Mã số')
    await check.getByText('Tham số xyz không còn dùng: hãy bỏ tham số này.').waitFor()
    expect(await check.innerText()).not.toMatch(/tham số 1|"15"/)
    await page.getByRole('button', { name: 'Bỏ tham số xyz' }).click()
    await check.getByText('Tham số xyz').waitFor({ state: 'detached' })
  })

  it('says from the beginning what a new one still lacks, and after a refusal leads to the field, which no notice covers', async () => {
    const page = await console.open('/templates/new')
    const check = page.locator('[aria-live="polite"]').filter({ hasText: 'còn thiếu' })
    await check.getByText('Tên mẫu').waitFor()
    await check.getByText('Tiêu đề tin nhắn').waitFor()
    await check.getByRole('button', { name: /^Logo cho nền sáng/ }).waitFor()
    await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Chọn mẫu soạn sẵn' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mẫu soạn sẵn' })
    await dialog.getByLabel(/^Nhắc thanh toán/).click()
    await dialog.getByRole('button', { name: 'Dùng mẫu này' }).click()
    await dialog.waitFor({ state: 'detached' })
    for (const ground of ['sáng', 'tối'])
      await page.getByLabel(`Logo cho nền ${ground}`, { exact: true }).fill('')
    await check.getByText('2 điểm còn thiếu').waitFor()
    await page.getByRole('button', { name: 'Gửi duyệt' }).click()
    await page.waitForURL(/\/templates\/[0-9a-f]{24}$/)
    const notice = page.getByRole('alert').filter({ hasText: 'chưa được gửi duyệt' })
    await notice.waitFor()
    const field = page.getByLabel('Logo cho nền sáng', { exact: true })
    await expect.poll(() => field.evaluate((input) => input.matches(':focus'))).toBe(true)
    await expect
      .poll(() => field.evaluate((input) => input.closest('.mantine-InputWrapper-root')?.textContent))
      .toContain('thả ảnh vào ô')
    await expect.poll(() => page.getByText('Hãy thêm địa chỉ logo').count()).toBe(0)
    const [its, others] = [(await notice.boundingBox())!, (await field.boundingBox())!]
    expect(its.y).toBeGreaterThan(others.y + others.height)
    await expectAccessible(page)
  })

  it('fixes a rejected one beside its reasons and resubmits it', async () => {
    const page = await console.open('/templates?status=REJECTED')
    await page.getByRole('link', { name: 'Sửa và gửi duyệt lại' }).click()
    await page.getByText('Cần nút bấm thay cho đường dẫn trong nội dung').first().waitFor()
    await page.getByLabel('Tiêu đề tin nhắn').fill('Cảm ơn bạn đã ghé tiệm')
    await page.getByLabel('Nội dung đoạn').fill('<customer_name> ơi, hẹn gặp lại https://nhamoc.example nhé.')
    const resubmit = page.getByRole('button', { name: 'Gửi duyệt lại' })
    await resubmit.click()
    await page
      .getByText('A link must be a button, not text in a paragraph')
      .first()
      .waitFor({ timeout: 30_000 })
    await page.getByLabel('Nội dung đoạn').fill('<customer_name> ơi, hẹn gặp lại bạn nhé.')
    await page.getByRole('button', { name: 'Thêm nút' }).click()
    await page.getByLabel('Chữ trên nút 1').fill('Xem cửa hàng')
    await page.getByLabel('Đích của nút 1').fill('https://nhamoc.example')
    await resubmit.click()
    await page.getByText('Đang dùng', { exact: true }).first().waitFor({ timeout: 30_000 })
    await expect.poll(() => page.getByText('Bị từ chối').count()).toBe(2)
  })

  it('keeps the voucher of the block and of the template equal, and shows text as text', async () => {
    const page = await console.open('/templates/new')
    await page.getByLabel('Tên mẫu').fill('Tặng mã sinh nhật')
    await page.getByLabel('Tiêu đề tin nhắn').fill('<img src=x onerror=alert(1)> tặng bạn')
    await page.getByLabel('Nội dung đoạn').fill('Chúc mừng sinh nhật bạn.')
    await page.getByRole('combobox', { name: 'Loại mẫu' }).click()
    await page.getByRole('option', { name: 'Mã ưu đãi' }).click()
    await page.getByLabel('Tên ưu đãi').fill('Giảm 50.000đ')
    await page.getByLabel('Điều kiện').fill('Đơn từ 300.000đ')
    await page.getByLabel('Hết hạn').fill('31/12/2030')
    await page.getByRole('button', { name: 'Lưu nháp' }).click()
    await expect.poll(() => pathOf(page)).not.toBe('/templates/new')
    const { body } = await console.api(
      'GET',
      `/api/external/notify-template/${pathOf(page).split('/').at(-1)}`,
    )
    expect(body.data.voucher).toEqual(body.data.contentBlocks[1].voucher)
    expect(body.data.voucher).toMatchObject({ code: '<voucher_code>', title: 'Giảm 50.000đ' })
    expect(body.data.params).toMatchObject([{ key: 'voucher_code', techSetting: '5', maxLength: 30 }])
    await preview(page).getByText('<img src=x onerror=alert(1)> tặng bạn').waitFor()
  })

  it('duplicates one and deletes the copy, after asking', async () => {
    const page = await console.open(`/templates/${await templateNamed('Mời đánh giá')}`)
    await page.getByLabel('Tiêu đề 5 sao').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Nhân bản' }).click()
    await page.getByRole('heading', { name: 'Mời đánh giá đơn hàng (2)' }).waitFor()
    await page.getByRole('button', { name: 'Xóa', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa' }).click()
    await expect.poll(() => pathOf(page)).toBe('/templates')
    await expect.poll(() => page.getByText('Mời đánh giá đơn hàng (2)').count()).toBe(0)
  })

  it('lets a viewer look and change nothing', async () => {
    const viewer = await console.invite('viewer')
    const page = await console.open('/templates', { as: viewer })
    await page.getByRole('table').waitFor()
    await expect.poll(() => page.getByRole('link', { name: /Tạo mẫu|Sửa và gửi duyệt lại/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Mời đánh giá đơn hàng' }).click()
    await preview(page).waitFor()
    await expect.poll(() => page.getByRole('textbox').count()).toBe(0)
    await expect
      .poll(() => page.getByRole('button', { name: /^(?!.* là gì\?$).*(Nhân bản|Xóa|Lưu|Gửi)/ }).count())
      .toBe(0)
  })
})
