import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hold, scan as scanFast } from './counter.ts'
import { expectAccessible, expectFocusKept, loseAnswers, startConsole } from './support.ts'

const shop = await startConsole()
const SCAN = 'Quét mã vạch, hoặc gõ mã hay tên sản phẩm'
const ENTRIES = '/api/external/v1/inventory/entries'
const WIDTHS = [1440, 390]

type Made = { productId: string; barcode: string; skuId: string; name: string }

async function makeProduct(name: string, pieces = 0): Promise<Made> {
  const barcode = `893${String(Math.random()).slice(2, 12)}`
  const made = await shop.api('POST', '/api/external/v1/products', { name, price: 20_000, barcode })
  const { data } = (await shop.api('GET', `/api/external/v1/products/${made.body.data.id}`)).body
  const skuId = data.skus[0]._id
  if (pieces > 0) await enter({ type: 'receive', items: [{ skuId, quantity: pieces }] })
  return { productId: data._id, barcode, skuId, name }
}

async function enter(body: object): Promise<void> {
  expect((await shop.api('POST', ENTRIES, body)).status).toBe(201)
}

/** What a preview shows of a SKU, by default in the default warehouse. */
async function stateOf({ skuId }: Made, warehouseId?: string) {
  const body = { type: 'count', items: [{ skuId, quantity: 0 }], ...(warehouseId && { warehouseId }) }
  return (await shop.api('POST', `${ENTRIES}/preview`, body)).body.data.items[0]
}

/** Invited once: an address may accept only so many invitations a minute. */
const people = { owner: await shop.invite('owner'), staff: await shop.invite('staff') }

async function openNew(path: string, width: number, role: 'owner' | 'staff' = 'staff'): Promise<Page> {
  const page = await shop.open(path, { viewport: { width, height: 844 }, as: people[role] })
  await page.locator(`input[aria-label="${SCAN}"]:focus`).waitFor()
  return page
}

async function scan(page: Page, { barcode, name }: Made, quantity: number): Promise<void> {
  await page.getByLabel(SCAN).click()
  await page.keyboard.type(`${barcode}\n`)
  await expect.poll(() => page.getByLabel(`Số lượng ${name}`).inputValue()).toBe(String(quantity))
}

const book = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Answers the question that precedes a booking. */
async function answerQuestion(page: Page, text: string, button: string): Promise<void> {
  const question = page.getByRole('dialog').filter({ hasText: text })
  await question.getByRole('button', { name: button, exact: true }).click()
  await question.waitFor({ state: 'detached' })
}

