import { describe, expect, it } from 'vitest'
import { codePointLength, isBlank, maskSecret, toNfc } from './text.ts'

describe('text', () => {
  it('G-21 lengths count code points after NFC', () => {
    expect(codePointLength('Huế'.normalize('NFD'))).toBe(3)
    expect(codePointLength('😀a')).toBe(2)
    expect(codePointLength('')).toBe(0)
  })

  it('a blank shows nothing, whatever characters it is made of', () => {
    for (const text of [
      '',
      ' \n\t',
      '\u00a0\u3000',
      '\u200b\u2060\ufeff\u00ad',
      '\u3164\u115f\u2800',
      '\u0085',
    ])
      expect(isBlank(text), JSON.stringify(text)).toBe(true)
    for (const text of ['.', 'ơ', '\u0301', '👩‍👩‍👧', '\u200ba']) expect(isBlank(text)).toBe(false)
  })

  it('NFC composes marks', () => {
    expect(toNfc('e\u0302\u0301')).toBe('\u1ebf')
  })

  it('G-25 a masked OTP shows neither digits nor length, a long key its last four', () => {
    expect(maskSecret('1')).toBe(maskSecret('123456'))
    expect(maskSecret('123456')).toBe('***')
    expect(maskSecret('sb_live_0123456789abcdef')).toBe('***cdef')
    expect(maskSecret('')).toBe('')
  })
})
