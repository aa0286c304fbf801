import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/app-type.ts'
import { buildApp } from '../../../src/process/app.ts'
import { errorsPage } from '../../../src/process/document/errors-page.ts'
import { apiDocumentText } from '../../../src/process/document/openapi-document.ts'
import { en } from '../../../src/texts/en.ts'
import { service } from '../../support/service.ts'

type Response = Awaited<ReturnType<App['inject']>>

const CONSOLE = 'a page of the console of this test'
const { deps } = await service()
// With a console, whose page is served at every other address.
const folder = mkdtempSync(join(tmpdir(), 'shopbell-pages-'))
writeFileSync(join(folder, 'index.html'), `<html><head></head><body>${CONSOLE}</body></html>`)
const app = await buildApp(deps, folder)
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

// Each address is read once: a stranger may read 120 documents a minute.
const read = new Map<string, Promise<Response>>()
const get = (url: string): Promise<Response> => {
  const response = read.get(url) ?? app.inject({ url })
  read.set(url, response)
  return response
}
const listed = [...(await get('/llms.txt')).body.matchAll(/\]\((\S+)\)/g)].map((match) => match[1]!)
const pages = listed.filter((path) => path.endsWith('.md')).map((path) => path.replace(/\.md$/, ''))

describe('the guide and the reference', () => {
  it('200 /llms.txt lists the guide, the reference and the document, each of which is there as text', async () => {
    expect(pages).toEqual(expect.arrayContaining(['/docs/guide', '/docs/errors', '/docs/reference/orders']))
    expect(listed).toContain('/openapi.json')
    for (const path of listed) {
      const { statusCode, headers } = await get(path)
      expect([path, statusCode]).toEqual([path, 200])
      expect(headers['content-type']).toMatch(/^(text\/markdown|application\/json); charset=utf-8$/)
    }
    expect((await get('/llms.txt')).headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it.each(pages)('200 %s is a page that loads nothing and whose links lead somewhere', async (path) => {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).not.toMatch(/<script|<img|<link|src=/)
    const links = [...body.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!)
    for (const link of links.filter((each) => !each.startsWith('http'))) {
      const { pathname, hash } = new URL(link, `http://service${path}`)
      const target = await get(pathname)
      expect([link, target.statusCode, target.body.includes(CONSOLE)]).toEqual([link, 200, false])
      if (hash !== '') expect(target.body).toContain(`id="${decodeURIComponent(hash.slice(1))}"`)
    }
  })

  it('show their Markdown as it is in the repository, and placeholders as text', async () => {
    const text = readFileSync(new URL('../../../../docs/guide.md', import.meta.url), 'utf8')
    expect((await get('/docs/guide.md')).body).toBe(text)
    expect((await get('/docs/guide')).body).toContain('DRAFT ──publish──▶ PENDING_REVIEW')
    expect((await get('/docs/guide')).body).toContain('<code>&lt;customer_name&gt;</code>')
    expect((await get('/docs/guide/template.json')).json().templateType).toBe('custom')
  })

  it('list every error code by its status and text, as the document has them now', async () => {
    const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
    expect(page).toBe(errorsPage(JSON.parse(await apiDocumentText())))
    expect(Object.keys(en.refused).filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([])
  })

  it.each([
    '/docs/nothing',
    '/docs/guide/',
    '/docs/guide/other.json',
    '/docs/decisions/0005-idempotency.md',
    '/docs/..%2fREADME.md',
    '/llms.txt/more',
    '/api',
    '/api/external/nothing',
    '/%61pi/nothing',
    '/api?x=1',
  ])('404 %s, with a console too', async (path) => {
    const { statusCode, body } = await get(path)
    expect([statusCode, body.includes(CONSOLE)]).toEqual([404, false])
  })

  it('200 the console’s page elsewhere', async () => {
    expect((await get('/orders/7')).body).toContain(CONSOLE)
  })
})
