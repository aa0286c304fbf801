import { expect, it } from 'vitest'
import { startConsole } from './support.ts'

const shop = await startConsole()

it('a pasted negative amount keeps its minus where amounts may be negative, and loses it elsewhere', async () => {
  const page = await shop.open('/operator')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('link', { name: 'Nhà Mộc' }).first().click()
  const amount = page.getByLabel('Số tiền')
  await amount.waitFor()
  const paste = async (text: string) => {
    await amount.fill('')
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await amount.press('Control+V')
  }
  await paste('-45.000')
  await expect.poll(() => amount.inputValue()).toBe('45.000 ₫')
  await page.getByText('Điều chỉnh', { exact: true }).first().click()
  await paste('-45.000')
  await expect.poll(() => amount.inputValue()).toBe('-45.000 ₫')
  await paste('−45,000 ₫')
  await expect.poll(() => amount.inputValue()).toBe('-45.000 ₫')
})

it('a percentage is written with the decimal sign of the language', async () => {
  const page = await shop.open('/products', { locale: 'en-GB' })
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(1)
    .check()
  await page.getByRole('button', { name: 'Adjust prices' }).click()
  const percent = page.getByLabel('Increase or decrease (%)')
  await percent.fill('')
  await percent.pressSequentially('7.5')
  await expect.poll(() => percent.inputValue()).toBe('7.5 %')
})
