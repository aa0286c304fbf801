import { expect, it } from 'vitest'
import { expectAccessible, startConsole } from './support.ts'

const shop = await startConsole()
const viewer = await shop.invite('viewer')

it.each(['/products/import', '/products/new', '/news/new'])(
  'a viewer is told at %s that the role only looks, and gets no form',
  async (path) => {
    const page = await shop.open(path, { as: viewer })
    await page.getByText('Vai trò của bạn chỉ được xem.').waitFor()
    expect(await page.locator('main input, main textarea, main [contenteditable]').count()).toBe(0)
    await expectAccessible(page)
  },
)

it('a viewer’s settings open at the accounts, because only owners can add a webhook', async () => {
  const page = await shop.open('/settings', { as: viewer })
  await page.getByRole('tab', { name: 'Tài khoản OA', selected: true }).waitFor()
})
