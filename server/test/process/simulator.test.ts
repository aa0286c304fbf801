import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePorts, http, manageOver, run, startService, temporaryFolder } from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe('the simulator beside the service', () => {
  it('listens on the loopback whatever HOST is, and signs with a secret of the data folder, mode 600: the one of the sources is refused', async () => {
    const env = {
      DATA_DIR: join(folder.path, 'data'),
      HOST: '0.0.0.0',
      PLATFORM: 'simulator',
      ...(await freePorts()),
    }
    const service = await startService(env)
    const url = `http://127.0.0.1:${env.PORT}`
    const simulator = `http://127.0.0.1:${env.SIMULATOR_PORT}`
    expect((await http(simulator, 'GET', '/control/messages')).status).toBe(200)
    for (const { address, internal, family } of Object.values(networkInterfaces()).flatMap(
      (all) => all ?? [],
    )) {
      if (internal || family !== 'IPv4') continue
      expect((await http(`http://${address}:${env.PORT}`, 'GET', '/health/live')).status).toBe(200)
      await expect(fetch(`http://${address}:${env.SIMULATOR_PORT}/`)).rejects.toThrow()
    }

    const made = await manageOver(url, 'POST', '/shops', { name: 'Tiệm Sen' })
    const path = `/shops/${made.body.data.shop._id}/official-accounts`
    await manageOver(url, 'POST', path, { oaId: 'oa-of-this-test', name: 'Sen' })
    const post = async (secret: string) => {
      const raw = JSON.stringify({
        event_name: 'user_received_message',
        app_id: 'simulator',
        timestamp: '1893456000000',
      })
      const mac = createHash('sha256').update(`simulator${raw}1893456000000${secret}`).digest('hex')
      const answer = await fetch(`${url}/hooks/platform/oa-of-this-test`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-zevent-signature': `mac=${mac}` },
        body: raw,
      })
      return answer.status
    }
    const file = join(env.DATA_DIR, 'simulator-secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await post('simulator-secret')).toBe(401)
    expect(await post(readFileSync(file, 'utf8').trim())).toBe(200)

    // Events that it signs itself are accepted.
    const event = { oaId: 'oa-of-this-test', event_name: 'user_received_message' }
    await http(simulator, 'POST', '/control/events', event)
    const { body } = await http(simulator, 'GET', '/control/events')
    expect(body.events.at(-1).outcome).toBe('answered')
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 90_000)

  it.each([
    ['a public HOST', { HOST: '0.0.0.0' }, 'HOST=0.0.0.0'],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://127.0.0.1:9/none' }, 'DATABASE_URL'],
  ])(
    'does not start unasked with %s: the start stops with one line that says what to set',
    async (_, env, names) => {
      const data = join(folder.path, 'unasked')
      const { code, out, err } = await run(['serve'], { ...env, DATA_DIR: data, CONSOLE: '0' })
      expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 })
      expect(err).toContain(names)
      expect(err).toContain('PLATFORM_BUSINESS_URL')
      expect(err).toContain('PLATFORM=simulator')
    },
    60_000,
  )
})
