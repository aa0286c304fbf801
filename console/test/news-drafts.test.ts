import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { expectAccessible, expectFocus, startConsole } from './support.ts'

const console = await startConsole()
const DRAFTS = '/api/external/v1/news-drafts'
const PHONE = { viewport: { width: 390, height: 844 } }
const ENGLISH = { locale: 'en-GB' }
/** A place where no local clock shows Vietnam's time. */
const ELSEWHERE = { timezoneId: 'America/New_York' }

type Draft = { _id: string; __v: number; title: string; content: string; publishAt: string | null }
const drafts = async (): Promise<Draft[]> => (await console.api('GET', DRAFTS)).body.data
/** The draft with that title, including its content. */
async function draftOf(title: string): Promise<Draft | undefined> {
  const head = (await drafts()).find((draft) => draft.title === title)
  return head && (await console.api('GET', `${DRAFTS}/${head._id}`)).body.data
}
const articleOf = async (id: string) => console.api('GET', `/api/external/news/${id}`)
const headline = (page: Page) => page.getByRole('textbox', { name: /^(Tiêu đề|Title)/ })
/** As a person does: the editor has not seen a selection by a script yet when the next key comes. */
async function empty(text: Locator): Promise<void> {
  await text.press('ControlOrMeta+a')
  await text.press('Delete')
}
const isDraftAt = (page: Page) => page.waitForURL(/\/news\/new\?draft=[0-9a-f]{24}$/)

async function openDrafts(page: Page, tab: RegExp): Promise<void> {
  await page.getByRole('tab', { name: tab }).click()
}

afterEach(async () => {
  for (const { _id } of await drafts()) await console.api('DELETE', `${DRAFTS}/${_id}`)
})

