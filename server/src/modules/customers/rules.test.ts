import { describe, expect, it } from 'vitest'
import { customerSearch, searchPatterns, storedFields } from './rules.ts'

const NOW = new Date('2026-11-23T18:00:00Z')

describe('G-46 customers', () => {
  it('stores the phone as 84… and the name in NFC, and leaves absent fields absent', () => {
    expect(storedFields({ phone: '0912 345 678' }, NOW)).toEqual({ phone: '84912345678' })
    expect(storedFields({ fullName: ' Hoà '.normalize('NFD') }, NOW)).toEqual({
      fullName: 'Hoà'.normalize('NFC'),
    })
    expect(storedFields({ phone: '', email: '' }, NOW)).toEqual({ phone: '', email: '' })
    expect(storedFields({ birthday: '2026-11-24' }, NOW)).toEqual({ birthday: '2026-11-24' })
  })

  it('throws on a blank name, an invalid phone and an email without @', () => {
    const wrong = [
      { fullName: '  ' },
      { phone: '12' },
      { phone: '09123456789' },
      { email: 'x' },
      { email: 'a b@c' },
      { birthday: '24/11/1990' },
      { birthday: '1990-02-30' },
      { birthday: '1990-11-24T00:00' },
      // One day after today in Việt Nam.
      { birthday: '2026-11-25' },
    ]
    for (const fields of wrong) expect(() => storedFields(fields, NOW)).toThrow(`"${Object.keys(fields)[0]}"`)
  })

  it('a birthday before 1900 is refused with the first day that is accepted', () => {
    expect(() => storedFields({ birthday: '1899-12-31' }, NOW)).toThrow(
      '"birthday" must be greater than or equal to "1900-01-01"',
    )
    expect(storedFields({ birthday: '1900-01-01' }, NOW)).toEqual({ birthday: '1900-01-01' })
  })

  it('a customer is found by the folded name and by both forms of the phone', () => {
    expect(customerSearch('Đỗ Hoa', '84912345678')).toBe('do hoa 84912345678 0912345678')
    expect(customerSearch('Đỗ Hoa', '')).toBe('do hoa')
    expect(customerSearch('Ann', '12025550123')).toBe('ann 12025550123')
  })

  const patterns = (text: string) => searchPatterns(text).map(({ pattern }) => pattern)

  it('a phone number is one word however it is typed, other text its folded words', () => {
    for (const text of [
      '+84 912.345.678',
      '(+84) 912345678',
      '[+84] 912345678',
      '0084 912-345-678',
      '+84 (0)912 345 678',
    ]) {
      expect(searchPatterns(text)).toEqual([
        { operator: 'like', pattern: '%84912345678%', isIndexable: true },
      ])
    }
    for (const text of [
      '0912345678',
      ' 0912 345 678',
      '(0912) 345678',
      '０９１２３４５６７８',
      '\u202a0912345678\u202c',
    ]) {
      expect(patterns(text)).toEqual(['%0912345678%'])
    }
    expect(patterns('+44 (0)20 7946 0958')).toEqual(['%442079460958%'])
    for (const [part, digits] of [
      ['345.678', '345678'],
      ['912-345-678', '912345678'],
      ['84912-345-678', '84912345678'],
      ['(84) 912', '84912'],
      ['９１２３４５', '912345'],
    ])
      expect(patterns(part!)).toEqual([`%${digits}%`])
    expect(patterns('12.05')).toEqual(['%12.05%'])
    expect(patterns('HƯƠNG  hoa')).toEqual(['%huong%', '%hoa%'])
    expect(patterns('50%_')).toEqual(['%50\\%\\_%'])
    expect(patterns('  ')).toEqual([])
    expect(patterns('+')).toEqual(['%+%'])
  })

  it('finds a customer at every digit of the number being typed, in each form', () => {
    const stored = customerSearch('Lan', '84903334593')
    for (const typed of [
      '0903334593',
      '+84903334593',
      '0084903334593',
      '0903 334 593',
      '+84 (0)903 334 593',
    ]) {
      for (let length = 1; length <= typed.length; length++) {
        const missed = searchPatterns(typed.slice(0, length)).filter(({ operator, pattern }) =>
          operator === 'like' ? !stored.includes(pattern.slice(1, -1)) : !new RegExp(pattern).test(stored),
        )
        // The prefix of international calls alone is not enough for a search.
        if (!/^(\+|00?)$/.test(typed.slice(0, length))) expect(missed, typed.slice(0, length)).toEqual([])
      }
    }
  })

  it('a word that is neither short nor has three letters or digits in a row is not for the trigram index', () => {
    const indexable = (text: string) => searchPatterns(text).map(({ isIndexable }) => isIndexable)
    expect(indexable('a-b-c hoa dh1 do 茶')).toEqual([false, true, true, true, false])
  })
})
