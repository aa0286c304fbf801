import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ASSETS = join(import.meta.dirname, '../dist/assets')
const built = (extension: string) =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith(extension))
    .map((name) => readFileSync(join(ASSETS, name), 'utf8'))
    .join('\n')
/** Mantine's own class names. */
const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]+\b/g))

describe('the built styles', () => {
  it('have every class of Mantine that the scripts use: theme/mantine.css leaves out no part in use', () => {
    const all = fileURLToPath(import.meta.resolve('@mantine/core/styles.css'))
    const known = classesOf(readFileSync(all, 'utf8'))
    const used = classesOf(built('.js')).intersection(known)
    expect(used.size).toBeGreaterThan(100)
    expect([...used.difference(classesOf(built('.css')))]).toEqual([])
  })
})
