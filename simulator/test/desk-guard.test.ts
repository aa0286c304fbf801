import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { buildSimulator } from '../src/app.ts'
import { startPlatform } from './simulator.ts'

/** The status of a request with the given `Host` and other headers. */
function ask(url: string, path: string, headers: Record<string, string>, form?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = form === undefined ? 'GET' : 'POST'
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const call = request(new URL(path, url), { method, headers: { ...type, ...headers } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('error', reject)
    call.end(form)
  })
}

describe('the desk and its control calls', () => {
  it('refuse a foreign Host (DNS rebinding) and Origin (forms of other pages), take their own page and callers without one', async () => {
    const platform = await startPlatform()
    const { port, host } = new URL(platform.url)
    for (const path of ['/', '/control/messages', '/control/settings', '/preview/1']) {
      expect(await ask(platform.url, path, { host: `evil.example:${port}` })).toBe(403)
      expect(await ask(platform.url, path, { host: `192.0.2.7:${port}` })).toBe(403)
      expect(await ask(platform.url, path, { host, origin: 'https://evil.example' })).toBe(403)
      expect(await ask(platform.url, path, { host, origin: 'null' })).toBe(403)
    }
    const form = 'webhookUrl=https%3A%2F%2Fevil.example'
    expect(await ask(platform.url, '/control/settings', { origin: 'http://127.0.0.1:1' }, form)).toBe(403)
    const settings = await fetch(`${platform.url}/control/settings`)
    expect(((await settings.json()) as { webhookUrl: unknown }).webhookUrl).toBeNull()

    expect(await ask(platform.url, '/', { host: `localhost:${port}` })).toBe(200)
    expect(await ask(platform.url, '/control/reset', { host, origin: `http://${host}` }, 'a=b')).toBe(303)
    await platform.close()
  })

  it('configured to listen elsewhere, they take addresses and their own name', async () => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one !== undefined && !one.internal && one.family === 'IPv4')?.address
    if (address === undefined) return
    const simulator = buildSimulator({ host: 'Simulator.internal' })
    const url = await simulator.listen({ port: 0, host: '0.0.0.0' })
    const at = `http://${address}:${new URL(url).port}`
    expect(await ask(at, '/', {})).toBe(200)
    expect(await ask(at, '/', { host: 'simulator.internal' })).toBe(200)
    expect(await ask(at, '/', { host: 'evil.example' })).toBe(403)
    await simulator.close()
  })

  it('do not show the secret, which is another one in each simulator', async () => {
    const settings = async () => {
      const simulator = buildSimulator()
      const answer = await simulator.inject('/control/settings')
      await simulator.close()
      return answer.json()
    }
    expect(await settings()).not.toHaveProperty('secret')
  })
})
