import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { App } from '../../http/app-type.ts'
import { serveFixed } from '../../http/reads/fixed-document.ts'
import { setSecurityHeaders } from '../../http/security-headers.ts'
import { INSTALLED } from '../../installed-files.ts'
import { escapeHtml } from '../../lib/text/text.ts'
import { collectionOf } from './collection.ts'
import { servedFiles } from './served-files.ts'

const FOLDER = '/docs'
const MARKDOWN = 'text/markdown; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Serves the guide and the reference: as Markdown at `/docs/guide.md`, as a page at `/docs/guide`, and so on.
 * `/llms.txt` lists them. They are files of the installed package, and a page loads no other files.
 * `/openapi.json` is the API document; `/docs/collection.json` is made from it.
 */
export async function guidePages(app: App): Promise<void> {
  const files = servedFiles(INSTALLED.docs)
  const read = (file: string) => readFile(join(INSTALLED.docs, file), 'utf8')
  await app.register(async (docs) => {
    setSecurityHeaders(docs, {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"], frameAncestors: ["'self'"] },
    })
    for (const file of files) {
      const isText = file.endsWith('.md')
      serveFixed(docs, `${FOLDER}/${file}`, { type: isText ? MARKDOWN : JSON_TYPE, make: () => read(file) })
      if (!isText) continue
      serveFixed(docs, `${FOLDER}/${file.slice(0, -3)}`, {
        type: 'text/html; charset=utf-8',
        make: async () => pageOf(await read(file), file, files),
      })
    }
    serveFixed(docs, '/openapi.json', { type: JSON_TYPE, make: async () => JSON.stringify(app.swagger()) })
    serveFixed(docs, `${FOLDER}/collection.json`, {
      type: JSON_TYPE,
      headers: { 'content-disposition': 'attachment; filename="shopbell.postman_collection.json"' },
      make: async () => JSON.stringify(collectionOf(app.swagger())),
    })
    serveFixed(docs, '/llms.txt', {
      type: 'text/plain; charset=utf-8',
      make: () => llmsText(files, read),
    })
  })
}

async function llmsText(files: string[], read: (file: string) => Promise<string>): Promise<string> {
  const pages = files.filter((file) => file.endsWith('.md'))
  const lines = await Promise.all(
    pages.map(async (file) => [file, `- [${titleOf(await read(file))}](${FOLDER}/${file})`] as const),
  )
  const section = (isWanted: (file: string) => boolean) =>
    lines
      .filter(([file]) => isWanted(file))
      .map(([, line]) => line)
      .join('\n')
  const isReference = (file: string) => file.startsWith('reference/')
  return `# Shopbell

> One external HTTP API for a shop's catalogue, orders, point of sale, news and template messages. Every call carries the header
> \`x-api-key: service-partner <API_KEY>\`. A repeated \`Idempotency-Key\` makes a write safe to repeat. \`npx shopbell mcp\` offers the
> operations as tools over MCP.

## Guide

${section((file) => !isReference(file))}

## API

- [API document, OpenAPI 3.1](/openapi.json)
- [The same as a collection for Postman and Bruno](${FOLDER}/collection.json)

## Reference

${section(isReference)}
`
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/** Renders a Markdown page as HTML. Links lead to the pages in `files`; a link to a file that is not served becomes text. */
async function pageOf(text: string, file: string, files: string[]): Promise<string> {
  const { Marked } = await import('marked')
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${anchorOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens)
        const target = targetOf(href, file, files)
        return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="wide" tabindex="0"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`
      },
      html({ text: raw }) {
        return escapeHtml(raw)
      },
    },
  })
  const body = await marked.parse(text)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(titleOf(text))} · Shopbell</title>
<style>${STYLE}</style>
</head>
<body>
<nav>${NAVIGATION.map(([path, name]) => `<a href="${path}">${name}</a>`).join(' ')} <a href="${FOLDER}/${file}">Markdown</a></nav>
<main>
${body.replaceAll('<pre>', '<pre tabindex="0">')}</main>
</body>
</html>
`
}

const NAVIGATION = [
  [`${FOLDER}/guide`, 'The first hour'],
  [`${FOLDER}/topics`, 'Topics'],
  [`${FOLDER}/errors`, 'Errors'],
  [`${FOLDER}/reference/README`, 'Reference'],
  [`${FOLDER}/`, 'All operations'],
] as const

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif }
body { margin: 0 auto; max-width: 60rem; padding: 1rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding-bottom: .75rem; border-bottom: 1px solid #8886 }
h1, h2, h3 { line-height: 1.25; margin: 1.75em 0 .5em }
a { color: light-dark(#0b5cad, #7db8ff) }
code, pre { font: .875em/1.5 ui-monospace, monospace }
code { background: #8882; padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere }
pre { background: #8882; padding: .75rem 1rem; border-radius: 6px; overflow-x: auto }
pre code::before { display: block; opacity: .65; font-family: system-ui, sans-serif }
.language-sh::before { content: 'Shell' }
.language-ts::before { content: 'TypeScript' }
.language-python::before { content: 'Python' }
pre code { background: none; padding: 0; overflow-wrap: normal }
.wide { overflow-x: auto }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #8884 }
`

/** The target of a link on a page; undefined for a file that is not served. */
function targetOf(href: string, file: string, files: string[]): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [path, anchor] = href.split('#') as [string, string | undefined]
  const linked = posix.join(posix.dirname(file), path)
  if (!files.includes(linked)) return undefined
  return `${FOLDER}/${linked.replace(/\.md$/, '')}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Makes anchors as GitHub does, so that links work in both places. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
