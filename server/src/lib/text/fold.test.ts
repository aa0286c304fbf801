import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeLike, fold, likeContains } from './fold.ts'

describe('folding for search (G-33)', () => {
  it.each([
    ['Đường Phố  Huế', 'duong pho hue'],
    ['  ÁO\tDÀI\n Nữ ', 'ao dai nu'],
    ['Cà phê sữa đá'.normalize('NFD'), 'ca phe sua da'],
    ['a\u00a0b\u0000c', 'a b c'],
    ['so\u00adft\u200b', 'soft'],
    ['\u00d0èn bàn', 'den ban'],
    ['', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('NFC and NFD input fold to the same text, and folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(text.normalize('NFC'))).toBe(fold(text.normalize('NFD')))
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })
})

describe('LIKE patterns', () => {
  it('percent, underscore and backslash are taken literally', () => {
    expect(escapeLike('50%_a\\b')).toBe('50\\%\\_a\\\\b')
    expect(likeContains('50%')).toBe('%50\\%%')
  })
})