describe('goods received', () => {
  it('without a code say below their name only what the note changes', async () => {
    const name = 'Trà cúc không mã'
    expect((await shop.api('POST', '/api/external/v1/products', { name, price: 45_000 })).status).toBe(200)
    const page = await openNew('/goods-received/new', 1440)
    await page.keyboard.type(name)
    await page.getByRole('option', { name }).click()
    const line = page.getByRole('listitem').filter({ hasText: name })
    await line.getByText(/^Chưa có giá nhập: giá vốn không đổi$/).waitFor()
  })

  it.each(WIDTHS)(
    'are scanned with their cost and supplier, kept over a reload, asked about before they are left, and booked with their average cost, at %i px',
    async (width) => {
      const tea = await makeProduct(`Trà lài ${width}`)
      const cup = await makeProduct(`Ly sứ ${width}`)
      await enter({ type: 'receive', items: [{ skuId: tea.skuId, quantity: 2, unitCost: 10_000 }] })
      const page = await openNew('/goods-received/new', width, 'owner')
      await scan(page, tea, 1)
      await scan(page, cup, 1)
      await scan(page, tea, 2)
      await page.getByLabel(SCAN).click()
      await page.keyboard.type(`3*${cup.barcode}\n`)
      await expect.poll(() => page.getByLabel(`Số lượng ${cup.name}`).inputValue()).toBe('4')
      await page.getByLabel(`Giá nhập ${tea.name}`).fill('13000')
      await page.getByText('Giá vốn 10.000').filter({ hasText: '11.500' }).waitFor()
      await page.getByText('Chưa có giá nhập: giá vốn không đổi').waitFor()
      await page.getByLabel(`Giá nhập ${cup.name}`).fill('25000')
      await page.getByRole('combobox', { name: 'Nhà cung cấp' }).fill(`Xưởng gốm Bát Tràng ${width}`)
      await page.keyboard.press('Tab')
      await page.getByText('2 mặt hàng, 6 món · 126.000').waitFor()
      await expectAccessible(page)

      await page.reload()
      await expect.poll(() => page.getByLabel(`Giá nhập ${cup.name}`).inputValue()).toBe('25.000 ₫')
      if (width === 1440) {
        await page.getByRole('link', { name: 'Sản phẩm', exact: true }).click()
        await page.getByRole('button', { name: 'Ở lại' }).click()
      }
      await book(page, 'Nhập vào kho').click()
      await page.getByRole('heading', { level: 1, name: 'Phiếu nhập' }).waitFor()
      await page.getByText(`Xưởng gốm Bát Tràng ${width}`).waitFor()
      await page.getByText('126.000').first().waitFor()
      await expectAccessible(page)
      expect(await stateOf(tea)).toMatchObject({ stock: 4, averageCost: 11_500 })
      expect(await stateOf(cup)).toMatchObject({ stock: 4, averageCost: 25_000 })

      await page.goto(`/products/${tea.productId}`)
      await page.getByText('11.500', { exact: false }).first().waitFor()
      await page.goto('/goods-received')
      const row = page.getByRole('row').filter({ hasText: `Xưởng gốm Bát Tràng ${width}` })
      await row.filter({ hasText: '126.000' }).filter({ hasText: 'Người thử' }).waitFor()
      await expectAccessible(page)
      await page.goto('/goods-received/new')
      await page.getByRole('combobox', { name: 'Nhà cung cấp' }).fill('xuong gom')
      await page.getByRole('option', { name: `Xưởng gốm Bát Tràng ${width}` }).click()
      expect(await page.getByRole('combobox', { name: 'Nhà cung cấp' }).inputValue()).toBe(
        `Xưởng gốm Bát Tràng ${width}`,
      )
    },
  )

  it('show their lines in the order of the form, the last one first', async () => {
    const basket = await makeProduct('Giỏ cói trước')
    const hat = await makeProduct('Nón cói sau')
    const page = await openNew('/goods-received/new', 1440)
    await scan(page, basket, 1)
    await scan(page, hat, 1)
    const names = [hat.name, basket.name]
    const lines = page.getByRole('list', { name: 'Hàng trong phiếu' }).getByRole('listitem')
    expect(await lines.allInnerTexts()).toEqual(names.map((name) => expect.stringContaining(name)))
    await book(page, 'Nhập vào kho').click()
    await page.getByRole('heading', { level: 1, name: 'Phiếu nhập' }).waitFor()
    await page.getByRole('row').nth(2).waitFor()
    const [, ...rows] = await page.getByRole('row').allInnerTexts()
    expect(rows).toEqual(names.map((name) => expect.stringContaining(name)))
  })

  it('are booked once when the answer is lost and the note is sent again, after a reload too', async () => {
    const lamp = await makeProduct('Đèn lồng')
    const page = await openNew('/goods-received/new', 1440)
    await scan(page, lamp, 1)
    await page.getByLabel(`Giá nhập ${lamp.name}`).fill('40000')
    const find = await loseAnswers(page, `**${ENTRIES}`)
    await book(page, 'Nhập vào kho').click()
    await page.getByText('Chưa rõ phiếu đã được ghi hay chưa').waitFor({ timeout: 40_000 })
    find()
    await page.reload()
    await page.getByText('Chưa rõ phiếu đã được ghi hay chưa').waitFor()
    expect(await page.getByLabel(`Số lượng ${lamp.name}`).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Gửi lại' }).click()
    await page.getByRole('heading', { level: 1, name: 'Phiếu nhập' }).waitFor()
    expect(await stateOf(lamp)).toMatchObject({ stock: 1, averageCost: 40_000 })
  })

  it('cannot be booked while something scanned is being looked up: the note would lack it', async () => {
    const mat = await makeProduct('Chiếu cói')
    const late = await makeProduct('Chiếu trúc')
    const page = await openNew('/goods-received/new', 1440)
    await scan(page, mat, 1)
    const goOn = await hold(page, `**/v1/products?*${late.barcode}*`)
    await page.keyboard.type(`${late.barcode}\n`)
    await page.getByRole('status').getByText('Đang tìm hàng vừa quét…').waitFor()
    expect(await book(page, 'Nhập vào kho').isDisabled()).toBe(true)
    goOn()
    await page.getByLabel(`Số lượng ${late.name}`).waitFor()
    await book(page, 'Nhập vào kho').click()
    await page.getByRole('heading', { level: 1, name: 'Phiếu nhập' }).waitFor()
    expect(await stateOf(late)).toMatchObject({ stock: 1 })
  })

  it('lead from their note to the product, also one whose code could be read as a number', async () => {
    const body = { name: 'Gối mây', price: 20_000, itemSku: '12E4' }
    const { _id } = (await shop.api('POST', '/api/external/v1/products', body)).body.data
    const [sku] = (await shop.api('GET', `/api/external/v1/products/${_id}?select=skus`)).body.data.skus
    const entry = { type: 'receive', items: [{ skuId: sku._id, quantity: 1 }] }
    const note = (await shop.api('POST', ENTRIES, entry)).body.data._id
    const page = await shop.open(`/goods-received/${note}`)
    await page.getByRole('link', { name: body.name }).click()
    await page.getByRole('row', { name: body.name }).waitFor()
  })

  it('in a quantity that is likely a code are asked about by their name', async () => {
    const [bowl, plate] = [await makeProduct('Bát men lam'), await makeProduct('Đĩa men lam')]
    const page = await openNew('/goods-received/new', 390)
    await scan(page, plate, 1)
    await scan(page, bowl, 1)
    const pieces = page.getByLabel(`Số lượng ${plate.name}`)
    for (const [typed, said] of [
      ['1,5', 'Hãy nhập số nguyên, không có dấu phẩy hay dấu chấm.'],
      ['-2', 'Hãy nhập số từ 1 đến 1.000.000.000.'],
    ] as const) {
      await pieces.fill('')
      await pieces.pressSequentially(typed)
      await page.getByText(said).waitFor()
      await pieces.blur()
      expect(await pieces.inputValue()).toBe(typed)
      await page.getByText('1 mặt hàng chưa có số lượng').waitFor()
      expect(await book(page, 'Nhập vào kho').isDisabled()).toBe(true)
    }
    await pieces.fill('')
    await pieces.pressSequentially('99999')
    await expect.poll(() => page.getByText('Hãy nhập số').count()).toBe(0)
    await page.getByLabel(`Số lượng ${bowl.name}`).fill('100000')
    await book(page, 'Nhập vào kho').click()
    const question = 'Số lượng Bát men lam là 100.000. Vẫn nhập vào kho?'
    await page.getByText(question, { exact: true }).waitFor()
    await expectAccessible(page)
    await answerQuestion(page, question, 'Sửa lại')
    expect(await stateOf(bowl)).toMatchObject({ stock: 0 })
    await book(page, 'Nhập vào kho').click()
    await answerQuestion(page, question, 'Nhập vào kho')
    await page.getByRole('heading', { level: 1, name: 'Phiếu nhập' }).waitFor()
    expect(await stateOf(bowl)).toMatchObject({ stock: 100_000 })
  })

  it('a code that nothing has stays to be tried again, and a viewer only looks', async () => {
    const page = await openNew('/goods-received/new', 390)
    await page.keyboard.type('0000000000\n')
    await page.getByRole('alert').filter({ hasText: '0000000000' }).waitFor()
    const looking = await shop.open('/goods-received', { as: await shop.invite('viewer') })
    await looking.getByRole('heading', { level: 1, name: 'Nhập hàng' }).waitFor()
    await looking.getByRole('row').nth(1).waitFor()
    expect(await looking.getByRole('link', { name: 'Nhập hàng mới' }).count()).toBe(0)
  })
})

describe('a stock count', () => {
  it.each(WIDTHS)(
    'shows what differs before it is booked, is refused where stock moved since, and then shows that, at %i px',
    async (width) => {
      const fan = await makeProduct(`Quạt nan ${width}`, 5)
      const hat = await makeProduct(`Nón lá ${width}`, 2)
      const page = await openNew('/stock-counts/new', width)
      await scan(page, fan, 1)
      await scan(page, fan, 2)
      await scan(page, hat, 1)
      await scan(page, hat, 2)
      await page.getByText('Thiếu 3').waitFor()
      await page.getByText('2 mặt hàng, 4 món · 1 mặt hàng chênh lệch').waitFor()
      await expectAccessible(page)
      expect(await stateOf(fan)).toMatchObject({ stock: 5 })

      await enter({ type: 'issue', items: [{ skuId: fan.skuId, quantity: 1 }] })
      await book(page, 'Cân bằng kho').click()
      await page.getByText('1 mặt hàng thiếu 3. Cân bằng kho?').waitFor()
      await expectAccessible(page)
      await answerQuestion(page, '1 mặt hàng thiếu 3. Cân bằng kho?', 'Đếm lại')
      expect(await stateOf(fan)).toMatchObject({ stock: 4 })
      await book(page, 'Cân bằng kho').click()
      await answerQuestion(page, '1 mặt hàng thiếu 3. Cân bằng kho?', 'Cân bằng kho')
      await page
        .getByRole('alert')
        .filter({ hasText: `${fan.name}: 5 → 4` })
        .waitFor()
      expect(await stateOf(fan)).toMatchObject({ stock: 4 })
      await page.getByText('Thiếu 2').waitFor()
      await page.getByLabel(`Số lượng ${hat.name}`).fill('7')
      await page.getByText('2 mặt hàng chênh lệch').waitFor()
      await book(page, 'Cân bằng kho').click()
      await answerQuestion(page, '1 mặt hàng thiếu 2, 1 mặt hàng thừa 5. Cân bằng kho?', 'Cân bằng kho')
      await page.getByRole('heading', { level: 1, name: 'Phiếu kiểm kho' }).waitFor()
      await page.getByRole('row').filter({ hasText: fan.name }).filter({ hasText: 'Thiếu 2' }).waitFor()
      expect(await stateOf(fan)).toMatchObject({ stock: 2 })
      await expectAccessible(page)
      await page.goto('/stock-counts')
      await page.getByRole('row').filter({ hasText: 'Thiếu 2' }).first().waitFor()
      await expectAccessible(page)
    },
  )

  it('finds what is no longer sold, which the counter does not', async () => {
    const lamp = await makeProduct('Đèn dầu cũ', 3)
    const path = `/api/external/v1/products/${lamp.productId}`
    const { shopId } = (await shop.api('GET', path)).body.data
    expect((await shop.api('PATCH', path, { shopId, status: 'inactive' })).status).toBe(200)
    const page = await openNew('/stock-counts/new', 1440)
    await scan(page, lamp, 1)
    await page.getByText('Thiếu 2').waitFor()
    const counter = await openNew('/pos', 1440)
    await counter.keyboard.type(`${lamp.barcode}\n`)
    await counter.getByRole('alert').filter({ hasText: lamp.barcode }).waitFor()
  })

  it('withdraws its question when something is scanned meanwhile, which would not be booked', async () => {
    const rake = await makeProduct('Cào tre')
    const hoe = await makeProduct('Cuốc chim')
    const page = await openNew('/stock-counts/new', 1440)
    await scan(page, rake, 1)
    await book(page, 'Cân bằng kho').click()
    const question = page.getByRole('dialog')
    await question.waitFor()
    await scanFast(page, hoe.barcode)
    await page.getByLabel(`Số lượng ${hoe.name}`).waitFor()
    await question.waitFor({ state: 'detached' })
    expect(await stateOf(rake)).toMatchObject({ stock: 0 })
  })

  it('that matches is booked without a question', async () => {
    const broom = await makeProduct('Chổi đót', 1)
    const page = await openNew('/stock-counts/new', 1440)
    await scan(page, broom, 1)
    await page.getByText('Tất cả đều khớp').waitFor()
    await book(page, 'Cân bằng kho').click()
    await page.getByRole('heading', { level: 1, name: 'Phiếu kiểm kho' }).waitFor()
  })
})

describe('warehouses', () => {
  it.each(WIDTHS)(
    'are added, edited, made the default and deleted in the settings, not by a viewer, at %i px',
    async (width) => {
      const viewport = { width, height: 844 }
      const page = await shop.open('/settings?tab=warehouses', { viewport, as: people.staff })
      const rows = async () =>
        (await shop.api('GET', '/api/external/v1/warehouses')).body.data.warehouses as {
          name: string
          address: string
          isDefault: boolean
        }[]
      const first = (await rows()).find(({ isDefault }) => isDefault)!
      const name = `Kho Huế ${width}`
      await page.getByRole('button', { name: 'Thêm kho' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Tên kho').fill(first.name.toUpperCase())
      await form.getByRole('button', { name: 'Tạo' }).click()
      await form.getByText('Đã có kho tên này.').waitFor()
      await form.getByLabel('Tên kho').fill(name)
      await form.getByLabel('Địa chỉ').fill('12 Lê Lợi, Huế')
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Tạo' }).click()
      await page.getByRole('row').filter({ hasText: name }).filter({ hasText: '12 Lê Lợi' }).waitFor()
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)

      await page.getByRole('button', { name: `Sửa ${name}` }).click()
      await form.getByLabel('Địa chỉ').fill('34 Lê Lợi, Huế')
      await form.getByRole('button', { name: 'Lưu' }).click()
      await page.getByRole('row').filter({ hasText: '34 Lê Lợi' }).waitFor()

      const confirm = async (button: string, answer: string) => {
        await page.getByRole('button', { name: button }).click()
        await form.getByRole('button', { name: answer }).press('Enter')
      }
      await confirm(`Đặt làm mặc định: ${name}`, 'Đặt làm mặc định')
      await expect.poll(async () => (await rows()).find(({ isDefault }) => isDefault)?.name).toBe(name)
      await page.getByRole('row').filter({ hasText: name }).getByText('Mặc định', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: `Xóa ${name}` }).count()).toBe(0)
      await confirm(`Đặt làm mặc định: ${first.name}`, 'Đặt làm mặc định')
      await confirm('Xóa Kho Sài Gòn', 'Xóa')
      await page.getByText('không xóa được: lịch sử xuất nhập được giữ lại', { exact: false }).waitFor()
      await confirm(`Xóa ${name}`, 'Xóa')
      await expect.poll(async () => (await rows()).some((one) => one.name === name)).toBe(false)
      await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' })
      await expectFocusKept(page)

      const looking = await shop.open('/settings?tab=warehouses', {
        viewport,
        as: await shop.invite('viewer'),
      })
      await looking.getByRole('row').filter({ hasText: first.name }).waitFor()
      expect(await looking.getByRole('button', { name: /^(Thêm kho|Sửa |Xóa )/ }).count()).toBe(0)
    },
  )
})

