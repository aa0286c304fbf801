import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { vi as served } from '../../server/src/texts/vi.ts'
import { addressOf, screenPaths } from '../screens.ts'
import { barriersInDialog } from './dialog-check.ts'
import { englishIn } from './english.ts'
import { fillScreens } from './fill-screens.ts'
import { joinOtherShop } from './other-shop.ts'
import { startConsole } from './support.ts'
import { QUIET_TIMEOUT_MS, WATCH, type Watched } from './watched-page.ts'

const shop = await startConsole({ RATE_LIMIT_PER_MINUTE: '100000', SESSION_RATE_LIMIT_PER_MINUTE: '100000' })
await fillScreens(shop)

/** Ways for a request to fail. The service's own texts are used if it has them in every language, otherwise the contract's. */
const FAULTS: Record<string, (route: Route) => Promise<void>> = {
  'a refusal of the fields': async (route) => {
    const body = route.request().postDataJSON()
    if (body === null || Object.keys(body).length === 0) return conflict(route)
    await route.continue({ postData: JSON.stringify(mistyped(body)) })
  },
  '409': conflict,
  '500': (route) => answer(route, 500, { error: 'Internal Server Error', message: served.unexpected }),
  '429': (route) =>
    answer(
      route,
      429,
      { error: 'Rate limit exceeded: 100 requests per minute. Retry in 40 s.' },
      { 'retry-after': '40' },
    ),
  'a proxy without the service': (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  'the network away': (route) => route.abort(),
}
const ALL_FAULTS = Object.keys(FAULTS)

/** Each screen gets two of them, and its neighbour the others. */
const READ_FAULTS = ['500', '429', 'a proxy without the service', 'the network away']

function conflict(route: Route) {
  return answer(route, 409, {
    error: 'Conflict',
    code: 'WAREHOUSE_IN_USE',
    message: served.refused.WAREHOUSE_IN_USE,
  })
}

async function answer(route: Route, statusCode: number, body: object, headers = {}) {
  await route.fulfill({ status: statusCode, json: { statusCode, ...body }, headers })
}

/** The body without its texts, and with negative numbers, so that the service itself refuses the fields. */
function mistyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mistyped)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mistyped(each)]))
  if (typeof value === 'number') return -1
  // A value that is chosen from a list cannot be mistyped.
  return typeof value === 'string' && !/^[A-Za-z_]+$/.test(value) ? '' : value
}

let writes = 'the network away'
let reads: string | undefined
let page = await watched(await shop.open('/'))

/** A page whose requests fail as `writes` and `reads` say. The request for the signed-in person always succeeds. */
async function watched(opened: Page): Promise<Page> {
  await opened.addInitScript(WATCH)
  await opened.route('**/api/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const isRead = route.request().method() === 'GET'
    if (isRead && pathname.startsWith('/api/console/')) return route.continue()
    const fault = isRead ? reads : writes
    await (fault === undefined ? route.continue() : FAULTS[fault]!(route)).catch(() => undefined)
  })
  await opened.reload()
  return opened
}

/** Calls a function of {@link WATCH} in the page, again if the page was reloaded meanwhile. */
async function within<K extends keyof Watched>(act: K, ...given: Parameters<Watched[K]>) {
  const text = `window.watched.${act}(...${JSON.stringify(given)})`
  const ask = async () => (await page.evaluate(text)) as Awaited<ReturnType<Watched[K]>>
  try {
    return await ask()
  } catch {
    await page.waitForLoadState()
    return ask()
  }
}

/** Waits until no response or retry is outstanding. */
const settle = () => within('quiet', QUIET_TIMEOUT_MS)

const known = new Map<string, string[]>()
let dialogs = 0
const barriers = new Set<string>()

/** Notes what axe finds in the dialog that is open, as it is or as it was refused. */
async function lookForBarriers() {
  for (const barrier of (await barriersInDialog(page)) ?? []) barriers.add(barrier)
}

/**
 * Checks everything that the page has shown since the last call.
 * @returns the number of texts
 */
async function expectVietnamese(doing: string): Promise<number> {
  const texts = await within('take')
  const wrong = texts.flatMap((text) => {
    if (!known.has(text)) known.set(text, englishIn(text))
    return known.get(text)!.map((words) => `${words} in “${text}”`)
  })
  expect(wrong, doing).toEqual([])
  return texts.length
}

/** Reloads the page, so everything is read again. */
async function load(address: string) {
  await page.goto(address)
  await page.locator('main h1, main [role="alert"]').first().waitFor()
  await settle()
}

/** Navigates as a link of the page does. */
async function go(address: string) {
  await within('go', address)
  await settle()
}

