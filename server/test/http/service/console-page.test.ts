import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/process/app.ts'
import { service } from '../../support/service.ts'

const { deps } = await service()
const folder = mkdtempSync(join(tmpdir(), 'shopbell-pages-'))
writeFileSync(join(folder, 'index.html'), '<html><head></head><body></body></html>')
const screen = (path: string, name: string, needsSession: boolean) => ({
  path,
  scripts: [`/assets/${name}.js`],
  styles: [`/assets/${name}.css`],
  needsSession,
})
const SCREENS = [
  screen('/sign-in', 'sign-in', false),
  screen('/', 'overview', true),
  screen('/products/$productId', 'product', true),
  screen('/products/new', 'new-product', true),
]
writeFileSync(join(folder, 'screens.json'), JSON.stringify(SCREENS))
const app = await buildApp(deps, folder)
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** The files that the page at the address names, and whether it requests the signed-in person. */
async function namedAt(url: string) {
  const { statusCode, headers, body } = await app.inject({ url })
  const loaded = [...body.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)"/g)].map((match) => match.slice(1))
  return { status: statusCode, type: headers['content-type'], loaded }
}
const filesOf = (name: string) => [
  ['stylesheet', `/assets/${name}.css`],
  ['modulepreload', `/assets/${name}.js`],
]
const ME = ['preload', '/api/console/v1/me']

describe('the console’s page', () => {
  it.each([
    ['/', 'overview'],
    ['/?period=week', 'overview'],
    ['/products/new', 'new-product'],
    ['/products/65f0c0ffee0000000000000a', 'product'],
  ])('200 for %s with the files of its screen and the session, loaded at once', async (url, name) => {
    const type = 'text/html; charset=utf-8'
    expect(await namedAt(url)).toEqual({ status: 200, type, loaded: [ME, ...filesOf(name)] })
  })

  it('G-02 405 for a path of the service without the method, 404 for no path of it', async () => {
    for (const [method, url, status, allow] of [
      ['GET', '/api/external/order/pos/create', 405, 'POST'],
      ['DELETE', '/api/external/v1/products', 405, 'GET, HEAD, POST'],
      ['GET', '/api/nothing', 404, undefined],
      ['POST', '/nowhere', 404, undefined],
    ] as const) {
      const { statusCode, headers } = await app.inject({ method, url })
      expect([url, statusCode, headers.allow]).toEqual([url, status, allow])
    }
  })

  it('200 for the sign-in without the session, and for an address that no screen has with no files', async () => {
    expect((await namedAt('/sign-in')).loaded).toEqual(filesOf('sign-in'))
    for (const url of ['/products/a/b', '/nowhere', '/index.html'])
      expect([url, await namedAt(url)]).toMatchObject([url, { status: 200, loaded: [] }])
  })
})
