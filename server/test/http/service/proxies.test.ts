import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createConnection } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, stopChild } from '../../../../tools/shared/child-process.ts'
import { MAX_UPLOAD_BYTES } from '../../../src/modules/product-files/import/rules.ts'
import { http, manageOver, temporaryFolder } from '../../support/process.ts'
import { eventually, separateService } from '../../support/service.ts'

const DEPLOY = new URL('../../../../deploy/', import.meta.url)
const has = (name: string) =>
  spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH: `${process.env.PATH}:/usr/sbin` } }).status ===
  0

/**
 * The sample configurations in `deploy/` with this address and service and without a certificate, and how each proxy is
 * started with its own.
 */
const PROXIES = {
  caddy: (folder: string, port: number, service: string) => {
    const sample = read('caddy/Caddyfile').replace('shop.example {', `http://127.0.0.1:${port} {`)
    const settings = join(folder, 'Caddyfile')
    const ours = `{\n admin off\n auto_https off\n storage file_system ${folder}/caddy\n}\n`
    writeFileSync(settings, ours + sample.replaceAll('127.0.0.1:3000', service))
    return ['run', '--adapter', 'caddyfile', '--config', settings]
  },
  nginx: (folder: string, port: number, service: string) => {
    const sample = read('nginx/shopbell.conf')
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replace(/^\s*ssl_certificate.*$/gm, '')
      .replaceAll('127.0.0.1:3000', service)
    const settings = join(folder, 'nginx.conf')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    writeFileSync(
      settings,
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
      events {}
      http { access_log off; ${temporary.join(' ')} ${sample} }`,
    )
    return ['-e', join(folder, 'error.log'), '-c', settings]
  },
}

describe.each(Object.entries(PROXIES).filter(([name]) => has(name)))(
  '%s as deploy/ has it',
  (name, argsOf) => {
    const folder = temporaryFolder()
    let url = ''
    let proxy: ReturnType<typeof spawn>
    beforeAll(async () => {
      const { app } = await separateService({ trustProxy: 1 })
      const { port: own } = app.addresses()[0] as AddressInfo
      const port = await freePort()
      proxy = spawn(name, argsOf(folder.path, port, `127.0.0.1:${own}`), {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
      })
      url = `http://127.0.0.1:${port}`
      await eventually(() => accepts(port), 10_000)
    })
    afterAll(async () => {
      await stopChild(proxy)
      folder.remove()
    })

    it('the caller’s address is the one that the proxy saw, whatever the caller says', async () => {
      const authorization = 'Bearer operator-token-of-the-tests'
      const headers = { authorization, 'x-forwarded-for': '198.51.100.7', 'x-request-id': 'forged' }
      const made = await http(url, 'POST', '/api/manage/v1/shops', { name: 'Gốm' }, headers)
      expect(made.status).toBe(201)
      const audit = await manageOver(url, 'GET', '/audit?limit=1')
      expect(audit.body.data[0]).toMatchObject({ address: '127.0.0.1' })
      const { apiKey } = made.body.data
      const wallet = await http(url, 'GET', '/api/external/wallet', undefined, {
        'x-api-key': `service-partner ${apiKey}`,
      })
      expect([wallet.status, wallet.body]).toEqual([200, { balance: 0, held: 0 }])
    })

    it('a file as large as an import takes reaches Shopbell, which refuses what is in it; /metrics is refused by Shopbell too', async () => {
      const { apiKey } = (await manageOver(url, 'POST', '/shops', { name: 'Hoa' })).body.data
      const answer = await fetch(`${url}/api/external/v1/products/import`, {
        method: 'POST',
        headers: { 'x-api-key': `service-partner ${apiKey}`, 'content-type': 'text/csv' },
        body: Buffer.alloc(MAX_UPLOAD_BYTES, 'a'),
      })
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { validation: { body: { keys: ['file'] } } },
      ])
      expect((await fetch(`${url}/metrics`)).status).toBe(401)
    })
  },
)

function read(path: string): string {
  return readFileSync(new URL(path, DEPLOY), 'utf8')
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
