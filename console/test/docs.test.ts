import { describe, expect, it } from 'vitest'
import { startConsole } from './support.ts'

const console = await startConsole()

describe('the page of the API', () => {
  it('opens on a quick start; a key written once behind its word is sent with a call that is tried', async () => {
    const page = await console.open('/docs/', { as: null })
    await page.getByRole('heading', { name: 'Quick start' }).waitFor()
    for (const language of ['curl -H', "from '@shopbell/client'", 'urllib.request'])
      await page.getByText(language).first().waitFor()
    for (const tab of ['Shell', 'Node.js', 'Python'])
      await page.getByRole('tab', { name: tab }).first().waitFor()

    const key = page.locator('input.scalar-password-input').first()
    await expect.poll(() => key.inputValue()).toBe('service-partner ')
    await key.press('End')
    await key.pressSequentially(console.demoKey)
    await page
      .getByRole('button', { name: /Test Request.*get \/api\/external\/v1\/products\)/ })
      .first()
      .click()
    const answered = page.waitForResponse((response) => response.url().includes('/api/external/v1/products?'))
    await page.getByRole('button', { name: /^Send/ }).first().click()
    const answer = await answered
    expect(answer.status()).toBe(200)
    expect(answer.request().headers()['x-api-key']).toBe(`service-partner ${console.demoKey}`)
    expect((await answer.json()).data.products).toBeInstanceOf(Array)
  })

  it.each(['/docs/unknown', '/llms.txt/more', '/api/unknown'])(
    '404 at %s, not the page of the console',
    async (path) => {
      const answer = await fetch(console.url + path)
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ error: 'Resource not found' }),
      ])
    },
  )
})
