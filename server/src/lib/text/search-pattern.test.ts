import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchPattern, searchWords } from './search-pattern.ts'

describe('the pattern of a word (G-33)', () => {
  it('a word of one or two letters or digits is found at the beginning of a word', () => {
    const { operator, pattern, isIndexable } = searchPattern('ao')
    expect({ operator, isIndexable }).toEqual({ operator: '~', isIndexable: true })
    for (const text of ['ao', 'mu ao', '(ao)', 'mu-aong', 'a/ao', 'sao+ao'])
      expect(text).toMatch(new RegExp(pattern))
    // The signs up to U+00FF, as many as there are.
    const signs = [...Array(0x100).keys()]
      .map((code) => String.fromCharCode(code))
      .filter((sign) => /[\p{P}\p{S} ]/u.test(sign))
    expect(signs.length).toBeGreaterThan(50)
    for (const sign of signs) expect(`mu ${sign}ao${sign}`).toMatch(new RegExp(pattern))
    for (const text of ['sao', 'mu bao', '']) expect(text).not.toMatch(new RegExp(pattern))
  })

  it('any other word is found anywhere, with the index if it has three letters or digits in a row', () => {
    expect(searchPattern('aos')).toEqual({ operator: 'like', pattern: '%aos%', isIndexable: true })
    expect(searchPattern('a-b')).toEqual({ operator: 'like', pattern: '%a-b%', isIndexable: false })
    expect(searchPattern('茶')).toEqual({ operator: 'like', pattern: '%茶%', isIndexable: false })
    expect(searchPattern('5%')).toEqual({ operator: 'like', pattern: '%5\\%%', isIndexable: false })
  })
})

describe('the words of a search (G-33)', () => {
  it('come folded, the longest first, and a blank text has none', () => {
    expect(searchWords(' Áo  Đỏ dài ')).toEqual(['dai', 'ao', 'do'])
    expect(searchWords(' \t')).toEqual([])
  })

  it('are left out when another word implies them, and only then', () => {
    expect(searchWords('ao áo AO')).toEqual(['ao'])
    expect(searchWords('a ao')).toEqual(['ao'])
    expect(searchWords('khoai hoa oai')).toEqual(['khoai'])
    expect(searchWords('x-ao ao')).toEqual(['x-ao'])
    // "aox" is found in "kaox", where no word begins with "ao".
    expect(searchWords('aox ao')).toEqual(['aox', 'ao'])
    expect(searchWords('a ba')).toEqual(['ba', 'a'])
  })

  it('find the same texts as all words of the search do, each compared without a pattern', () => {
    const part = fc.constantFrom('a', 'ab', 'abé', 'ba', 'b1', 'x-ab', '(a', '5%', '茶', '“a', '«b')
    const search = fc.array(part, { maxLength: 4 }).map((words) => words.join(' '))
    // Parts at the beginning of a word and within one.
    const text = fc
      .array(fc.oneof(part, fc.constantFrom(' ', 'k')), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(search, fc.array(text, { minLength: 1, maxLength: 8 }), (asked, texts) => {
        const folded = texts.map((one) => one.replaceAll('é', 'e'))
        const patterns = searchWords(asked).map(searchPattern)
        const found = folded.filter((one) =>
          patterns.every(({ operator, pattern }) =>
            operator === '~'
              ? new RegExp(pattern).test(one)
              : one.includes(pattern.slice(1, -1).replace(/\\(.)/g, '$1')),
          ),
        )
        const words = asked.replaceAll('é', 'e').split(' ')
        expect(found).toEqual(folded.filter((one) => words.every((each) => hasWord(one, each))))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Whether a folded text has a word as G-33 says. */
function hasWord(text: string, word: string): boolean {
  if (!/^[a-z\d]{1,2}$/.test(word)) return text.includes(word)
  const begins = (at: number) => at === 0 || [' ', '-', '(', '%', '«'].includes(text[at - 1]!)
  return [...text].some((_, at) => text.startsWith(word, at) && begins(at))
}
