import { expect, it } from 'vitest'
import { startConsole } from './support.ts'

const shop = await startConsole({ OPERATOR_CONTACT: '+84 24 3825 0000' })

it.each(['/wallet', '/help'])('%s says how to reach the operator, and a click calls', async (path) => {
  const page = await shop.open(path)
  const link = page.getByRole('main').getByRole('link', { name: '+84 24 3825 0000' })
  expect(await link.getAttribute('href')).toBe('tel:+842438250000')
  expect(await link.locator('..').innerText()).toBe('Liên hệ người vận hành: +84 24 3825 0000')
})
