import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/process/app.ts'
import { service } from '../../support/service.ts'

const { deps } = await service()
const folder = mkdtempSync(join(tmpdir(), 'shopbell-pages-'))
writeFileSync(join(folder, 'index.html'), '<html><head><title>Shopbell</title></head><body></body></html>')
afterAll(() => rmSync(folder, { recursive: true }))

const domainProof = {
  meta: { name: 'platform-verification', content: 'a$&"b' },
  file: { name: 'platform-proof1.html', text: 'proof of x.example' },
}
const TAG = '<meta name="platform-verification" content="a$&#38;&#34;b"></head>'

async function read(path: string, consoleFolder?: string, proof: object = domainProof) {
  const config = { ...deps.config, domainProof: { meta: undefined, file: undefined, ...proof } }
  const app = await buildApp({ ...deps, config }, consoleFolder)
  const { statusCode, body, headers } = await app.inject(path)
  await app.close()
  return { status: statusCode, body, type: headers['content-type'] }
}

describe('proof of the domain', () => {
  it('200 with the tag in the head of the console’s page, and of a page at / without a console', async () => {
    const page = await read('/', folder)
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain(`<title>Shopbell</title>${TAG}<body>`)
    expect((await read('/')).body).toContain(TAG)
    expect((await read('/', folder, {})).body).not.toContain('meta')
    expect((await read('/', undefined, {})).status).toBe(404)
  })

  it('200 with the file’s text at its name, with and without a console', async () => {
    for (const pages of [folder, undefined]) {
      expect(await read('/platform-proof1.html', pages)).toEqual({
        status: 200,
        body: 'proof of x.example',
        type: 'text/html; charset=utf-8',
      })
    }
    expect((await read('/platform-proof1.html', undefined, {})).status).toBe(404)
  })
})
