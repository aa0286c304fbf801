import { describe, expect, it } from 'vitest'
import { searchPattern } from './search-pattern.ts'

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
