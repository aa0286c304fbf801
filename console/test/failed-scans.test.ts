import { expect, it } from 'vitest'
import { counterOf, hold, PATIENT, SCAN, scan } from './counter.ts'
import { barcode } from './outage-sales.ts'
import { expectAccessible, expectFocus, startConsole } from './support.ts'

const shop = await startConsole()
const { skuOf, openCounter } = counterOf(shop)

it('a scan that failed goes when its sale is sold or discarded, and stays if it came while that was being sold', async () => {
  const lamp = await skuOf('Den long')
  const page = await openCounter()
  const [first, next, last] = [barcode(), barcode(), barcode()]
  const failed = (code: string) => page.getByText(`Chưa thêm được “${code}”`)
  const pieces = page.getByLabel(/^Số lượng Đèn lồng/)
  await scan(page, first)
  await failed(first).waitFor()
  await scan(page, lamp.barcode)
  await pieces.waitFor()
  const release = await hold(page, '**/order/pos/create')
  await page.getByRole('button', { name: 'Bán', exact: true, disabled: false }).click()
  await expect.poll(() => pieces.isDisabled(), PATIENT).toBe(true)
  await scan(page, next)
  await failed(next).waitFor()
  expect(await failed(first).count()).toBe(1)
  release()
  await page.getByText(/^Đã bán (DH|T-)/).waitFor()
  await failed(first).waitFor({ state: 'detached' })
  expect(await failed(next).count()).toBe(1)

  await scan(page, lamp.barcode)
  await pieces.waitFor()
  await scan(page, last)
  await failed(last).waitFor()
  await page.getByRole('button', { name: 'Xóa giỏ' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Xóa giỏ' }).click()
  await failed(last).waitFor({ state: 'detached' })
  expect(await failed(next).count()).toBe(1)
})

it.each([1440, 320])(
  'a quantity above the limit is refused at the scan field and stays there; the next scan replaces it, at %i px',
  async (width) => {
    const lamp = await skuOf('Den long')
    const page = await shop.open('/pos', { viewport: { width, height: 844 } })
    await expectFocus(page, SCAN)
    const refusal = page.getByText('Số lượng trước dấu * nhiều nhất là 9.999.')
    const field = page.getByLabel(SCAN)
    const text = `9999999*${lamp.barcode}`
    await page.keyboard.type(`${text}\n`)
    await refusal.waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.inputValue()).toBe(text)
    expect(await page.getByText('Chưa thêm được').count()).toBe(0)
    await expectAccessible(page)
    await scan(page, `2*${lamp.barcode}`)
    const pieces = page.getByLabel(/^Số lượng Đèn lồng/)
    await pieces.waitFor()
    expect(await pieces.inputValue()).toBe('2')
    expect(await refusal.count()).toBe(0)
  },
)