describe('drafts of news', () => {
  it('what is typed is kept by itself in any state without taking the cursor away, and goes on in another browser', async () => {
    const first = await console.open('/news/new')
    await headline(first).pressSequentially('Hàng hè')
    await isDraftAt(first)
    // The caret is still in the field: the form was not opened again.
    await first.keyboard.type(' đã về')
    await first.getByRole('status').filter({ hasText: 'Đã lưu nháp lúc' }).waitFor()
    await expect.poll(() => draftOf('Hàng hè đã về')).toMatchObject({ content: '' })
    expect((await drafts()).length).toBe(1)
    await expectAccessible(first)

    const second = await console.open('/news', { ...PHONE, ...ENGLISH })
    await openDrafts(second, /^Drafts/)
    const link = second.getByRole('link', { name: 'Hàng hè đã về' })
    await link.waitFor()
    await expectAccessible(second)
    await link.click()
    await expect.poll(() => headline(second).inputValue()).toBe('Hàng hè đã về')
    await expectAccessible(second)
    await second.getByRole('textbox', { name: 'Content' }).click()
    await second.keyboard.type('Mát lạnh')
    await second.getByRole('status').filter({ hasText: 'Draft saved at' }).waitFor()
    // The note about the draft leaves the buttons enough space for their labels.
    for (const button of await second.locator('[data-form-actions] button').all())
      expect(await button.evaluate((one) => one.clientWidth > 90 && one.scrollWidth <= one.clientWidth)).toBe(
        true,
      )
    const draft = (await draftOf('Hàng hè đã về'))!
    expect(draft.content).toBe('<p>Mát lạnh</p>')

    // The first browser has the previous version: nothing is overwritten silently, and no question appears while
    // somebody types.
    await headline(first).pressSequentially('!')
    await first.getByText('Người khác vừa sửa bản nháp này').waitFor()
    expect((await draftOf('Hàng hè đã về'))?.__v).toBe(draft.__v)
    await headline(first).fill('Hàng hè đã về rồi')
    await first.getByRole('button', { name: 'Lưu nháp' }).click()
    const question = first.getByRole('dialog')
    await question.getByText('Mát lạnh').waitFor()
    await expectAccessible(first)
    await question.getByRole('button', { name: 'Lưu bản của tôi' }).click()
    // Each person changed another field, so both changes stay.
    await expect.poll(() => draftOf('Hàng hè đã về rồi')).toMatchObject({ content: '<p>Mát lạnh</p>' })
    const id = draft._id
    await first.reload()
    await first.getByRole('button', { name: 'Đăng ngay' }).click()
    await first.waitForURL(new RegExp(`/news/${id}$`))
    expect((await articleOf(id)).body.data).toMatchObject({ title: 'Hàng hè đã về rồi', status: 'active' })
    expect(await drafts()).toEqual([])

    // A published draft opens as the article that it became.
    await second.goto(`${console.url}/news/new?draft=${id}`)
    await second.waitForURL(new RegExp(`/news/${id}$`))
  })

  it('what is not ready is refused at its field before it is published or scheduled, and stays a draft', async () => {
    const page = await console.open('/news/new')
    await headline(page).fill('Chưa có nội dung')
    await page.getByRole('button', { name: 'Lưu nháp' }).click()
    await page.getByText('Đã lưu bản nháp', { exact: true }).waitFor()
    const content = page.getByRole('textbox', { name: 'Nội dung' })
    const refusal = page.getByText('Hãy điền ô này', { exact: true })
    await page.getByRole('button', { name: 'Đăng ngay' }).click()
    await refusal.waitFor()
    await expectFocus(page, 'Nội dung')
    expect(await page.getByText('không được để trống').count()).toBe(0)
    await expectAccessible(page)
    await content.fill('Có rồi')
    await refusal.waitFor({ state: 'detached' })
    await empty(content)
    const time = page.getByRole('textbox', { name: 'Giờ đăng' })
    await time.fill('15/01/2126 9:30')
    for (const name of ['Hẹn giờ đăng', 'Đăng ngay']) {
      await content.fill('Có rồi')
      await refusal.waitFor({ state: 'detached' })
      await empty(content)
      await page.getByRole('button', { name }).click()
      await refusal.waitFor()
      await expectFocus(page, 'Nội dung')
    }
    await time.fill('')
    const draft = (await draftOf('Chưa có nội dung'))!
    expect((await articleOf(draft._id)).status).toBe(404)
    await page.getByRole('button', { name: 'Xóa' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa' }).click()
    await page.waitForURL(/\/news\?status=drafts$/)
    await page.getByText('Chưa có bản nháp').waitFor()
    await expectAccessible(page)
    expect(await drafts()).toEqual([])
  })

  it('is published at a time of Vietnam, typed in a browser of another zone, and not changed by typing', async () => {
    const page = await console.open('/news/new', ELSEWHERE)
    await headline(page).fill('Khai xuân')
    await page.getByRole('textbox', { name: 'Nội dung' }).click()
    await page.keyboard.type('Mời bạn ghé')
    const time = page.getByRole('textbox', { name: 'Giờ đăng' })
    await time.fill('15/01/2020 9:30')
    await page.getByRole('button', { name: 'Hẹn giờ đăng' }).click()
    await page.getByText('Giờ đăng phải sau lúc này.').waitFor()
    await time.fill('15/01/2126 9:30')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Hẹn giờ đăng' }).click()
    await page.getByText('Bài tự đăng lúc 09:30 15/01/2126, giờ Việt Nam').waitFor()
    await page.getByText('Đã hẹn đăng lúc 09:30 15/01/2126', { exact: true }).waitFor()
    const draft = (await draftOf('Khai xuân'))!
    expect(draft.publishAt).toBe('2126-01-15T02:30:00.000Z')
    await expectAccessible(page)

    await headline(page).fill('Khai xuân, nửa chừng')
    await page.waitForTimeout(2_500)
    expect(await draftOf('Khai xuân')).toEqual(draft)
    await time.fill('')
    await page.getByRole('button', { name: 'Lưu nháp' }).click()
    await expect.poll(() => draftOf('Khai xuân, nửa chừng')).toMatchObject({ publishAt: null })
  })

  it('is published as shown; of one that another program hid, the form says so', async () => {
    const page = await console.open('/news/new')
    await headline(page).waitFor()
    const shown = page.getByText('Đang hiện', { exact: true })
    expect(await shown.count()).toBe(0)
    const body = {
      title: 'Ẩn',
      content: '<p>Chào</p>',
      status: 'inactive',
      publishAt: '2126-01-15T02:30:00Z',
    }
    const { _id: id } = (await console.api('POST', DRAFTS, body)).body.data
    await page.goto(`${console.url}/news/new?draft=${id}`)
    await page.getByText('Bài tự đăng lúc 09:30 15/01/2126, giờ Việt Nam, nhưng đang ẩn với khách').waitFor()
    const note = page.getByText('đăng rồi khách vẫn chưa thấy')
    await note.waitFor()
    await expectAccessible(page)
    await shown.click()
    await note.waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Giờ đăng' }).fill('')
    await page.getByRole('button', { name: 'Đăng ngay' }).click()
    await page.waitForURL(new RegExp(`/news/${id}$`))
    expect((await articleOf(id)).body.data.status).toBe('active')
    // The published article can be hidden.
    await page.getByText('Đang ẩn', { exact: true }).click()
    await page.getByRole('button', { name: 'Lưu', exact: true }).click()
    await expect.poll(async () => (await articleOf(id)).body.data.status).toBe('inactive')
    await page.goto(`${console.url}/news`)
    await page.getByRole('tab', { name: 'Đã đăng' }).waitFor()
  })

  it('stays scheduled when it is due to be saved by itself during that save', async () => {
    const page = await console.open('/news/new')
    await headline(page).fill('Giờ vàng')
    await page.getByRole('textbox', { name: 'Nội dung' }).click()
    await page.keyboard.type('Mời')
    await page.getByRole('status').filter({ hasText: 'Đã lưu nháp lúc' }).waitFor()
    await expect.poll(() => draftOf('Giờ vàng')).toMatchObject({ content: '<p>Mời</p>' })
    // Longer than the time after which typing is saved.
    await page.route(/\/news-drafts\//, async (route) => {
      await pause(3_000)
      await route.continue()
    })
    await page.getByRole('textbox', { name: 'Giờ đăng' }).fill('15/01/2126 9:30')
    await headline(page).fill('Giờ vàng mới')
    await page.getByRole('button', { name: 'Hẹn giờ đăng' }).click()
    await page.getByText('Bài tự đăng lúc 09:30 15/01/2126').waitFor()
    await pause(4_000)
    expect(await drafts()).toMatchObject([{ title: 'Giờ vàng mới', publishAt: '2126-01-15T02:30:00.000Z' }])
  })

  it('one whose time has come is published; why one could not be is said in both languages, and at its field', async () => {
    const due = new Date().toISOString()
    const body = { content: '<p>Chào</p>', publishAt: due }
    const cta = [{ name: 'Xem', url: 'https://chatapp.example/s/1/a' }]
    await console.api('POST', DRAFTS, { ...body, title: 'Đến giờ' })
    const stuck = (await console.api('POST', DRAFTS, { ...body, title: 'Kẹt', cta, publishAt: null })).body
      .data
    // As if the platform's link host had been changed since.
    await console.whileStopped(
      `update news_drafts set publish_at = now(), cta = '[{"name": "Xem", "url": "https://elsewhere.example/s/1"}]' where id = '${stuck._id}'`,
    )
    await expect
      .poll(async () => (await drafts()).map(({ title }) => title), { timeout: 20_000 })
      .toEqual(['Kẹt'])
    await expect
      .poll(async () => (await draftOf('Kẹt')) as { problem?: string | null } | undefined, {
        timeout: 20_000,
      })
      .toMatchObject({ problem: expect.any(String) })
    const vietnamese = await console.open('/news?status=drafts', PHONE)
    await vietnamese.getByText('phải bắt đầu bằng https://chatapp.example/s/').waitFor()
    await expectAccessible(vietnamese)
    const english = await console.open('/news?status=drafts', ENGLISH)
    await english.getByText('Not published').waitFor()
    await english.getByText('must start with https://chatapp.example/s/').waitFor()
    expect(await english.getByText('phải bắt đầu').count()).toBe(0)
    await expectAccessible(english)
    await english.getByRole('link', { name: 'Kẹt' }).click()
    await english.getByRole('alert').filter({ hasText: 'Could not be published at' }).waitFor()
    const link = english.getByLabel('Link of button 1')
    expect(await link.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(english)
    await link.fill('https://chatapp.example/s/1/b')
    await english.getByRole('textbox', { name: 'Publish at' }).fill('')
    await english.getByRole('button', { name: 'Publish now' }).click()
    await english.waitForURL(new RegExp(`/news/${stuck._id}$`))
    await vietnamese.getByText('Chưa có bản nháp').waitFor()
  })

  it('a viewer reads drafts and changes none', async () => {
    await console.api('POST', DRAFTS, { title: 'Để đọc' })
    const page = await console.open('/news?status=drafts', { as: await console.invite('viewer') })
    await page.getByRole('link', { name: 'Để đọc' }).click()
    await expect.poll(() => headline(page).isDisabled()).toBe(true)
    for (const name of ['Lưu nháp', 'Đăng ngay', 'Xóa'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  })
})
