import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export type Statement = { file: string; line: number; text: string }

/** The statements in our sources: `sql` templates that begin with a command. Fragments are left out. */
export function readStatements(root: string): Statement[] {
  return globSync(join(root, 'server/src/modules/**/*.ts')).flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    return [...source.matchAll(/\bsql(?:<[^`]*?>)?`/g)].flatMap(({ index, 0: start }) => {
      const text = templateFrom(source, index + start.length)
      if (!/^\s*(\$\{planned\}\s*)?(select|with|insert|update|delete)\b/.test(text)) return []
      const line = source.slice(0, index).split('\n').length
      return [{ file: relative(root, path), line, text }]
    })
  })
}

/**
 * Whether a statement uses a shop's table without binding a shop's id, so that a cluster must ask every node. This is
 * read from its text: if a fragment is given the shop, its id counts as bound.
 */
export function bindsNoShop({ text }: Statement, shopTables: ReadonlySet<string>): boolean {
  const tables = text.matchAll(/\b(?:from|join|into|update|lateral)\s+(?:only\s+)?([a-z_]+)/g)
  return tables.some(([, name]) => shopTables.has(name!)) && !/\$\{[^}]*\b(shopId|shop\.id|shop\b)/.test(text)
}

/** A template's text up to its end, including the templates inside its `${…}`. */
function templateFrom(source: string, start: number): string {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source.startsWith('${', at)) {
      depth++
      at++
    } else if (depth > 0 && source[at] === '{') depth++
    else if (depth > 0 && source[at] === '}') depth--
    else if (depth > 0 && source[at] === '`') {
      const inner = templateFrom(source, at + 1)
      at += inner.length + 1
    } else if (source[at] === '`') return source.slice(start, at)
  }
  return source.slice(start)
}
