import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { en } from '../src/texts/en.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const REFERENCE = 'docs/reference'
const NUMBER = /\bG-\d{2,3}\b|\bE(?:1[0-6]|[1-9])\b(?![-%])/g
const NOT_BUILT = 'Not built yet'

type Rule = { number: string; page: string; text: string; proof: string[] }

const rules: Rule[] = globSync('*.md', { cwd: resolve(ROOT, REFERENCE) }).flatMap((page) =>
  read(`${REFERENCE}/${page}`)
    .split(/^(?=#{1,3} )/m)
    .flatMap((text) => {
      const number = /^### (G-\d{2,3}|E\d{1,2}) \S/.exec(text)?.[1]
      if (number === undefined) return []
      const named = /^Proof: ([\s\S]*)/m.exec(text)?.[1] ?? ''
      return [{ number, page, text, proof: [...named.matchAll(/`([^`]+\.ts)`/g)].map((one) => one[1]!) }]
    }),
)
const numbers = rules.map((rule) => rule.number)

/** Every text file of the repository that people write, by its path. */
const written = new Map(
  globSync('**/*.{ts,tsx,sql,md}', {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|dist|data)$/.test(path),
  }).map((path) => [path, read(path)]),
)

function read(path: string): string {
  return readFileSync(resolve(ROOT, path), 'utf8')
}

describe('docs/reference', () => {
  it('defines each rule once, all sixteen E rules among them', () => {
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
    expect(numbers).toEqual(expect.arrayContaining(Array.from({ length: 16 }, (_, n) => `E${n + 1}`)))
    expect(rules.length).toBeGreaterThan(70)
  })

  it('defines every number that code, tests and documents cite', () => {
    const unknown = [...written].flatMap(([path, text]) =>
      (text.match(NUMBER) ?? [])
        .filter((number) => !numbers.includes(number))
        .map((one) => `${path}: ${one}`),
    )
    expect([...new Set(unknown)]).toEqual([])
  })

  it.each(rules)('$number names the tests that prove it, or says that it is not built', (rule) => {
    const cites = new RegExp(`\\b${rule.number}\\b`)
    if (rule.proof.length === 0) expect(rule.text).toContain(NOT_BUILT)
    const wrong = rule.proof.filter(
      (path) => !path.endsWith('.test.ts') || !cites.test(written.get(path) ?? ''),
    )
    expect(wrong, `files that are missing or do not cite ${rule.number}`).toEqual([])
  })

  it('lists every code of a refused rule', () => {
    const text = read(`${REFERENCE}/requests.md`)
    expect(Object.keys(en.refused).filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })
})

describe('documents', () => {
  const pages = [...written].filter(([path]) => path.endsWith('.md'))

  it.each(pages)('%s links only to files and headings that exist', (path, text) => {
    const broken = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, file, anchor]) => {
        const target = file === '' ? resolve(ROOT, path) : resolve(ROOT, path, '..', file!)
        if (!existsSync(target)) return true
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
      })
      .map(([link]) => link)
    expect(broken).toEqual([])
  })
})

describe('docs/glossary.md', () => {
  it('names the Vietnamese words that screens use', () => {
    const screens = [...written]
      .filter(([path]) => path.startsWith('console/src/'))
      .map(([, text]) => text.toLowerCase())
      .join('\n')
    const words = [...read('docs/glossary.md').matchAll(/^\|[^|\n]+\|[^|\n]+\|([^|\n]+)\|$/gm)]
      .flatMap(([, cell]) => cell!.trim().split(', '))
      .filter((word) => word !== '' && word !== 'on screen' && !word.startsWith('---'))
    expect(words.length).toBeGreaterThan(30)
    expect(words.filter((word) => !screens.includes(word.toLowerCase()))).toEqual([])
  })
})

/** The anchors of a page's headings, as GitHub creates them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
}