const addressOfPath = (path: string) =>
  addressOf(path, async (list) => {
    const headers = { 'x-api-key': `service-partner ${shop.demoKey}` }
    return (await page.request.get(list, list.startsWith('/api/external') ? { headers } : {})).text()
  })

/** Presses everything on the page, one after the other, and in a dialog that opens everything in it. */
async function pressAll(address: string) {
  const names = await within('pressable')
  for (const [at, name] of names.entries()) {
    writes = ALL_FAULTS[at % ALL_FAULTS.length]!
    // A question that could not be closed.
    if (await within('isDialogOpen')) await load(address)
    if (!(await within('press', name))) {
      await go(address)
      if (!(await within('press', name))) continue
    }
    await settle()
    if (await within('isDialogOpen')) await pressInDialog()
    if (new URL(page.url()).pathname !== address.split('?')[0]) await go(address)
  }
}

async function pressInDialog() {
  dialogs++
  await lookForBarriers()
  await within('fill', '7')
  for (const fault of ALL_FAULTS) {
    writes = fault
    if (!(await within('isDialogOpen')) || !(await within('pressLast'))) break
    await settle()
    await lookForBarriers()
  }
  for (let tries = 0; tries < 4; tries++) {
    await page.keyboard.press('Escape')
    await settle()
    if (!(await within('isDialogOpen'))) return
    if (await within('press', 'Bỏ thay đổi')) await settle()
  }
}

describe('a Vietnamese screen has no English, and its dialogs no barrier', () => {
  it.each([...screenPaths(), '/orders/khong-co'].map((path, at) => [path, at] as const))(
    '%s: as it is, with its dialogs, and whatever fails',
    async (path, at) => {
      const address = (await addressOfPath(path))!
      writes = 'the network away'
      const [first, second] = READ_FAULTS.filter((_, n) => n % 2 === at % 2)
      reads = first
      await load(address)
      let texts = await expectVietnamese(`read through ${first}`)
      reads = second
      if ((await within('retryAll')) === 0) await load(address)
      await settle()
      texts += await expectVietnamese(`read through ${second}`)
      reads = undefined
      await within('retryAll')
      await settle()
      if (await within('hasFailed')) await load(address)
      texts += await expectVietnamese('as it is')
      await pressAll(address)
      texts += await expectVietnamese('pressed')
      expect(texts).toBeGreaterThan(10)
      expect([...barriers]).toEqual([])
      barriers.clear()
    },
  )

  it('in a shop that has nothing yet', async () => {
    const other = await joinOtherShop(shop)
    await page.evaluate(`sessionStorage.setItem('shopbell.shop', '${other.id}')`)
    await load('/')
    for (const path of screenPaths().filter((one) => !one.includes('$') && !one.startsWith('/oauth'))) {
      await go(path)
      expect(await expectVietnamese(path)).toBeGreaterThan(0)
    }
    await page.evaluate(`sessionStorage.removeItem('shopbell.shop')`)
  })

  it('before the sign-in', async () => {
    page = await watched(await shop.open('/sign-in', { as: null }))
    for (const path of ['/sign-in', '/reset-password?token=x', '/invitation?token=x', '/khong-co']) {
      await page.goto(path)
      for (const fault of [undefined, ...ALL_FAULTS]) {
        writes = fault ?? writes
        await settle()
        await within('fill', 'ai@khong.example')
        await within('pressLast')
        await settle()
      }
      expect(await expectVietnamese(path)).toBeGreaterThan(0)
    }
  })

  it('was asked of every fault, and of many dialogs', () => {
    const all = [...known.keys()].join('\n')
    for (const sentence of [
      'không được để trống',
      served.refused.WAREHOUSE_IN_USE,
      served.unexpected,
      'Có quá nhiều yêu cầu trong một phút',
      'Máy chủ chưa trả lời',
      'Không kết nối được máy chủ',
    ])
      expect(all.toLowerCase()).toContain(String(sentence).toLowerCase())
    expect(dialogs).toBeGreaterThan(20)
  })

  it('says beside a field what it needs, whatever the browser’s language', async () => {
    const english = await shop.open('/', { locale: 'en-US' })
    await english.evaluate(`localStorage.setItem('shopbell.language', 'vi')`)
    await english.goto('/settings?tab=keys')
    await english.getByRole('button', { name: 'Tạo khóa' }).first().click()
    const form = english.getByRole('dialog')
    const name = form.getByRole('textbox').first()
    await form.getByRole('checkbox').first().check()
    const said = () =>
      name.evaluate((field) => (field as unknown as { validationMessage: string }).validationMessage)
    await form.locator('[type="submit"]').click()
    expect(await said()).toBe('Hãy điền ô này.')
    await name.pressSequentially('Kho')
    expect(await said()).toBe('')
  })
})
