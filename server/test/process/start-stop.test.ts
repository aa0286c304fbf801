import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  freePorts,
  http,
  manageOver,
  OPERATOR_TOKEN,
  run,
  startService,
  temporaryFolder,
} from '../support/process.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

describe('settings', () => {
  it('a wrong value stops the start with exit code 1 and one line', async () => {
    const { code, out, err } = await run(['serve'], { DATA_DIR: join(folder.path, 'unused'), PORT: 'abc' })
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain('PORT=abc')
  })

  it.runIf(existsSync('/proc/self'))(
    'a data folder where nobody can create one stops the start with one line',
    async () => {
      const { code, err } = await run(['serve'], { ...(await freePorts()), DATA_DIR: '/proc/shopbell' })
      expect([code, err]).toEqual([
        1,
        "shopbell: ENOENT: no such file or directory, mkdir '/proc/shopbell': check the path\n",
      ])
    },
    30_000,
  )

  it.each(['notanaddress.invalid', '192.0.2.1'])(
    'HOST=%s, which is not an address of this machine, stops the start with one line that names it',
    async (HOST) => {
      const DATA_DIR = join(folder.path, 'no-host')
      const { code, err } = await run(['serve'], { ...(await freePorts()), CONSOLE: '0', DATA_DIR, HOST })
      expect([code, err]).toEqual([
        1,
        `shopbell: HOST=${HOST} is not usable: use an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them\n`,
      ])
      expect(existsSync(DATA_DIR)).toBe(false)
    },
    60_000,
  )

  it.each([
    ['SIMULATOR_PORT', 'another Shopbell may be running: stop it, or set SIMULATOR_PORT to'],
    ['METRICS_PORT', 'or set METRICS_PORT to'],
    ['PORT', 'or set PORT to'],
  ])(
    'a taken %s stops the start with one line that names it',
    async (name, says) => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as { port: number }
      const env = {
        DATA_DIR: join(folder.path, 'taken'),
        DEMO: '0',
        CONSOLE: '0',
        LOG_LEVEL: 'fatal',
        ...(await freePorts()),
        [name]: String(port),
      }
      const { code, err } = await run(['serve'], env)
      other.close()
      expect({ code, lines: err.trim().split('\n').length }, err).toEqual({ code: 1, lines: 1 })
      expect(err).toContain(says)
    },
    60_000,
  )

  it('a taken METRICS_PORT is noticed before the database is opened', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const METRICS_PORT = String((other.address() as { port: number }).port)
    const DATA_DIR = join(folder.path, 'not-opened')
    const { code, err } = await run(['serve'], {
      ...(await freePorts()),
      CONSOLE: '0',
      DATA_DIR,
      METRICS_PORT,
    })
    other.close()
    expect([code, err]).toEqual([
      1,
      `shopbell: METRICS_PORT=${METRICS_PORT} is in use: stop what uses the port, or set METRICS_PORT to another one\n`,
    ])
    expect(existsSync(DATA_DIR)).toBe(false)
  }, 60_000)
})

describe('one service on a data folder', () => {
  it('starts, makes its operator token with mode 600, refuses a second process by its pid, ends with 0 on SIGTERM, and restarts with what was written', async () => {
    const env = { DATA_DIR: join(folder.path, 'data'), ...(await freePorts()) }
    const first = await startService({ ...env, OPERATOR_TOKEN: '' }, { isFirst: true })
    expect(statSync(join(env.DATA_DIR, 'operator-token')).mode & 0o777).toBe(0o600)

    const second = await run(['serve'], { ...env, ...(await freePorts()) })
    expect(second.code).toBe(1)
    expect(second.err).toContain(`process ${first.child.pid}`)
    expect(second.err.trim().split('\n')).toHaveLength(1)

    const made = await run(['--json', 'shop', 'create', 'Tiệm Sách Cũ'], { DATA_DIR: env.DATA_DIR })
    const { shop, apiKey } = JSON.parse(made.out).data
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null })

    const idle = await run(['shop', 'list'], { DATA_DIR: env.DATA_DIR })
    expect(idle.code).toBe(1)
    expect(idle.err).toContain('No Shopbell is running')

    const again = await startService({ ...env, OPERATOR_TOKEN })
    const listed = await manageOver(again.url, 'GET', '/shops')
    expect(listed.body.data).toHaveLength(1)
    expect(listed.body.data[0]).toMatchObject(shop)
    const products = await http(again.url, 'GET', '/api/external/v1/products', undefined, {
      'x-api-key': `service-partner ${apiKey}`,
    })
    expect(products.status).toBe(200)
    expect((await http(again.url, 'GET', '/health/ready')).status).toBe(200)
    expect(await again.end('SIGTERM')).toEqual({ code: 0, signal: null })
  }, 60_000)
})
