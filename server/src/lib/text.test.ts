import { describe, expect, it } from 'vitest'
import { codePointLength, maskSecret, toNfc } from './text.ts'

describe('text', () => {
  it('G-21 lengths count code points after NFC', () => {
    expect(codePointLength('Huế'.normalize('NFD'))).toBe(3)
    expect(codePointLength('😀a')).toBe(2)
    expect(codePointLength('')).toBe(0)
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
