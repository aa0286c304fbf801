import { it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const NEW = 'mật khẩu mới của tôi'

it('people change their own password; a wrong current one is reported at its field', async () => {
  const person = await shop.invite('staff')
  const page = await shop.open('/customers', { as: person })
  await page.getByRole('navigation').locator('[aria-haspopup="menu"]').click()
  await page.getByRole('menuitem', { name: 'Đổi mật khẩu' }).click()
  const form = page.getByRole('dialog', { name: 'Đổi mật khẩu' })
  const current = form.getByLabel('Mật khẩu hiện tại')
  await form.locator('input[autocomplete="current-password"]:focus').waitFor()
  await current.fill('not the password')
  await form.getByLabel('Mật khẩu mới').fill(NEW)
  await form.getByRole('button', { name: 'Đổi mật khẩu' }).click()
  await form.getByText('Mật khẩu hiện tại không đúng.').waitFor()
  await form.locator('input[autocomplete="current-password"]:focus').waitFor()
  await expectAccessible(page)
  await current.fill(person.password)
  await form.getByRole('button', { name: 'Đổi mật khẩu' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByText('Đã đổi mật khẩu').waitFor()
  await shop.open('/', { as: { ...person, password: NEW } })
})