describe('a transfer', () => {
  it.each(WIDTHS)('says what falls short, and moves what is there, at %i px', async (width) => {
    const vase = await makeProduct(`Bình gốm ${width}`, 2)
    const page = await openNew('/transfers/new', width)
    await page.getByLabel(SCAN).click()
    await page.keyboard.type(`3*${vase.barcode}\n`)
    await page.getByText('Chỉ còn 2 khả dụng').waitFor()
    expect(await book(page, 'Chuyển kho').isDisabled()).toBe(true)
    await page.getByText('1 mặt hàng vượt số khả dụng').waitFor()
    await page.getByLabel(`Số lượng ${vase.name}`).fill('')
    await page.getByText('1 mặt hàng chưa có số lượng').waitFor()
    expect(await book(page, 'Chuyển kho').isDisabled()).toBe(true)
    await page.getByLabel(`Số lượng ${vase.name}`).fill('2')
    await expectAccessible(page)
    await book(page, 'Chuyển kho').click()
    await page.getByRole('heading', { level: 1, name: 'Phiếu chuyển kho' }).waitFor()
    await page.getByText('Kho Sài Gòn', { exact: false }).waitFor()
    expect(await stateOf(vase)).toMatchObject({ stock: 0 })
    const { warehouses } = (await shop.api('GET', '/api/external/v1/warehouses')).body.data
    const second = warehouses.find((one: { name: string }) => one.name === 'Kho Sài Gòn')
    expect(await stateOf(vase, second._id)).toMatchObject({ stock: 2 })
    await expectAccessible(page)
    await page.goto('/transfers')
    await page.getByRole('row').filter({ hasText: 'Kho Sài Gòn' }).first().waitFor()
    await expectAccessible(page)
  })
})
