import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languageOf } from '../http/language.ts'
import { safeCell } from '../lib/csv.ts'
import { fillText, inEveryLanguage, textsIn } from './catalogue.ts'
import { en } from './en.ts'
import { vi } from './vi.ts'

const SOURCES = new URL('../', import.meta.url).pathname

/** Every text of a catalogue by its path. */
function flat(catalogue: object, at = ''): [path: string, text: string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[at + key, value]] : flat(value as object, `${at}${key}.`),
  )
}

/** Words that are Vietnamese too. */
const SAME = new Set(['VAT (%)', 'Email', 'UID'])
const english = new Map(flat(en))
const vietnamese = new Map(flat(vi))
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted()

describe('G-05 texts', () => {
  it('each language has the same texts, none of them empty or with white space around it', () => {
    expect([...vietnamese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    expect(english.size).toBeGreaterThan(100)
    for (const [path, text] of [...english, ...vietnamese]) {
      expect([path, text.length > 1, text === text.trim()]).toEqual([path, true, true])
    }
  })

  it('each text names the same values in every language', () => {
    for (const [path, text] of english) {
      expect([path, placeholders(vietnamese.get(path)!)]).toEqual([path, placeholders(text)])
    }
  })

  it('headings of exports are different within a file, and none is a formula to a spreadsheet (G-121)', () => {
    for (const { exports } of [en, vi]) {
      for (const headings of [
        exports.orders,
        exports.customers,
        exports.products,
        exports.messages,
        exports.wallet,
      ])
        expect(new Set(Object.values(headings)).size).toBe(Object.keys(headings).length)
      for (const [, text] of flat(exports)) expect(safeCell(text)).toBe(text)
    }
  })

  it('none is left in English, and each Vietnamese sentence has Vietnamese letters, in NFC', () => {
    for (const [path, text] of vietnamese) {
      const isTranslated = text !== english.get(path) || SAME.has(text)
      expect([path, isTranslated, text.normalize('NFC') === text]).toEqual([path, true, true])
      const isSentence = text.split(' ').length > 3
      const isMarked = /[\u0300-\u036fđ]/.test(text.normalize('NFD').toLowerCase())
      expect([path, isMarked || !isSentence]).toEqual([path, true])
    }
    for (const [path, text] of english) expect([path, /[ăâêôơư]/i.test(text)]).toEqual([path, false])
  })

  it('no other source chooses between the languages by itself', () => {
    const choosing = globSync('**/*.ts', { cwd: SOURCES })
      .filter((path) => !/\.test\.ts$|^texts\/|^demo\//.test(path))
      .filter((path) => /=== 'vi'|\bvi: ['`]/.test(readFileSync(SOURCES + path, 'utf8')))
    expect(choosing).toEqual([])
  })

  it('values are filled in, also the same twice; an unknown one stays', () => {
    expect(fillText('{a} và {a}, {b}', { a: 1 })).toBe('1 và 1, {b}')
    expect(inEveryLanguage((language) => textsIn(language).made.key)).toEqual({
      vi: vi.made.key,
      en: en.made.key,
    })
    expect(textsIn('vi')).toBe(vi)
  })
})

describe('G-05 the language of an answer', () => {
  it.each([
    ['Accept-Language before the shop’s', 'en', 'vi', 'en'],
    ['a region', 'vi-VN', 'en', 'vi'],
    ['capitals', 'VI', 'en', 'vi'],
    ['the first of equals', 'vi,en', 'en', 'vi'],
    ['the first of equals, also with a region', 'vi-VN, en', 'en', 'vi'],
    ['the heavier one', 'en;q=0.5, vi;q=0.8', 'en', 'vi'],
    ['the one without a weight', 'en;q=0.9,vi', 'en', 'vi'],
    ['none that is refused by q=0', 'en;q=0, vi;q=0', 'vi', 'vi'],
    ['the shop’s where no known language is named', 'fr, de;q=0.9', 'vi', 'vi'],
    ['the shop’s for *', '*', 'vi', 'vi'],
    ['the shop’s without the header', undefined, 'vi', 'vi'],
    ['English where there is neither', undefined, undefined, 'en'],
    ['English where there is no shop and another language', 'fr', undefined, 'en'],
    ['no harm from nonsense', ';;q=x,,vi;q=abc,en;q=-1', 'vi', 'vi'],
  ] as const)('%s', (_, header, shop, expected) => {
    expect(languageOf(header, shop)).toBe(expected)
  })
})
